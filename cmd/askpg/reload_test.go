package main

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"askpg/admin"
	"askpg/ask"
	"askpg/cache"
	"askpg/internal/shop"
	"askpg/proxy"
	"askpg/store"
	"askpg/translator"
	"askpg/translator/llm"
	"askpg/translator/llm/llmtest"
)

// otherValues are values for the settings that cannot have any.
func otherValues(t *testing.T, model *llmtest.Server) map[string]any {
	t.Helper()
	file := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	users := file("users", `"analyst" "SCRAM-SHA-256$4096:MTIzNDU2Nzg5MDEyMzQ1Ng==$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="`+"\n")
	cert, key := selfSigned(t, "localhost")
	return map[string]any{
		"listen.address": "127.0.0.1:1", "listen.proxy_networks": []string{"192.0.2.0/24"}, "listen.deny_questions": []string{"nobody"},
		"primary.address": "127.0.0.1:1", "primary.sslmode": "disable", "primary.sslnegotiation": "direct", "primary.sslrootcert": cert, "primary.sslcert": cert, "primary.sslkey": key,
		"tls.mode": "disable", "tls.cert": cert, "tls.key": key, "tls.client_ca": cert,
		"auth.method": "scram", "auth.file": users, "auth.query_url": "postgres://x@127.0.0.1:1/", "auth.query": "SELECT $1, 'x'",
		"ask.on_primary": "refuse", "ask.annotate": "columns",
		"replica.url": "postgres://x@127.0.0.1:1/", "replica.login": "service", "replica.allow_functions": []string{"a.b"}, "replica.allow_relations": []string{"a.b"},
		"catalog.semantics": file("semantics.toml", ""),
		"privacy.values":    "none", "privacy.models": "local",
		"translator.strategy": "grammar", "translator.demo_file": file("demos", `{"question":"q","sql":"SELECT 1"}`+"\n"), "translator.pet.vote": "complexity", "translator.pet.grades": map[string][]string{"easy": {"m"}},
		"translator.min_confidence": 0.75, "translator.stop_probability": 0.97, "translator.model_time": ask.Duration(time.Second), "translator.mcs.threshold": 0.1,
		"model.base_url": model.URL + "/other", "model.api_key_env": "ASKPG_TEST_KEY", "model.api_key_file": file("key", "k"), "model.proxy_url": "none",
		"model.roles": []string{"generate"}, "model.structured": "auto",
		"store.url":     "sqlite:" + filepath.Join(t.TempDir(), "other.db"),
		"admin.address": "127.0.0.1:1", "admin.viewer_token": "viewer-0123456789", "admin.reviewer_token": "reviewer-0123456789",
		"admin.viewer_token_file": file("viewer", "viewer-0123456789"), "admin.reviewer_token_file": file("reviewer", "reviewer-0123456789"),
		"admin.tls_cert": cert, "admin.tls_key": key, "admin.client_ca": cert, "admin.viewers": []string{"vera"}, "admin.reviewers": []string{"rita"}, "admin.ready_models": "one",
		"admin.oidc.issuer": "https://127.0.0.1:1", "admin.oidc.client_secret_file": file("secret", "s"), "admin.oidc.redirect_url": "https://askpg.example/signin/callback",
		"admin.access.role": "admin", "admin.access.token_file": file("token", "another-0123456789"),
		"log.level": "debug", "log.format": "json",
	}
}

// together are the settings that can only change with others.
var together = map[string][]string{
	"primary.sslnegotiation": {"primary.sslmode=require"}, "primary.sslcert": {"primary.sslkey"}, "primary.sslkey": {"primary.sslcert"}, "primary.reuse_connections": {"auth.method", "auth.file"},
	"tls.cert": {"tls.key"}, "tls.key": {"tls.cert"}, "tls.client_ca": {"tls.cert", "tls.key"}, "auth.method": {"auth.file"}, "auth.query": {"auth.method", "auth.query_url"},
	"admin.tls_cert": {"admin.tls_key"}, "admin.tls_key": {"admin.tls_cert"}, "admin.client_ca": {"admin.tls_cert", "admin.tls_key", "admin.reviewers"}, "admin.viewers": {"admin.tls_cert", "admin.tls_key", "admin.client_ca"},
	"admin.reviewers": {"admin.tls_cert", "admin.tls_key", "admin.client_ca"}, "admin.viewer_token": {"admin.reviewer_token"}, "admin.viewer_token_file": {"admin.reviewer_token_file"}, "admin.show_rows": {"admin.reviewer_token"},
	"admin.oidc.issuer": {"admin.oidc.client_id", "admin.access.groups"}, "admin.access.groups": {"admin.oidc.issuer", "admin.oidc.client_id"},
	"admin.access.names": {"admin.tls_cert", "admin.tls_key", "admin.client_ca"},
}

// change sets a setting to another value than it has, or to the one given after an equals sign.
func change(t *testing.T, c *Config, key string, values map[string]any) {
	t.Helper()
	key, value, given := strings.Cut(key, "=")
	set := func(v reflect.Value) {
		if given {
			v.SetString(value)
			return
		}
		if other, ok := values[key]; ok {
			v.Set(reflect.ValueOf(other))
			return
		}
		switch v.Kind() {
		case reflect.Bool:
			v.SetBool(!v.Bool())
		case reflect.Int, reflect.Int64:
			v.SetInt(v.Int() + 1)
			if _, ok := reflect.TypeAssert[ask.Duration](v); ok {
				v.SetInt(v.Int() - 1 + int64(time.Second))
			}
		case reflect.Float64:
			v.SetFloat(v.Float() + 0.25)
		case reflect.String:
			v.SetString("other")
		case reflect.Slice:
			v.Set(reflect.ValueOf([]string{"other"}))
		default:
			t.Fatalf("%s is a %s", key, v.Kind())
		}
	}
	walkSettings(reflect.ValueOf(c).Elem(), reflect.ValueOf(c).Elem(), "", func(k string, v, _ reflect.Value) {
		if k == key {
			set(v)
		}
		if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct && strings.HasPrefix(key, k+".") {
			walkSettings(v.Index(0), v.Index(0), k+".", func(k string, v, _ reflect.Value) {
				if k == key {
					set(v)
				}
			})
		}
	})
}

// private returns what an unexported field of a value holds, through a pointer or an atomic one.
func private[T any](value any, path ...string) *T {
	v := reflect.ValueOf(value)
	for _, name := range path {
		for v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		v = v.FieldByName(name)
		if v.Kind() == reflect.Struct && strings.HasPrefix(v.Type().String(), "atomic.Pointer[") {
			v = reflect.NewAt(v.Field(0).Type().Elem().Elem(), v.FieldByName("v").UnsafePointer())
		}
	}
	for v.Kind() != reflect.Pointer {
		v = v.Addr()
	}
	return (*T)(unsafe.Pointer(v.Pointer()))
}

// inForce collects the settings that the parts of a running askpg work with.
func (r *running) inForce() Config {
	c := *r.config()
	c.Config = *private[proxy.Config](r.proxy, "settings", "Config")
	c.Translator = *private[translator.Config](r.current.Load().core, "cfg")
	c.Privacy = c.Translator.Privacy
	c.Cache = *private[cache.Config](r.cache, "inForce")
	c.Store = *private[store.Config](r.store, "inForce")
	c.Admin = *private[admin.Config](r.admin, "inForce", "Config")
	c.Models = nil
	for _, m := range r.current.Load().models {
		c.Models = append(c.Models, *private[llm.Config](m, "cfg"))
	}
	return c
}

// TestReload_EverySetting changes each setting of config.toml by itself. The reload takes it over or names it, and the
// session that is open goes on.
func TestReload_EverySetting(t *testing.T) {
	t.Setenv("ASKPG_TEST_KEY", "another key")
	model := llmtest.New(t, func(llmtest.Call) llmtest.Reply { return llmtest.SQL("SELECT 1") })
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("somebody-0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := start(t, func(c *Config) {
		c.Models = []llm.Config{model.Config("m")}
		c.Admin.Access = []admin.Access{{Role: "viewer", TokenFile: token}}
		c.Store.Budget.For = []store.Team{{Name: "sales", Roles: []string{"clerk"}}}
	})
	values := otherValues(t, model)
	conn := r.connect(t, shop.Analyst)
	first := *r.config()
	server, err := asked(testContext(t), conn, "SELECT pg_backend_pid()")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(testContext(t), "BEGIN"); err != nil {
		t.Fatal(err)
	}
	keys := settingKeys(reflect.TypeFor[Config](), "")
	named := 0
	for _, key := range keys {
		if _, _, err := r.reload(first); err != nil {
			t.Fatal(err)
		}
		want := first
		want.Models, want.Admin.Access, want.Store.Budget.For = slices.Clone(first.Models), slices.Clone(first.Admin.Access), slices.Clone(first.Store.Budget.For)
		for _, k := range append(together[key], key) {
			change(t, &want, k, values)
		}
		want.Translator.Privacy = want.Privacy
		if err := want.validate(); err != nil {
			t.Errorf("%s: the test's value does not do: %v", key, err)
			continue
		}
		taken, restart, err := r.reload(want)
		if err != nil {
			t.Errorf("%s: %v", key, err)
			continue
		}
		switch in, left := slices.Contains(taken, key), slices.Contains(restart, key); {
		case in == left:
			t.Errorf("%s: taken over %v, needs a restart %v", key, taken, restart)
		case left:
			named++
		case in:
			now := r.inForce()
			if strings.HasSuffix(key, "_token") || strings.HasSuffix(key, "_token_file") {
				want.Admin.ViewerToken, want.Admin.ReviewerToken = now.Admin.ViewerToken, now.Admin.ReviewerToken
				if now.Admin.ReviewerToken != "reviewer-0123456789" {
					t.Errorf("%s: the token is %q", key, now.Admin.ReviewerToken)
				}
			}
			if a, b := differingSettings(&now, &want); len(a)+len(b) > 0 {
				t.Errorf("%s: not in force: %v %v", key, a, b)
			}
		}
		if got, err := asked(testContext(t), conn, "SELECT pg_backend_pid()"); err != nil || got != server {
			t.Fatalf("%s: the session says %q, %v; its server was %s", key, got, err, server)
		}
		if conn.PgConn().TxStatus() != 'T' {
			t.Fatalf("%s: the transaction has ended", key)
		}
	}
	if _, restart, err := r.reload(first); err != nil || len(restart) > 0 {
		t.Errorf("back to the first settings: %v, %v", restart, err)
	}
	if _, err := asked(testContext(t), r.connect(t, shop.Analyst), "SELECT 1"); err != nil {
		t.Errorf("a new session: %v", err)
	}
	if named == 0 || named == len(keys) {
		t.Errorf("%d of %d settings need a restart", named, len(keys))
	}
	t.Logf("%d settings: %d are reloaded, %d need a restart", len(keys), len(keys)-named, named)
}

// TestReload_Nothing: what cannot be used leaves everything as it was.
func TestReload_Nothing(t *testing.T) {
	model := llmtest.New(t, func(llmtest.Call) llmtest.Reply { return llmtest.SQL("SELECT 1") })
	r := start(t, func(c *Config) { c.Models = []llm.Config{model.Config("m")} })
	for name, breakIt := range map[string]func(*Config){
		"no such certificate":      func(c *Config) { c.TLS.Cert, c.TLS.Key = "/nowhere.crt", "/nowhere.key" },
		"no such token file":       func(c *Config) { c.Admin.ReviewerTokenFile = "/nowhere" },
		"an empty token file":      func(c *Config) { c.Admin.ReviewerTokenFile = os.DevNull },
		"secrets of nobody":        func(c *Config) { c.Auth.Method, c.Auth.File = "scram", os.DevNull },
		"no such key file":         func(c *Config) { c.Models[0].APIKeyFile = "/nowhere" },
		"no such demonstrations":   func(c *Config) { c.Translator.DemoFile = "/nowhere" },
		"a setting out of bounds":  func(c *Config) { c.Store.Batch = 0 },
		"a page open to everybody": func(c *Config) { c.Admin.Address = ":6433" },
	} {
		cfg := *r.config()
		cfg.Models = slices.Clone(cfg.Models)
		breakIt(&cfg)
		cfg.Translator.MinConfidence = 0.9 // must not be taken over
		if cfg.Admin.Address == ":6433" && cfg.validate() == nil {
			t.Errorf("%s: the settings stand", name)
		}
		before := r.inForce()
		if _, _, err := r.reload(cfg); err == nil && name != "a page open to everybody" {
			t.Errorf("%s: no error", name)
		} else if err != nil {
			now := r.inForce()
			if a, b := differingSettings(&before, &now); len(a)+len(b) > 0 {
				t.Errorf("%s: %v %v changed", name, a, b)
			}
			if got := seriesValue(t, r, "askpg_config_reload_ok"); got != "0" {
				t.Errorf("%s: askpg_config_reload_ok is %s", name, got)
			}
		}
		if _, _, err := r.reload(before); err != nil {
			t.Fatal(err)
		}
		if got := seriesValue(t, r, "askpg_config_reload_ok"); got != "1" {
			t.Errorf("after %s: askpg_config_reload_ok is %s", name, got)
		}
	}
}

// seriesValue returns the value of a series of /metrics, "" if there is none.
func seriesValue(t *testing.T, r *running, series string) string {
	t.Helper()
	for line := range strings.Lines(get(t, r, "/metrics", "")) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), series+" "); ok {
			return value
		}
	}
	return ""
}

// TestReload_WhatAdminsChange sees each change in what askpg does, in one session.
func TestReload_WhatAdminsChange(t *testing.T) {
	var log lockedBuffer
	keyFile := filepath.Join(t.TempDir(), "key")
	write := func(key string) {
		if err := os.WriteFile(keyFile, []byte(key+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("old-key")
	accepted := "old-key"
	model := llmtest.New(t, func(c llmtest.Call) llmtest.Reply {
		if c.Key != accepted {
			return llmtest.Reply{Status: 401}
		}
		return llmtest.SQL("SELECT 41 AS n")
	})
	r := startLogging(t, &log, func(c *Config) {
		m := model.Config("m")
		m.APIKeyFile = keyFile
		c.Models = []llm.Config{m}
		c.Translator.MaxSamples = 1
		c.Log.Level = "error"
	})
	conn := r.connect(t, shop.Analyst)
	ask := func(question string) (string, string) {
		t.Helper()
		got, err := asked(testContext(t), conn, "-- ask(fresh): "+question)
		if err != nil {
			return "", err.Code
		}
		return got, ""
	}
	reload := func(change func(*Config)) {
		t.Helper()
		cfg := *r.config()
		cfg.Models = slices.Clone(cfg.Models)
		change(&cfg)
		if _, restart, err := r.reload(cfg); err != nil || len(restart) > 0 {
			t.Fatal(restart, err)
		}
	}
	const question = "what is the mood of the warehouse"
	reload(func(c *Config) { c.Translator.MinConfidence = 0 })
	if got, code := ask(question); got != "41" {
		t.Fatal(got, code)
	}
	// A key that was rotated: its file alone changes.
	accepted = "new-key"
	if got, code := ask(question); code == "" {
		t.Fatalf("the server took the old key: %q", got)
	}
	write("new-key-that-is-not-written-to-its-end")
	r.refresh()
	write("new-key")
	r.refresh()
	if keys := r.reloads.files[keyFile]; keys == r.reloads.looked[keyFile] {
		t.Error("a file that has just changed was read")
	}
	r.refresh()
	if got, code := ask(question); got != "41" {
		t.Errorf("after the file of the key changed: %q %s", got, code)
	}
	if state := seriesValue(t, r, `askpg_model_state{model="m",state="ready"}`); state != "1" {
		t.Errorf("the model is ready: %s", state)
	}
	reload(func(c *Config) { c.Translator.MinConfidence = 1 })
	if got, code := ask(question); code != "ASK02" {
		t.Errorf("at a confidence of 1: %q %s", got, code)
	}
	reload(func(c *Config) { c.Translator.MinConfidence = 0 })
	other := llmtest.New(t, func(llmtest.Call) llmtest.Reply { return llmtest.SQL("SELECT 42 AS n") })
	reload(func(c *Config) { c.Models = []llm.Config{other.Config("other")} })
	if got, code := ask(question); got != "42" {
		t.Errorf("with another model: %q %s", got, code)
	}
	if state := seriesValue(t, r, `askpg_model_state{model="m",state="ready"}`); state != "" {
		t.Errorf("the model that has gone still has a state: %s", state)
	}
	if out := r.psql(t, shop.Analyst, "SHOW askpg.models;\n", "-q"); !strings.Contains(out, "other") || strings.Contains(out, "m|generate") {
		t.Errorf("SHOW askpg.models:\n%s", out)
	}
	reload(func(c *Config) { c.Store.Budget.RoleQuestions = 1 })
	if got, code := ask(question); got != "42" {
		t.Errorf("the one question of the budget: %q %s", got, code)
	}
	if got, code := ask(question); code != "ASK04" {
		t.Errorf("over the budget: %q %s", got, code)
	}
	if strings.Contains(log.text(), "level=INFO") {
		t.Errorf("the log at level error:\n%s", log.text())
	}
	reload(func(c *Config) { c.Store.Budget.RoleQuestions = 0; c.Log.Level, c.Log.Format = "info", "json" })
	_, _ = ask(question)
	if !strings.Contains(log.text(), `"level":"INFO","msg":"question answered"`) {
		t.Errorf("the log at level info in JSON:\n%s", log.text())
	}
	page := func() int {
		req, _ := http.NewRequest(http.MethodGet, "http://"+r.admin.Addr().String()+"/", nil)
		req.Header.Set("Authorization", "Bearer reviewer-0123456789")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res.StatusCode
	}
	reload(func(c *Config) { c.Admin.ReviewerToken = "reviewer-0123456789" })
	if got := page(); got != http.StatusOK {
		t.Errorf("with the token: %d", got)
	}
	reload(func(c *Config) { c.Admin.ReviewerToken = "another-0123456789" })
	if got := page(); got != http.StatusUnauthorized {
		t.Errorf("with the token of before: %d", got)
	}
}

// TestReload_LogLevel: the line that names the changed settings is in the log whatever level they set.
func TestReload_LogLevel(t *testing.T) {
	var log lockedBuffer
	r := startLogging(t, &log, nil)
	for _, level := range []string{"error", "info", "warn"} {
		before := strings.Count(log.text(), "msg=reloaded changed=log.level")
		r.load = func() (Config, error) {
			cfg := *r.config()
			cfg.Log.Level = level
			return cfg, nil
		}
		r.reloadFile()
		if got := strings.Count(log.text(), "msg=reloaded changed=log.level"); got != before+1 {
			t.Errorf("level %s: %d lines, want %d:\n%s", level, got, before+1, log.text())
		}
	}
}

// TestReload_RememberedConfidence: an answer that is not sure enough any more by the settings of a reload is not recalled
// from the log either.
func TestReload_RememberedConfidence(t *testing.T) {
	answers := 0
	model := llmtest.New(t, func(llmtest.Call) llmtest.Reply {
		answers++
		return llmtest.SQL("SELECT 41 AS n")
	})
	r := start(t, func(c *Config) {
		c.Models = []llm.Config{model.Config("m")}
		c.Translator.MaxSamples, c.Translator.MinConfidence = 1, 0
	})
	const question = "-- ask: what is the mood of the warehouse"
	for _, tt := range []struct {
		min     float64
		want    string // an SQLSTATE
		answers int    // of the model, by then
	}{{0, "", 1}, {0, "", 1}, {1, "ASK02", 2}, {1, "ASK02", 3}, {0, "", 3}} {
		cfg := *r.config()
		cfg.Translator.MinConfidence = tt.min
		if _, _, err := r.reload(cfg); err != nil {
			t.Fatal(err)
		}
		code := ""
		if _, err := asked(testContext(t), r.connect(t, shop.Analyst), question); err != nil {
			code = err.Code
		}
		if code != tt.want || answers != tt.answers {
			t.Errorf("with a minimum of %g: %q after %d answers of the model, want %q after %d", tt.min, code, answers, tt.want, tt.answers)
		}
	}
}

// TestReload_OtherEmbedder: vectors of two models cannot be compared, so another one is not asked for the catalog's before
// a restart, and named. The one of the start is followed to another key.
func TestReload_OtherEmbedder(t *testing.T) {
	model := llmtest.New(t, func(llmtest.Call) llmtest.Reply { return llmtest.SQL("SELECT 1") })
	model.Embed(func(string) []float32 { return []float32{1, 0} })
	embedding := func(name string) llm.Config {
		m := model.Config(name)
		m.Roles, m.Local = []string{llm.RoleEmbed}, false
		return m
	}
	r := start(t, func(c *Config) { c.Models = []llm.Config{embedding("first")} })
	for _, tt := range []struct {
		name    string
		change  func(*Config)
		restart []string
		answers bool
	}{
		{"another limit", func(c *Config) { c.Models[0].Timeout++ }, nil, true},
		{"another model", func(c *Config) { c.Models[0] = embedding("second") }, []string{embeddingModel}, false},
		{"none", func(c *Config) { c.Models = nil }, []string{embeddingModel}, false},
		{"one that privacy does not admit", func(c *Config) { c.Privacy.Models = "local" }, []string{embeddingModel}, false},
	} {
		cfg := *r.config()
		cfg.Models = []llm.Config{embedding("first")}
		cfg.Privacy.Models = "all"
		tt.change(&cfg)
		_, restart, err := r.reload(cfg)
		if err != nil || !slices.Equal(restart, tt.restart) {
			t.Errorf("%s: needs a restart %v, %v", tt.name, restart, err)
		}
		if _, err := (followed{r.app}).Embed(testContext(t), []string{"a"}); (err == nil) != tt.answers {
			t.Errorf("%s: vectors: %v", tt.name, err)
		}
	}
}

// TestServe_NamesRestart has the log of the process and askpg check name what a reload leaves, and the files that
// rotate without a signal come into force.
func TestServe_NamesRestart(t *testing.T) {
	cert, key := selfSigned(t, "first")
	config, address, adminAddress := writeConfig(t, fmt.Sprintf("[tls]\ncert = %q\nkey = %q\n[log]\nlevel = \"info\"\n", cert, key))
	p := serveProcess(t, config, address, adminAddress)
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.NewReplacer("[listen]", "[listen]\nevent_loops = 3\nhistory = 7", "[replica]", "[replica]\nmax_lag = \"7s\"").Replace(string(text))
	if err := os.WriteFile(config, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	check := func() string {
		out, _ := askpgCommand(t, "check", "--config", config, "--db", "shop").CombinedOutput()
		return string(out)
	}
	out := check()
	for _, want := range []string{"listen.event_loops, which needs a restart", "replica.max_lag, which needs a restart", "listen.history, which the next reload (SIGHUP) takes over"} {
		if !strings.Contains(out, want) {
			t.Errorf("before the reload check does not say %q:\n%s", want, out)
		}
	}
	if err := p.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the reload names what needs a restart", func() bool {
		return strings.Contains(p.log.String(), `settings="listen.event_loops, replica.max_lag"`)
	})
	if !strings.Contains(p.log.String(), "msg=reloaded changed=listen.history") {
		t.Errorf("the log:\n%s", p.log)
	}
	if out := check(); !strings.Contains(out, "listen.event_loops, which needs a restart") || strings.Contains(out, "listen.history") {
		t.Errorf("after the reload check says:\n%s", out)
	}
	if got := fetched(t, "http://"+adminAddress+"/metrics"); !strings.Contains(got, "\naskpg_config_restart_pending 2\n") {
		t.Error("askpg_config_restart_pending is not 2")
	}

	second, secondKey := selfSigned(t, "second")
	for from, to := range map[string]string{second: cert, secondKey: key} {
		b, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "the new certificate without a signal", func() bool { return shownName(t, address) == "second" })
}

func fetched(t *testing.T, url string) string {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// shownName returns the name in the certificate that a server shows to a client that asks for TLS.
func shownName(t *testing.T, address string) string {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Write([]byte{0, 0, 0, 8, 4, 210, 22, 47}); err != nil { // SSLRequest
		t.Fatal(err)
	}
	if _, err := io.ReadFull(c, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	session := tls.Client(c, &tls.Config{InsecureSkipVerify: true})
	if err := session.Handshake(); err != nil {
		t.Fatal(err)
	}
	return session.ConnectionState().PeerCertificates[0].Subject.CommonName
}
