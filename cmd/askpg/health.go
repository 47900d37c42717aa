package main

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"askpg/admin"
)

// health asks the admin address of a running askpg whether it is ready.
func health(ctx context.Context, s streams, args []string) error {
	fs := flag.NewFlagSet("health", flag.ContinueOnError)
	path := configFlag(fs)
	if err := parseAll(fs, s, args); err != nil {
		return err
	}
	cfg, err := loadConfig(*path)
	if err != nil {
		return err
	}
	status, body, err := askRunning(ctx, &cfg, "/readyz", "")
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return fmt.Errorf("not ready: %s", body)
	}
	fmt.Fprintln(s.out, "ready")
	return nil
}

// askRunning gets a path of the askpg that runs with a configuration, as the bearer of a token if one is given.
func askRunning(ctx context.Context, cfg *Config, path, token string) (status int, body string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	client, scheme, err := healthClient(cfg)
	if err != nil {
		return 0, "", err
	}
	defer client.CloseIdleConnections()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+"://"+cfg.Admin.Address+path, nil)
	if err != nil {
		return 0, "", err
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0, "", fmt.Errorf("askpg does not answer at %s: %w", cfg.Admin.Address, err)
	}
	defer resp.Body.Close()
	if resp.Header.Get("Server") != admin.ServerName {
		return 0, "", fmt.Errorf("what answers at %s is not askpg", cfg.Admin.Address)
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	return resp.StatusCode, strings.TrimSpace(string(text)), err
}

// healthClient returns the client for the admin side. With TLS it trusts the
// very certificate that is configured, whatever its names: what is asked stands
// on this machine.
func healthClient(cfg *Config) (client *http.Client, scheme string, err error) {
	if cfg.Admin.TLSCert == "" {
		return &http.Client{}, "http", nil
	}
	pair, err := tls.LoadX509KeyPair(cfg.Admin.TLSCert, cfg.Admin.TLSKey)
	if err != nil {
		return nil, "", fmt.Errorf("admin.tls_cert: %w", err)
	}
	same := func(state tls.ConnectionState) error {
		if len(state.PeerCertificates) == 0 || !state.PeerCertificates[0].Equal(pair.Leaf) {
			return errors.New("the server shows another certificate than admin.tls_cert; was it changed a moment ago?")
		}
		return nil
	}
	// The names need not be those of the address: VerifyConnection compares the
	// whole certificate.
	conf := &tls.Config{InsecureSkipVerify: true, VerifyConnection: same}
	return &http.Client{Transport: &http.Transport{TLSClientConfig: conf}}, "https", nil
}
