package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/internal/pgserver"
	"askpg/internal/shop"
	"askpg/replica"
	"askpg/translator/llm"
)

// demo starts a primary with the sample shop, a standby and askpg, types demoSteps
// into psql, and stays up unless DEMO_ONCE is 1. SIGHUP ends it too: it comes when the terminal is closed.
func demo(ctx context.Context, s streams, args []string) error {
	fs := flag.NewFlagSet("demo", flag.ContinueOnError)
	if err := parseAll(fs, s, args); err != nil {
		return err
	}
	ctx, restore := signal.NotifyContext(ctx, syscall.SIGHUP)
	defer restore()
	psql, err := exec.LookPath("psql")
	if err != nil {
		bin, err := pgserver.FindBinDir()
		if err != nil {
			return err
		}
		psql = filepath.Join(bin, "psql")
	}
	say := func(format string, args ...any) { fmt.Fprintf(s.out, format+"\n", args...) }

	say("Starting a PostgreSQL primary and a streaming standby in a temporary folder …")
	cluster, err := pgserver.Start(ctx, pgserver.Options{})
	if err != nil {
		return err
	}
	defer cluster.Close()
	say("Filling a sample shop …")
	if err := loadShop(ctx, cluster); err != nil {
		return err
	}

	cfg := defaultConfig()
	cfg.Primary.Address = cluster.Primary.Address()
	cfg.Replica.URL = cluster.Standby.URL(shop.Service, "")
	cfg.Replica.SuperuserRole = shop.Analyst // what people try first is psql as postgres
	cfg.Store.URL, cfg.Store.Spill = "sqlite:"+filepath.Join(cluster.Dir, "askpg.db"), filepath.Join(cluster.Dir, "askpg.spill")
	cfg.Listen.Address = freeAddress("127.0.0.1:6432")
	cfg.Admin.Address = freeAddress("127.0.0.1:6433")
	model, who := demoModel(ctx)
	if model != nil {
		cfg.Models = append(cfg.Models, *model)
	}
	logFile, err := os.Create(filepath.Join(cluster.Dir, "askpg.log"))
	if err != nil {
		return err
	}
	defer logFile.Close()
	log := slog.New(slog.NewJSONHandler(logFile, nil))
	a, err := newApp(ctx, cfg, log)
	if err != nil {
		return err
	}
	if err := a.listen(); err != nil {
		return errors.Join(err, a.close())
	}
	serving, stop := context.WithCancel(ctx)
	served := make(chan error, 1)
	go func() { served <- a.serve(serving) }()
	defer func() {
		stop()
		<-served
	}()
	say("askpg is up; %s answers.\n", who)

	host, port, _ := net.SplitHostPort(cfg.Listen.Address)
	typed, err := newTranscript(ctx, psql, host, port, shop.Analyst)
	if err != nil {
		return err
	}
	for _, step := range demoSteps {
		out, err := typed.run(step.statement)
		if err != nil {
			return errors.Join(err, typed.close())
		}
		say("%s\n\nshop=> %s\n%s\n", step.title, strings.ReplaceAll(step.statement, "\n", "\nshop-> "), out)
	}
	if err := typed.close(); err != nil {
		return fmt.Errorf("psql: %w", err)
	}
	if model == nil {
		say("%s", addModel)
	}
	if os.Getenv("DEMO_ONCE") == "1" {
		return nil
	}
	say("\nConnect:     psql -h %s -p %s -U %s shop", host, port, shop.Analyst)
	say("             -U %s sees less, -U %s asks with the rights of %s", shop.Support, pgserver.Superuser, shop.Analyst)
	say("Ask:         /* ask: how many customers do we have? */;   and then   ASK(candidates);")
	say("Review page: http://%s/", cfg.Admin.Address)
	say("Log:         %s", logFile.Name())
	say("Ctrl-C ends it all.")
	select {
	case <-ctx.Done():
		say("\nStopping …")
		return nil
	case err := <-served:
		served <- err
		return err
	}
}

func loadShop(ctx context.Context, c *pgserver.Cluster) error {
	conn, err := pgx.Connect(ctx, c.Primary.URL(pgserver.Superuser, "postgres"))
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "CREATE DATABASE shop")
	if err := errors.Join(err, conn.Close(ctx)); err != nil {
		return err
	}
	if conn, err = pgx.Connect(ctx, c.Primary.URL(pgserver.Superuser, "shop")); err != nil {
		return err
	}
	// What `askpg check --print-setup` prints for an own server.
	login := replica.DefaultConfig()
	login.URL = c.Standby.URL(shop.Service, "")
	setup, err := login.Setup([]string{shop.Analyst, shop.Support})
	if err != nil {
		return err
	}
	if err = shop.Load(ctx, conn); err == nil {
		_, err = conn.PgConn().Exec(ctx, setup).ReadAll()
	}
	if err := errors.Join(err, conn.Close(ctx)); err != nil {
		return err
	}
	return c.CatchUp(ctx)
}

// freeAddress returns the address if it is free, else another port of it.
func freeAddress(address string) string {
	l, err := net.Listen("tcp", address)
	if err != nil {
		host, _, _ := net.SplitHostPort(address)
		if l, err = net.Listen("tcp", net.JoinHostPort(host, "0")); err != nil {
			return address
		}
	}
	defer l.Close()
	return l.Addr().String()
}

// addModel says how to have a model in the demo, where there is none.
const addModel = "With a model:  `ollama pull qwen2.5-coder:7b`, or OPENAI_API_KEY in the environment, and `make demo` again."

// demoModel returns the model to ask and its name for a person: that of the
// key in the environment, that of an Ollama server on this machine, or none.
func demoModel(ctx context.Context) (*llm.Config, string) {
	m := llm.DefaultConfig()
	if os.Getenv("OPENAI_API_KEY") != "" {
		m.Name, m.APIKeyEnv = "main", "OPENAI_API_KEY"
		m.BaseURL = cmp.Or(os.Getenv("OPENAI_BASE_URL"), "https://api.openai.com/v1")
		m.Model = cmp.Or(os.Getenv("OPENAI_MODEL"), "gpt-5")
		return &m, "the model " + m.Model + " at " + m.BaseURL
	}
	base := cmp.Or(os.Getenv("OLLAMA_HOST"), "127.0.0.1:11434")
	if !strings.Contains(base, "://") {
		base = "http://" + base
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/api/tags", nil)
	if err == nil {
		if resp, err := http.DefaultClient.Do(req); err == nil {
			defer resp.Body.Close()
			var tags struct{ Models []struct{ Name string } }
			body, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
			if json.Unmarshal(body, &tags) == nil && len(tags.Models) > 0 {
				m.Name, m.BaseURL, m.Model, m.Local = "ollama", base+"/v1", tags.Models[0].Name, true
				// A model of a laptop, in the window that Ollama has unless its server is told otherwise.
				m.Small, m.Window, m.MaxTokens, m.NativeN, m.Structured = true, 4096, 1000, false, "json_schema"
				m.Timeout = ask.Duration(2 * time.Minute)
				return &m, "the model " + m.Model + " of the Ollama server at " + base
			}
		}
	}
	return nil, "the built-in engine (no OPENAI_API_KEY and no Ollama server here)"
}
