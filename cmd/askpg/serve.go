package main

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/signal"
	"syscall"

	"askpg/ask"
)

// serve runs the proxy until SIGTERM or SIGINT, which drain; a second one
// ends it at once. SIGHUP reloads.
func serve(ctx context.Context, s streams, args []string) error {
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	path := configFlag(fs)
	if err := parseAll(fs, s, args); err != nil {
		return err
	}
	cfg, log, err := configured(*path, s)
	if err != nil {
		return err
	}
	a, err := newApp(ctx, cfg, log)
	if err != nil {
		return err
	}
	a.load = func() (Config, error) { return loadConfig(*path) }
	a.admin.Replays = replays{a, *path}
	if err := a.replica.VerifyLogin(ctx); err != nil {
		return errors.Join(readable(err), a.close())
	}
	// Before the first client can connect: whoever sees an open port may send SIGHUP, which would end the process.
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT)
	defer signal.Stop(signals)
	if err := a.listen(); err != nil {
		_ = a.close()
		return err
	}
	if err := ask.CheckStack(); err != nil {
		log.Warn("the parser has little room", "error", err, "hint", ask.AsError(err).Hint)
	}
	log.Info("askpg is up", "version", versionString(), "listen", cfg.Listen.Address, "primary", cfg.Primary.Address,
		"admin", cfg.Admin.Address, "models", len(cfg.Models))

	served := make(chan error, 1)
	go func() { served <- a.serve(ctx) }()
	draining := false
	for {
		select {
		case err := <-served:
			return err
		case sig := <-signals:
			switch {
			case sig == syscall.SIGHUP:
				a.reloadFile()
			case draining:
				log.Warn("second signal, ending at once")
				_ = a.proxy.Close()
			default:
				draining = true
				log.Info("draining: no new sessions, open ones end when idle", "sessions", a.proxy.Sessions())
			}
		}
	}
}
