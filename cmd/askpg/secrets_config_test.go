package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"askpg/internal/pgtest"
	"askpg/internal/shop"
)

// TestSecrets_Misconfigured plants secrets in settings that are wrong, each in
// its own way, and looks for them in what is said of it.
func TestSecrets_Misconfigured(t *testing.T) {
	shopDatabase(t)
	cluster := pgtest.Shared(t)
	dir := t.TempDir()
	const secret = "planted-8f3a-secret"
	key := filepath.Join(dir, "key.pem")
	for name, text := range map[string]string{
		"key.pem": "-----BEGIN PRIVATE KEY-----\n" + secret + "\n-----END PRIVATE KEY-----\n", "short": "p1", "two": secret + "\n" + secret + "\n",
		"users.txt": "\"analyst\" \"" + secret + "\"\n", "broken.txt": "analyst " + secret + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	good := fmt.Sprintf("[primary]\naddress = %q\n[replica]\nurl = %q\n[store]\nurl = %q\nspill = \"\"\n", cluster.Primary.Address(), cluster.Standby.URL(shop.Service, ""), "sqlite:"+filepath.Join(dir, "log.db"))
	set := func(section, line string) string {
		header := "[" + section + "]\n"
		if key, _, _ := strings.Cut(line, " "); strings.Contains(good, header) {
			var out []string
			in := false
			for l := range strings.SplitSeq(good, "\n") {
				if in = l == header[:len(header)-1] || in && !strings.HasPrefix(l, "["); in && strings.HasPrefix(l, key+" ") {
					continue
				}
				out = append(out, l)
				if l == header[:len(header)-1] {
					out = append(out, line)
				}
			}
			return strings.Join(out, "\n")
		}
		return good + header + line + "\n"
	}
	model := "name = \"m\"\nmodel = \"x\"\nbase_url = \"http://127.0.0.1:9/v1\"\nretries = 0\n"
	type fault struct{ name, config string }
	var faults []fault
	for _, s := range []struct{ section, name string }{{"replica", "url"}, {"store", "url"}, {"auth", "query_url"}} {
		for i, url := range []string{
			"postgres://askpg:" + secret + "@127.0.0.1:1/postgres?connect_timeout=2",
			"postgres://askpg:" + secret + "@127.0.0.1:port/postgres",
			"postgres://askpg:" + secret + "@127.0.0.1:1/postgres?sslmode=nonsense",
			"postgres://askpg@127.0.0.1:1/postgres?password=" + secret + "&sslmode=nonsense",
			"postgres://askpg:" + secret + "%zz@127.0.0.1/postgres",
			"postgres://askpg:" + secret + "/x@127.0.0.1/postgres",
			"postgres//askpg:" + secret + "@127.0.0.1/postgres",
			"mysql://askpg:" + secret + "@127.0.0.1/postgres",
			"host=127.0.0.1 port=1 user=askpg password=" + secret + " connect_timeout=2",
			"host=127.0.0.1 port=x user=askpg password='" + secret + "'",
			"password = " + secret + " host",
			"sqlite:" + secret + "?x",
		} {
			line := fmt.Sprintf("%s = %q", s.name, url)
			if s.section == "auth" {
				line += "\nmethod = \"scram\""
			}
			faults = append(faults, fault{fmt.Sprint(s.section, " ", i), set(s.section, line)})
		}
	}
	faults = append(faults,
		fault{"not TOML: no end of a string", set("replica", "url = \"postgres://askpg:"+secret+"@127.0.0.1/")},
		fault{"not TOML: no quotes", set("admin", "reviewer_token = "+secret)},
		fault{"not TOML: behind the value", set("admin", "reviewer_token = \"x\" "+secret)},
		fault{"not TOML: escapes", set("admin", "reviewer_token = \"\\q"+secret+"\"")},
		fault{"a key by itself", good + secret + "\n"},
		fault{"a list", set("replica", "url = [\""+secret+"\", 5]")},
		fault{"proxy", good + "[[model]]\n" + model + "proxy_url = \"http://user:" + secret + "@127.0.0.1:1\"\n"},
		fault{"proxy by SOCKS", good + "[[model]]\n" + model + "proxy_url = \"socks5://user:" + secret + "@127.0.0.1:1\"\n"},
		fault{"no proxy", good + "[[model]]\n" + model + "proxy_url = \"ftp://user:" + secret + "@127.0.0.1:port\"\n"},
		fault{"base_url with a password", good + "[[model]]\nname = \"m\"\nmodel = \"x\"\nbase_url = \"http://user:" + secret + "@127.0.0.1:9/v1\"\n"},
		fault{"base_url with a key", good + "[[model]]\nname = \"m\"\nmodel = \"x\"\nbase_url = \"http://127.0.0.1:9/v1?key=" + secret + "\"\n"},
		fault{"a broken base_url", good + "[[model]]\nname = \"m\"\nmodel = \"x\"\nbase_url = \"http://user:" + secret + "@127.0.0.1:port/v1\"\n"},
		fault{"a short token", set("admin", "reviewer_token = \"planted-8f3a\"")},
		fault{"the same token twice", set("admin", "reviewer_token = \""+secret+"\"\nviewer_token = \""+secret+"\"")},
		fault{"a token's file of two lines", set("admin", fmt.Sprintf("reviewer_token_file = %q", filepath.Join(dir, "two")))},
		fault{"a certificate that is a key", set("admin", fmt.Sprintf("tls_cert = %q\ntls_key = %q", key, key))},
		fault{"the same for clients", set("tls", fmt.Sprintf("cert = %q\nkey = %q", key, key))},
		fault{"a key as authority", set("tls", fmt.Sprintf("client_ca = %q", key))},
		fault{"secrets of users that are none", set("auth", fmt.Sprintf("method = \"scram\"\nfile = %q", filepath.Join(dir, "users.txt")))},
		fault{"a broken file of them", set("auth", fmt.Sprintf("method = \"scram\"\nfile = %q", filepath.Join(dir, "broken.txt")))},
	)
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "config.toml")
			if err := os.WriteFile(path, []byte(f.config), 0o600); err != nil {
				t.Fatal(err)
			}
			var out buffer
			code := run(testContext(t), []string{"check", "--db", "shop", "--user", shop.Analyst, "--config", path}, streams{nil, &out, &out})
			if out.String() == "" {
				t.Error("nothing is said")
			}
			if at := strings.Index(out.String(), "planted-8f3a"); at >= 0 {
				t.Errorf("code %d: %s", code, out.String())
			}
			if testing.Verbose() {
				t.Logf("%d: %s", code, strings.TrimSpace(out.String()))
			}
		})
	}
}
