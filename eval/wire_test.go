package eval_test

import (
	"context"
	"log/slog"
	"net/url"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/eval"
	"askpg/proxy"
	"askpg/replica"
)

type streamer struct{ *replica.Replica }

func (e streamer) OpenStatement(ctx context.Context, s ask.Session, st ask.Statement, formats []int16) (proxy.Rows, error) {
	rows, err := e.Replica.OpenStatement(ctx, s, st, formats)
	if err != nil {
		return nil, err
	}
	return rows, nil
}

func (e streamer) Open(ctx context.Context, s ask.Session, sql string, formats []int16) (proxy.Rows, error) {
	rows, err := e.Replica.Open(ctx, s, sql, formats)
	if err != nil {
		return nil, err
	}
	return rows, nil
}

// What is asked through a running proxy gets the same figures as what is asked
// of its translator.
func TestRun_Wire(t *testing.T) {
	primary, standby := shared(t)
	set := zoo(t)
	o := eval.Options{Sets: []string{set}, Out: t.TempDir(), Strategies: []string{"book"}, Server: primary, Replica: standby, Workers: 2}
	o.Open = open(&book{answers: bookOfZoo})
	direct := run(t, o)

	o.Out = t.TempDir()
	o.Open = func(ctx context.Context, c *eval.Cluster) (ask.Translator, func(), error) {
		service, err := c.ServiceURL()
		if err != nil {
			return nil, nil, err
		}
		cfg := replica.DefaultConfig()
		cfg.URL = service
		log := slog.New(slog.DiscardHandler)
		r, err := replica.New(cfg, log, prometheus.NewRegistry())
		if err != nil {
			return nil, nil, err
		}
		listen := proxy.DefaultConfig()
		listen.Listen.Address = "127.0.0.1:0"
		primary, err := url.Parse(c.Primary)
		if err != nil {
			return nil, nil, err
		}
		listen.Primary.Address = primary.Host
		p, err := proxy.New(listen, &book{answers: bookOfZoo}, streamer{r}, log, prometheus.NewRegistry())
		if err != nil {
			return nil, nil, err
		}
		if err := p.Listen(); err != nil {
			return nil, nil, err
		}
		done := make(chan error, 1)
		go func() { done <- p.Serve() }()
		wire := eval.NewWire(p.Addrs()[0].String())
		return wire, func() { wire.Close(); p.Close(); <-done; r.Close() }, nil
	}
	through := run(t, o)

	a, err := direct.Summary(direct.Sets[0], "book")
	if err != nil {
		t.Fatal(err)
	}
	b, err := through.Summary(through.Sets[0], "book")
	if err != nil {
		t.Fatal(err)
	}
	if a.Strict != b.Strict || a.Perm != b.Perm || a.Contained != b.Contained || a.Coverage != b.Coverage || a.Refused != b.Refused || a.ECE != b.ECE || a.AnyRight != b.AnyRight {
		t.Fatalf("through the proxy:\n%+v\ndirect:\n%+v\n%+v", b, a, through.Failures)
	}
}
