package proxy_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgproto3/v2"

	"askpg/ask"
	"askpg/proxy"
)

// TestReload_OpenSession: what a reload changes for questions counts in sessions that are open, and so does taking it back.
func TestReload_OpenSession(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, "postgres")
	bound := []pgproto3.FrontendMessage{&pgproto3.Bind{PreparedStatement: "kept"}, &pgproto3.Execute{}, &pgproto3.Sync{}}
	f.talk("create temp table kept (i int)")
	f.send(&pgproto3.Parse{Name: "kept", Query: "insert into kept select 1 from ask('run: select 1') r"}, &pgproto3.Sync{})
	if got := f.trace(1); strings.Contains(got, "E ") {
		t.Fatal(got)
	}
	for _, tt := range []struct {
		setting string
		change  func(*proxy.Config)
		try     func() string
		want    string // that the new setting has, and the old one has not
	}{
		{"ask.on_primary", func(c *proxy.Config) { c.Ask.OnPrimary = "refuse" }, func() string {
			defer f.talk("rollback")
			return f.talk("begin", "create temp table made as select * from ask('run: select 1') r")
		}, "42501"},
		{"ask.on_primary of what is prepared", func(c *proxy.Config) { c.Ask.OnPrimary = "refuse" }, func() string { f.send(bound...); return f.trace(1) }, "42501"},
		{"listen.max_question", func(c *proxy.Config) { c.Listen.MaxQuestion = 1000 }, func() string { return f.talk("-- ask: run: select 1" + strings.Repeat(" ", 2000)) }, "54000"},
		{"listen.question_timeout", func(c *proxy.Config) { c.Listen.QuestionTimeout = ask.Duration(1) }, func() string { return f.talk("-- ask: run: select 1") }, "57014"},
		{"listen.history", func(c *proxy.Config) { c.Listen.History = 1 }, func() string {
			f.talk("-- ask: run: select 1", "-- ask: run: select 2", "-- ask(more): run: select 3")
			asked := b.fake.asked()
			return map[bool]string{true: "one", false: "more"}[len(asked[len(asked)-1].History) == 1]
		}, "one"},
	} {
		for _, when := range []string{"before", "after", "back after"} {
			cfg := b.config
			if when == "after" {
				tt.change(&cfg)
			}
			if err := b.Reload(cfg); err != nil {
				t.Fatal(err)
			}
			if got := tt.try(); strings.Contains(got, tt.want) != (when == "after") {
				t.Errorf("%s, %s the reload: %q", tt.setting, when, got)
			}
		}
	}
}
