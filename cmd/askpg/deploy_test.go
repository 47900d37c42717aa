package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
	"askpg/store"
)

const deployDir = "../../deploy"

// TestDeploy_Config holds the settings in deploy to what askpg takes.
func TestDeploy_Config(t *testing.T) {
	authority := filepath.Join(composeCertificates(t), "ca.crt")
	for file, env := range map[string][]string{
		"compose/askpg.toml":          {"ASKPG_ADMIN_REVIEWER_TOKEN=" + reviewerToken},
		"kubernetes/base/config.toml": nil,
		// With what the overlay sets in the environment.
		"kubernetes/base/../base/config.toml": {"ASKPG_MODEL_1_BASE_URL=http://vllm.models.svc:8000/v1", "ASKPG_MODEL_1_MODEL=m", "ASKPG_MODEL_1_API_KEY_FILE=", "ASKPG_MODEL_1_LOCAL=true", "ASKPG_PRIVACY_MODELS=local"},
		"systemd/config.toml":                 {"ASKPG_ADMIN_REVIEWER_TOKEN_FILE=/run/credentials/askpg.service/reviewer_token"},
	} {
		c := defaultConfig()
		if err := decodeConfig(filepath.Join(deployDir, file), env, &c); err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		// The file that they name is there.
		for _, url := range []*string{&c.Replica.URL, &c.Store.URL} {
			*url = strings.NewReplacer("/certificates/ca.crt", authority, "/etc/askpg/secrets/databases-ca.crt", authority).Replace(*url)
		}
		if err := c.validate(); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if len(c.Models) == 0 {
			t.Errorf("%s has no model", file)
		}
		if strings.HasPrefix(file, "systemd") { // its clients, primary and store are on the same machine
			continue
		}
		for _, url := range []string{c.Replica.URL, c.Store.URL, "sslmode=" + c.Primary.SSLMode} {
			if !strings.Contains(url, "sslmode=verify-full") {
				t.Errorf("%s: %s is not verified", file, url)
			}
		}
		if c.TLS.Mode != "require" || c.Primary.RootCert == "" {
			t.Errorf("%s: TLS %q, the primary's authority %q", file, c.TLS.Mode, c.Primary.RootCert)
		}
	}
}

// composeCertificates makes the compose file's certificates in a folder, which it returns.
func composeCertificates(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("CERTIFICATES", dir)
	tool(t, dir, "openssl", "version")
	tool(t, deployDir+"/compose", "bash", "certificates.sh")
	return dir
}

// TestDeploy_Certificates makes the compose file's certificates: they are for the names that connections verify, each key is its
// owner's, and a second run changes nothing.
func TestDeploy_Certificates(t *testing.T) {
	dir := composeCertificates(t)
	read := func(name string) []byte {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	authorities := x509.NewCertPool()
	if !authorities.AppendCertsFromPEM(read("ca.crt")) {
		t.Fatal("ca.crt holds no certificate")
	}
	first := map[string]string{}
	for name, hosts := range map[string][]string{"primary": {"primary"}, "standby": {"standby"}, "askpg": {"localhost", "127.0.0.1", "haproxy"}} {
		pair, err := tls.LoadX509KeyPair(filepath.Join(dir, name+".crt"), filepath.Join(dir, name+".key"))
		if err != nil {
			t.Fatal(err)
		}
		for _, host := range hosts {
			if _, err := pair.Leaf.Verify(x509.VerifyOptions{DNSName: host, Roots: authorities}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		info, err := os.Stat(filepath.Join(dir, name+".key"))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s.key: %v, %v", name, info.Mode(), err)
		}
		first[name] = string(read(name + ".crt"))
	}
	tool(t, deployDir+"/compose", "bash", "certificates.sh")
	for name, text := range first {
		if string(read(name+".crt")) != text {
			t.Errorf("%s.crt is made anew although it lasts", name)
		}
	}
}

// tool runs a program over the files of deploy. One that is not on this
// machine is skipped, unless CI is set.
func tool(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("%s is missing", program)
		}
		t.Skipf("%s is not on this machine", program)
	}
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
	return string(out)
}

func TestDeploy_HAProxy(t *testing.T) {
	tool(t, deployDir+"/haproxy", "haproxy", "-c", "-f", "haproxy.cfg")
}

func TestDeploy_Systemd(t *testing.T) {
	unit, err := os.ReadFile(deployDir + "/systemd/askpg.service")
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The program has to be there for the unit to be right.
	dir := t.TempDir()
	path := filepath.Join(dir, "askpg.service")
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(unit), "/usr/local/bin/askpg", self)), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := tool(t, dir, "systemd-analyze", "verify", path); strings.Contains(out, "askpg.service") {
		t.Errorf("systemd-analyze verify:\n%s", out)
	}
	// In tenths: what systemd calls the exposure of a service.
	tool(t, dir, "systemd-analyze", "security", "--offline=true", "--threshold=15", path)
}

// TestDeploy_Alerts: promtool's tests of the alerts hold, and each alert has one in which it fires and one in which it is quiet.
func TestDeploy_Alerts(t *testing.T) {
	tool(t, deployDir+"/prometheus", "promtool", "check", "config", "prometheus.yml")
	tool(t, deployDir+"/prometheus", "promtool", "test", "rules", "alerts_test.yml")
	rules, tests := deployed(t, "prometheus/alerts.yml"), deployed(t, "prometheus/alerts_test.yml")
	for _, a := range regexp.MustCompile(`alert: (\w+)`).FindAllStringSubmatch(rules, -1) {
		if fires := regexp.MustCompile(`alertname: ` + a[1] + `\n +exp_alerts:\n`); !fires.MatchString(tests) {
			t.Errorf("no test has %s fire", a[1])
		}
		if quiet := regexp.MustCompile(`alertname: ` + a[1] + ` }`); !quiet.MatchString(tests) {
			t.Errorf("no test has %s quiet", a[1])
		}
	}
}

// TestDeploy_Manifests reads the compose file and the Kubernetes manifests
// with the libraries of their own tools, which are in a module of their own.
func TestDeploy_Manifests(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program with the libraries of Docker and Kubernetes, which -short leaves out")
	}
	out, err := exec.CommandContext(t.Context(), "go", "mod", "download", "-C", deployDir+"/check").CombinedOutput()
	if err != nil && os.Getenv("CI") == "" {
		t.Skipf("the modules of deploy/check cannot be fetched: %s", out)
	}
	tool(t, deployDir+"/check", "go", "test", "-count=1", ".") // the files are outside of its module, so that go would not see a change
}

// deployed returns the text of a file of deploy.
func deployed(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(deployDir + "/" + path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// dashboard is what a test wants to know of Grafana's JSON.
type dashboard struct {
	Panels []struct {
		ID      int
		Type    string
		Title   string
		GridPos struct{ H, W, X, Y int }
		Targets []struct{ Expr string }
	}
}

func readDashboard(t *testing.T) (d dashboard) {
	t.Helper()
	if err := json.Unmarshal([]byte(deployed(t, "grafana/dashboards/askpg.json")), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestDeploy_Dashboard lets promtool parse every query of the dashboard, and
// looks whether its panels have places of their own.
func TestDeploy_Dashboard(t *testing.T) {
	var rules strings.Builder
	rules.WriteString("groups:\n- name: dashboard\n  rules:\n")
	ids := map[int]bool{}
	taken := map[[2]int]string{}
	n := 0
	for _, p := range readDashboard(t).Panels {
		if ids[p.ID] {
			t.Errorf("%s has the id of another panel", p.Title)
		}
		ids[p.ID] = true
		g := p.GridPos
		if g.X+g.W > 24 || g.W == 0 || g.H == 0 {
			t.Errorf("%s is outside of the grid", p.Title)
		}
		for x := range g.W {
			for y := range g.H {
				at := [2]int{g.X + x, g.Y + y}
				if taken[at] != "" {
					t.Fatalf("%s lies upon %s", p.Title, taken[at])
				}
				taken[at] = p.Title
			}
		}
		if p.Type != "row" && len(p.Targets) == 0 {
			t.Errorf("%s shows nothing", p.Title)
		}
		for _, target := range p.Targets {
			expr := strings.NewReplacer("$__rate_interval", "5m", "$__range", "6h", "$instance", ".*").Replace(target.Expr)
			fmt.Fprintf(&rules, "  - record: panel:query:%d\n    expr: %s\n", n, strconv.Quote(expr))
			n++
		}
	}
	if n < 20 {
		t.Fatalf("only %d queries were found", n)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "queries.yml"), []byte(rules.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	tool(t, dir, "promtool", "check", "rules", "queries.yml")
}

// metric is a metric as its collector describes it.
type metric struct {
	help   string
	labels []string
}

var (
	describedName   = regexp.MustCompile(`fqName: "([^"]+)", help: ("(?:[^"\\]|\\.)*")`)
	describedLabels = regexp.MustCompile(`variableLabels: \{([^}]*)\}`)
)

// described returns askpg's own metrics, those included that have no samples
// yet.
func described(t *testing.T, r *prometheus.Registry) map[string]metric {
	t.Helper()
	all := map[string]metric{}
	descs := make(chan *prometheus.Desc)
	go func() { r.Describe(descs); close(descs) }()
	for d := range descs {
		name := describedName.FindStringSubmatch(d.String())
		if name == nil || !strings.HasPrefix(name[1], "askpg_") {
			continue
		}
		help, err := strconv.Unquote(name[2])
		if err != nil {
			t.Fatal(err)
		}
		m := metric{help: help}
		if labels := describedLabels.FindStringSubmatch(d.String()); labels != nil && labels[1] != "" {
			m.labels = strings.Split(labels[1], ",")
		}
		all[name[1]] = m
	}
	return all
}

var (
	metricName = regexp.MustCompile(`\baskpg_[a-z_]+\b`)
	matchers   = regexp.MustCompile(`\b(askpg_[a-z_]+)\{([^}]*)\}`)
	label      = regexp.MustCompile(`(\w+)\s*(?:=~|!~|!=|=)`)
	// metricTable finds the rows of docs/operation.md's table of the metrics.
	metricTable = regexp.MustCompile(`(?s)\n## Metrics\n.*?\n\| --- \| --- \| --- \|\n((?:\|[^\n]*\n)*)`)
)

// metricOf returns the metric that a series of a histogram is of.
func metricOf(series string, known map[string]metric) string {
	if _, ok := known[series]; ok {
		return series
	}
	for _, suffix := range []string{"_bucket", "_sum", "_count"} {
		if s, ok := strings.CutSuffix(series, suffix); ok {
			return s
		}
	}
	return series
}

// TestMetrics_Documented asks through askpg, reads /metrics, and holds
// docs/operation.md to it; the dashboard and the alerts may use nothing that
// is not there.
func TestMetrics_Documented(t *testing.T) {
	model := newModelServer(t)
	model.answer(func(string) reply { return reply{text: "```sql\nSELECT count(*) FROM stores\n```"} })
	r := start(t, model.configure)
	conn := r.connect(t, shop.Analyst)
	for _, q := range []string{"how many customers do we have", "which of our stores is the prettiest", "how many gizmotrons"} {
		_, _ = asked(testContext(t), conn, "-- ask: "+q)
	}
	known := described(t, r.registry)

	response, err := http.Get("http://" + r.admin.Addr().String() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	scraped := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^# TYPE (askpg_\w+) `).FindAllStringSubmatch(string(text), -1) {
		scraped[m[1]] = true
		if _, ok := known[m[1]]; !ok {
			t.Errorf("/metrics has %s, which no collector describes", m[1])
		}
	}
	for _, name := range []string{"askpg_questions_total", "askpg_model_requests_total", "askpg_candidates_total", "askpg_store_appended_total", "askpg_replica_statement_seconds"} {
		if !scraped[name] {
			t.Errorf("/metrics lacks %s after three questions", name)
		}
	}
	for _, name := range []string{"process_resident_memory_bytes", "go_memstats_heap_inuse_bytes", "go_goroutines"} {
		if !strings.Contains(string(text), "\n"+name+" ") {
			t.Errorf("/metrics lacks %s", name)
		}
	}

	const file = "../../docs/operation.md"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for name, m := range known {
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |\n", name, strings.Join(m.labels, ", "), m.help))
	}
	slices.Sort(rows)
	table := metricTable.FindStringSubmatchIndex(string(page))
	if table == nil {
		t.Fatalf("%s has no table of the metrics", file)
	}
	if have, want := string(page[table[2]:table[3]]), strings.Join(rows, ""); have != want {
		if os.Getenv("ASKPG_UPDATE") == "" {
			t.Errorf("the metrics in %s are not those of the program, which are\n%sASKPG_UPDATE=1 writes them", file, want)
		} else if err := os.WriteFile(file, []byte(string(page[:table[2]])+want+string(page[table[3]:])), 0o644); err != nil {
			t.Fatal(err)
		}
	}

	uses := map[string]string{"alerts.yml": deployed(t, "prometheus/alerts.yml")}
	for _, p := range readDashboard(t).Panels {
		for _, target := range p.Targets {
			uses["the panel "+p.Title] += target.Expr + "\n"
		}
	}
	for where, text := range uses {
		for _, series := range metricName.FindAllString(text, -1) {
			if _, ok := known[metricOf(series, known)]; !ok {
				t.Errorf("%s uses %s, which does not exist", where, series)
			}
		}
		for _, m := range matchers.FindAllStringSubmatch(text, -1) {
			for _, l := range label.FindAllStringSubmatch(m[2], -1) {
				if name := l[1]; name != "instance" && name != "job" && !slices.Contains(known[metricOf(m[1], known)].labels, name) {
					t.Errorf("%s selects %s by %s, a label that it does not have", where, m[1], name)
				}
			}
		}
	}
}

// TestDeploy_Database runs the script that prepares the compose file's primary
// on an empty server, and lets askpg use what it made.
func TestDeploy_Database(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	c := pgtest.NewCluster(t, pgtest.Options{NoStandby: true})
	host, port, err := net.SplitHostPort(c.Primary.Address())
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, "bash", deployDir+"/compose/primary/10-askpg.sh")
	cmd.Env = append(os.Environ(), "PGHOST="+host, "PGPORT="+port, "PGDATA=", "REPLICATION_PASSWORD=it's 1", "ASKPG_PASSWORD=it's 2", "ASKPG_STORE_PASSWORD=it's 3")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cfg := defaultConfig()
	cfg.Store.URL, cfg.Store.Spill = c.Primary.URL("askpg_store", "askpg"), ""
	st, err := store.Open(ctx, cfg.Store, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatalf("the log cannot be kept in the database that was made for it: %v", err)
	}
	defer st.Close()
	e := hostileEntry("a question")
	if err := st.Append(ctx, e); err != nil {
		t.Fatal(err)
	}
	pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, "postgres"), "CREATE ROLE stranger LOGIN; CREATE ROLE analyst LOGIN; GRANT analyst TO askpg")
	cfg.Primary.Address, cfg.Replica.URL, cfg.Replica.AllowPrimary = c.Primary.Address(), c.Primary.URL("askpg", ""), true
	a, err := newApp(ctx, cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer a.close()
	if err := a.check(ctx, "postgres", "analyst", map[string]string{"search_path": "public"}, "SELECT 1"); err != nil {
		t.Errorf("the service login cannot become the asker: %v", err)
	}
	if err := a.check(ctx, "postgres", "stranger", map[string]string{"search_path": "public"}, "SELECT 1"); ask.CodeOf(err) != ask.CodeInsufficientRights {
		t.Errorf("the service login may become a role that it was not granted: %v", err)
	}
}
