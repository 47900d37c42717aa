package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"askpg/ask/param"
	"askpg/internal/shop"
	"askpg/store"
)

// mark verifies the last logged question with marks, as a reviewer does.
func (r *running) mark(t *testing.T, question, sql string) *store.Example {
	t.Helper()
	ctx := testContext(t)
	page, err := r.store.List(ctx, store.Filter{Limit: 1})
	if err != nil || len(page.Records) != 1 {
		t.Fatal(page, err)
	}
	tmpl, err := (marker{r.app}).Mark(ctx, &page.Records[0], question, sql)
	if err != nil {
		t.Fatal(err)
	}
	e, err := r.store.Correct(ctx, page.Records[0].ID, "", tmpl, store.Reviewer{Name: "rita"}, "")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestExamples_Parameters has a reviewer mark what varies in verified questions: then psql gets the answers to questions
// that differ in it, at no call to a model. A model is asked where the words are not what the marks take.
func TestExamples_Parameters(t *testing.T) {
	model := newModelServer(t)
	model.answer(func(string) reply { return reply{text: "```sql\nSELECT 'a model' AS answer\n```"} })
	r := start(t, model.configure)
	conn := r.connect(t, shop.Analyst)
	learn := func(text, question, sql string) {
		t.Helper()
		if got, err := asked(testContext(t), conn, "-- ask: "+text); err != nil || got != "a model" {
			t.Fatalf("%q: %q, %v", text, got, err)
		}
		r.mark(t, question, sql)
	}
	learn("how many patrons dwell up in North", "How many patrons dwell up in {region:North}?", "SELECT count(*) FROM customers WHERE region = {region:'North'}")
	learn("how many gold patrons joined in the last 30 days", "how many {tier:gold} patrons joined in the last {n:30} {unit:days}",
		"SELECT count(*) FROM customers AS c WHERE c.tier = {tier:'gold'} AND c.signed_up_on > current_date - interval '{n:30} {unit:days}'")
	learn("patrons since 2020-01-01 please", "patrons since {day:2020-01-01} please", "SELECT count(*) FROM customers WHERE signed_up_on >= {day:'2020-01-01'}")
	learn("stuff named like lamp please", "stuff named like {what:lamp|any} please", "SELECT count(*) FROM products WHERE name ILIKE '%{what:lamp}%'")

	n := func(sql string) string { return fmt.Sprint(count(t, sql)) }
	for _, tt := range []struct {
		question, want, says string // want is empty where a model is asked
	}{
		{"how many patrons dwell up in North", n("SELECT count(*) FROM customers WHERE region = 'North'"), "reviewed by rita"},
		{"How many patrons dwell up in south?", n("SELECT count(*) FROM customers WHERE region = 'South'"), "with region = South"},
		{"how many patrons dwell up in 'West'", n("SELECT count(*) FROM customers WHERE region = 'West'"), "region = West"},
		{"how many patrons dwell up in Atlantis", "", ""},
		{"how many patrons dwell up in North' OR '1'='1", "", ""},
		{"how many patrons dwell up in North by month", "", ""},
		{"how many silver patrons joined in the last two years", n("SELECT count(*) FROM customers WHERE tier = 'silver' AND signed_up_on > current_date - interval '2 years'"), "tier = silver, n = 2, unit = year"},
		{"how many Bronze patrons joined in the last 1,000 quarters", n("SELECT count(*) FROM customers WHERE tier = 'bronze' AND signed_up_on > current_date - interval '3000 months'"), "n = 1000, unit = quarter"},
		{"how many tin patrons joined in the last two years", "", ""},
		{"how many silver patrons joined in the last 2; years", "", ""},
		{"patrons since 1st of March 2023 please", n("SELECT count(*) FROM customers WHERE signed_up_on >= '2023-03-01'"), "day = 2023-03-01"},
		{"patrons since the war please", "", ""},
		{"stuff named like lamp please", n("SELECT count(*) FROM products WHERE name ILIKE '%lamp%'"), "what = lamp"},
		{`stuff named like "o'" please`, n(`SELECT count(*) FROM products WHERE name ILIKE '%o''%'`), "what = o'"},
		{"stuff named like % please", n(`SELECT count(*) FROM products WHERE name ILIKE '%\%%'`), "what = %"},
		{"stuff named like table lamp please", "", ""},
	} {
		before := model.calls()
		out := r.psql(t, shop.Analyst, "SET askpg.notices = on;\nASK $q$"+tt.question+"$q$;\n", "-q")
		calls := model.calls() - before
		switch {
		case tt.want == "" && calls == 0:
			t.Errorf("%q is answered without a model:\n%s", tt.question, out)
		case tt.want != "" && (calls != 0 || !strings.HasSuffix(strings.TrimSpace(out), tt.want) || !strings.Contains(out, tt.says) || !strings.Contains(out, "\n-- number of ")):
			t.Errorf("%q, after %d calls:\n%swant %s, %q and the words", tt.question, calls, out, tt.want, tt.says)
		}
	}

	// support sees the customers of one region only: others are no values to it.
	if got := strings.TrimSpace(r.psql(t, shop.Support, "ASK how many patrons dwell up in north;\n", "-q")); got != n("SELECT count(*) FROM customers WHERE region = 'North'") {
		t.Errorf("support is told %q of North", got)
	}
	before := model.calls()
	r.psql(t, shop.Support, "ASK how many patrons dwell up in south;\n", "-q")
	if model.calls() == before {
		t.Error("an example tells support that there is a region South")
	}

	// The log shows that the example answered, and with what.
	page, err := r.store.List(testContext(t), store.Filter{Text: "silver two", Limit: 1})
	if err != nil || len(page.Records) != 1 || page.Records[0].Source != "example" || !strings.Contains(page.Records[0].SQL, "interval '2 year'") {
		t.Errorf("%+v, %v", page, err)
	}

	// All of it goes through a file.
	ctx := testContext(t)
	var file bytes.Buffer
	if err := r.store.ExportExamples(ctx, &file, "shop"); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(file.String(), `{region:North|in public.customers.region}`) || !strings.Contains(file.String(), `"parameters":{"n":"integer","tier":"text","unit":"unit"}`) {
		t.Errorf("%s", file.String())
	}
	other := start(t, func(c *Config) { model.configure(c); c.Store.Spill = "" })
	if n, err := other.store.ImportExamples(ctx, bytes.NewReader(file.Bytes()), store.Import{}); n.Added != 4 || err != nil {
		t.Fatal(n, err)
	}
	before = model.calls()
	if got, err := asked(ctx, other.connect(t, shop.Analyst), "-- ask: how many patrons dwell up in East"); err != nil || got != n("SELECT count(*) FROM customers WHERE region = 'East'") || model.calls() != before {
		t.Errorf("after the import: %q, %v, %d calls", got, err, model.calls()-before)
	}
}

// TestMarks_TryAsksNoColumn has a reviewer try marks: how a column writes a value is told where he may see rows, and only there.
func TestMarks_TryAsksNoColumn(t *testing.T) {
	tmpl, err := param.Compile("how many patrons dwell up in {region:North|in customers.region}", "SELECT count(*) FROM customers WHERE region = {region:'North'}")
	if err != nil {
		t.Fatal(err)
	}
	for rows, want := range map[int]string{0: "'sOuTh'", 3: "'South'"} {
		r := start(t, func(c *Config) { c.Admin.ReviewerToken, c.Admin.ShowRows, c.Store.Spill = reviewerToken, rows, "" })
		asker := &store.Record{Database: "shop", Role: shop.Analyst, Login: shop.Analyst, Settings: map[string]string{"search_path": "public"}}
		if got, err := (marker{r.app}).Try(testContext(t), asker, tmpl, "how many patrons dwell up in sOuTh"); err != nil || !strings.HasSuffix(got, want) {
			t.Errorf("show_rows = %d: %s, %v; want %s", rows, got, err, want)
		}
	}
}

// TestKeepPrompts keeps what a model was sent, word for word, where a setting
// says so, and shows it on the page in place of what would be sent now.
func TestKeepPrompts(t *testing.T) {
	model := newModelServer(t)
	model.answer(func(string) reply { return reply{text: "```sql\nSELECT count(*) FROM customers\n```"} })
	r := start(t, func(c *Config) { model.configure(c); c.Store.KeepPrompts = 8 })
	const question = "which of our stores is the prettiest"
	if _, err := asked(testContext(t), r.connect(t, shop.Analyst), "-- ask: "+question); err != nil {
		t.Fatal(err)
	}
	page, err := r.store.List(testContext(t), store.Filter{Limit: 1})
	if err != nil || len(page.Records) != 1 {
		t.Fatal(page, err)
	}
	rec, err := r.store.Get(testContext(t), page.Records[0].ID)
	if err != nil || len(rec.KeptPrompts) == 0 || !strings.Contains(rec.KeptPrompts[0].Text, question) || !strings.Contains(model.seen(), question) {
		t.Fatalf("%+v, %v", rec, err)
	}
	res, err := http.Get("http://" + r.app.admin.Addr().String() + "/translations/" + rec.ID + "/prompts")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || !strings.Contains(string(body), "What models were sent") || !strings.Contains(string(body), "--- user") {
		t.Errorf("%v\n%s", err, body)
	}
}

// TestExamples_NarrowReviewer: what a reviewer verifies who may judge one role answers that role. It answers no other, and
// stands in no prompt of another's, neither the words nor the SQL.
func TestExamples_NarrowReviewer(t *testing.T) {
	model := newModelServer(t)
	model.answer(func(string) reply { return reply{text: "```sql\nSELECT 'a model' AS answer\n```"} })
	r := start(t, model.configure)
	ctx := testContext(t)
	ask := func(role, question, want string) {
		t.Helper()
		if got, err := asked(ctx, r.connect(t, role), "-- ask: "+question); err != nil || got != want {
			t.Errorf("%s asks %q and gets %q, %v, want %q", role, question, got, err, want)
		}
	}
	narrow := store.Reviewer{Name: "mallory", Scope: store.Scope{{Databases: []string{"shop"}, Roles: []string{shop.Support}}}}
	for _, marks := range []bool{false, true} {
		ask(shop.Support, "how many quuxes of ours dwell in Hidden?", "a model")
		page, err := r.store.List(ctx, store.Filter{Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		rec, e := &page.Records[0], (*store.Example)(nil)
		if marks {
			tmpl, failed := (marker{r.app}).Mark(ctx, rec, "how {y:many|any} quuxes of ours {x:dwell|any} in Hidden", "SELECT 'forged' AS secretword WHERE {x:'dwell'} <> 'z' AND {y:'many'} <> 'z'")
			if failed != nil {
				t.Fatal(failed)
			}
			e, err = r.store.Correct(ctx, rec.ID, "", tmpl, narrow, "")
		} else {
			e, err = r.store.Correct(ctx, rec.ID, "SELECT 'forged' AS secretword", nil, narrow, "")
		}
		if err != nil {
			t.Fatal(err)
		}
		ask(shop.Support, "how many quuxes of ours dwell in Hidden?", "forged")
		before := len(model.seen())
		ask(shop.Analyst, "how many quuxes of ours dwell in Hidden?", "a model")
		ask(shop.Analyst, "how many quuxes of ours live in Hidden?", "a model")
		if told := model.seen()[before:]; strings.Contains(told, "secretword") || strings.Contains(told, "forged") {
			t.Errorf("a prompt of another role's has it:\n%s", told)
		}
		if err := r.store.RetireExample(ctx, e.ID, narrow); err != nil {
			t.Fatal(err)
		}
	}
}
