package proxy

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"sync"
	"time"

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

	arrived func() // takes it off those who have not logged in, see arrive

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

	proved *ask.Login // what the client's proof gave away; nil if nothing is kept of it

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
