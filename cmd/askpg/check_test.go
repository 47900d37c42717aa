package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
	"askpg/replica/guard"
	"askpg/store"
)

// askpgIn runs a subcommand in a folder of its own that holds a configuration, and returns what it says, its exit code and
// the files that it leaves there.
func askpgIn(t *testing.T, config string, args ...string) (out string, code int, left []string) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("config.toml", []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	var b buffer
	code = run(testContext(t), args, streams{nil, &b, &b})
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name() != "config.toml" {
			left = append(left, f.Name())
		}
	}
	return b.String(), code, left
}

// TestCheck_AllAtOnce has everything wrong that can be: each problem is told, with what mends it.
func TestCheck_AllAtOnce(t *testing.T) {
	shopDatabase(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	standby := strings.Replace(pgtest.Shared(t).Standby.URL(shop.Service, ""), shop.Service+"@", "nobody_is_this@", 1)
	out, code, left := askpgIn(t, fmt.Sprintf(`[listen]
address = %q
adress = "x"
max_sessions = "many"
[primary]
address = "127.0.0.1:1"
[replica]
url = %q
[store]
url = "sqlite:nosuch/askpg.db"
spill = "nosuch/askpg.spill"
[admin]
address = ""
[cache]
bytes = -1
[[model]]
name = "keyless"
base_url = "http://127.0.0.1:9/v1"
model = "x"
api_key_env = "ASKPG_TEST_NO_SUCH_KEY"
`, taken.Addr(), standby), "check")
	for _, want := range []string{
		`line 3: unknown setting "listen.adress"; did you mean "listen.address"?`, "line 4: listen.max_sessions is a text; it must be a whole number",
		"FAIL  listen.address " + taken.Addr().String(), "ss -ltnp sport = :",
		"/nosuch/askpg.db: stat ", "correct store.url", "/nosuch/askpg.spill: stat ", "correct store.spill",
		"FAIL  primary 127.0.0.1:1", "correct primary.address",
		`role "nobody_is_this" does not exist`, "askpg check --print-setup --user",
		"ASKPG_TEST_NO_SUCH_KEY", "put the key into askpg's environment",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("check does not say %q", want)
		}
	}
	if n := strings.Count(out, "FAIL  "); code != 1 || !strings.Contains(out, fmt.Sprintf("%d problems", n)) || len(left) > 0 {
		t.Errorf("exit %d, %d problems, files %q", code, n, left)
	}
	if t.Failed() {
		t.Log(out)
	}
}

// TestCommands_LeaveNothing runs what looks and ends, with the store and the spill file of the defaults, which are not there.
func TestCommands_LeaveNothing(t *testing.T) {
	shopDatabase(t)
	c := pgtest.Shared(t)
	config := fmt.Sprintf("[listen]\naddress = \"127.0.0.1:0\"\n[admin]\naddress = \"\"\n[primary]\naddress = %q\n[replica]\nurl = %q\n", c.Primary.Address(), c.Standby.URL(shop.Service, ""))
	who := []string{"--db", "shop", "--user", shop.Analyst}
	for _, tt := range []struct {
		args []string
		want []string
	}{
		{append([]string{"check"}, who...), []string{"askpg.db: will be made", "askpg.spill: will be made", "ok    start", "ok    catalog of shop as analyst"}},
		{append([]string{"check", "--sql", "SELECT 1"}, who...), []string{"allowed by the guard"}},
		{append([]string{"check", "--question", "how many customers glow in the dark"}, who...), []string{"CREATE TABLE", "askpg ask --db shop --user analyst"}},
		{append(append([]string{"ask"}, who...), "orders", "per", "status"), []string{"SELECT status, count(*) FROM orders ", "-- number of orders, for each status", "-- confidence ", "-- ran on ", "--show explain", "delivered"}},
	} {
		out, code, left := askpgIn(t, config, tt.args...)
		if code != 0 || len(left) > 0 || strings.Contains(out, "semantics") {
			t.Errorf("%s: exit %d, files %q\n%s", tt.args, code, left, out)
		}
		for _, want := range tt.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s does not say %q:\n%s", tt.args, want, out)
			}
		}
	}

	// A semantics file fits, or not, or nobody has asked.
	semantics := filepath.Join(t.TempDir(), "semantics.toml")
	with := config + fmt.Sprintf("[catalog]\nsemantics = %q\n", semantics)
	if err := os.WriteFile(semantics, []byte("[[measure]]\nname = \"income\"\ntable = \"orders\"\nexpression = \"sum(total)\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code, _ := askpgIn(t, with, append([]string{"check"}, who...)...); code != 0 || !strings.Contains(out, "ok    semantics "+semantics+": all of it fits shop as analyst (measures: 1, terms: 0, queries: 0)") {
		t.Errorf("exit %d\n%s", code, out)
	}
	if out, code, _ := askpgIn(t, with, "check"); code != 0 || !strings.Contains(out, semantics+": --db and --user say whether it fits a database") {
		t.Errorf("exit %d\n%s", code, out)
	}
	twice := "[[measure]]\nname = \"income of customers\"\ntable = \"customers\"\nexpression = \"sum(order_items.quantity)\"\n"
	if err := os.WriteFile(semantics, []byte(twice), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code, _ := askpgIn(t, with, append([]string{"check"}, who...)...); code != 0 || !strings.Contains(out, `note  semantics: The measure "income of customers" reads order_items, of which there may be several rows for one of customers: define it over order_items.`) {
		t.Errorf("exit %d\n%s", code, out)
	}
	if err := os.WriteFile(semantics, []byte("\n[[table]]\nname = \"nowhere\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code, _ := askpgIn(t, with, append([]string{"check"}, who...)...); code != 1 || !strings.Contains(out, "FAIL  semantics: line 2: table nowhere: ") || strings.Contains(out, "all of it fits") {
		t.Errorf("exit %d\n%s", code, out)
	}
	if err := os.WriteFile(semantics, []byte("[[term]]\nname = \"big\"\ntable = \"orders\"\ncondition = \"total > > 3\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code, _ := askpgIn(t, with, append([]string{"check"}, who...)...); code != 1 || !strings.Contains(out, "line 1: term big: condition: syntax error") || strings.Contains(out, "ok    semantics") {
		t.Errorf("exit %d\n%s", code, out)
	}

	// A store that is there is used: for its examples, and for the log.
	path := filepath.Join(t.TempDir(), "log.db")
	there := store.DefaultConfig()
	there.URL, there.Spill = "sqlite:"+path, ""
	log, err := store.Open(testContext(t), there, quiet(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if out, code, _ := askpgIn(t, config+fmt.Sprintf("[store]\nurl = %q\n", there.URL), append(append([]string{"ask"}, who...), "how many customers")...); code != 0 {
		t.Fatal(out)
	}
	if page, err := log.List(testContext(t), store.Filter{}); err != nil || len(page.Records) != 1 {
		t.Errorf("the log has %d entries, %v", len(page.Records), err)
	}
}

// TestCheck_PostgresStore says what a login needs for the store, and makes nothing there.
func TestCheck_PostgresStore(t *testing.T) {
	shopDatabase(t)
	c := pgtest.Shared(t)
	config := func(login string) string {
		return fmt.Sprintf("[listen]\naddress = \"127.0.0.1:0\"\n[admin]\naddress = \"\"\n[primary]\naddress = %q\n[replica]\nurl = %q\n[store]\nurl = %q\nschema = \"asklog\"\n",
			c.Primary.Address(), c.Standby.URL(shop.Service, ""), c.Primary.URL(login, "shop"))
	}
	out, code, left := askpgIn(t, config(shop.Analyst), "check", "--db", "shop")
	if code != 1 || len(left) > 0 || !strings.Contains(out, `CREATE SCHEMA "asklog" AUTHORIZATION "analyst"; in database shop`) {
		t.Errorf("exit %d, files %q\n%s", code, left, out)
	}
	if out, code, _ = askpgIn(t, config(pgtest.Superuser), "check", "--db", "shop"); code != 0 || !strings.Contains(out, "ok    store postgres://") || !strings.Contains(out, "ok    start") {
		t.Errorf("exit %d\n%s", code, out)
	}
	if n := count(t, "SELECT count(*) FROM pg_namespace WHERE nspname = 'asklog'"); n != 0 {
		t.Error("check has made the schema")
	}
}

// TestReport_Hostile: a name that a tenant chose forges no line of the report, and takes none away.
func TestReport_Hostile(t *testing.T) {
	const name = "t\x1b]0;PWNED\x07\x1b[31mok    all is well\nok    forged line\x1b[1A\x1b[2K"
	var b strings.Builder
	r := &report{w: &b}
	r.add("owner of "+name, nil, "")
	r.add("owner of "+name, errors.New("not trusted: "+name), "REVOKE … ON "+name)
	r.note(name)
	_ = printVerdict(&b, guard.Verdict{Problems: []guard.Problem{{What: name, Why: name}}})
	for line := range strings.SplitSeq(b.String(), "\n") {
		if strings.HasPrefix(line, "ok    forged") || strings.ContainsFunc(line, ask.Hidden) {
			t.Errorf("the report has the line %q", line)
		}
	}
}

// TestCheck_Files: a file that serve could not use is a problem of check too.
func TestCheck_Files(t *testing.T) {
	shopDatabase(t)
	c := pgtest.Shared(t)
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	for settings, want := range map[string]string{
		fmt.Sprintf("reviewer_token_file = %q", token):                                   "admin.reviewer_token has 5 characters",
		`reviewer_token_file = "nosuch-token"`:                                           "nosuch-token",
		`tls_cert = "nosuch-cert"` + "\ntls_key = \"nosuch\"":                            "nosuch-cert",
		"[tls]\nmode = \"require\"\ncert = \"nosuch-cert\"\nkey = \"nosuch\"":            "nosuch-cert",
		"[auth]\nmethod = \"scram\"\nfile = \"nosuch-users\"\n[tls]\nmode = \"disable\"": "nosuch-users",
	} {
		out, code, _ := askpgIn(t, fmt.Sprintf("[listen]\naddress = \"127.0.0.1:0\"\n[primary]\naddress = %q\n[replica]\nurl = %q\n[store]\nurl = \"sqlite:askpg.db\"\n[admin]\naddress = \"127.0.0.1:0\"\n%s\n",
			c.Primary.Address(), c.Standby.URL(shop.Service, ""), settings), "check")
		if code != 1 || !strings.Contains(out, want) {
			t.Errorf("%s: exit %d\n%s", settings, code, out)
		}
	}
}
