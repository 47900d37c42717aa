package admin

import (
	"cmp"
	"fmt"
	"net"
	"time"

	"askpg/ask"
)

// The values of Config.ReadyModels.
const (
	readyWithoutModels = "none"
	ReadyWithOneModel  = "one"
	ReadyWithAllModels = "all"
)

// Config says where the review page is and who may sign in.
type Config struct {
	// Address is host:port; empty serves no page, no metrics, no health.
	Address string `toml:"address"`
	// ViewerToken lets its bearer look.
	ViewerToken string `toml:"viewer_token"`
	// ReviewerToken lets its bearer look, approve, reject and correct.
	ReviewerToken string `toml:"reviewer_token"`
	// ViewerTokenFile and ReviewerTokenFile name files that hold the tokens.
	ViewerTokenFile   string `toml:"viewer_token_file"`
	ReviewerTokenFile string `toml:"reviewer_token_file"`
	// TLSCert and TLSKey are PEM files; if set, the page is served by HTTPS
	// alone. They are read again when they change.
	TLSCert string `toml:"tls_cert"`
	TLSKey  string `toml:"tls_key"`
	// ClientCA is a PEM file; if set, certificates of it say who a client is.
	// Certificates of others are refused. The health checks need none.
	ClientCA string `toml:"client_ca"`
	// Viewers and Reviewers are names in such certificates: the common name, or a DNS, e-mail or URI name. Their bearers
	// may look, or look and judge, without a token.
	Viewers   []string `toml:"viewers"`
	Reviewers []string `toml:"reviewers"`
	// OIDC is the provider at which people sign in.
	OIDC OIDC `toml:"oidc"`
	// Access says who else may do what, and with which part of the log.
	Access []Access `toml:"access"`
	// OpenMetrics serves /metrics without a token where tokens are set.
	OpenMetrics bool `toml:"open_metrics"`
	// ReadyModels is how many models /readyz needs: none, one or all. A model is missing while
	// it is left alone after failures or with its key refused. Where models are all that the
	// instances share, anything but none takes every instance out of a balancer at once.
	ReadyModels string `toml:"ready_models"`
	// ShowRows is how many rows a reviewer may see of SQL that he has run as the role that asked; 0
	// shows none. It needs a sign-in.
	ShowRows int `toml:"show_rows"`
	// Currency is the one of the models' prices, as the page names it beside costs: "USD", "€".
	Currency string `toml:"currency"`
	// MaxConnections is how many connections may be open at once. One more takes the place of the one that has been
	// silent for longest. It waits while all have a request of somebody known under way.
	MaxConnections int `toml:"max_connections"`
	// ReadTimeout, WriteTimeout and IdleTimeout bound a request.
	ReadTimeout  ask.Duration `toml:"read_timeout"`
	WriteTimeout ask.Duration `toml:"write_timeout"`
	IdleTimeout  ask.Duration `toml:"idle_timeout"`
	// SessionTimeout is how long a sign-in lasts.
	SessionTimeout ask.Duration `toml:"session_timeout"`
	// SecureCookie marks the sign-in cookie for HTTPS only; set it behind a
	// proxy that speaks TLS.
	SecureCookie bool `toml:"secure_cookie"`
}

// maxShowRows bounds Config.ShowRows.
const maxShowRows = 1000

// maxCurrency bounds Config.Currency, in bytes.
const maxCurrency = 10

// DefaultConfig serves the loopback interface without tokens.
func DefaultConfig() Config {
	return Config{
		Address:        "127.0.0.1:6433",
		OpenMetrics:    true,
		ReadyModels:    readyWithoutModels,
		MaxConnections: 100,
		ReadTimeout:    ask.Duration(10 * time.Second),
		WriteTimeout:   ask.Duration(2 * time.Minute),
		IdleTimeout:    ask.Duration(2 * time.Minute),
		SessionTimeout: ask.Duration(12 * time.Hour),
		OIDC:           OIDC{Scopes: []string{"profile", "email"}, GroupsClaim: "groups", NameClaim: "email", Timeout: ask.Duration(10 * time.Second)},
	}
}

// Validate returns an error that names the first field that is wrong.
func (c *Config) Validate() error {
	if c.Address == "" {
		return nil
	}
	err := cmp.Or(
		ask.OneOf("admin.ready_models", c.ReadyModels, readyWithoutModels, ReadyWithOneModel, ReadyWithAllModels),
		ask.Between("admin.show_rows", c.ShowRows, 0, maxShowRows), ask.AtLeast("admin.max_connections", c.MaxConnections, 1),
		ask.Positive("admin.read_timeout", c.ReadTimeout), ask.Positive("admin.write_timeout", c.WriteTimeout),
		ask.Positive("admin.idle_timeout", c.IdleTimeout), ask.Positive("admin.session_timeout", c.SessionTimeout),
	)
	if err != nil {
		return err
	}
	host, _, err := net.SplitHostPort(c.Address)
	if err != nil {
		return fmt.Errorf("admin.address is %q; it must be host:port: %w", c.Address, err)
	}
	if !c.requiresSignIn() && !isLoopback(host) {
		return fmt.Errorf("admin.address is %q, which others can reach; set admin.reviewer_token, admin.client_ca with admin.reviewers, or admin.oidc, or listen on 127.0.0.1", c.Address)
	}
	if err := c.validateTLS(); err != nil {
		return err
	}
	if err := c.OIDC.validate(c.Access); err != nil {
		return err
	}
	if err := c.validateAccess(); err != nil {
		return err
	}
	for name, token := range map[string]string{"viewer_token": c.ViewerToken, "reviewer_token": c.ReviewerToken} {
		if token != "" && len(token) < minToken {
			return fmt.Errorf("admin.%s has %d characters; it must have at least %d", name, len(token), minToken)
		}
	}
	if !c.requiresSignIn() && (c.ViewerToken != "" || c.ViewerTokenFile != "") {
		return fmt.Errorf("admin.viewer_token is set and admin.reviewer_token is not; without it everybody would be a reviewer")
	}
	if c.ReviewerToken != "" && c.ReviewerToken == c.ViewerToken {
		return fmt.Errorf("admin.viewer_token and admin.reviewer_token are the same; every viewer would be a reviewer")
	}
	if c.ShowRows > 0 && !c.requiresSignIn() {
		return fmt.Errorf("admin.show_rows is %d, and everybody on this machine is a reviewer; set admin.reviewer_token, or admin.client_ca with admin.reviewers", c.ShowRows)
	}
	if len(c.Currency) > maxCurrency {
		return fmt.Errorf("admin.currency is %q; it is a sign or a code, such as USD", c.Currency)
	}
	return nil
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// Token returns a token that lets its bearer see everything, "" if there is none.
func (c *Config) Token() (token string, err error) {
	with := *c
	if err := with.readTokens(); err != nil {
		return "", err
	}
	list, err := with.grants()
	least := administrator + 1
	for _, g := range list {
		if g.token != "" && g.level < least && g.whole() {
			token, least = g.token, g.level
		}
	}
	return token, err
}

// readTokens takes the tokens out of their files, and validates the whole.
func (c *Config) readTokens() error {
	for _, t := range []struct {
		name, file string
		to         *string
	}{{"viewer_token_file", c.ViewerTokenFile, &c.ViewerToken}, {"reviewer_token_file", c.ReviewerTokenFile, &c.ReviewerToken}} {
		if t.file == "" {
			continue
		}
		text, err := readSecret("admin."+t.name, t.file)
		if err != nil {
			return err
		}
		*t.to = text
	}
	return c.Validate()
}
