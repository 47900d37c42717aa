package proxy

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"runtime"
	"strings"
	"time"

	"askpg/ask"
)

// Config says where the proxy listens, which server it stands before, and
// what it allows. The zero value of a field is not its default; start from
// DefaultConfig.
type Config struct {
	Listen  ListenConfig  `toml:"listen"`
	Primary PrimaryConfig `toml:"primary"`
	TLS     TLSConfig     `toml:"tls"`
	Auth    AuthConfig    `toml:"auth"`
	Ask     AskConfig     `toml:"ask"`

	times times
}

// times are not for users to set.
type times struct {
	// sweepEvery is how often the sweeper looks at sessions, at most; it bounds
	// by how much an idle timeout is overrun.
	sweepEvery time.Duration
	// releaseAfter is how long a direction of a session with TLS has a goroutine of its own while
	// nothing comes.
	releaseAfter time.Duration
	// lastWait is how long a server whose client has left, and that has answered
	// everything, has for its end.
	lastWait time.Duration
	// closeWait is how long a client that was told the end of its session has to
	// read it, and then to close its connection.
	closeWait time.Duration
}

// ListenConfig is the client side.
type ListenConfig struct {
	// Address is host:port, or unix: and the folder of the socket, or a list
	// of both separated by commas. The name of a socket in a folder is
	// PostgreSQL's, .s.PGSQL.5432; another port follows a colon.
	Address string `toml:"address"`
	// MaxSessions is how many sessions may be open at once; more are refused
	// with 53300. Cancel requests do not count.
	MaxSessions int `toml:"max_sessions"`
	// MaxSessionsPerUser is how many sessions of one user may have logged in; more are refused
	// with 53300. 0 is no limit. Replication sessions do not count.
	MaxSessionsPerUser int `toml:"max_sessions_per_user"`
	// IdleTimeout ends sessions with 57P05 that have done nothing for so long, outside of a
	// transaction; 0 is never.
	IdleTimeout ask.Duration `toml:"idle_timeout"`
	// MaxStartups is how many connections may be in the phase before the
	// startup packet at once; more are closed.
	MaxStartups int `toml:"max_startups"`
	// MaxStartupsPerAddress is how many connections of one address may not have logged in
	// at once; more are refused with 53300. 0 is no limit. An address is what a PROXY header
	// tells, of IPv6 its first 64 bits; the Unix socket has none.
	MaxStartupsPerAddress int `toml:"max_startups_per_address"`
	// EventLoops is how many threads relay the sessions without TLS; with 0
	// goroutines do, as they do with TLS.
	EventLoops int `toml:"event_loops"`
	// LoginTimeout is the time from accepting a connection to the end of its
	// authentication.
	LoginTimeout ask.Duration `toml:"login_timeout"`
	// MaxQuestion is the longest question in bytes, the SQL text around it
	// included; longer ones are refused with 54000. Texts above it are not
	// searched for ask('…') in FROM.
	MaxQuestion int `toml:"max_question"`
	// QuestionTimeout ends a question that is not answered in time, with
	// 57014. The session's statement_timeout does so too.
	QuestionTimeout ask.Duration `toml:"question_timeout"`
	// NoticeInterval is the shortest time between two NOTICEs that tell a
	// waiting person about the progress.
	NoticeInterval ask.Duration `toml:"notice_interval"`
	// CancelTimeout is the deadline for passing a cancel request on.
	CancelTimeout ask.Duration `toml:"cancel_timeout"`
	// ProxyNetworks are the load balancers that tell their clients' addresses by the PROXY
	// protocol, version 1 or 2: networks, addresses, unix for the Unix socket. Connections
	// from there must begin with its header, and others must not.
	ProxyNetworks []string `toml:"proxy_networks"`
	// ApplicationNameAddAddress adds the client's address to the application_name that a
	// session starts with, so that pg_stat_activity and the server's log show it.
	ApplicationNameAddAddress bool `toml:"application_name_add_address"`
	// DenyQuestions are roles that may not ask: their sessions are relayed, and
	// a question gets 42501. It counts for the login and for the role in force.
	DenyQuestions []string `toml:"deny_questions"`
	// History is how many earlier questions of a session ask(more) sees.
	History int `toml:"history"`
	TCPConfig
}

// PrimaryConfig is the server that everything but questions goes to.
type PrimaryConfig struct {
	// Address is host:port, or unix: and the folder or path of a socket.
	Address string `toml:"address"`
	// SSLMode is libpq's: disable, allow, prefer, require, verify-ca, verify-full.
	SSLMode string `toml:"sslmode"`
	// SSLNegotiation is libpq's: postgres (ask for TLS first) or direct, which saves a round
	// trip and takes PostgreSQL 17 and an sslmode of at least require.
	SSLNegotiation string `toml:"sslnegotiation"`
	// RootCert is the file of the authorities for verify-ca and verify-full;
	// those of the system if empty.
	RootCert string `toml:"sslrootcert"`
	// Cert and Key are files with a client certificate.
	Cert string `toml:"sslcert"`
	Key  string `toml:"sslkey"`
	// ConnectTimeout bounds connecting, the TLS handshake included.
	ConnectTimeout ask.Duration `toml:"connect_timeout"`
	ReuseConfig
	TCPConfig
}

// TLSConfig is TLS towards clients.
type TLSConfig struct {
	// Mode is disable, allow (clients choose) or require.
	Mode string `toml:"mode"`
	// Cert and Key are PEM files; they are read again when they change.
	Cert string `toml:"cert"`
	Key  string `toml:"key"`
	// ClientCA is a PEM file; if set, clients must show a certificate of it.
	ClientCA string `toml:"client_ca"`
}

// AuthConfig says who verifies clients.
type AuthConfig struct {
	// Method is relay or scram. With relay the server does, by any method, and askpg
	// passes on what is said. With scram askpg does. It then logs in to the server as the
	// client, with the key that the client's proof gives it; no password is kept.
	Method string `toml:"method"`
	// File holds SCRAM secrets: "user" "SCRAM-SHA-256$…" on each line. It is read again when
	// it changes and comes before the query.
	File string `toml:"file"`
	// QueryURL is the login at the primary that asks for secrets; empty for the file alone.
	QueryURL string `toml:"query_url"`
	// Query returns the name and the secret of the user $1.
	Query string `toml:"query"`
	// QueryTimeout bounds a query, connecting included.
	QueryTimeout ask.Duration `toml:"query_timeout"`
	// QueryConnections is how many connections ask for secrets at a time; more wait.
	QueryConnections int `toml:"query_connections"`
	// Cache is how long a secret is kept. One whose salt is not the server's any more is asked for again at once.
	Cache ask.Duration `toml:"cache"`
}

// AskConfig is how answers come.
type AskConfig struct {
	// OnPrimary says what becomes of statements with ask('…') in FROM that can't run on the
	// replica. They do more than read, or stand in a transaction that has written. allow
	// runs them on the primary, as the asker's own; refuse is 42501.
	OnPrimary string `toml:"on_primary"`
	// Annotate is askpg.annotate where a session does not set it: off, or columns for answers
	// with their SQL and confidence as their last columns, askpg_sql and askpg_confidence.
	Annotate string `toml:"annotate"`
}

const (
	onPrimaryAllow  = "allow"
	onPrimaryRefuse = "refuse"
)

const (
	authRelay = "relay"
	authScram = "scram"
)

// DefaultConfig returns the defaults.
func DefaultConfig() Config {
	return Config{
		Listen: ListenConfig{
			Address:               "127.0.0.1:6432",
			MaxSessions:           10000,
			MaxStartups:           1000,
			MaxStartupsPerAddress: 100,
			EventLoops:            max(1, runtime.GOMAXPROCS(0)/2),
			LoginTimeout:          ask.Duration(time.Minute),
			MaxQuestion:           64 << 10,
			QuestionTimeout:       ask.Duration(5 * time.Minute),
			NoticeInterval:        ask.Duration(time.Second),
			CancelTimeout:         ask.Duration(5 * time.Second),
			ProxyNetworks:         []string{},
			History:               10,
			TCPConfig:             defaultTCP(),
		},
		Primary: PrimaryConfig{
			Address:        "127.0.0.1:5432",
			SSLMode:        "prefer",
			SSLNegotiation: "postgres",
			ConnectTimeout: ask.Duration(10 * time.Second),
			ReuseConfig:    defaultReuse(),
			TCPConfig:      defaultTCP(),
		},
		TLS: TLSConfig{Mode: "allow"},
		Auth: AuthConfig{
			Method:           authRelay,
			Query:            "SELECT rolname, CASE WHEN rolvaliduntil < now() THEN NULL ELSE rolpassword END FROM pg_authid WHERE rolname = $1 AND rolcanlogin",
			QueryTimeout:     ask.Duration(5 * time.Second),
			QueryConnections: 4,
			Cache:            ask.Duration(5 * time.Second),
		},
		Ask:   AskConfig{OnPrimary: onPrimaryAllow, Annotate: annotateOff},
		times: times{sweepEvery: time.Second, releaseAfter: 2 * time.Second, lastWait: 5 * time.Second, closeWait: time.Second},
	}
}

// Validate names the first field whose value can't be used.
func (c *Config) Validate() error {
	_, _, networks := c.Listen.trustedNetworks()
	return cmp.Or(
		c.validateAddresses(),
		ask.AtLeast("listen.max_sessions", c.Listen.MaxSessions, 1),
		ask.AtLeast("listen.max_startups", c.Listen.MaxStartups, 1),
		ask.Between("listen.max_question", c.Listen.MaxQuestion, 1, 1<<24),
		ask.Between("listen.event_loops", c.Listen.EventLoops, 0, 1024),
		networks,
		ask.AtLeast("listen.max_startups_per_address", c.Listen.MaxStartupsPerAddress, 0),
		ask.AtLeast("listen.max_sessions_per_user", c.Listen.MaxSessionsPerUser, 0),
		ask.AtLeast("listen.idle_timeout", c.Listen.IdleTimeout, 0),
		ask.AtLeast("listen.history", c.Listen.History, 0),
		ask.Positive("listen.login_timeout", c.Listen.LoginTimeout),
		ask.Positive("listen.question_timeout", c.Listen.QuestionTimeout),
		ask.Positive("listen.notice_interval", c.Listen.NoticeInterval),
		ask.Positive("listen.cancel_timeout", c.Listen.CancelTimeout),
		ask.Positive("primary.connect_timeout", c.Primary.ConnectTimeout),
		c.Listen.TCPConfig.validate("listen"),
		c.Primary.TCPConfig.validate("primary"),
		c.validateReuse(),
		c.Primary.validateTLS(),
		c.TLS.validate(),
		ask.OneOf("ask.on_primary", c.Ask.OnPrimary, onPrimaryAllow, onPrimaryRefuse),
		ask.OneOf("ask.annotate", c.Ask.Annotate, annotateOff, annotateColumns),
		c.Auth.validate(),
	)
}

func (c *Config) validateAddresses() error {
	if len(ask.SplitList(c.Listen.Address)) == 0 {
		return errors.New("listen.address is empty: set host:port or unix:/folder")
	}
	if err := validAddress(c.Primary.Address); err != nil {
		return fmt.Errorf("primary.address: %w", err)
	}
	for _, a := range ask.SplitList(c.Listen.Address) {
		if err := validAddress(a); err != nil {
			return fmt.Errorf("listen.address: %w", err)
		}
		if sameAddress(a, c.Primary.Address) {
			return fmt.Errorf("primary.address is %s, which askpg itself listens at (listen.address): each session would open the next one", c.Primary.Address)
		}
	}
	return nil
}

func (c *PrimaryConfig) validateTLS() error {
	err := cmp.Or(
		ask.OneOf("primary.sslmode", c.SSLMode, "disable", "allow", "prefer", "require", "verify-ca", "verify-full"),
		ask.OneOf("primary.sslnegotiation", c.SSLNegotiation, "postgres", "direct"),
	)
	switch {
	case err != nil:
		return err
	case c.SSLNegotiation == "direct" && (c.SSLMode == "disable" || c.SSLMode == "allow" || c.SSLMode == "prefer"):
		return fmt.Errorf("primary.sslnegotiation is direct, so primary.sslmode must be require, verify-ca or verify-full, not %s", c.SSLMode)
	case (c.Cert == "") != (c.Key == ""):
		return errors.New("primary.sslcert and primary.sslkey must be set together")
	}
	return nil
}

func (c *TLSConfig) validate() error {
	switch {
	case (c.Cert == "") != (c.Key == ""):
		return errors.New("tls.cert and tls.key must be set together")
	case c.Mode == "require" && c.Cert == "":
		return errors.New("tls.mode is require, so tls.cert and tls.key must be set")
	case c.ClientCA != "" && c.Cert == "":
		return errors.New("tls.client_ca is set, so tls.cert and tls.key must be set")
	}
	return ask.OneOf("tls.mode", c.Mode, "disable", "allow", "require")
}

func (c *AuthConfig) validate() error {
	if err := ask.OneOf("auth.method", c.Method, authRelay, authScram); err != nil || c.Method == authRelay {
		return err
	}
	switch {
	case c.File == "" && c.QueryURL == "":
		return errors.New("auth.method is scram, so auth.file or auth.query_url must be set")
	case c.QueryURL != "" && c.Query == "":
		return errors.New("auth.query is empty: it must return the name and the secret of the user $1")
	}
	err := cmp.Or(
		ask.Positive("auth.query_timeout", c.QueryTimeout),
		ask.AtLeast("auth.cache", c.Cache, 0),
		ask.AtLeast("auth.query_connections", c.QueryConnections, 1),
	)
	if c.QueryURL != "" && err == nil {
		_, err = c.poolConfig()
	}
	return err
}

func validAddress(a string) error {
	if path, ok := strings.CutPrefix(a, "unix:"); ok {
		if path == "" {
			return fmt.Errorf("%q names no folder", a)
		}
		return nil
	}
	_, port, err := net.SplitHostPort(a)
	if err != nil {
		return fmt.Errorf("%q is not host:port: %w", a, err)
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return fmt.Errorf("%q: %w", a, err)
	}
	return nil
}
