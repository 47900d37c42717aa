package store_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"askpg/ask"
	"askpg/ask/param"
	"askpg/store"
)

func compiled(t *testing.T, question, sql string) *param.Template {
	t.Helper()
	tmpl, err := param.Compile(question, sql)
	if err != nil {
		t.Fatal(err)
	}
	return tmpl
}

func TestStore_Parameters(t *testing.T) { both(t, testParameters) }

func testParameters(t *testing.T, cfg store.Config) {
	s := open(t, cfg)
	ctx := context.Background()
	calls := 0
	next := ask.TranslatorFunc(func(_ context.Context, q ask.Question) (*ask.Translation, error) {
		calls++
		return translated(q.ID), nil
	})
	exec := &executor{}
	tr := store.VerifiedFirst(next, s, exec.execute, unhelped, sameTables)
	answered := func(text string) string {
		t.Helper()
		q := alone(text).Question
		q.Hint = ""
		got, err := tr.Translate(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		if got.Source != ask.SourceExample {
			return "model"
		}
		return got.SQL
	}
	plain := func(text string) store.Entry {
		e := alone(text)
		e.Question.Hint = ""
		return e
	}
	id := add(t, s, plain("orders of last month"))
	tmpl := compiled(t, "orders of last {period:month}", "select count(*) from orders where day >= date_trunc({period:'month'}, now())")
	if _, err := s.Approve(ctx, id, tmpl, store.Reviewer{Name: "r"}, ""); err == nil || !strings.Contains(err.Error(), "correct") {
		t.Fatalf("other SQL is approved: %v", err)
	}
	if _, err := s.Correct(ctx, id, "", compiled(t, "orders of this {period:month}", "select date_trunc({period:'month'}, now())"), store.Reviewer{Name: "r"}, ""); err == nil || !strings.Contains(err.Error(), "not changed") {
		t.Fatalf("another question is marked: %v", err)
	}
	if _, err := s.Correct(ctx, id, "", compiled(t, "orders of last {period:month}", "select {period:'month'}"), store.Reviewer{Name: "r"}, ""); err == nil || !strings.Contains(err.Error(), "may stand for period") {
		t.Fatalf("a parameter that takes anything: %v", err)
	}
	e, err := s.Correct(ctx, id, "", tmpl, store.Reviewer{Name: "rita"}, "")
	if err != nil {
		t.Fatal(err)
	}
	if got := answered("Orders of last week?"); got != "select count(*) from orders where day >= date_trunc('week', now())" || calls != 0 {
		t.Fatalf("%q, %d calls", got, calls)
	}
	if got := answered("orders of last summer"); got != "model" {
		t.Fatal(got)
	}
	if found, err := s.ExampleOf(ctx, "shop", "analyst", "orders of last month", ""); err != nil || found == nil || found.ID != e.ID || len(found.Parameters) != 1 || found.Parameters[0].Type != "unit" {
		t.Fatalf("%+v, %v", found, err)
	}

	// A question without parameters comes first, then the more specific one.
	verify := func(question, sql string) *store.Example {
		t.Helper()
		tmpl := compiled(t, question, sql)
		e, err := s.Correct(ctx, add(t, s, plain(tmpl.Question)), "", tmpl, store.Reviewer{Name: "r"}, "")
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	verify("{what:orders|any} of {when:last|any} {period:month}", "select {what:'orders'}, {when:'last'}, date_trunc({period:'month'}, now())")
	if got := answered("orders of last year"); !strings.Contains(got, "count(*)") {
		t.Fatalf("the less specific one answers: %q", got)
	}
	if got := answered("returns of this year"); got != "select 'returns', 'this', date_trunc('year', now())" {
		t.Fatal(got)
	}

	// For one role the example that answers it alone goes before its like.
	scoped := plain("orders of last quarter")
	scoped.Question.Session.Role = "clerk"
	alone := compiled(t, "orders of last {period:quarter}", "select 'clerk', date_trunc({period:'quarter'}, now())")
	if _, err := s.Correct(ctx, add(t, s, scoped), "", alone, store.Reviewer{Name: "s", Scope: store.Scope{{Roles: []string{"clerk"}}}}, ""); err != nil {
		t.Fatal(err)
	}
	for role, want := range map[string]string{"clerk": "select 'clerk', date_trunc('week', now())", "analyst": "select count(*) from orders where day >= date_trunc('week', now())"} {
		if got, err := s.Fill(ctx, "shop", role, "orders of last week", "", unread); err != nil || got == nil || got.SQL != want {
			t.Errorf("%s is answered by %+v, %v", role, got, err)
		}
	}

	if _, err := s.Correct(ctx, add(t, s, plain("orders of last decade")), "select 'by itself'", nil, store.Reviewer{Name: "r"}, ""); err != nil {
		t.Fatal(err)
	}
	if got := answered("orders of last decade"); got != "select 'by itself'" {
		t.Fatal(got)
	}
	// Two that are equally specific answer nothing.
	first := verify("a {x:b|any} c dd e", "select {x:'b'}")
	verify("a b c {y:dd|any} e", "select {y:'dd'}")
	if got := answered("a b c dd e"); got != "select 'b'" { // its own letters make the first one longer
		t.Fatal(got)
	}
	verify("f {x:g|any} h i j", "select {x:'g'}")
	verify("f g h {y:i|any} j", "select {y:'i'}")
	if got := answered("f g h i j"); got != "model" {
		t.Fatalf("one of two equals answers: %q", got)
	}
	// The same question with another sample replaces it; retired ones answer no more.
	if again := verify("a {x:z|any} c dd e", "select {x:'z'}, 2"); again.ID == first.ID {
		t.Fatal("nothing new")
	}
	if got := answered("a b c dd e"); got != "select 'b', 2" {
		t.Fatal(got)
	}
	if err := s.MarkExample(ctx, e.ID, store.Retired, ""); err != nil {
		t.Fatal(err)
	}
	if got := answered("orders of last week"); strings.Contains(got, "count(*)") {
		t.Fatal("a retired example answers")
	}
}

// Values that do not run take nothing from the example; SQL that no longer plans
// with its own values does.
func TestStore_ParametersDoubt(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		s := open(t, cfg)
		ctx := context.Background()
		next := ask.TranslatorFunc(func(_ context.Context, q ask.Question) (*ask.Translation, error) { return translated(q.ID), nil })
		var broken []string // texts that do not plan
		execute := func(_ context.Context, _ ask.Session, sql string, rows bool) (ask.Plan, *ask.Result, ask.Replica, error) {
			for _, b := range broken {
				if strings.Contains(sql, b) {
					return ask.Plan{}, nil, ask.Replica{}, ask.Errorf("42P01", "no")
				}
			}
			return ask.Plan{}, nil, ask.Replica{}, nil
		}
		tr := store.VerifiedFirst(next, s, execute, unhelped, sameTables)
		q := alone("top 7").Question
		q.Hint = ""
		e, err := s.AddExample(ctx, store.Example{Database: "shop", Role: q.Session.Role, Settings: map[string]string{"search_path": "public"},
			MarkedQuestion: "top {n:5}", MarkedSQL: "select x from t limit {n:5}", Question: "top 5", SQL: "select x from t limit 5"})
		if err != nil {
			t.Fatal(err)
		}
		source := func() ask.Source {
			t.Helper()
			got, err := tr.Translate(ctx, q)
			if err != nil {
				t.Fatal(err)
			}
			return got.Source
		}
		if got := source(); got != ask.SourceExample {
			t.Fatal(got)
		}
		broken = []string{"limit 7"}
		if got := source(); got == ask.SourceExample {
			t.Fatal("what does not run answers")
		}
		if list, err := s.Examples(ctx, "shop", store.Verified); err != nil || len(list) != 1 || list[0].ID != e.ID {
			t.Fatalf("the asker's values made it stale: %v, %v", list, err)
		}
		broken = []string{"from t"}
		source()
		if list, err := s.Examples(ctx, "shop", store.Stale); err != nil || len(list) != 1 {
			t.Fatalf("it is not stale: %v, %v", list, err)
		}
	})
}

func TestStore_ParametersFile(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		s := open(t, cfg)
		ctx := context.Background()
		const file = `{"database":"shop","question":"what is '{a:b}'","sql":"select '{a:b}'"}
{"database":"shop","question":"orders in {c:Spain|in customers.country} for {d:x|any}","sql":"select 1 where c = {c:'Spain'} and d = '\\{e:1}' || {d:'x'}","parameters":{"c":"text","d":""},"hint":"h"}
`
		if n, err := s.ImportExamples(ctx, strings.NewReader(file), store.Import{}); n.Added != 2 || err != nil {
			t.Fatal(n, err)
		}
		var first, second bytes.Buffer
		if err := s.ExportExamples(ctx, &first, ""); err != nil {
			t.Fatal(err)
		}
		if n, err := s.ImportExamples(ctx, bytes.NewReader(first.Bytes()), store.Import{}); n.Added != 0 || err != nil {
			t.Fatal("a second import changes something", n, err)
		}
		other := open(t, sqliteConfig(t))
		if n, err := other.ImportExamples(ctx, bytes.NewReader(first.Bytes()), store.Import{}); n.Added != 2 || err != nil {
			t.Fatal(n, err)
		}
		if err := other.ExportExamples(ctx, &second, ""); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{`"question":"what is '{a:b}'"`, `{c:Spain|in customers.country}`, `'\\{e:1}'`, `"parameters":{"c":"text","d":"text"}`} {
			if !strings.Contains(first.String(), want) || !strings.Contains(second.String(), want) {
				t.Errorf("%s is not in\n%s\nor not in\n%s", want, first.String(), second.String())
			}
		}
		if e, err := other.ExampleOf(ctx, "shop", "analyst", "What is '{a:b}'?", ""); err != nil || e == nil || len(e.Parameters) != 0 {
			t.Fatal(e, err)
		}
		var parameters, n int
		db := raw(t, cfg)
		if err := db.QueryRow(`select max(parameters), count(*) from example_log`).Scan(&parameters, &n); err != nil || parameters != 2 || n != 2 {
			t.Fatal(parameters, n, err)
		}
		for _, bad := range []string{
			`{"database":"d","question":"q {c:x}","sql":"select {c:'x'}","parameters":{"c":"text"}}`,
			`{"database":"d","question":"q {c:x|any}","sql":"select {c:'x'}","parameters":{"c":"date"}}`,
			`{"database":"d","question":"q {c:x|any}","sql":"select {c:'x'}","parameters":{"d":"text"}}`,
			`{"database":"d","question":"q {c:x|any}","sql":"select 'x'","parameters":{"c":"text"}}`,
		} {
			if _, err := s.ImportExamples(ctx, strings.NewReader(bad), store.Import{}); err == nil || !strings.Contains(err.Error(), "line 1") {
				t.Errorf("%s: %v", bad, err)
			}
		}
	})
}
