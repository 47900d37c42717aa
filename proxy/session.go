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

// session is one client's connection and the server connection that belongs to it. A driver moves the bytes of both
// through the core, which says what to do with them; a goroutine answers the messages that are for askpg, one at a time.
// docs/sessions.md has the states.
type session struct {
	srv     *Server
	set     *settings // that it began with: its connections and its login are made by them
	log     *slog.Logger
	address string // the client's host:port, or unixAddress
	startup wire.Startup
	began   time.Time
	arrived func() // removes the session from those that have not logged in, see arrive

	ctx context.Context // ends with the session
	end context.CancelCauseFunc

	// connections are here until run gives them to a driver.
	connections

	mu      sync.Mutex
	state   state
	changed sync.Cond // of state and driver, which drivers wait for; its lock is mu
	core    wire.Relay
	driver  driver        // nil until run
	news    chan struct{} // for await alone, as a Cond has no context: a token when what it waits for may have come
	login   *time.Timer   // ends a login that takes too long

	held      []byte      // what the client has sent and the core has not let pass
	clientEnd error       // why the client is read no more while a message of it is answered; nil if it is
	abandon   func(error) // ends the answer to a message, whose client has left; nil if there is none
	question  func(error) // calls the question off; nil if there is none

	// ended is what has ended portals since they were looked at.
	ended ended
	// cleared is what a command has cleared since statements were looked at.
	cleared cleared
	// counted: it is among the sessions of its user.
	counted bool
	// terminated: the client has said that it ends the session.
	terminated bool
	// unfit: the server connection can't serve another client.
	unfit bool

	idleSince time.Time  // when the sweeper saw that nothing is relayed; zero if something was since
	ending    *ask.Error // why the session ends at its idle point; nil if it does not

	replication replication
	key         []byte     // process id and secret; owned by who reads the server, then constant
	reused      serverConn // the server connection as the pool knows it; nil if it can't serve another client
	cancels     int        // cancel requests on their way to the server
	proved      *ask.Login // what the client's proof gave away; nil if nothing is kept of it

	answering sync.WaitGroup // the goroutine that answers, and translators that were slow to return

	downstream // of who reads the server
	upstream   // of who deals with the client's messages
}

// ended says which portals have ended.
type ended byte

const (
	endedNone           ended = iota
	endedSinceSavepoint       // those made since a savepoint, by ROLLBACK TO, or all: ROLLBACK has the same tag
	endedAll                  // by the end of a transaction, or CLOSE ALL
)

// cleared is what a command clears of a session's state; each includes those before it.
type cleared byte

const (
	clearedNothing    cleared = iota
	clearedStatements         // all prepared statements, by DEALLOCATE ALL
	clearedSession            // by DISCARD ALL
)

// replication is what a replication session does. Its messages are relayed without a look at the client's.
type replication byte

const (
	notReplication        replication = iota
	replicationIdle                   // it waits for a command, or logs in
	replicationBusy                   // a command runs
	replicationStreams                // it streams, which the client can take up again elsewhere
	replicationUnreadable             // the server's messages can't be told apart any more
)

// connections are the two of a session on their way from one owner to the next: from the login to a driver, or
// from one driver to the other. Whoever has them is the only one who reads, writes and closes them.
type connections struct {
	client, server     net.Conn
	toClient, toServer []byte // what is still to be written
	clientErr          error  // why the client is to be read no more; nil if it is
	serverErr          error  // why the server is to be read no more; nil if it is
}

// driver moves the bytes of a session between its connections and its core. There are two: goroutines, and an event
// loop. Its methods can be called from anywhere.
type driver interface {
	// sendClient sends whole messages to the client, between two of the server's.
	sendClient(b []byte) error
	// notify has messages sent as sendClient does, before those that are sent next, and need not wait until they are.
	notify(b []byte)
	// sendServer sends messages to the server in the client's place. Only who answers a message calls it.
	sendServer(b []byte) error
	// answered says that a message has been answered. An error ends the session.
	answered(err error)
	// drain ends the session if it is idle and there is a reason to; see session.dismissal.
	drain()
	// kill ends the session at once, and tells the client why if that is possible between two messages.
	kill(reason *ask.Error)
	// closeServer closes the server connection at once.
	closeServer()
}

func newSession(srv *Server, set *settings, client net.Conn, address string, st wire.Startup, began time.Time) *session {
	s := &session{
		srv: srv, set: set, connections: connections{client: client}, address: address, startup: st, began: began,
		news: make(chan struct{}, 1),
		log:  srv.log.With("client", address, "user", st.User, "database", st.Database),
	}
	if st.Replication {
		s.replication = replicationIdle
	}
	s.changed.L = &s.mu
	s.core.Reset()
	s.ctx, s.end = context.WithCancelCause(srv.ctx)
	return s
}

// inForce returns the settings for questions. Those of a reload count for a session that was open before it, too.
func (s *session) inForce() *settings { return s.srv.settings.Load() }

func (s *session) attach(server net.Conn) {
	s.mu.Lock()
	s.server = server
	s.mu.Unlock()
	switch {
	case !isTLS(s.client) && isTLS(server):
		s.binding = bindingHidden
	case isTLS(s.client) && isTLS(server) && !sameCertificate(s.set.clientTLS, server.(*tls.Conn)):
		s.binding = bindingForeign
	}
}

// begin relays the server's first message, if it has been read already.
func (s *session) begin(first []byte) error {
	if first == nil {
		return nil
	}
	if s.startup.Replication {
		s.trackReplication(first)
		_, err := s.client.Write(first)
		return err
	}
	out, err := s.fromServer(first)
	if len(out) > 0 {
		if _, werr := s.client.Write(out); werr != nil && err == nil {
			err = errClientLeft
		}
	}
	return err
}

// run gives the session to a driver: an event loop if there is one for it, otherwise goroutines. It returns before the
// session ends.
func (s *session) run() {
	s.mu.Lock()
	if s.state == stateLogin {
		timeout := s.set.Listen.LoginTimeout.Duration() - time.Since(s.began)
		s.login = time.AfterFunc(max(timeout, time.Millisecond), func() {
			s.mu.Lock()
			late := s.state == stateLogin
			s.mu.Unlock()
			if late {
				s.kill(&ask.Error{Code: ask.CodeQueryCanceled, Message: "canceling authentication due to timeout"})
			}
		})
	}
	c := s.connections
	s.connections = connections{}
	s.mu.Unlock()
	if l := s.srv.loopFor(s, c); l == nil || !l.relay(s, c) {
		s.relayByGoroutines(c)
	}
}

// wake tells await to look again.
func (s *session) wake() {
	select {
	case s.news <- struct{}{}:
	default:
	}
}

// await waits until cond, which is called with mu held, is true. It fails if the session or ctx ends before.
func (s *session) await(ctx context.Context, cond func() bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !cond() {
		if s.state == stateServerLeft || s.state == stateEnded {
			return errServerLeft
		}
		s.mu.Unlock()
		select {
		case <-s.news:
		case <-ctx.Done():
		}
		s.mu.Lock()
		if ctx.Err() != nil && !cond() && s.state != stateServerLeft {
			return context.Cause(ctx)
		}
	}
	return nil
}

// currentDriver returns who moves the session's bytes, nil during the login.
func (s *session) currentDriver() driver {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.driver
}

// writeClient sends whole messages to the client, between two of the server's.
func (s *session) writeClient(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	return s.currentDriver().sendClient(b)
}

// writeServer sends messages to the server in the client's place.
func (s *session) writeServer(b []byte) error { return s.currentDriver().sendServer(b) }

// takeHeld returns what was held of the client.
func (s *session) takeHeld() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.held
	s.held = nil
	return b
}
