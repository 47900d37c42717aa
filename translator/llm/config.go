package llm

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"askpg/ask"
)

// Config is one [[model]] of the configuration.
type Config struct {
	Name       string `toml:"name"`         // how logs, candidates and metrics call the model
	BaseURL    string `toml:"base_url"`     // of an OpenAI-compatible API, up to and including the version: https://api.openai.com/v1
	Model      string `toml:"model"`        // the name that the API knows
	APIKeyEnv  string `toml:"api_key_env"`  // environment variable that holds the key
	APIKeyFile string `toml:"api_key_file"` // or a file that holds it
	ProxyURL   string `toml:"proxy_url"`    // an HTTP or SOCKS5 proxy for the requests; empty for what HTTPS_PROXY and NO_PROXY say, none for no proxy

	Roles       []string `toml:"roles"`       // generate, judge, embed
	Local       bool     `toml:"local"`       // the model runs in the house: privacy.models = "local" admits it
	Small       bool     `toml:"small"`       // the model has few parameters, 3 to 8 billion: auto asks it by one short prompt, and for SQL alone
	Window      int      `toml:"window"`      // tokens that prompt and answer share
	MaxTokens   int      `toml:"max_tokens"`  // of one answer
	Temperature float64  `toml:"temperature"` // of first samples; strategies raise it where they want variety
	NativeN     bool     `toml:"native_n"`    // ask for several samples in one request; found out if the server ignores it
	Structured  string   `toml:"structured"`  // form of answers: off, json_schema, json_object, or auto: the closest that the server takes; answers are read in any form

	Timeout        ask.Duration `toml:"timeout"`         // of one request
	Retries        int          `toml:"retries"`         // after 429, 5xx, timeouts and broken connections
	MaxRetryAfter  ask.Duration `toml:"max_retry_after"` // a server that asks to wait longer is given up on
	MaxConcurrency int          `toml:"max_concurrency"` // requests in flight; others wait
	// MaxConcurrencyPerRole bounds the requests of one role's questions in flight, so that others find a place
	// where a model hangs for it; 0 is half of MaxConcurrency, and at least 1.
	MaxConcurrencyPerRole int `toml:"max_concurrency_per_role"`
	MaxResponse           int `toml:"max_response"` // bytes of a response body

	BreakerFailures int          `toml:"breaker_failures"` // failures in a row that open the circuit
	BreakerCooldown ask.Duration `toml:"breaker_cooldown"` // until a request tries it again

	PriceIn  float64 `toml:"price_in"`  // of a million prompt tokens
	PriceOut float64 `toml:"price_out"` // of a million completion tokens
}

// DefaultConfig returns what a [[model]] is before the file is read.
func DefaultConfig() Config {
	return Config{
		Roles:           []string{RoleGenerate, RoleJudge},
		Window:          128_000,
		MaxTokens:       2_000,
		NativeN:         true,
		Structured:      structuredOff,
		Timeout:         ask.Duration(30 * time.Second),
		Retries:         2,
		MaxRetryAfter:   ask.Duration(10 * time.Second),
		MaxConcurrency:  16,
		MaxResponse:     4 << 20,
		BreakerFailures: 5,
		BreakerCooldown: ask.Duration(30 * time.Second),
	}
}

// Validate names the first setting that can't stand.
func (c *Config) Validate() error {
	fail := func(field, format string, args ...any) error {
		return fmt.Errorf("model %q: %s %s", c.Name, field, fmt.Sprintf(format, args...))
	}
	if c.Name == "" {
		return errors.New("model: name is missing")
	}
	u, err := url.Parse(c.BaseURL)
	switch {
	case c.BaseURL == "":
		return fail("base_url", "is missing")
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return fail("base_url", "is no http or https address")
	case u.User != nil || u.RawQuery != "":
		return fail("base_url", "must not hold a user or a query; give a key with api_key_env or api_key_file")
	case c.Model == "":
		return fail("model", "is missing")
	case c.APIKeyEnv != "" && c.APIKeyFile != "":
		return fail("api_key_env", "and api_key_file are both set; keep one")
	case len(c.Roles) == 0:
		return fail("roles", "is empty; give generate, judge or embed")
	}
	if _, ok := firstLevels[c.Structured]; !ok {
		return fail("structured", "is %q; it is off, auto, json_schema or json_object", c.Structured)
	}
	if _, err := c.proxy(); err != nil {
		return fail("proxy_url", "%v", err)
	}
	for _, r := range c.Roles {
		if !slices.Contains([]string{RoleGenerate, RoleJudge, RoleEmbed}, r) {
			return fail("roles", "has %q; the roles are generate, judge and embed", r)
		}
	}
	for _, f := range []struct {
		name string
		bad  bool
		want string
	}{
		{"window", c.Window < 1024, "must be at least 1024 tokens"},
		{"max_tokens", c.MaxTokens < 64 || c.MaxTokens > c.Window/2, "must be between 64 and half of window"},
		{"temperature", c.Temperature < 0 || c.Temperature > 2, "must be between 0 and 2"},
		{"timeout", c.Timeout <= 0, "must be above 0"},
		{"retries", c.Retries < 0 || c.Retries > 10, "must be between 0 and 10"},
		{"max_retry_after", c.MaxRetryAfter < 0, "must not be negative"},
		{"max_concurrency", c.MaxConcurrency < 1, "must be at least 1"},
		{"max_concurrency_per_role", c.MaxConcurrencyPerRole < 0, "must not be negative"},
		{"max_response", c.MaxResponse < 4096, "must be at least 4096 bytes"},
		{"breaker_failures", c.BreakerFailures < 1, "must be at least 1"},
		{"breaker_cooldown", c.BreakerCooldown < 0, "must not be negative"},
		{"price_in", c.PriceIn < 0, "must not be negative"},
		{"price_out", c.PriceOut < 0, "must not be negative"},
	} {
		if f.bad {
			return fail(f.name, "%s", f.want)
		}
	}
	return nil
}

// proxy returns what chooses the proxy of a request, nil for none.
func (c *Config) proxy() (func(*http.Request) (*url.URL, error), error) {
	switch c.ProxyURL {
	case "":
		return http.ProxyFromEnvironment, nil
	case "none":
		return nil, nil
	}
	u, err := url.Parse(c.ProxyURL)
	if err != nil || u.Host == "" || !slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme) {
		return nil, errors.New("is no address of an http, https or socks5 proxy, and not none") // which may hold a password
	}
	return http.ProxyURL(u), nil
}

// key reads the API key. A model without one is called without an
// Authorization header, as local servers want it.
func (c *Config) key() (string, error) {
	switch {
	case c.APIKeyEnv != "":
		k := strings.TrimSpace(os.Getenv(c.APIKeyEnv))
		if k == "" {
			return "", fmt.Errorf("model %q: the environment variable %s of api_key_env is empty", c.Name, c.APIKeyEnv)
		}
		return k, nil
	case c.APIKeyFile != "":
		b, err := os.ReadFile(c.APIKeyFile)
		if err != nil {
			return "", fmt.Errorf("model %q: api_key_file: %w", c.Name, err)
		}
		k := strings.TrimSpace(string(b))
		if k == "" {
			return "", fmt.Errorf("model %q: the file %s of api_key_file is empty", c.Name, c.APIKeyFile)
		}
		return k, nil
	}
	return "", nil
}
