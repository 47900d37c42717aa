package proxy

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"time"

	"askpg/ask"
	"askpg/wire"
)

// serve takes a connection that was counted in from its first byte to its end. If there is
// a reason to refuse it, it is read only so far that the client can be told.
func (s *Server) serve(conn net.Conn, refusal error) {
	defer s.sessions.Done()
	set := s.settings.Load()
	began := time.Now()
	_ = conn.SetDeadline(began.Add(set.Listen.LoginTimeout.Duration()))
	address := clientAddress(conn)
	if err := set.Listen.TCPConfig.apply(conn); err != nil {
		s.log.Debug("options of a client's connection", "client", address, "error", err)
	}
	var client net.Conn
	var packet []byte
	var st wire.Startup
	var err error
	if set.sendsProxyHeader(conn) {
		var told string
		if told, err = readProxyHeader(conn); told != "" {
			address = told
		}
		if err != nil {
			client = conn
		}
	}
	arrived := func() {}
	if err == nil && refusal == nil {
		arrived, refusal, err = s.arrive(address, set)
	}
	if refusal != nil {
		_ = conn.SetDeadline(began.Add(refuseTime))
	}
	if err == nil {
		client, packet, st, err = s.negotiate(conn, address, set)
	}
	cancels := err == nil && st.Code == wire.CancelCode
	known := cancels && s.knows(st.Key)
	if cancels && !known && refusal == nil {
		// Anybody can send such a key: it waits among those that have not logged in, which are bounded.
		s.cancelRequest(st.Key, set)
	}
	<-s.startups
	s.mu.Lock()
	delete(s.conns, conn)
	s.mu.Unlock()
	if cancels {
		arrived()
		if known {
			s.cancelRequest(st.Key, set)
		}
		client.Close()
		return
	}
	if err == nil {
		err = refusal
	}
	if err != nil {
		defer arrived()
		if client != nil {
			s.refuse(client, address, err)
			client.Close()
		} else {
			conn.Close()
		}
		return
	}
	if set.Listen.ApplicationNameAddAddress && !set.reuses(st) {
		packet = wire.SetParameter(packet, "application_name", withAddress(st.ApplicationName, address))
	}
	ss, err := s.login(client, address, arrived, packet, st, set, began)
	if err != nil {
		defer arrived()
		s.refuse(client, address, err)
		client.Close()
		return
	}
	ss.run()
}

// readStartup reads the startup packet whose first four bytes are read. What is no such packet at all, as a request of
// another protocol, is logged: the connection is to be closed without a word, as PostgreSQL does.
func (s *Server) readStartup(conn net.Conn, address string, first [4]byte) (packet []byte, st wire.Startup, err error) {
	n, err := wire.StartupLen(first)
	if err == nil {
		packet = make([]byte, n)
		copy(packet, first[:])
		if _, err := io.ReadFull(conn, packet[4:]); err != nil {
			return nil, st, err
		}
		st, err = wire.ParseStartup(packet)
	}
	if err != nil {
		s.log.Debug("connection closed", "client", address, "error", err)
		return nil, wire.Startup{}, err
	}
	return packet, st, nil
}

// negotiate reads startup packets until one begins a session or cancels one:
// what comes before are requests for encryption, each at most once. Packets
// are read with their exact length, so that nothing which was sent before a
// handshake is left to be taken for what comes after it.
//
// The returned connection is nil if nothing may be written to it.
func (s *Server) negotiate(conn net.Conn, address string, set *settings) (net.Conn, []byte, wire.Startup, error) {
	var first [4]byte
	if _, err := io.ReadFull(conn, first[:1]); err != nil {
		return nil, nil, wire.Startup{}, err
	}
	secure, tried, read := false, map[uint32]bool{}, 1
	if first[0] == wire.TLSRecord {
		var err error
		if conn, err = s.directTLS(conn, address, set); err != nil {
			return nil, nil, wire.Startup{}, err
		}
		secure, read = true, 0
	}
	for ; ; read = 0 {
		if _, err := io.ReadFull(conn, first[read:]); err != nil {
			return nil, nil, wire.Startup{}, err
		}
		if wire.ProxyHeader(first[:]) != 0 && !secure {
			return conn, nil, wire.Startup{}, errUntrustedProxy(address)
		}
		packet, st, err := s.readStartup(conn, address, first)
		if err != nil {
			return nil, nil, st, err
		}
		switch st.Code {
		case wire.SSLCode, wire.GSSENCCode:
			if tried[st.Code] || secure {
				return conn, nil, st, ask.Errorf(ask.CodeFeatureNotSupported, "unsupported frontend protocol %d.%d: encryption was negotiated before", st.Code>>16, st.Code&0xffff)
			}
			tried[st.Code] = true
			if conn, secure, err = s.answerEncryption(conn, address, st.Code, set); err != nil {
				return nil, nil, st, err
			}
		case wire.CancelCode:
			return conn, nil, st, nil
		default:
			if !secure {
				err = set.allowsPlain(address)
			}
			return conn, packet, st, err
		}
	}
}

// allowsPlain returns why an address may not connect without TLS; nil if it may.
func (set *settings) allowsPlain(address string) error {
	if set.TLS.Mode == "require" && address != unixAddress {
		return ask.Errorf("28000", "askpg accepts no connection without TLS").WithHint("Connect with sslmode=require.")
	}
	return nil
}

// directTLS encrypts a connection whose first byte, which is read, begins a TLS handshake (sslnegotiation=direct).
func (s *Server) directTLS(conn net.Conn, address string, set *settings) (net.Conn, error) {
	if set.clientTLS == nil {
		return nil, errors.New("direct TLS connection, but TLS is off")
	}
	return s.encrypted(&prefixConn{Conn: conn, prefix: []byte{wire.TLSRecord}}, address, set, true)
}

// answerEncryption answers a request for encryption, and encrypts where it can.
func (s *Server) answerEncryption(conn net.Conn, address string, code uint32, set *settings) (_ net.Conn, secure bool, err error) {
	if code != wire.SSLCode || set.clientTLS == nil {
		_, err := conn.Write([]byte{'N'})
		return conn, false, err
	}
	if _, err := conn.Write([]byte{'S'}); err != nil {
		return nil, false, err
	}
	conn, err = s.encrypted(conn, address, set, false)
	return conn, err == nil, err
}

// encrypted makes a client's connection one of TLS, and counts those that fail.
func (s *Server) encrypted(conn net.Conn, address string, set *settings, direct bool) (net.Conn, error) {
	t, err := handshake(conn, set.clientTLS, direct)
	if err != nil {
		s.metrics.tlsFailures.Inc()
		s.log.Debug("TLS handshake failed", "client", address, "error", err)
		return nil, err
	}
	return t, nil
}

// login makes a session and has it log in.
func (s *Server) login(client net.Conn, address string, arrived func(), packet []byte, st wire.Startup, set *settings, began time.Time) (*session, error) {
	ss := newSession(s, set, client, address, st, began)
	ss.arrived = arrived
	if err := s.admit(ss); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(s.ctx, set.Listen.LoginTimeout.Duration())
	defer cancel()
	err := s.loginWith(ctx, ss, packet)
	if err != nil {
		s.dismiss(ss)
		return nil, err
	}
	_ = client.SetDeadline(noDeadline)
	return ss, nil
}

// loginWith connects to the server, passes the startup packet on, and verifies
// the client if that is for askpg to do. What is left of the login, which is all
// of it otherwise, is relayed by the session like anything else.
func (s *Server) loginWith(ctx context.Context, ss *session, packet []byte) error {
	set := ss.set
	if set.secrets != nil && ss.startup.Code>>16 < 3 {
		// The answer of PostgreSQL from 14 on, as such a client can read it. Older
		// servers let it in, by methods of which SCRAM is none.
		_, _ = fmt.Fprintf(ss.client, "EFATAL:  unsupported frontend protocol %d.%d: server supports 3.0 to 3.2\n\x00", ss.startup.Code>>16, ss.startup.Code&0xffff)
		return errRefusalSent
	}
	if set.reuses(ss.startup) {
		return s.loginReusing(ctx, ss, packet)
	}
	server, first, err := s.connect(ctx, set, packet)
	if err != nil {
		return err
	}
	ss.attach(server)
	if set.secrets != nil {
		ss.binding = bindingPasses
		a := &authentication{s: s, set: set, user: ss.startup.User, client: ss.client, address: ss.address, server: server, first: first, binding: boundTo(ss.client, set.clientTLS)}
		defer a.forget()
		if err = a.authenticate(ctx); err == nil {
			ss.proved = a.proof()
		}
	} else {
		err = ss.begin(first)
	}
	if err != nil {
		server.Close()
	}
	return err
}

// connect connects to the server and sends the startup packet; the server's
// first message is returned if it had to be read.
func (s *Server) connect(ctx context.Context, set *settings, packet []byte) (net.Conn, []byte, error) {
	server, first, err := set.Primary.connect(ctx, set.primaryTLS, packet)
	if err == nil {
		if err = scarce(server); err == nil {
			return server, first, nil
		}
		server.Close()
	}
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		s.metrics.refused.WithLabelValues("descriptors").Inc()
		return nil, nil, errNoDescriptor(err)
	}
	s.metrics.refused.WithLabelValues("server").Inc()
	s.log.Error("connecting to the server failed", "address", set.Primary.Address, "error", err)
	return nil, nil, ask.Errorf(ask.CodeConnectionFailure, "askpg can't connect to the server at %s", set.Primary.Address).
		WithDetail("%v", err).WithHint("Check that the server runs and that [primary] in the configuration of askpg is right.")
}

// admit counts a session in, within the limit.
func (s *Server) admit(ss *session) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed || s.draining.Load():
		return &ask.Error{Code: ask.CodeCannotConnectNow, Message: "askpg is shutting down"}
	case len(s.open) >= ss.set.Listen.MaxSessions:
		s.metrics.refused.WithLabelValues("sessions").Inc()
		return ask.Errorf(ask.CodeTooManyConnections, "sorry, too many clients already").
			WithDetail("askpg holds %d sessions, which is its limit.", len(s.open)).
			WithHint("Close sessions that are not needed, or raise listen.max_sessions.")
	}
	s.open[ss] = struct{}{}
	s.sessions.Add(1)
	s.metrics.sessions.Inc()
	s.metrics.sessionsTotal.Inc()
	return nil
}

// countUser counts a session that has logged in among those of its user,
// within the limit. Who has not logged in takes nobody's place away.
func (s *Server) countUser(ss *session) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	user, limit := ss.startup.User, ss.set.Listen.MaxSessionsPerUser
	if n := s.users[user]; n >= limit {
		s.metrics.refused.WithLabelValues("user").Inc()
		return ask.Errorf(ask.CodeTooManyConnections, "too many connections for role %q", user).
			WithDetail("askpg holds %d sessions of the role, which is the limit.", n).
			WithHint("Close sessions that are not needed, or raise listen.max_sessions_per_user.")
	}
	s.users[user]++
	ss.counted = true
	return nil
}

func (s *Server) dismiss(ss *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, ss)
	if ss.counted {
		if s.users[ss.startup.User]--; s.users[ss.startup.User] == 0 {
			delete(s.users, ss.startup.User)
		}
	}
	if len(ss.key) > 0 && s.keys[string(ss.key)] == ss {
		delete(s.keys, string(ss.key))
	}
	s.metrics.sessions.Dec()
	s.sessions.Done()
}

// loopFor returns the event loop that relays a session, nil if there is none for it: TLS is not the loop's, and
// replication is a stream.
func (s *Server) loopFor(ss *session, c connections) *loop {
	if isTLS(c.client) || isTLS(c.server) || ss.startup.Replication {
		return nil
	}
	return s.nextOfLoops()
}

// nextOfLoops returns the event loop for the next session, nil if there are none.
func (s *Server) nextOfLoops() *loop {
	if len(s.loops) == 0 {
		return nil
	}
	return s.loops[s.nextLoop.Add(1)%uint32(len(s.loops))]
}

// refuse tells a client why it can't have a session.
func (s *Server) refuse(client net.Conn, address string, err error) {
	if ask.AsError(err) == nil {
		return // the connection broke
	}
	s.log.Info("connection refused", "client", address, "error", err)
	_ = client.SetWriteDeadline(time.Now().Add(time.Second))
	if _, err := client.Write(s.errorResponse(severityFatal, err)); err != nil {
		return
	}
	drainAndClose(client, s.settings.Load().times.closeWait)
}

// drainAndClose lets a peer read what was sent to it: closing a socket with
// unread bytes in it would take that away.
func drainAndClose(conn net.Conn, wait time.Duration) {
	_ = closeWrite(conn)
	_ = conn.SetReadDeadline(time.Now().Add(wait))
	var b [512]byte
	for {
		if _, err := conn.Read(b[:]); err != nil {
			break
		}
	}
	conn.Close()
}

// unixAddress stands for the address of a client of the Unix socket.
const unixAddress = "unix"

// clientAddress returns host:port, or unixAddress.
func clientAddress(conn net.Conn) string {
	if a := conn.RemoteAddr(); a != nil && a.Network() == "tcp" {
		return a.String()
	}
	return unixAddress
}

func isTLS(conn net.Conn) bool {
	_, ok := conn.(*tls.Conn)
	return ok
}
