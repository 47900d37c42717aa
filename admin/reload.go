package admin

import (
	"crypto/tls"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
)

// settings are what a reload replaces as a whole.
type settings struct {
	Config
	grants   []grant
	provider *provider   // nil: no sign-in by OpenID Connect
	tls      *tls.Config // nil: no TLS
}

func (s *Server) settings() *settings { return s.inForce.Load() }

// config returns the settings in force, with the tokens that their files hold.
func (s *Server) config() *Config { return &s.inForce.Load().Config }

// Prepare reads the files that a configuration names, and returns a function that takes it over for
// new requests. Nothing changes before that, and nothing if there is an error. The address, the
// limit of connections and those of the time of a request stay as they were at Listen.
func (s *Server) Prepare(cfg Config) (apply func(), err error) {
	old := s.config()
	cfg.Address, cfg.MaxConnections, cfg.ReadTimeout, cfg.WriteTimeout, cfg.IdleTimeout = old.Address, old.MaxConnections, old.ReadTimeout, old.WriteTimeout, old.IdleTimeout
	set := &settings{Config: cfg}
	if cfg.Address != "" {
		if err := set.readTokens(); err != nil {
			return nil, err
		}
		if set.tls, err = set.serverTLS(); err != nil {
			return nil, err
		}
		if set.grants, err = set.Config.grants(); err != nil {
			return nil, err
		}
		if set.provider, err = set.Config.provider(); err != nil {
			return nil, err
		}
	}
	return func() { s.inForce.Store(set) }, nil
}

// listener gives new connections the TLS that is in force.
type listener struct {
	net.Listener
	inForce *atomic.Pointer[settings]
}

// Accept waits for the next connection.
func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if t := l.inForce.Load().tls; t != nil {
		return tls.Server(c, t), nil
	}
	return c, nil
}

// showSettings names the settings of the file that are not in force, a line each. It tells no values.
func (s *Server) showSettings(w http.ResponseWriter, r *http.Request) {
	reload, restart, err := s.Differences(r.Context())
	if err != nil {
		answer(w, http.StatusConflict, "the configuration file cannot be used: "+err.Error())
		return
	}
	var lines []string
	for _, key := range reload {
		lines = append(lines, "reload "+key)
	}
	for _, key := range restart {
		lines = append(lines, "restart "+key)
	}
	answer(w, http.StatusOK, strings.Join(lines, "\n"))
}
