package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"askpg/internal/pgtest"
	"askpg/internal/shop"
	"askpg/translator/llm/llmtest"
)

const learnSchema = `
create table clients (id int primary key, name text not null, gone date, state text not null);
create table bills (id int primary key, client_id int references clients, total numeric not null, status int not null);
insert into clients select i, 'c' || i, case when i % 4 = 0 then current_date end, 'on' from generate_series(1, 40) i;
grant select on all tables in schema public to public;
`

const learnHistory = `
-- calls: 40; by: bi; source: dashboard "Money"
SELECT sum(total) AS turnover FROM bills WHERE status = 2;
-- calls: 90; by: bi; source: dashboard "Clients"
SELECT count(*) AS active_clients FROM clients WHERE gone IS NULL AND state = 'on';
-- calls: 90; by: bi; source: dashboard "Clients"
SELECT count(*) AS lost_clients FROM clients WHERE gone IS NOT NULL;
`

// TestLearn_Review goes through proposals as an admin does.
func TestLearn_Review(t *testing.T) {
	c := pgtest.Shared(t)
	shopDatabase(t) // has the roles
	db := pgtest.NewDatabase(t, learnSchema)
	dir := t.TempDir()
	history, semantics, config := filepath.Join(dir, "history.sql"), filepath.Join(dir, "semantics.toml"), filepath.Join(dir, "config.toml")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read := func() string {
		t.Helper()
		data, err := os.ReadFile(semantics)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	const mine = "# ours; not to be touched\n[[table]]\nname = 'bills'\nsynonyms = [\"invoices\"]" // no newline at its end
	write(history, learnHistory)
	write(semantics, mine)
	write(config, "[primary]\naddress = \""+c.Primary.Address()+"\"\n[replica]\nurl = \""+c.Standby.URL(shop.Service, "postgres")+"\"\n[catalog]\nsemantics = \""+semantics+
		"\"\n[store]\nurl = \"sqlite://"+filepath.Join(dir, "log.db")+"\"\nspill = \"\"\n[admin]\naddress = \"\"\n")
	learn := func(input string, args ...string) (out, errs string, code int) {
		var stdout, stderr bytes.Buffer
		code = run(context.Background(), append([]string{"learn", "--config", config, "--db", db, "--user", shop.Analyst}, args...), streams{strings.NewReader(input), &stdout, &stderr})
		return stdout.String(), stderr.String(), code
	}

	out, errs, code := learn("", "--from", history)
	if code != 0 || !strings.HasPrefix(out, "# 3 proposals from 3 of 3 statements\n") || !strings.Contains(out, "[[term]]\nname = \"active clients\"") {
		t.Fatalf("%d %s\n%s", code, errs, out)
	}
	if read() != mine {
		t.Error("printing proposals changed the semantics file")
	}
	file := filepath.Join(dir, "proposals.toml")
	if out, errs, code := learn("", "--from", history, "--out", file); code != 0 || !strings.Contains(out, "3 proposals") {
		t.Errorf("%d %s %s", code, out, errs)
	} else if data, _ := os.ReadFile(file); !strings.Contains(string(data), "[[measure]]\nname = \"turnover\"") {
		t.Errorf("%s", data)
	}

	// The first is accepted, the second refused, and the third left for later.
	out, errs, code = learn("y\nwhat?\nn\ns\n", "--from", history, "--review", "--by", "Ada\nL.")
	if code != 0 || !strings.Contains(out, "accept? y(es), n(o, never), s(kip), q(uit): y  adds it to the end of the semantics file") || !strings.Contains(out, "1 accepted, 1 refused") || strings.Count(out, "accept?") != 4 {
		t.Fatalf("%d %s\n%s", code, errs, out)
	}
	after := read()
	note := regexp.MustCompile(`\n# accepted \d{4}-\d\d-\d\d by Ada L\.: measure turnover: in 1 of 1 statements \(40 calls; bi: dashboard "Money"\)\n\[\[measure\]\]\nname = "turnover"\n(?:\w+ = .*\n)*agreed = "\d{4}-\d\d-\d\d by Ada L\."\n`)
	if !strings.HasPrefix(after, mine+"\n") || !note.MatchString(after) || strings.Contains(after, "[[term]]") {
		t.Errorf("the semantics file is\n%s", after)
	}
	out, _, _ = learn("", "--from", history)
	if !strings.HasPrefix(out, "# 1 proposal from") || !strings.Contains(out, "as the semantics file defines them: turnover\n") || strings.Contains(out, "name = \"turnover\"") {
		t.Errorf("after the review: %s", out)
	}

	// What is refused makes room for what the others say, and an entry that only models read says so.
	other := filepath.Join(dir, "other.sql")
	write(other, "-- calls: 90; by: a\nSELECT sum(total) AS takings FROM bills WHERE status = 2;\n-- calls: 40; by: b\nSELECT sum(total) AS takings FROM bills WHERE status = 1;\n"+
		"-- calls: 20; by: c\nSELECT count(*) AS debtors FROM clients c WHERE EXISTS (SELECT FROM bills b WHERE b.client_id = c.id)")
	if out, errs, code = learn("n\ns\ns\n", "--from", other, "--review"); code != 0 || !strings.Contains(out, "2 of 3. measure takings: in 1 of 1 statements (40 calls; b: other.sql)\n  in place of the refused measure takings\n") ||
		!strings.Contains(out, "  only models read it: the built-in engine answers no question by it\n[[query]]\nnames = [\"debtors\"]") {
		t.Errorf("after a refusal: %d %s\n%s", code, errs, out)
	}

	// A filter says how many rows it hides, counted as the role.
	usual := filepath.Join(dir, "usual.sql")
	write(usual, "-- calls: 9; by: a\nSELECT id FROM clients WHERE gone IS NULL; -- calls: 9; by: b\nSELECT name FROM clients WHERE gone IS NULL;\nSELECT state FROM clients WHERE gone IS NULL;")
	if out, _, _ = learn("", "--from", usual); !strings.Contains(out, "#   hides 10 of 40 rows: all but those where gone IS NULL\n") || strings.Contains(out, "to count them") {
		t.Errorf("the filter does not say what it hides: %s", out)
	}

	// A model describes what nobody has described, if it is asked to; an admin reads that before it counts. Without a model there is
	// nothing of it.
	if out, errs, code = learn("", "--from", history, "--describe"); code != 0 || strings.Contains(out, "# description") || !strings.Contains(errs, "0 tables described") || !strings.Contains(errs, "no model is configured") {
		t.Errorf("descriptions without a model: %d %s\n%s", code, errs, out)
	}
	settings, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	server := llmtest.New(t, func(c llmtest.Call) llmtest.Reply {
		if !strings.Contains(c.Text(), "CREATE TABLE public.bills") {
			return llmtest.Reply{Status: 400, Message: "no"}
		}
		return llmtest.Reply{Texts: []string{`{"table": "what a client has to pay", "columns": {"total": "in cents"}}`}}
	})
	write(config, string(settings)+"[[model]]\nname = \"m1\"\nbase_url = \""+server.URL+"\"\nmodel = \"m1\"\n")
	if out, errs, code = learn("", "--from", history, "--describe"); code != 0 || !strings.Contains(errs, "1 tables described") || !strings.Contains(errs, "the others are not described") ||
		!strings.Contains(out, "[[table]]\nname = \"bills\"\ndescription = \"what a client has to pay\"\n") || !strings.Contains(out, "[[column]]\nname = \"bills.total\"\ndescription = \"in cents\"\n") {
		t.Errorf("descriptions: %d %s\n%s", code, errs, out)
	}
	write(config, string(settings))

	// Of a folder that Metabase has exported the questions are read, and nothing else.
	export := filepath.Join(dir, "export", "collections")
	if err := os.MkdirAll(export, 0o700); err != nil {
		t.Fatal(err)
	}
	write(filepath.Join(export, "clients.yaml"), "name: Clients\ndataset_query: {type: native, native: {query: SELECT count(*) AS payers FROM clients WHERE state = 2}}\n")
	write(filepath.Join(export, "notes.txt"), "no SQL at all '")
	if out, errs, code = learn("", "--from", filepath.Dir(export)); code != 0 || !strings.Contains(out, "# read: 1 of export\n") || !strings.Contains(out, `metabase: question "Clients"`) {
		t.Errorf("an export: %d %s\n%s", code, errs, out)
	}

	// A run without proposals says why, and has nothing to review.
	write(usual, "SELECT id FROM clients;")
	if out, errs, code = learn("", "--from", usual, "--review"); code != 0 || !strings.HasPrefix(out, "0 proposals from 1 of 1 statements\nread: 1 of usual.sql\nnothing is proposed: ") || strings.Contains(out, "accept") {
		t.Errorf("nothing to propose: %d %s\n%s", code, errs, out)
	}

	// A file that cannot be used stays as it is.
	write(semantics, after+"[[table\n")
	if _, errs, code := learn("y\n", "--from", history, "--review"); code != 1 || read() != after+"[[table\n" {
		t.Errorf("a broken file: %d %s", code, errs)
	}
	if err := os.Remove(semantics); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := learn("y\n", "--from", history, "--review"); code != 1 || !strings.Contains(errs, semantics+": there is no such file; make an empty one, or correct catalog.semantics") {
		t.Errorf("no file: %d %s", code, errs)
	}
	write(semantics, after)
	for _, args := range [][]string{{"--from", filepath.Join(dir, "none.sql")}, {"--statements"}} {
		if _, errs, code := learn("", args...); code != 1 || !strings.Contains(errs, "none.sql") && !strings.Contains(errs, "pg_stat_statements; create it, or read a file with --from") {
			t.Errorf("%v: %d %s", args, code, errs)
		}
	}
	if _, errs, code := learn("", "--review", "--out", file); code != 2 {
		t.Errorf("--review with --out: %d %s", code, errs)
	}
}
