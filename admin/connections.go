package admin

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"slices"
	"sync"
)

// places are the connections of a listener, at most so many. Where all are open a new one takes the place of another: of the
// one that has been silent for longest among those without a request of somebody known. So whoever holds
// connections, by half a request or by an answer that he does not read, keeps no health check out. While all have such
// a request under way, a new connection waits.
type places struct {
	net.Listener
	max int

	mu     sync.Mutex
	free   sync.Cond // of mu: a connection has ended, or has no request of somebody known under way any more
	open   []*placed // the one that has been silent for longest first
	closed bool
}

// placed is a connection that has a place.
type placed struct {
	net.Conn
	at    *places
	known bool // a request of somebody who may do something is under way
}

// Accept waits for the next connection, and for a place for it.
func (p *places) Accept() (net.Conn, error) {
	c, err := p.Listener.Accept()
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.open) >= p.max && !p.closed {
		if i := slices.IndexFunc(p.open, func(o *placed) bool { return !o.known }); i >= 0 {
			_ = p.open[i].Conn.Close()
			p.open = slices.Delete(p.open, i, i+1)
		} else {
			p.free.Wait()
		}
	}
	if p.closed {
		_ = c.Close()
		return nil, net.ErrClosed
	}
	o := &placed{Conn: c, at: p}
	p.open = append(p.open, o)
	return o, nil
}

// Close closes the listener, not its connections.
func (p *places) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.free.Broadcast()
	return p.Listener.Close()
}

// Close closes the connection and gives its place back.
func (o *placed) Close() error {
	o.at.mu.Lock()
	defer o.at.mu.Unlock()
	o.at.open = slices.DeleteFunc(o.at.open, func(other *placed) bool { return other == o })
	o.at.free.Broadcast()
	return o.Conn.Close()
}

type placedKey struct{}

// withPlace puts a connection's place into the context of its requests; it is http.Server's ConnContext.
func withPlace(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, placedKey{}, placeOf(c))
}

func placeOf(c net.Conn) *placed {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	return c.(*placed)
}

// keepPlace has the connection of a request keep its place until its requests have been answered.
func keepPlace(ctx context.Context) {
	o := ctx.Value(placedKey{}).(*placed)
	o.at.mu.Lock()
	defer o.at.mu.Unlock()
	o.known = true
}

// answered notes that a connection has no request any more; it is http.Server's ConnState.
func answered(c net.Conn, state http.ConnState) {
	if state != http.StateIdle {
		return
	}
	o := placeOf(c)
	o.at.mu.Lock()
	defer o.at.mu.Unlock()
	o.known = false
	if i := slices.Index(o.at.open, o); i >= 0 {
		o.at.open = append(slices.Delete(o.at.open, i, i+1), o)
	}
	o.at.free.Broadcast()
}
