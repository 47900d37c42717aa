package proxy

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/jackc/pgproto3/v2"

	"askpg/ask"
	"askpg/wire"
)

// session is one client's connection and the server connection that belongs
// to it. Two goroutines relay, one for each direction. The one that reads the
// client also answers the questions, so that whatever comes after a question
// waits for it.
type session struct {
	srv     *Server
	set     *settings
	log     *slog.Logger
	client  net.Conn
	server  net.Conn
	address string // the client's host:port, or unixAddress
	startup wire.Startup
	raw     bool  // a replication session: relayed without a look at it
	home    *loop // the event loop that relays the session when it can; may be nil

	ctx context.Context // ends with the session
	end context.CancelCauseFunc

	mu       sync.Mutex
	order    wire.Order
	news     chan struct{} // a token when what await waits for may have come
	waiting  bool
	own      []byte      // answers to requests of the session's own
	question func(error) // calls the question off; nil if there is none
	busy     bool        // a message is being answered here
	loggedIn bool
	ended    bool // nothing is relayed any more
	gone     bool // the server has closed the connection
	parted   bool // the client has, and the server is waited for
	handover bool // an event loop takes over
	login    *time.Timer
	began    time.Time
	lp       *looped // set while an event loop relays; client and server are nil then
	txEnded  bool    // a transaction has ended since portals were looked at
	cleared  bool    // all prepared statements have been deallocated
	watched  bool    // command tags matter: there are statements or portals here
	parked   *parked // set while an event loop waits for the session's next byte
	parking  bool    // the goroutines have been asked to end, so that it can
	counted  bool    // among the sessions of its user

	active     bool       // something was relayed since the sweeper looked
	idleSince  time.Time  // the sweeper's
	ending     *ask.Error // why the session ends at its idle point; nil if it does not
	terminated bool       // the client has said that it ends
	rawBusy    bool       // a replication session: a command runs
	rawStreams bool       // it streams, which the client can take up again elsewhere

	key []byte // process id and secret; owned by the server's goroutine, then constant

	backend *backend // what is kept of the server connection if it can be reused; nil if it can't
	spoiled bool     // it can't after all
	cancels int      // cancel requests on their way to the server
	asked   bool     // a message of the session has been answered here

	// writing is held while a message goes to the client, by the server's
	// goroutine from the first byte of a message to the last one.
	writing sync.Mutex

	downstream // of the goroutine that reads the server
	upstream   // of the goroutine that reads the client
}

func newSession(srv *Server, set *settings, client net.Conn, address string, st wire.Startup, began time.Time) *session {
	s := &session{
		srv: srv, set: set, client: client, address: address, startup: st, raw: st.Replication, began: began,
		news: make(chan struct{}, 1),
		log:  srv.log.With("client", address, "user", st.User, "database", st.Database),
	}
	s.order.Reset()
	s.ctx, s.end = context.WithCancelCause(srv.ctx)
	return s
}

func (s *session) attach(server net.Conn) {
	s.server = server
	s.auth.strip = !isTLS(s.client) && isTLS(server)
	s.auth.foreign = isTLS(s.client) && isTLS(server) && !sameCertificate(s.set.clientTLS, server.(*tls.Conn))
}

// begin relays the server's first message, if it has been read already.
func (s *session) begin(first []byte) error {
	switch {
	case first == nil:
		return nil
	case s.raw:
		s.trackRaw(first)
		_, err := s.client.Write(first)
		return err
	}
	return s.fromServer(first)
}

// run relays until either side has ended: by an event loop if that is
// possible, otherwise by goroutines. It may return before the session ends.
func (s *session) run() {
	s.mu.Lock()
	if !s.loggedIn {
		timeout := s.set.Listen.LoginTimeout.Duration() - time.Since(s.began)
		s.login = time.AfterFunc(max(timeout, time.Millisecond), func() {
			s.mu.Lock()
			late := !s.loggedIn
			s.mu.Unlock()
			if late {
				s.kill(&ask.Error{Code: ask.CodeQueryCanceled, Message: "canceling authentication due to timeout"})
			}
		})
	}
	s.mu.Unlock()
	if !s.raw {
		s.home = s.srv.loopFor(s)
	}
	if s.home == nil || !s.home.add(s) {
		s.relay()
	}
}

// errHandover says that an event loop can take the session over.
var errHandover = errors.New("the session goes to its event loop")

// relay relays by goroutines until either side has ended or an event loop has
// taken over.
func (s *session) relay() {
	if server, err := connected(s.server, s.set.Primary.TCPConfig); err == nil {
		s.mu.Lock()
		s.server = server
		s.mu.Unlock()
	}
	if s.dismissal() != nil {
		s.drain()
	}
	if s.ctx.Err() != nil {
		s.client.Close()
		s.server.Close()
	}
	// What the loop left half done.
	if s.down.Open() && !s.mine && !s.taken && !s.holding || len(s.pendingClient) > 0 {
		if !s.holding {
			s.writing.Lock()
			s.holding = true
		}
	}
	done := make(chan error, 1)
	go func() {
		err := s.relayServer()
		if errors.Is(err, errHandover) {
			done <- err
			return
		}
		s.mu.Lock()
		s.gone = true
		s.mu.Unlock()
		s.wake()
		s.end(errServerGone)
		s.log.Debug("server side ended", "error", err)
		// What the server said last must reach the client.
		_ = closeWrite(s.client)
		_ = s.client.SetReadDeadline(time.Now().Add(time.Second))
		done <- err
	}()
	err := s.relayClient()
	if errors.Is(err, errHandover) {
		s.mu.Lock()
		s.handover = true
		s.mu.Unlock()
		_ = s.server.SetReadDeadline(time.Unix(1, 0))
		if other := <-done; errors.Is(other, errHandover) {
			s.mu.Lock()
			s.handover = false
			s.mu.Unlock()
			if s.home == nil {
				_ = s.server.SetReadDeadline(noDeadline)
				if s.holding || !s.srv.parker().park(s) {
					s.relay()
				}
				return
			}
			if s.home.add(s) {
				return
			}
			err = other
		}
		done <- nil
	}
	left := errors.Is(err, errLeft)
	if (left || errors.Is(err, io.EOF)) && s.leave(left) {
		s.mu.Lock()
		s.handover = true
		s.mu.Unlock()
		_ = s.server.SetReadDeadline(time.Unix(1, 0))
		other := <-done
		if errors.Is(other, errHandover) && !s.holding {
			s.keepServer(s.server)
			return
		}
		s.srv.pool.giveUp(s.backend)
		done <- nil
	} else if left {
		err = s.forward(terminate)
	}
	s.log.Debug("client side ended", "error", err)
	refused := errors.Is(err, errServerGone)
	switch {
	case refused:
		// It takes nothing any more, and may have said why.
		s.end(errServerGone)
		_ = s.server.SetReadDeadline(time.Now().Add(lastWait))
	case err == nil || errors.Is(err, io.EOF):
		s.end(errClientGone)
		// The server ends by itself once it has read everything.
		_ = closeWrite(s.server)
		s.partServer()
	default:
		s.end(errClientGone)
		s.server.Close()
	}
	<-done
	s.server.Close()
	s.mu.Lock()
	told := s.ended
	s.mu.Unlock()
	if told || refused {
		drainAndClose(s.client)
	}
	s.client.Close()
	s.abandoned.Wait()
	s.over()
}

// lastWait is how long a server whose client is gone, and that has answered
// everything, has for its end.
var lastWait = 5 * time.Second

// partServer bounds the wait for the server's end once its client is gone and
// everything is answered: a server that does not close holds nothing here.
func (s *session) partServer() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.parted = true
	if !s.raw && s.order.Answered() {
		_ = s.server.SetReadDeadline(time.Now().Add(lastWait))
	}
}

// over is the end of the session, whoever relayed it.
func (s *session) over() {
	s.end(nil)
	s.closePortals()
	s.mu.Lock()
	if s.login != nil {
		s.login.Stop()
	}
	broken := s.loggedIn && !s.terminated && !s.ended && errors.Is(context.Cause(s.ctx), errClientGone)
	s.mu.Unlock()
	if broken {
		s.srv.metrics.errors.add(sideClient, ask.CodeConnectionFailure)
	}
	s.srv.dismiss(s)
}

// kill ends the session at once, and tells the client why if that is possible
// between two messages.
func (s *session) kill(reason *ask.Error) {
	s.end(reason)
	s.mu.Lock()
	s.ended = true
	lp, p, client, server := s.lp, s.parked, s.client, s.server
	s.mu.Unlock()
	if lp != nil {
		lp.loop.post(func() { lp.loop.kill(s, reason) })
		return
	}
	if p != nil {
		p.loop.post(func() { p.loop.unpark(s, func() { s.kill(reason) }) })
		return
	}
	if client == nil {
		return // on the way from its loop; relay sees that the context has ended
	}
	if s.writing.TryLock() {
		_ = client.SetWriteDeadline(time.Now().Add(time.Second))
		_, _ = client.Write(s.srv.errorResponse(severityFatal, reason))
		_ = closeWrite(client)
		s.writing.Unlock()
	}
	client.Close()
	server.Close()
}

// idle says whether the session can be ended without a loss. It is called
// with mu held.
func (s *session) idle() bool {
	if s.raw {
		return s.loggedIn && !s.ended && (s.rawStreams || !s.rawBusy)
	}
	return s.loggedIn && !s.ended && !s.busy && s.order.Idle() && s.order.Status() == wire.StatusIdle
}

// dismissal returns why the session is to end at its next idle point, nil if it
// is not.
func (s *session) dismissal() *ask.Error {
	if s.srv.draining.Load() {
		return errShutdown
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ending
}

// drain ends the session if it is idle outside of a transaction. Otherwise it
// is called again at the next point where it may be.
func (s *session) drain() {
	reason := s.dismissal()
	s.mu.Lock()
	lp, client, server := s.lp, s.client, s.server
	idle := s.idle() && reason != nil && lp == nil && client != nil
	if idle {
		s.ended = true
	} else if lp == nil {
		s.ending = nil // not idle after all; a shutdown comes here again
	}
	s.mu.Unlock()
	if lp != nil {
		lp.loop.post(func() { lp.loop.drain(s) })
		return
	}
	if !idle {
		return
	}
	if !s.writing.TryLock() {
		// Half a notification has gone out; its end comes here again.
		s.mu.Lock()
		s.ended = false
		s.mu.Unlock()
		return
	}
	if errors.Is(reason, errIdle) {
		s.srv.metrics.idleEnded.Inc()
	} else {
		s.srv.metrics.drained.Inc()
	}
	_ = client.SetWriteDeadline(time.Now().Add(time.Second))
	_, _ = client.Write(s.srv.errorResponse(severityFatal, reason))
	s.writing.Unlock()
	_ = server.SetWriteDeadline(time.Now().Add(time.Second))
	_, _ = server.Write(terminate)
	_ = closeWrite(server)
}

// outcome of a cancel request.
type cancelOutcome int

const (
	cancelServer cancelOutcome = iota
	cancelledQuestion
	cancelTooLate
)

// cancel calls off the question that is being answered, if there is one.
func (s *session) cancel() cancelOutcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.question != nil:
		s.question(errCancelled)
		return cancelledQuestion
	case s.loggedIn && !s.raw && (s.order.Answered() || s.ended):
		return cancelTooLate
	}
	s.cancels++
	return cancelServer
}

// wake tells await to look again.
func (s *session) wake() {
	select {
	case s.news <- struct{}{}:
	default:
	}
}

// await waits until cond, which is called with mu held, is true.
func (s *session) await(ctx context.Context, cond func() bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = true
	defer func() { s.waiting = false }()
	for !cond() {
		if s.gone {
			return errServerGone
		}
		s.mu.Unlock()
		select {
		case <-s.news:
		case <-ctx.Done():
		}
		s.mu.Lock()
		if ctx.Err() != nil && !cond() && !s.gone {
			return context.Cause(ctx)
		}
	}
	return nil
}

// writeClient sends whole messages to the client, between two of the server's.
func (s *session) writeClient(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if _, err := s.client.Write(b); err != nil {
		return errClientGone
	}
	return nil
}

// writeServer sends whole messages to the server; only the goroutine that
// reads the client does.
func (s *session) writeServer(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	if _, err := s.server.Write(b); err != nil {
		return errServerGone
	}
	return nil
}

// encode appends messages to b.
func encode(b []byte, messages ...pgproto3.Message) []byte {
	for _, m := range messages {
		var err error
		if b, err = m.Encode(b); err != nil {
			panic(err) // only messages above 1 GB
		}
	}
	return b
}
