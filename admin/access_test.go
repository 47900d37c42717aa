package admin_test

import (
	"cmp"
	"context"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"askpg/admin"
	"askpg/ask"
	"askpg/store"
)

// person is somebody who is signed in, and what the test says of his rights.
type person struct {
	name   string
	role   string // "" is nobody
	part   bool   // his role is for what analyst asks at shop
	beyond string // what he is of the rest of the log, if it is a part
	access []admin.Access
}

var analysts = admin.Access{Databases: []string{"shop"}, AskingRoles: []string{"analyst"}}

func accessOf(role string, of admin.Access) admin.Access { of.Role = role; return of }

var people = []person{
	{name: "nobody"},
	{name: "viewer", role: "viewer", access: []admin.Access{{Role: "viewer"}}},
	{name: "reviewer", role: "reviewer", access: []admin.Access{{Role: "reviewer"}}},
	{name: "admin", role: "admin", access: []admin.Access{{Role: "admin"}}},
	{name: "viewer of a part", role: "viewer", part: true, access: []admin.Access{accessOf("viewer", analysts)}},
	{name: "reviewer of a part", role: "reviewer", part: true, access: []admin.Access{accessOf("reviewer", analysts)}},
	{name: "admin of a part", role: "admin", part: true, access: []admin.Access{accessOf("admin", analysts)}},
	{name: "reviewer of a part who sees all", role: "reviewer", part: true, beyond: "viewer", access: []admin.Access{{Role: "viewer"}, accessOf("reviewer", analysts)}},
}

var ranks = []string{"", "viewer", "reviewer", "admin"}

func atLeast(have, need string) bool { return slices.Index(ranks, have) >= slices.Index(ranks, need) }

// call is a request to a route.
type call struct {
	path    string
	form    url.Values
	foreign bool // it is about what is not in the part
	plain   bool // nothing of its address names what is not in the part
	want    int  // of who may; 200 if it is 0
}

// TestRoutes_Everybody sends everybody to every route there is: what the server answers to whom is what this table says.
// A route that the table does not have fails.
func TestRoutes_Everybody(t *testing.T) {
	for _, p := range people {
		t.Run(p.name, func(t *testing.T) {
			st := openStore(t)
			of := func(database, role, text string) store.Entry {
				e := entry(text)
				e.Question.Session.Database, e.Question.Session.Role, e.Question.Session.SessionUser = database, role, role
				if role != "analyst" {
					e.Question.Hint, e.Question.Client.ApplicationName = "SECRET", "SECRET"
					e.Translation.SQL = "select 'SECRET'"
					e.Err = nil
				}
				return e
			}
			own, others := add(t, st, of("shop", "analyst", "how many apples")), map[string]string{}
			for _, o := range [][2]string{{"shop", "clerk"}, {"bank", "analyst"}, {"bank", "teller"}} {
				others[o[0]+" "+o[1]] = add(t, st, of(o[0], o[1], "how many zebras, SECRET"))
			}
			byRoot := store.Reviewer{Name: "root"}
			ownExample, err := st.Approve(context.Background(), own, nil, byRoot, "")
			if err != nil {
				t.Fatal(err)
			}
			foreign := others["shop clerk"]
			foreignExample, err := st.Approve(context.Background(), foreign, nil, byRoot, "SECRET")
			if err != nil {
				t.Fatal(err)
			}
			// The same question of both roles: the clerk's example answers it.
			shared := of("shop", "clerk", "how many melons")
			shared.Question.Hint = ""
			sharedExample, err := st.Approve(context.Background(), add(t, st, shared), nil, byRoot, "")
			if err != nil {
				t.Fatal(err)
			}
			melons := add(t, st, of("shop", "analyst", "how many melons"))
			var server *admin.Server
			ran := 0
			base := serve(t, st, nil, func(c *admin.Config, s *admin.Server) {
				c.ReviewerToken, c.OpenMetrics, c.ShowRows = "the-token-of-root-0", false, 5
				c.OIDC.Issuer, c.OIDC.ClientID = "https://127.0.0.1:1", "askpg"
				c.Access = []admin.Access{{Role: "viewer", Groups: []string{"others"}}}
				for _, a := range p.access {
					a.Groups = []string{"theirs"}
					c.Access = append(c.Access, a)
				}
				if server = s; s == nil {
					return
				}
				s.Differences = func(context.Context) ([]string, []string, error) { return []string{"SECRET"}, nil, nil }
				s.Semantics = &semantics{text: "# SECRET\n"}
				s.Replays = &replays{}
				s.Prompts = func(_ context.Context, r *store.Record) ([]ask.Prompt, error) {
					return []ask.Prompt{{Model: "m", Text: r.SQL}}, nil
				}
				s.Rows = func(_ context.Context, r *store.Record, _ ...string) ([]*ask.Result, ask.Replica, error) {
					if r.Role != "analyst" || r.Database != "shop" {
						ran++
					}
					return nil, ask.Replica{}, ask.Errorf(ask.CodeRefused, "no rows here")
				}
			})
			if err := st.SignIn(context.Background(), "their cookie", "", store.SignIn{Name: "Pat", How: "oidc", Until: time.Now().Add(time.Hour),
				Evidence: `{"issuer":"https://127.0.0.1:1","client_id":"askpg","groups":["theirs"]}`}); err != nil {
				t.Fatal(err)
			}
			reject, run := url.Values{"do": {"reject"}}, url.Values{"do": {"run"}, "sql": {"select 1"}}
			retire, approve := url.Values{"do": {"retire"}}, url.Values{"do": {"approve"}}
			routes := map[string]struct {
				need  string
				whole bool
				calls []call
			}{
				"GET /healthz":                   {calls: []call{{path: "/healthz", plain: true}}},
				"GET /readyz":                    {calls: []call{{path: "/readyz", plain: true}}},
				"GET /assets/{file}":             {calls: []call{{path: "/assets/style.css", plain: true}}},
				"GET /assets/":                   {calls: []call{{path: "/assets/", want: 404, plain: true}}},
				"GET /signin":                    {calls: []call{{path: "/signin", plain: true}}},
				"POST /signin":                   {calls: []call{{path: "/signin", form: url.Values{"token": {"wrong"}}, want: 401, plain: true}}},
				"GET /signin/oidc":               {calls: []call{{path: "/signin/oidc", want: 503, plain: true}}},
				"GET /signin/callback":           {calls: []call{{path: "/signin/callback?code=x&state=y", want: 401, plain: true}}},
				"GET /metrics":                   {need: "viewer", whole: true, calls: []call{{path: "/metrics", plain: true}}},
				"GET /settings":                  {need: "viewer", whole: true, calls: []call{{path: "/settings", plain: true}}},
				"GET /{$}":                       {need: "viewer", calls: []call{{path: "/", plain: true}, {path: "/?of=database+bank"}, {path: "/?of=role+clerk"}}},
				"GET /translations":              {need: "viewer", calls: []call{{path: "/translations", plain: true}, {path: "/translations?q=zebra*"}, {path: "/translations?database=bank"}, {path: "/translations?role=clerk&since=2020-01-01"}, {path: "/translations?q=" + foreign}}},
				"GET /review":                    {need: "viewer", calls: []call{{path: "/review", plain: true}, {path: "/review?role=clerk"}}},
				"POST /review":                   {need: "reviewer", calls: []call{{path: "/review", form: url.Values{"do": {"keep"}}, plain: true}, {path: "/review", form: url.Values{"do": {"reject"}, "row": {foreign + " x"}}, want: 422}}},
				"GET /translations/{id}":         {need: "viewer", calls: []call{{path: "/translations/" + own, plain: true}, {path: "/translations/" + melons, plain: true}, {path: "/translations/" + foreign, foreign: true}, {path: "/translations/" + others["bank analyst"], foreign: true}, {path: "/translations/" + others["bank teller"][:24], foreign: true}}},
				"GET /translations/{id}/prompts": {need: "reviewer", calls: []call{{path: "/translations/" + own + "/prompts", plain: true}, {path: "/translations/" + foreign + "/prompts", foreign: true}}},
				"POST /translations/{id}": {need: "reviewer", calls: []call{
					{path: "/translations/" + own, form: run, want: 422}, {path: "/translations/" + foreign, form: run, foreign: true, want: 422},
					{path: "/translations/" + own, form: reject, want: 303}, {path: "/translations/" + foreign, form: reject, foreign: true, want: 303}}},
				"GET /export":                   {need: "viewer", calls: []call{{path: "/export?format=csv", plain: true}, {path: "/export?format=jsonl", plain: true}, {path: "/export?format=csv&database=bank"}, {path: "/export?format=jsonl&q=zebra*"}}},
				"GET /examples":                 {need: "viewer", calls: []call{{path: "/examples", plain: true}, {path: "/examples?status=retired"}, {path: "/examples?database=shop"}}},
				"GET /examples.jsonl":           {need: "viewer", calls: []call{{path: "/examples.jsonl", plain: true}, {path: "/examples.jsonl?database=shop"}}},
				"POST /examples/{id}":           {need: "reviewer", calls: []call{{path: "/examples/" + ownExample.ID, form: retire, want: 303}, {path: "/examples/" + foreignExample.ID, form: retire, foreign: true, want: 303}}},
				"POST /translations/{id}/teach": {need: "admin", whole: true, calls: []call{{path: "/translations/" + own + "/teach", form: url.Values{"kind": {"private"}, "of": {"orders.note"}}, want: 303}}},
				"GET /definitions":              {need: "admin", whole: true, calls: []call{{path: "/definitions", plain: true}}},
				"POST /definitions":             {need: "admin", whole: true, calls: []call{{path: "/definitions", form: url.Values{"do": {"check"}, "text": {"# all"}}, plain: true}}},
				"GET /proposals":                {need: "admin", whole: true, calls: []call{{path: "/proposals", plain: true}}},
				"POST /proposals":               {need: "admin", whole: true, calls: []call{{path: "/proposals", form: url.Values{"do": {"propose"}, "database": {"nowhere"}}, want: 422, plain: true}}},
				"GET /definitions.toml":         {need: "admin", whole: true, calls: []call{{path: "/definitions.toml", plain: true}}},
				"GET /definitions.jsonl":        {need: "admin", whole: true, calls: []call{{path: "/definitions.jsonl", plain: true}}},
				"GET /replay":                   {need: "admin", whole: true, calls: []call{{path: "/replay", plain: true}}},
				"POST /replay":                  {need: "admin", whole: true, calls: []call{{path: "/replay", form: url.Values{"do": {"stop"}}, want: 303, plain: true}}},
				"GET /verdicts.jsonl":           {need: "admin", calls: []call{{path: "/verdicts.jsonl", plain: true}, {path: "/verdicts.jsonl?role=clerk"}}},
				"GET /":                         {need: "viewer", calls: []call{{path: "/nothing", want: 404, plain: true}}},
				"POST /signout":                 {need: "viewer", calls: []call{{path: "/signout", form: url.Values{}, want: 303, plain: true}}},
			}
			client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			csrf := ""
			send := func(pattern string, c call) (status int, body string) {
				t.Helper()
				method, _, _ := strings.Cut(pattern, " ")
				form := maps.Clone(c.form)
				if form != nil {
					form.Set("csrf", csrf)
				}
				req, _ := http.NewRequest(method, base+c.path, strings.NewReader(form.Encode()))
				if form != nil {
					req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				}
				if p.role != "" {
					req.AddCookie(&http.Cookie{Name: "askpg_session", Value: "their cookie"})
				}
				res, err := client.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				defer res.Body.Close()
				b, err := io.ReadAll(res.Body)
				if err != nil {
					t.Fatal(err)
				}
				return res.StatusCode, string(b)
			}
			if p.role != "" {
				_, body := send("GET /{$}", call{path: "/"})
				csrf = csrfOf(t, body)
			}
			var left []string
			for _, pattern := range server.Routes() {
				if _, ok := routes[pattern]; !ok {
					t.Errorf("the table does not have %s", pattern)
				}
				left = append(left, pattern)
			}
			if len(left) != len(routes) {
				t.Errorf("the table has %d routes, the server %d", len(routes), len(left))
			}
			last := func(pattern string) int { // what changes something, and the sign-out
				return slices.Index([]string{"POST /examples/{id}", "POST /translations/{id}", "POST /signout"}, pattern)
			}
			slices.SortStableFunc(left, func(a, b string) int { return cmp.Compare(last(a), last(b)) })
			for _, pattern := range left {
				if pattern == "POST /signout" && p.role == "reviewer" && p.part {
					// An example that somebody may not judge stands, whatever he verifies: his own answers his role.
					if got, body := send("POST /", call{path: "/translations/" + melons, form: approve}); got != http.StatusSeeOther {
						t.Errorf("approving what another's example answers: %d %.300s", got, body)
					}
				}
				for _, c := range routes[pattern].calls {
					r := routes[pattern]
					want := c.want
					if want == 0 {
						want = http.StatusOK
					}
					role := p.role
					if c.foreign && p.part {
						role = p.beyond
					}
					switch {
					case r.need == "":
					case p.role == "" && strings.HasPrefix(pattern, "GET"):
						want = http.StatusSeeOther
					case p.role == "":
						want = http.StatusUnauthorized
					case !atLeast(p.role, r.need), r.whole && p.part && p.beyond == "":
						want = http.StatusForbidden
					case !atLeast(role, r.need):
						want = http.StatusNotFound
					}
					got, body := send(pattern, c)
					if got != want {
						t.Errorf("%s %s %v: %d, want %d: %.200s", pattern, c.path, c.form, got, want, body)
					}
					if p.part && p.beyond == "" || p.role == "" {
						for _, word := range []string{"SECRET", "bank", "teller", "clerk"} {
							if strings.Contains(body, word) && (c.plain || word == "SECRET") {
								t.Errorf("%s %s shows %q", pattern, c.path, word)
							}
						}
					} else if c.foreign && got == http.StatusOK && !strings.Contains(body, "SECRET") {
						t.Errorf("%s %s does not show what it is about", pattern, c.path)
					}
				}
			}
			all := p.role != "" && !p.part
			rec, err := st.Get(context.Background(), foreign)
			if err != nil || (rec.Review == store.Rejected) != (all && atLeast(p.role, "reviewer")) {
				t.Errorf("what is not in the part is reviewed as %q, %v", rec.Review, err)
			}
			if !all && ran > 0 {
				t.Errorf("SQL ran %d times as a role that is not in the part", ran)
			}
			if e, err := st.ExampleOf(context.Background(), "shop", "clerk", "how many melons", ""); err != nil || e == nil || e.ID != sharedExample.ID {
				t.Errorf("the clerk's example is %+v, %v", e, err)
			}
		})
	}
}

// TestAccess_Wrong has settings refused that let nobody in, or could let in somebody else.
func TestAccess_Wrong(t *testing.T) {
	oidc := func(c *admin.Config) { c.OIDC.Issuer, c.OIDC.ClientID = "https://127.0.0.1:1", "askpg" }
	for want, change := range map[string]func(*admin.Config){
		`role is ""`:                  func(c *admin.Config) { c.Access = []admin.Access{{Groups: []string{"g"}}} },
		`role is "root"`:              func(c *admin.Config) { c.Access = []admin.Access{{Role: "root", Groups: []string{"g"}}} },
		"lets nobody in":              func(c *admin.Config) { c.Access = []admin.Access{{Role: "viewer"}} },
		"vouch for the groups":        func(c *admin.Config) { c.Access = []admin.Access{{Role: "viewer", Groups: []string{"g"}}} },
		"vouch for the names":         func(c *admin.Config) { c.Access = []admin.Access{{Role: "viewer", Names: []string{"n"}}} },
		"no [[admin.access]] has":     oidc,
		"a name in a list is empty":   func(c *admin.Config) { oidc(c); c.Access = []admin.Access{{Role: "viewer", Groups: []string{""}}} },
		"must be a URL with https":    func(c *admin.Config) { oidc(c); c.OIDC.Issuer = "http://id.example" },
		"admin.oidc.client_id is not": func(c *admin.Config) { oidc(c); c.OIDC.ClientID = "" },
		"the path /signin/callback":   func(c *admin.Config) { oidc(c); c.OIDC.RedirectURL = "https://askpg.example/" },
		"it must be more than 0":      func(c *admin.Config) { oidc(c); c.OIDC.Timeout = 0 },
		"must not be empty":           func(c *admin.Config) { oidc(c); c.OIDC.GroupsClaim = "" },
	} {
		c := admin.DefaultConfig()
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
