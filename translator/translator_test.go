package translator_test

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/catalog"
	"askpg/internal/pgtest"
	"askpg/translator"
	"askpg/translator/llm"
	"askpg/translator/llm/llmtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

const shop = `
create table customers (id int primary key, name text not null, country text not null);
create table orders (id int primary key, customer_id int not null references customers, total numeric not null, status text not null);
create table salaries (staff int primary key, amount numeric);
insert into customers select n, 'customer ' || n, (array['DE', 'FR', 'IT'])[1 + n % 3] from generate_series(1, 30) n;
insert into orders select n, 1 + n % 30, n, case when n % 4 = 0 then 'shipped' else 'open' end from generate_series(1, 200) n;
insert into salaries values (1, 1000);
comment on table customers is 'who buys';
do $$ begin create role reader; exception when duplicate_object then null; end $$;
do $$ begin create role askpg login noinherit; exception when duplicate_object then null; end $$;
grant reader to askpg;
grant select on customers, orders to reader;
analyze;
`

// world is a translator over a real standby and scripted models.
type world struct {
	*translator.Translator
	database string
}

type option func(*translator.Config)

func newWorld(t *testing.T, interpret translator.Interpreter, models []translator.Model, opts ...option) *world {
	t.Helper()
	database := pgtest.NewDatabase(t, shop)
	exec := newExecutor(t)
	cat := catalog.New(catalog.DefaultConfig(), exec, quiet, prometheus.NewRegistry())
	t.Cleanup(cat.Close)
	cfg := translator.DefaultConfig()
	for _, o := range opts {
		o(&cfg)
	}
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	return &world{translator.New(cfg, cat, exec, models, quiet, prometheus.NewRegistry(), translator.WithInterpreter(interpret)), database}
}

func (w *world) question(text string) ask.Question {
	return ask.Question{ID: ask.NewID(), Text: text, Asked: time.Now(),
		Session: ask.Session{Database: w.database, Role: "reader", SessionUser: "reader", Settings: map[string]string{"search_path": "public"}}}
}

func (w *world) ask(t *testing.T, text string) (*ask.Translation, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	return w.Translate(ctx, w.question(text))
}

// model is a client of a scripted server.
func model(t *testing.T, script func(llmtest.Call) llmtest.Reply, opts ...func(*llm.Config)) (translator.Model, *llmtest.Server) {
	t.Helper()
	s := llmtest.New(t, script)
	c := s.Config("main")
	c.Retries = 1
	for _, o := range opts {
		o(&c)
	}
	m, err := llm.New(c, quiet, prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	return m, s
}

// answers scripts the SQL of each call in turn; the last one goes on.
func answers(sql ...string) func(llmtest.Call) llmtest.Reply {
	return func(c llmtest.Call) llmtest.Reply { return llmtest.SQL(sql[min(c.Number, len(sql))-1]) }
}

const count = "select count(*) from customers"

func TestAuto(t *testing.T) {
	fault := func(r llmtest.Reply) func(llmtest.Call) llmtest.Reply {
		return func(llmtest.Call) llmtest.Reply { return r }
	}
	for _, tt := range []struct {
		name       string
		script     func(llmtest.Call) llmtest.Reply
		interpret  translator.Interpreter
		opts       []option
		model      func(*llm.Config)
		value      string // first cell of the answer
		source     ask.Source
		confidence float64 // at least
		code       string
		mentions   string // in message, detail or notices
		calls      int    // exactly, if not 0
		fates      map[ask.Fate]int
	}{
		{name: "three agree", script: answers(count, "select count(*) as n from customers c", "select count(id) from customers"),
			value: "30", source: ask.SourceModel, confidence: 1, calls: 3, fates: map[ask.Fate]int{ask.FateChosen: 1, ask.FateAgreed: 2}},
		{name: "the same SQL runs once", script: answers(count), value: "30", confidence: 1, calls: 3,
			fates: map[ask.Fate]int{ask.FateChosen: 1, ask.FateDuplicate: 2}},
		{name: "wrong ones are outvoted", script: answers(count, "select 5", count, count),
			value: "30", confidence: 0.6, fates: map[ask.Fate]int{ask.FateOutvoted: 1, ask.FateChosen: 1}},
		{name: "no agreement is refused", script: func(c llmtest.Call) llmtest.Reply {
			return llmtest.SQL("select " + strings.Repeat("1", c.Number))
		}, code: ask.CodeLowConfidence, mentions: "reading 2", calls: 7},
		{name: "repaired by the server's error", script: func(c llmtest.Call) llmtest.Reply {
			if strings.Contains(c.Text(), "refuses this SQL") {
				if !strings.Contains(c.Text(), `column "cost" does not exist`) {
					t.Error("the server's error is not in the repair prompt")
				}
				return llmtest.SQL("select sum(total) from orders")
			}
			return llmtest.SQL([]string{"select sum(cost) from orders", "select sum(total) from orders", "select sum(o.total) from orders o"}[(c.Number-1)%3])
		}, value: "20100", confidence: 1, fates: map[ask.Fate]int{ask.FateRepaired: 1}},
		{name: "a literal that is not held is mended", script: func(c llmtest.Call) llmtest.Reply {
			if strings.Contains(c.Text(), "finds nothing") {
				if !strings.Contains(c.Text(), "'shipped'") {
					t.Error("the values that are held are not in the repair prompt")
				}
				return llmtest.SQL("select id from orders where status = 'shipped' and id < 9")
			}
			return llmtest.SQL("select id from orders where status = 'Shipped' and id < 9")
		}, value: "4", confidence: 1, fates: map[ask.Fate]int{ask.FateRepaired: 1, ask.FateChosen: 1, ask.FateDuplicate: 2}},
		{name: "malicious", script: answers("delete from orders", "select 1; drop table orders", "select id into x from orders"),
			code: ask.CodeRefused, fates: map[ask.Fate]int{ask.FateRefused: 3}},
		{name: "one malicious among good ones", script: answers("delete from orders", count, "select count(*) from customers c", count),
			value: "30", confidence: 0.7, fates: map[ask.Fate]int{ask.FateRefused: 1}},
		{name: "denied", script: answers("select sum(amount) from salaries"), code: ask.CodeInsufficientRights, mentions: "salaries"},
		{name: "garbage", script: fault(llmtest.Reply{Texts: []string{"The answer is blue."}}), code: ask.CodeNoCandidate, mentions: "no SQL"},
		{name: "cannot answer", script: fault(llmtest.Reply{Texts: []string{"CANNOT ANSWER: no table of the weather"}}),
			code: ask.CodeNoCandidate, mentions: "no table of the weather", calls: 3},
		{name: "500", script: fault(llmtest.Reply{Status: 500}), code: ask.CodeNoModel, mentions: "HTTP 500"},
		{name: "half a response", script: fault(llmtest.Reply{Texts: []string{"select"}, Cut: true}), code: ask.CodeNoModel},
		{name: "429 with a wait, then answers", script: func(c llmtest.Call) llmtest.Reply {
			if c.Number <= 2 {
				return llmtest.Reply{Status: 429, Header: map[string]string{"Retry-After-Ms": "10"}}
			}
			return llmtest.SQL(count)
		}, value: "30", confidence: 1},
		{name: "hangs, the grammar answers", script: fault(llmtest.Reply{Hang: true}),
			interpret: reading("select count(*) from customers", 0.9),
			opts:      []option{func(c *translator.Config) { c.ModelTime = ask.Duration(150 * time.Millisecond) }},
			value:     "30", source: ask.SourceGrammar, confidence: 0.9, mentions: "no model answered"},
		{name: "hangs, the grammar does not understand", script: fault(llmtest.Reply{Hang: true}),
			interpret: misunderstood("zorn"),
			opts:      []option{func(c *translator.Config) { c.ModelTime = ask.Duration(150 * time.Millisecond) }},
			code:      ask.CodeNoModel, mentions: "zorn"},
		{name: "the grammar votes", script: answers("select 5", count, "select 6", "select 7", "select 8", "select 9"),
			interpret: reading(count, 1), code: ask.CodeLowConfidence, mentions: "2 of"},
		{name: "one vote of a failing model is not agreement", script: func(c llmtest.Call) llmtest.Reply {
			if c.Number == 1 {
				return llmtest.SQL("select 42")
			}
			return llmtest.Reply{Status: 400, Message: "no"}
		}, code: ask.CodeLowConfidence},
		{name: "too slow to run", script: answers("select pg_sleep(9)"), code: ask.CodeRefused},
	} {
		t.Run(tt.name, func(t *testing.T) {
			opt := func(*llm.Config) {}
			if tt.model != nil {
				opt = tt.model
			}
			m, server := model(t, tt.script, opt)
			w := newWorld(t, tt.interpret, []translator.Model{m}, tt.opts...)
			tr, err := w.ask(t, "how many customers are there")
			all := tr
			if err != nil {
				all = ask.TranslationOf(err)
			}
			if got := ask.CodeOf(err); got != tt.code {
				t.Fatalf("error %q (%v), want %q", got, err, tt.code)
			}
			text := ""
			if err != nil {
				e := ask.AsError(err)
				text = e.Message + e.Detail + e.Hint
				if all == nil {
					t.Fatal("the candidates are not kept")
				}
			} else {
				text = strings.Join(tr.Notices, "\n")
				if got := string(tr.Result.Rows[0][0]); got != tt.value {
					t.Fatalf("answer %s, want %s (SQL %s)", got, tt.value, tr.SQL)
				}
				if tr.Confidence < tt.confidence || tt.source != "" && tr.Source != tt.source {
					t.Fatalf("confidence %.2f of source %s, want %.2f of %s", tr.Confidence, tr.Source, tt.confidence, tt.source)
				}
				if c := tr.Candidates[tr.Chosen]; c.Fate != ask.FateChosen || c.SQL != tr.SQL {
					t.Fatalf("chosen candidate is %+v", c)
				}
			}
			if !strings.Contains(text, tt.mentions) {
				t.Fatalf("%q does not mention %q", text, tt.mentions)
			}
			if got := len(server.Calls()); tt.calls != 0 && got != tt.calls {
				t.Fatalf("%d model calls, want %d", got, tt.calls)
			}
			got := map[ask.Fate]int{}
			for _, c := range all.Candidates {
				got[c.Fate]++
			}
			for fate, n := range tt.fates {
				if got[fate] != n {
					t.Fatalf("fates %v, want %d %s", got, n, fate)
				}
			}
		})
	}
}

// reading is a grammar that reads every question as sql.
func reading(sql string, score float64) translator.Interpreter {
	return func(string, string, *catalog.Snapshot, translator.InterpretOptions) ([]translator.Reading, error) {
		return []translator.Reading{{SQL: sql, Score: score, Understood: "understood"}}, nil
	}
}

func misunderstood(word string) translator.Interpreter {
	return func(string, string, *catalog.Snapshot, translator.InterpretOptions) ([]translator.Reading, error) {
		return nil, ask.Errorf(ask.CodeNoCandidate, "the word %q is not understood", word)
	}
}
