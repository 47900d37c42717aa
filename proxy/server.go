// Package proxy stands between PostgreSQL clients and a server. It relays
// every session byte for byte and answers the questions in it. Those go to a
// Translator. An Executor runs the chosen query, whose rows come back as an
// ordinary result set.
package proxy

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/netip"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/proxy/eventloop"
)

// ErrServerClosed is returned by Serve after Shutdown or Close.
var ErrServerClosed = errors.New("proxy: server closed")

// Server accepts clients. Its methods are called in the order New, Listen,
// Serve, Shutdown, Close; Reload at any time.
type Server struct {
	Hooks

	translator ask.Translator
	executor   Executor
	lasts      lasts
	log        *slog.Logger
	metrics    *metrics

	settings  atomic.Pointer[settings]
	newPool   func(ReuseConfig) serverPool
	listeners []net.Listener
	loops     []*loop
	nextLoop  atomic.Uint32
	// parkedLately counts the sessions that were parked since memory was given back.
	parkedLately atomic.Int32
	startups     chan struct{} // one token for every connection that has not logged in
	mockKey      [32]byte      // decides the salts of users who do not exist

	ctx      context.Context // ends with Close; every session's parent
	end      context.CancelCauseFunc
	draining atomic.Bool
	sessions sync.WaitGroup
	sweeper  sync.WaitGroup

	mu       sync.Mutex
	closed   bool
	conns    map[net.Conn]struct{} // clients that have not begun a session
	arriving map[string]int        // connections that have not logged in, by their client's address, see arrive
	open     map[*session]struct{}
	users    map[string]int      // sessions that have logged in, where they are limited
	keys     map[string]*session // by process id and secret, as a CancelRequest has them
}

// settings are what Reload replaces as a whole.
type settings struct {
	Config
	clientTLS  *tls.Config // nil: TLS is off
	primaryTLS *tls.Config // nil: TLS is off
	secrets    *secrets    // nil: authentication is relayed
	// pool keeps the server connections that were opened with these settings; nil if none is reused.
	pool serverPool

	proxyNetworks []netip.Prefix // whose connections begin with a PROXY header
	proxyUnix     bool           // those of the Unix socket do
}

// Hooks are who decides for a Server, and who is told. They are set before Serve.
type Hooks struct {
	// Feedback takes an asker's word (ask(good), ask(bad: …)) on the answer with the given id.
	Feedback func(ctx context.Context, id string, q ask.Question, f ask.Feedback) error
	// Run takes an asker's choice (ask(run N)) of a candidate of his last question, before its
	// rows go out. q is the question that it answers, under an id of its own. The SQL of
	// tr is the candidate's. asked is when the last question was asked.
	Run func(ctx context.Context, q ask.Question, asked time.Time, tr *ask.Translation) error
	// ForeignCancel hands a cancel request over whose key no session of this process
	// has. found says that another instance has the session and acts on the
	// request. Then the request must not be passed on to the server from here.
	// It returns when that instance is done, or at the end of ctx. An
	// error is of the way to the other instances.
	ForeignCancel func(ctx context.Context, key []byte) (found bool, err error)
	// KeepLogins has each session keep the key that its client's proof gave away
	// (auth.method = "scram"), as ask.Session.Login, until it ends.
	KeepLogins bool
	// Roles decides whether a session may ask as a role that is not its login. Without it no session may.
	Roles Roles
	// TrustedOwners are the owners, beside superusers and the database's owner, whose function ask is
	// called in place of a question.
	TrustedOwners []string
	// Shows make what SHOW askpg.name returns, by the name. The name "last" is the session's own; other
	// names of ask.SessionSettings stay the server's.
	Shows map[string]ShowFunc
	// CheckSetting returns what a value of a session's setting must be if it is not, else "".
	CheckSetting func(setting, value string) string
}

// New makes a Server; it fails if the configuration can't be used.
func New(cfg Config, tr ask.Translator, ex Executor, log *slog.Logger, reg prometheus.Registerer) (*Server, error) {
	s := &Server{
		translator: tr, executor: ex, log: log,
		startups: make(chan struct{}, cfg.Listen.MaxStartups),
		conns:    map[net.Conn]struct{}{},
		open:     map[*session]struct{}{},
		users:    map[string]int{},
		keys:     map[string]*session{},
		arriving: map[string]int{},
	}
	_, _ = rand.Read(s.mockKey[:]) // never fails
	s.metrics = newMetrics(reg)
	s.newPool = newPools(reg, log)
	if err := s.Reload(cfg); err != nil {
		return nil, err
	}
	for range cfg.Listen.EventLoops {
		l, err := newLoop(eventloop.Options{})
		if errors.Is(err, eventloop.ErrUnsupported) {
			break // goroutines relay every session
		}
		if err != nil {
			return nil, fmt.Errorf("listen.event_loops: %w", err)
		}
		s.loops = append(s.loops, l)
	}
	s.ctx, s.end = context.WithCancelCause(context.Background())
	s.sweeper.Go(s.sweep)
	return s, nil
}

// Reload takes over a configuration and reads the certificates again. The
// addresses that it listens on stay as they are; sessions keep the connections
// that they have, and ask by the new settings.
func (s *Server) Reload(cfg Config) error {
	if err := cfg.Validate(); err != nil {
		return err
	}
	set := &settings{Config: cfg}
	var err error
	if set.proxyNetworks, set.proxyUnix, err = cfg.Listen.trustedNetworks(); err != nil {
		return err
	}
	if set.clientTLS, err = cfg.TLS.serverConfig(); err != nil {
		return err
	}
	if set.primaryTLS, err = cfg.Primary.tlsConfig(); err != nil {
		return err
	}
	if cfg.Auth.Method == authScram {
		if set.secrets, err = newSecrets(cfg.Auth); err != nil {
			return err
		}
	}
	if cfg.Primary.Reuse {
		set.pool = s.newPool(cfg.Primary.ReuseConfig)
	}
	if old := s.settings.Swap(set); old != nil {
		// Waits for the queries that logins have begun.
		go old.secrets.close()
		old.closePool(closedReload)
	}
	return nil
}

// Listen opens the listeners.
func (s *Server) Listen() error {
	for _, a := range ask.SplitList(s.settings.Load().Listen.Address) {
		name, addr := network(a)
		if name == "unix" {
			removeStaleSocket(addr)
		}
		lc := net.ListenConfig{KeepAlive: -1} // TCPConfig has its own
		l, err := lc.Listen(s.ctx, name, addr)
		if err != nil {
			for _, l := range s.listeners {
				l.Close()
			}
			s.listeners = nil
			return fmt.Errorf("listen.address: %w", err)
		}
		if name == "unix" {
			// As PostgreSQL's unix_socket_permissions: the server authenticates.
			if err := os.Chmod(addr, 0o777); err != nil {
				s.log.Warn("the permissions of the socket cannot be set", "path", addr, "error", err)
			}
		}
		s.listeners = append(s.listeners, l)
	}
	return nil
}

// removeStaleSocket removes a socket that nobody listens on any more.
func removeStaleSocket(path string) {
	if fi, err := os.Stat(path); err != nil || fi.Mode()&os.ModeSocket == 0 {
		return
	}
	conn, err := net.DialTimeout("unix", path, time.Second)
	if err == nil {
		conn.Close()
		return
	}
	os.Remove(path)
}

// Addrs returns the addresses that Listen opened.
func (s *Server) Addrs() []net.Addr {
	addrs := make([]net.Addr, len(s.listeners))
	for i, l := range s.listeners {
		addrs[i] = l.Addr()
	}
	return addrs
}

// Serve accepts clients until Shutdown or Close and returns ErrServerClosed.
func (s *Server) Serve() error {
	errs := make(chan error, len(s.listeners))
	for _, l := range s.listeners {
		go func() { errs <- s.accept(l) }()
	}
	var first error
	for range s.listeners {
		if err := <-errs; first == nil {
			first = err
			s.closeListeners()
		}
	}
	return first
}

func (s *Server) accept(l net.Listener) error {
	wait := time.Duration(0)
	for {
		conn, err := l.Accept()
		switch {
		case err == nil:
			wait = 0
		case s.draining.Load() || s.ctx.Err() != nil:
			return ErrServerClosed
		case errors.Is(err, net.ErrClosed):
			return err
		default:
			wait = min(max(2*wait, 5*time.Millisecond), time.Second)
			s.log.Error("accepting a connection failed", "address", l.Addr().String(), "error", err)
			select {
			case <-time.After(wait):
			case <-s.ctx.Done():
			}
			continue
		}
		var refusal error
		if err := scarce(conn); err != nil {
			s.metrics.refused.WithLabelValues("descriptors").Inc()
			refusal = errNoDescriptor(err)
		}
		if conn := s.count(conn); conn != nil {
			go s.serve(conn, refusal)
		}
	}
}

// count counts a connection in, to be served, or closes it and returns nil.
func (s *Server) count(conn net.Conn) net.Conn {
	select {
	case s.startups <- struct{}{}:
	default:
		s.metrics.refused.WithLabelValues("startups").Inc()
		conn.Close()
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		conn.Close()
		return nil // and the next Accept returns
	}
	s.conns[conn] = struct{}{}
	s.sessions.Add(1)
	return conn
}

// Shutdown stops accepting, ends every session at its next idle point outside
// a transaction with 57P01, and returns when all have ended or with the
// context's error.
func (s *Server) Shutdown(ctx context.Context) error {
	open := s.stopAccepting()
	s.settings.Load().closePool(closedShutdown)
	for _, ss := range open {
		ss.drain()
	}
	done := make(chan struct{})
	go func() {
		s.sessions.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// stopAccepting closes listeners and connections without a login, which have nothing to lose. It returns the sessions.
func (s *Server) stopAccepting() []*session {
	s.draining.Store(true)
	s.closeListeners()
	s.mu.Lock()
	defer s.mu.Unlock()
	for conn := range s.conns {
		conn.Close()
	}
	return slices.Collect(maps.Keys(s.open))
}

// Close ends everything at once and waits for it.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	open := s.stopAccepting()
	s.end(errShutdown)
	s.settings.Load().closePool(closedShutdown)
	for _, ss := range open {
		ss.kill(errShutdown)
	}
	s.sessions.Wait()
	s.sweeper.Wait()
	for _, l := range s.loops {
		l.Close()
	}
	s.loops = nil
	set := s.settings.Load()
	set.closePool(closedShutdown) // a reload may have made it
	set.secrets.close()
	return nil
}

func (s *Server) closeListeners() {
	for _, l := range s.listeners {
		l.Close()
	}
}

// Sessions returns how many sessions are open.
func (s *Server) Sessions() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}
