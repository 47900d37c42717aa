// Package admin serves the review page, the metrics and the health checks over
// HTTP. Everything is rendered on the server, all assets are embedded, and
// nothing needs JavaScript.
package admin

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"askpg/ask"
	"askpg/store"
)

// Server is the HTTP server; New makes one, then Listen, Serve and Close.
type Server struct {
	store     *store.Store
	ready     func(ctx context.Context) error
	log       *slog.Logger
	gatherer  prometheus.Gatherer
	inForce   atomic.Pointer[settings]
	Parts            // set before Listen
	secret    string // of this process's forms
	tokens    *attempts
	codes     *attempts // of the OpenID provider
	replay    replay
	proposals lastProposals

	mu       sync.Mutex
	listener net.Listener
	http     *http.Server
	closed   bool
	done     chan struct{}
}

// Parts are what the review page needs of askpg besides the log.
type Parts struct {
	// Check plans corrected SQL as the role that asked, and returns an error that
	// says why it cannot be accepted.
	Check func(ctx context.Context, database, role string, settings map[string]string, sql string) error
	// Prompts renders what models would be sent for a logged question now. Unless a
	// setting keeps them, prompts are made anew, as they hold what the catalog and
	// the privacy settings let out; nothing is sent.
	Prompts func(ctx context.Context, r *store.Record) ([]ask.Prompt, error)
	// Rows runs statements as the role that asked a logged question, all at one moment of a replica and through every wall of a
	// question. The role, its login and its right to ask are judged anew. The caller releases the results.
	Rows func(ctx context.Context, r *store.Record, statements ...string) ([]*ask.Result, ask.Replica, error)
	// Differences says which settings of the configuration file are not in force: those that the next
	// reload takes over, and those that need a restart.
	Differences func(ctx context.Context) (reload, restart []string, err error)

	Marks     Marks
	Semantics Semantics
	Replays   Replays
}

// New returns a server for the log st. ready returns an error, best a *NotReady, when this instance should get no
// connections.
func New(cfg Config, st *store.Store, ready func(ctx context.Context) error, gatherer prometheus.Gatherer, log *slog.Logger) *Server {
	s := &Server{store: st, ready: ready, gatherer: gatherer, log: log, secret: rand.Text(), tokens: newAttempts(), codes: newAttempts(), done: make(chan struct{})}
	s.inForce.Store(&settings{Config: cfg})
	return s
}

// Listen opens the port, if an address is configured.
func (s *Server) Listen() error {
	if s.config().Address == "" {
		return nil
	}
	apply, err := s.Prepare(*s.config())
	if err != nil {
		return err
	}
	apply()
	l, err := net.Listen("tcp", s.config().Address)
	if err != nil {
		return fmt.Errorf("admin.address: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &places{Listener: l, max: s.config().MaxConnections}
	p.free.L = &p.mu
	s.listener = listener{p, &s.inForce}
	s.http = &http.Server{
		Handler:           s.handler(),
		ReadHeaderTimeout: s.config().ReadTimeout.Duration(),
		ReadTimeout:       s.config().ReadTimeout.Duration(),
		WriteTimeout:      s.config().WriteTimeout.Duration(),
		IdleTimeout:       s.config().IdleTimeout.Duration(),
		MaxHeaderBytes:    64 << 10,
		ConnContext:       withPlace,
		ConnState:         answered,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	return nil
}

// Addr returns the address that Listen has opened, nil if there is none.
func (s *Server) Addr() net.Addr {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listener == nil {
		return nil
	}
	return s.listener.Addr()
}

// Serve answers requests until Close.
func (s *Server) Serve() error {
	s.mu.Lock()
	h, l := s.http, s.listener
	s.mu.Unlock()
	if h == nil {
		<-s.done
		return nil
	}
	if err := h.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Close lets requests under way end for a second, then breaks them off.
func (s *Server) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	close(s.done)
	defer s.replay.close()
	if s.http == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := s.http.Shutdown(ctx); err != nil {
		return s.http.Close()
	}
	return nil
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	for _, r := range s.routes() {
		mux.Handle(r.pattern, s.require(r))
	}
	return secured(mux)
}

// route is an address and who may reach it. It is named nowhere else.
type route struct {
	pattern string
	need    level // noAccess is for everybody
	whole   bool  // it is of the whole log: a role for a part of it does not do
	serve   http.HandlerFunc
}

func (s *Server) routes() []route {
	metrics := promhttp.HandlerFor(s.gatherer, promhttp.HandlerOpts{})
	guarded := s.require(route{"GET /metrics", viewer, true, metrics.ServeHTTP})
	return append(s.pages(), []route{
		{"GET /healthz", noAccess, false, func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok") }},
		{"GET /readyz", noAccess, false, s.readyz},
		{"GET /metrics", noAccess, false, func(w http.ResponseWriter, r *http.Request) {
			if s.config().OpenMetrics {
				metrics.ServeHTTP(w, r)
			} else {
				guarded.ServeHTTP(w, r)
			}
		}},
		{"GET /settings", viewer, true, s.showSettings},
	}...)
}

func (s *Server) readyz(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), s.config().ReadTimeout.Duration())
	defer cancel()
	err := s.ready(ctx)
	if err == nil {
		answer(w, http.StatusOK, "ready")
		return
	}
	text, known := "not ready", (*NotReady)(nil)
	if s.looks(r) {
		text = err.Error()
	} else if errors.As(err, &known) {
		text = known.State
	}
	answer(w, http.StatusServiceUnavailable, text)
}

// NotReady says why an instance should get no connections.
type NotReady struct {
	State string // for everybody
	Err   error  // for who may look; it names hosts, models and reasons
}

// Error returns the state and its reason.
func (e *NotReady) Error() string { return e.State + ": " + e.Err.Error() }

// Unwrap returns the reason.
func (e *NotReady) Unwrap() error { return e.Err }

func answer(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintln(w, text)
}

// ServerName is what each response names as its server, by which a command tells askpg from another program at its address.
const ServerName = "askpg"

// secured sets the headers that keep a page from doing anything but being
// read: no scripts, no frames, no other hosts.
func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Server", ServerName)
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}
