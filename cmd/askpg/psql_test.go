package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/internal/shop"
)

// psql runs the real psql against askpg; input is typed on its standard
// input, args are added to the command line.
func (r *running) psql(t *testing.T, role, input string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(testContext(t), "psql", append([]string{"-X", "-A", "-t", "-h", r.host, "-p", r.port, "-U", role, "-d", "shop"}, args...)...)
	cmd.Env = append(os.Environ(), "PGSSLMODE=disable", "PGGSSENCMODE=disable", "PGOPTIONS=-c askpg.notices=off")
	if input != "" {
		cmd.Stdin = strings.NewReader(input)
	}
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if err != nil && !strings.Contains(string(out), "ERROR") {
		t.Fatalf("psql: %v\n%s", err, out)
	}
	return string(out)
}

// TestPsql_Forms asks in each of the forms that psql can send, with an
// apostrophe, and expects the true count.
func TestPsql_Forms(t *testing.T) {
	r := start(t, nil)
	want := fmt.Sprint(count(t, "SELECT count(*) FROM customers"))
	for _, tt := range []struct {
		name, input string
		args        []string
	}{
		{name: "line comment by -c", args: []string{"-c", "-- ask: what's the number of customers we have"}},
		{name: "block comment", input: "/* ask: what's the number of customers we have? */;\n"},
		{name: "block comment over lines, another comment before", input: "/* a tool's own */\n/* ask: what's the number\n of customers we have? */;\n"},
		{name: "verb, dollar quoted", input: "ASK $$what's the number of customers we have?$$;\n"},
		{name: "verb, quoted", input: "ASK 'what''s the number of customers we have';\n"},
		{name: "verb, bare", input: "ASK how many customers do we have;\n"},
		{name: "call in FROM", input: "SELECT * FROM ask('what''s the number of customers we have') AS r;\n"},
		{name: "auto mode", input: "SET askpg.mode = 'auto';\nhow many customers do we have;\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out := r.psql(t, shop.Analyst, tt.input, append([]string{"-q"}, tt.args...)...)
			if got := strings.TrimSpace(out); got != want {
				t.Errorf("got %q, want %s\n%s", got, want, out)
			}
		})
	}
}

// TestPsql_Commands holds that psql's commands do with a question what they do with its SQL.
func TestPsql_Commands(t *testing.T) {
	r := start(t, nil)
	const question = "number of orders per region and status"
	sql := strings.TrimSpace(r.psql(t, shop.Analyst, "ASK(sql) "+question+";\n", "-q"))
	for _, command := range []string{
		`%s \crosstabview`, `%s \gdesc`, `%s \gx`, `%s \g (format=csv tuples_only=off)`, `%s LIMIT 1 \gset`, `\copy (%s) to stdout csv header`, `\set FETCH_COUNT 2\n%s;`,
	} {
		command = strings.ReplaceAll(command, `\n`, "\n") + "\n\\echo :region :status :count\n"
		typed := func(query string) string {
			lines := strings.Split(r.psql(t, shop.Analyst, fmt.Sprintf(command, query), "-q"), "\n")
			slices.Sort(lines) // regions with the same number may come in another order
			return strings.Join(lines, "\n")
		}
		want := typed(sql)
		for _, form := range []string{"ASK '" + question + "'", "/* ask: " + question + " */", "SELECT * FROM ask('" + question + "') AS r"} {
			if got := typed(form); got != want || strings.Contains(got, ":region") == strings.Contains(command, "gset") {
				t.Errorf("%s\n%s\nwant\n%s", fmt.Sprintf(command, form), got, want)
			}
		}
	}
}

func TestPsql_CallComposes(t *testing.T) {
	r := start(t, nil)
	out := r.psql(t, shop.Analyst, "SELECT r.count * 2 FROM ask('how many customers do we have') AS r(count) WHERE r.count > 0;\n", "-q")
	if got, want := strings.TrimSpace(out), fmt.Sprint(2*count(t, "SELECT count(*) FROM customers")); got != want {
		t.Errorf("got %q, want %s\n%s", got, want, out)
	}
}

func TestPsql_Actions(t *testing.T) {
	r := start(t, nil)
	customers := fmt.Sprint(count(t, "SELECT count(*) FROM customers"))
	out := strings.TrimSpace(r.psql(t, shop.Analyst, "ASK(sql) how many customers do we have;\n", "-q"))
	if !strings.HasPrefix(strings.ToLower(out), "select count(*)") || strings.Contains(out, customers) {
		t.Errorf("ask(sql) returned %q", out)
	}
	out = strings.TrimSpace(r.psql(t, shop.Analyst, "ASK(candidates) how many customers do we have;\n", "-q"))
	if !strings.HasPrefix(out, "1|") || !strings.Contains(out, "|chosen|") || !strings.Contains(out, "|grammar|") {
		t.Errorf("ask(candidates) returned %q", out)
	}
	out = strings.TrimSpace(r.psql(t, shop.Analyst, "ASK(explain) how many customers do we have;\n", "-q"))
	if !strings.Contains(out, "customers") || !strings.Contains(out, "Plan:") || !strings.Contains(out, "Aggregate") {
		t.Errorf("ask(explain) returned %q", out)
	}
	out = strings.TrimSpace(r.psql(t, shop.Analyst, "ASK how many customers do we have;\nASK(run 1);\n", "-q"))
	if out != customers+"\n"+customers {
		t.Errorf("ask(run 1) returned %q", out)
	}
	out = r.psql(t, shop.Analyst, "ASK(run 99);\n", "-q")
	if !strings.Contains(out, "ERROR") {
		t.Errorf("ask(run 99) without a question before it returned %q", out)
	}
}

// TestPsql_Interrupt presses Ctrl-C while a model thinks.
func TestPsql_Interrupt(t *testing.T) {
	model := newModelServer(t)
	model.answer(func(string) reply { return reply{hang: true} })
	r := start(t, model.configure)
	cmd := exec.CommandContext(testContext(t), "psql", "-X", "-v", "VERBOSITY=verbose", "-h", r.host, "-p", r.port, "-U", shop.Analyst, "-d", "shop",
		"-c", "/* ask: which of our stores is the prettiest */")
	cmd.Env = append(os.Environ(), "PGSSLMODE=disable", "PGGSSENCMODE=disable")
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-model.asked
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	select {
	case <-model.dropped:
	case <-time.After(10 * time.Second):
		t.Fatal("the call to the model was not dropped")
	}
	err := cmd.Wait()
	if !strings.Contains(out.String(), "57014") {
		t.Fatalf("%v\n%s", err, out.String())
	}
}

// TestCancel_SessionGoesOn cancels a question in a session that then asks and
// queries on.
func TestCancel_SessionGoesOn(t *testing.T) {
	model := newModelServer(t)
	model.answer(func(string) reply { return reply{hang: true} })
	r := start(t, model.configure)
	conn := r.connect(t, shop.Analyst)
	ctx := testContext(t)
	failed := make(chan error, 1)
	go func() {
		_, err := conn.PgConn().Exec(ctx, "/* ask: which of our stores is the prettiest */").ReadAll()
		failed <- err
	}()
	<-model.asked
	if err := conn.PgConn().CancelRequest(ctx); err != nil {
		t.Fatal(err)
	}
	var pg *pgconn.PgError
	if err := <-failed; !errors.As(err, &pg) || pg.Code != ask.CodeQueryCanceled {
		t.Fatalf("got %v, want 57014", err)
	}
	<-model.dropped
	if got, err := asked(ctx, conn, "SELECT 'goes on'"); err != nil || got != "goes on" {
		t.Fatalf("the session does not go on: %v", err)
	}
}
