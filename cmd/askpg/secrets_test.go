package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/internal/pgtest"
	"askpg/internal/shop"
	"askpg/store"
)

// buffer is a bytes.Buffer that several goroutines may write to.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// get fetches a page of the admin side with a token.
func get(t *testing.T, r *running, path, token string) string {
	t.Helper()
	status, body := fetch(t, r, path, token)
	if status >= 500 {
		t.Fatalf("%s: %d %s", path, status, body)
	}
	return body
}

// fetch is get that also returns what failed, 599 where there is no answer.
func fetch(t *testing.T, r *running, path, token string) (status int, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(testContext(t), http.MethodGet, "http://"+r.admin.Addr().String()+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 599, err.Error()
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return 599, err.Error()
	}
	return res.StatusCode, string(text)
}

// TestSecrets plants keys and passwords wherever they are configured, has
// everything go well and go wrong, and looks for them in all that comes out: the
// log at its loudest, errors, notices, prompts, metrics, pages, an export, the
// store's file and the output of check.
func TestSecrets(t *testing.T) {
	cluster := pgtest.Shared(t)
	const password = "planted-store-password"
	with := func(url string) string { return strings.Replace(url, "@", ":"+password+"@", 1) }
	for name, url := range map[string]string{
		"SQLite":             "",
		"PostgreSQL":         with(cluster.Primary.URL(pgtest.Superuser, pgtest.NewDatabase(t, ""))),
		"PostgreSQL, a word": cluster.Primary.URL(pgtest.Superuser, pgtest.NewDatabase(t, "")) + "&password=" + password,
		"PostgreSQL, away":   "postgres://askpg:" + password + "@127.0.0.1:1/askpg?connect_timeout=1",
	} {
		t.Run(name, func(t *testing.T) { testSecrets(t, url, password) })
	}
}

func testSecrets(t *testing.T, storeURL, storePassword string) {
	secrets := map[string]string{
		"store's password":                            storePassword,
		"password of a proxy":                         "planted-proxy-password",
		"password of the login that asks for secrets": "planted-auth-password",
		"API key of the environment":                  "sk-planted-environment-0123456789",
		"API key of a file":                           "sk-planted-file-0123456789abcdef",
		"replica password":                            "planted-replica-password",
		"reviewer token":                              "planted-reviewer-token-0123",
		"viewer token":                                "planted-viewer-token-012345",
	}
	t.Setenv("PLANTED_KEY", secrets["API key of the environment"])
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var out buffer
	model := newModelServer(t)
	cluster := pgtest.Shared(t)
	settings := func(c *Config) {
		model.configure(c)
		model.configure(c)
		c.Models[0].APIKeyEnv, c.Models[0].Retries = "PLANTED_KEY", 1
		c.Models[1].Name, c.Models[1].APIKeyFile = "second", file("key", secrets["API key of a file"])
		model.configure(c)
		c.Models[2].Name, c.Models[2].Retries, c.Models[2].BaseURL = "third", 0, "http://model.invalid/v1"
		c.Models[2].ProxyURL = "http://user:" + secrets["password of a proxy"] + "@127.0.0.1:1"
		c.Auth.QueryURL = "postgres://askpg:" + secrets["password of the login that asks for secrets"] + "@127.0.0.1:1/postgres"
		c.Replica.URL = strings.Replace(cluster.Standby.URL(shop.Service, ""), "@", ":"+secrets["replica password"]+"@", 1)
		c.Admin.ReviewerToken = secrets["reviewer token"]
		c.Admin.ViewerTokenFile = file("token", secrets["viewer token"])
		c.Log = LogConfig{Level: "debug", Format: "json"}
		c.Store.Spill = filepath.Join(dir, "spill")
		if c.Store.URL = storeURL; storeURL == "" {
			c.Store.URL = "sqlite:" + filepath.Join(dir, "log.db")
		}
	}
	r := startLogging(t, &out, settings)
	cc, err := pgx.ParseConfig(r.URL(shop.Analyst))
	if err != nil {
		t.Fatal(err)
	}
	cc.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { fmt.Fprintln(&out, *n) }
	conn, err := pgx.ConnectConfig(testContext(t), cc)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(testContext(t)) })
	// Providers repeat the key in their errors.
	echo := fmt.Sprintf(`{"error": {"message": "Incorrect API key provided: %s or %s", "type": "invalid_request_error"}}`,
		secrets["API key of the environment"], secrets["API key of a file"])
	for _, rep := range []reply{
		{text: "```sql\nSELECT count(*) FROM orders\n```"}, {text: "```sql\nDELETE FROM orders\n```"},
		{status: 401}, {raw: echo}, {status: 500}, {half: true}, {text: "nothing"},
	} {
		model.answer(func(string) reply { return rep })
		rows, err := asked(testContext(t), conn, "-- ask(fresh): how many of the orders are beautiful")
		fmt.Fprintln(&out, rows, err)
	}
	for _, sql := range []string{"-- ask(candidates): how many orders", "-- ask(explain): how many orders", "SHOW askpg.model", "SHOW askpg.status", "SHOW askpg.models", "SHOW askpg.budget", "SHOW askpg.nothing", "SELECT nonsense"} {
		rows, err := asked(testContext(t), conn, sql)
		fmt.Fprintln(&out, rows, err)
	}
	for _, path := range []string{"/", "/metrics", "/healthz", "/readyz", "/translations", "/examples", "/export?format=jsonl", "/signin", "/nowhere"} {
		for _, token := range []string{"", secrets["reviewer token"], "wrong-token-0123456789"} {
			status, body := fetch(t, r, path, token) // a store that is away is an error of the page's
			fmt.Fprintln(&out, status, body)
		}
	}
	fmt.Fprintln(&out, model.seen())
	if !strings.Contains(out.String(), "how many of the orders are beautiful") || !strings.Contains(out.String(), "askpg_") {
		t.Fatal("the test sees less than it should")
	}
	r.stop()
	for _, name := range []string{"log.db", "log.db-wal", "spill"} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			_, _ = out.Write(text)
		}
	}
	url := storeURL
	if url == "" {
		url = "sqlite:" + filepath.Join(dir, "other.db")
	}
	config := fmt.Sprintf("[primary]\naddress = %q\n[replica]\nurl = %q\n[store]\nurl = %q\n[admin]\nreviewer_token = %q\n[[model]]\nname = \"m\"\nbase_url = %q\nmodel = \"x\"\napi_key_env = \"PLANTED_KEY\"\n[[model]]\nname = \"n\"\nbase_url = \"http://model.invalid/v1\"\nmodel = \"x\"\nretries = 0\nproxy_url = %q\n",
		cluster.Primary.Address(), strings.Replace(cluster.Standby.URL(shop.Service, ""), "@", ":"+secrets["replica password"]+"@", 1),
		url, secrets["reviewer token"], model.URL+"/v1", "http://user:"+secrets["password of a proxy"]+"@127.0.0.1:1")
	model.answer(func(string) reply { return reply{raw: echo} })
	for _, args := range [][]string{{"check", "--db", "shop", "--user", shop.Analyst}, {"check", "--print-setup"}, {"check", "--db", "shop", "--user", shop.Analyst, "--question", "how many orders"}} {
		code := run(testContext(t), append(args, "--config", file("config.toml", config)), streams{nil, &out, &out})
		fmt.Fprintln(&out, args, code)
	}
	for what, secret := range secrets {
		if at := strings.Index(out.String(), secret); at >= 0 {
			t.Errorf("the %s comes out: …%s…", what, out.String()[max(0, at-200):at+len(secret)])
		}
	}
}

// TestRedaction has neither askpg's own log nor the translation log hold what
// questions, SQL and data are about.
func TestRedaction(t *testing.T) {
	var out buffer
	model := newModelServer(t)
	dir := t.TempDir()
	r := startLogging(t, &out, func(c *Config) {
		model.configure(c)
		c.Log = LogConfig{Level: "debug", Format: "json", Redact: true}
		c.Store.Redact = true
		c.Store.URL = "sqlite:" + filepath.Join(dir, "log.db")
	})
	conn := r.connect(t, shop.Analyst)
	planted := []string{"Quixotic Umbrella", "quixotic umbrella", "48151623", "someone@example.org", "zebrafish"}
	for _, sql := range []string{
		"SELECT count(*) FROM customers WHERE name = 'Quixotic Umbrella' AND id <> 48151623",
		"SELECT count(*) FROM customers WHERE name LIKE '%zebrafish%'",
		"SELECT 'zebrafish'::int",
		"SELECT 'Quixotic Umbrella' AS \"quixotic umbrella\", nothing FROM customers WHERE id = 48151623",
		"DELETE FROM customers WHERE name = 'Quixotic Umbrella' -- zebrafish",
		"SELECT 'zebrafish",
		"I cannot answer for 'Quixotic Umbrella'.",
	} {
		model.answer(func(string) reply { return reply{text: "```sql\n" + sql + "\n```"} })
		name := "quixotic umbrella" // known to be a value by the SQL that compares with it
		if !strings.Contains(sql, "'Quixotic Umbrella'") {
			name = "'quixotic umbrella'"
		}
		for _, q := range []string{
			"-- ask(fresh): how many orders has " + name + ", number 48151623, someone@example.org?\n-- hint: 'zebrafish' is a customer",
			"-- ask(more): and those of \"Quixotic Umbrella\"?",
		} {
			_, _ = asked(testContext(t), conn, q)
		}
	}
	page, err := r.store.List(testContext(t), store.Filter{})
	if err != nil || len(page.Records) == 0 || !strings.Contains(out.String(), "question") {
		t.Fatalf("nothing is logged: %v\n%s", err, out.String())
	}
	r.stop()
	for _, name := range []string{"log.db", "log.db-wal"} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			_, _ = out.Write(text)
		}
	}
	if !strings.Contains(out.String(), "FROM customers WHERE name = ?") {
		t.Error("the store holds no SQL")
	}
	for _, p := range planted {
		if text := out.String(); strings.Contains(text, p) {
			at := strings.Index(text, p)
			t.Errorf("%q is logged: …%q…", p, text[max(0, at-150):min(at+len(p)+20, len(text))])
		}
	}
}
