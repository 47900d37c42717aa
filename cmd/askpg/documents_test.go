package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
)

// documentedQuestions are the example questions of the documents and of the demo's greeting, with SQL that answers
// them at the shop.
var documentedQuestions = map[string]string{
	"top 5 customers by number of orders":     "SELECT c.name, count(*) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name ORDER BY count(*) DESC LIMIT 5",
	"how many customers are there":            "SELECT count(*) FROM customers",
	"how many customers":                      "SELECT count(*) FROM customers",
	"how many customers do we have":           "SELECT count(*) FROM customers",
	"which products were never ordered":       "SELECT name FROM products p WHERE NOT EXISTS (SELECT 1 FROM order_items i WHERE i.product_id = p.id)",
	"average order total by region":           "SELECT c.region, avg(o.total) FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY 1",
	"revenue by month":                        "SELECT month, revenue FROM monthly_sales",
	"how many tables":                         "SELECT 15",
	"how many orders with a total above $100": "SELECT count(*) FROM orders WHERE total > 100",
	"columns of orders": `SELECT a.attname, CASE a.atttypid WHEN 'order_status'::regtype THEN 'public.' ELSE '' END || format_type(a.atttypid, a.atttypmod), NOT a.attnotnull, a.attname = 'id', col_description(a.attrelid, a.attnum)
		FROM pg_attribute a WHERE a.attrelid = 'orders'::regclass AND a.attnum > 0`,
	"number of customers per region, highest first":                        "SELECT region, count(*) FROM customers GROUP BY region",
	"number of customers per region":                                       "SELECT region, count(*) FROM customers GROUP BY region",
	"some customers never ordered. who are they":                           "SELECT name FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)",
	"take the products that are discontinued. what is their average price": "SELECT avg(price) FROM products WHERE discontinued",
	"show the most expensive products. five is enough":                     "SELECT name FROM products ORDER BY price DESC LIMIT 5",
	"last month, how many orders came in":                                  "SELECT count(*) FROM orders WHERE ordered_at >= date_trunc('month', current_date) - interval '1 month' AND ordered_at < date_trunc('month', current_date)",
	"for every channel, how many orders were there in 2025":                "SELECT channel, count(*) FROM orders WHERE extract(year FROM ordered_at) = 2025 GROUP BY 1",
	"could you tell me what the average price of our products is":          "SELECT avg(price) FROM products",
	"which tables are there":                                               "", // compared by their number
	"what's our churn rate":                                                "", // refused
}

// exampleForms find what the documents ask in one of the forms.
var exampleForms = regexp.MustCompile("(?:-- ask: |/\\* ask: |ASK \\$\\$|ASK '|\\bask\\('|ASK )([A-Za-z][^`*;$]*?)(?:\\*/|\\$\\$|`|;|'[,);`]|' LIMIT|\n)")

// TestDocuments_Questions asks each example question of the documents, and compares its rows with those of SQL on the
// primary. The documents have no other example questions.
func TestDocuments_Questions(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range append(files, "../../README.md", "demo.go") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
		for _, m := range exampleForms.FindAllStringSubmatch(string(text), -1) {
			question := strings.ToLower(strings.TrimRight(m[1], " ?"))
			if _, known := documentedQuestions[question]; !known && !strings.Contains(m[1], "…") {
				t.Errorf("%s: the example question %q is not in documentedQuestions", name, question)
			}
		}
	}
	text := strings.ToLower(all.String())
	ctx := testContext(t)
	conn := start(t, nil).connect(t, shop.Analyst)
	direct := connect(t, pgtest.Shared(t).Primary.URL(pgtest.Superuser, "shop"))
	for question, gold := range documentedQuestions {
		if !strings.Contains(text, question) {
			t.Errorf("no document asks %q any more", question)
		}
		got, err := demoRows(ctx, conn, "-- ask: "+question)
		switch question {
		case "what's our churn rate":
			if err == nil || !strings.Contains(err.Error(), ask.CodeNoCandidate) {
				t.Errorf("%s: %q, %v", question, got, err)
			}
			continue
		case "which tables are there":
			if n := strings.Count(got, "\n") + 1; err != nil || n != 15 {
				t.Errorf("%s: %d tables, %v", question, n, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", question, err)
			continue
		}
		want, err := demoRows(ctx, direct, gold)
		if err != nil {
			t.Fatal(gold, err)
		}
		if got != want && !namesOf(got, want) {
			t.Errorf("%s\ngot\n%s\nwant\n%s", question, got, want)
		}
	}
}

// namesOf says whether the lines of got are those of want without their measures.
func namesOf(got, want string) bool {
	var names []string
	for line := range strings.SplitSeq(want, "\n") {
		names = append(names, regexp.MustCompile(`^[\d.]+ \| `).ReplaceAllString(line, ""))
	}
	slices.Sort(names)
	return got == strings.Join(names, "\n")
}

// TestDocuments_Values asks what docs/asking.md says of $1 in questions.
func TestDocuments_Values(t *testing.T) {
	ctx := testContext(t)
	conn := start(t, nil).connect(t, shop.Analyst)
	for _, tt := range []struct {
		question, gold, code string
		values               []any
	}{
		{question: "how many customers in $1", values: []any{"Berlin"}, gold: "SELECT count(*) FROM customers c WHERE EXISTS (SELECT FROM addresses a WHERE a.customer_id = c.id AND a.city = 'Berlin')"},
		{question: "how many customers in $1", code: "42P02"},
		{question: "how many orders are there$1", gold: "SELECT count(*) FROM orders"},
		{question: "how many orders in US$1", code: ask.CodeSyntax},
	} {
		args := append([]any{pgx.QueryExecModeExec}, tt.values...)
		if tt.values == nil {
			args = []any{pgx.QueryExecModeSimpleProtocol}
		}
		var got int
		err := conn.QueryRow(ctx, "-- ask: "+tt.question, args...).Scan(&got)
		var pg *pgconn.PgError
		switch {
		case tt.code != "":
			if !errors.As(err, &pg) || pg.Code != tt.code {
				t.Errorf("%s: %d, %v, want %s", tt.question, got, err, tt.code)
			}
		case err != nil || got != count(t, tt.gold):
			t.Errorf("%s, %v: %d, %v", tt.question, tt.values, got, err)
		}
	}
}

// TestDocuments_Settings holds that docs/asking.md has every setting askpg.…, and that each refuses a value that it can't have.
func TestDocuments_Settings(t *testing.T) {
	text, err := os.ReadFile("../../docs/asking.md")
	if err != nil {
		t.Fatal(err)
	}
	ctx := testContext(t)
	conn := start(t, nil).connect(t, shop.Analyst)
	for _, s := range ask.Settings {
		if s.Session && !regexp.MustCompile("(?m)^\\| .*`askpg\\."+s.Name+"`.* \\|").Match(text) {
			t.Errorf("docs/asking.md: the table of settings lacks askpg.%s", s.Name)
		}
		if s.Question && !regexp.MustCompile("(?m)^\\| `ask\\(strategy=.*`"+s.Name+"`").Match(text) {
			t.Errorf("docs/asking.md: the row of ask(strategy=…) lacks %s", s.Name)
		}
		for takes, sql := range map[*bool]string{&s.Session: "SET askpg." + s.Name + " = 'no such value'", &s.Question: "ASK(" + s.Name + "='no such value') how many customers are there"} {
			if !*takes {
				continue
			}
			var pg *pgconn.PgError
			if _, err := conn.Exec(ctx, sql, pgx.QueryExecModeSimpleProtocol); !errors.As(err, &pg) || pg.Code != ask.CodeInvalidParameter {
				t.Errorf("%s: %v, and not 22023: the few values of a setting stand in ask/settings.go, others are checked by settings.asked in translator/settings.go or Server.checkValue in proxy/assign.go", sql, err)
			}
		}
	}
}

// TestDocuments_Parameters verifies the marked question of docs/review.md, and asks the other question that is answered by it.
func TestDocuments_Parameters(t *testing.T) {
	text, err := os.ReadFile("../../docs/review.md")
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?s)```\n(how many [^\n]*\\{[^\n]*)\n\n(SELECT .*?)```.*?From then on \"([^\"]*)\" is answered").FindSubmatch(text)
	if example == nil {
		t.Fatal("docs/review.md has no example with parameters")
	}
	model := newModelServer(t)
	model.answer(func(string) reply { return reply{text: "```sql\nSELECT 'a model' AS answer\n```"} })
	r := start(t, model.configure)
	conn, notices := noticed(t, r)
	ctx := testContext(t)
	if _, err := asked(ctx, conn, "-- ask: how many orders of last month in Spain"); err != nil {
		t.Fatal(err)
	}
	r.mark(t, string(example[1]), string(example[2]))
	before := model.calls()
	notices()
	got, refused := asked(ctx, conn, "-- ask: "+string(example[3]))
	want := count(t, `SELECT count(*) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE c.country = 'France'
		AND o.ordered_at >= date_trunc('week', now()) - interval '1 week' AND o.ordered_at < date_trunc('week', now())`)
	if refused != nil || got != fmt.Sprint(want) || model.calls() != before {
		t.Errorf("%q, %v, want %d; %d calls", got, refused, want, model.calls()-before)
	}
	if list := notices(); !strings.Contains(strings.Join(list, "\n"), "with period = week, country = France") {
		t.Errorf("the notices are %q", list)
	}
}

// TestDocuments_Promises: each test that docs/security.md names for a promise is there.
func TestDocuments_Promises(t *testing.T) {
	text, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]bool{}
	err = filepath.WalkDir("../..", func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		code, err := os.ReadFile(path)
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`).FindAllSubmatch(code, -1) {
			tests[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`(Test\\w+)`").FindAllSubmatch(text, -1)
	if len(named) < 100 {
		t.Errorf("docs/security.md names %d tests", len(named))
	}
	for _, m := range named {
		if !tests[string(m[1])] {
			t.Errorf("docs/security.md names %s, which is no test", m[1])
		}
	}
}

// TestDocuments_FollowUp asks what docs/asking.md has as examples of options, behind the demo's first question.
func TestDocuments_FollowUp(t *testing.T) {
	conn := start(t, nil).connect(t, shop.Analyst)
	for _, sql := range []string{demoSteps[0].statement, "-- ask(more): and by channel?", "-- ask(run 1)", "-- ask(bad: wrong month)", "ASK(candidates);", "ASK(sql);", "ASK(explain);"} {
		if got, err := asked(testContext(t), conn, sql); err != nil || got == "" {
			t.Errorf("%s: %q, %v", sql, got, err)
		}
	}
}

// TestTranscripts compares the sessions that the documents show with what psql prints; ASKPG_UPDATE=1 writes them. What they show
// must not depend on the day.
func TestTranscripts(t *testing.T) {
	r := start(t, nil)
	block := regexp.MustCompile("(?s)```\n(shop=> .*?)```")
	prompt := regexp.MustCompile("(?m)^shop=> (.*)$")
	shown := 0
	for _, name := range []string{"../../README.md", "../../docs/asking.md"} {
		before, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		after := block.ReplaceAllStringFunc(string(before), func(b string) string {
			shown++
			session, err := newTranscript(context.Background(), "psql", r.host, r.port, shop.Analyst)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = session.close() }()
			out := "```\n"
			for _, m := range prompt.FindAllStringSubmatch(b, -1) {
				printed, err := session.run(m[1])
				if err != nil {
					t.Fatal(err)
				}
				out += m[0] + "\n" + printed + "\n"
			}
			return out + "```"
		})
		switch {
		case after == string(before):
		case os.Getenv("ASKPG_UPDATE") == "1":
			if err := os.WriteFile(name, []byte(after), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s does not show what psql prints (ASKPG_UPDATE=1 go test ./cmd/askpg -run Transcripts writes it):\n%s", name, after)
		}
	}
	if shown < 2 {
		t.Errorf("the documents show %d sessions", shown)
	}
}
