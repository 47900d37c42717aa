package translator_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/catalog"
	"askpg/internal/pgtest"
	"askpg/replica"
	"askpg/translator"
	"askpg/translator/llm"
	"askpg/translator/llm/llmtest"
	"askpg/translator/prompt"
)

// staff has private columns, and copies of their values in every form that a
// database keeps them in. The text of a row has a word that occurs nowhere else, the numbers
// have digits that occur nowhere else.
const staff = `
do $$ begin create role reader; exception when duplicate_object then null; end $$;
do $$ begin create role askpg login noinherit; exception when duplicate_object then null; end $$;
alter role askpg set log_min_messages = 'fatal';
grant reader to askpg;
create type mood as enum ('sad', 'happy');
create table people (id int primary key, name text, note text, salary int, badge int);
insert into people select n, 'person ' || n % 7, 'qzx' || n % 4 || 'wkv [({ "' || n % 4, 84030 + n % 9, 743 + n % 2 from generate_series(1, 40) n;
create statistics people_more (mcv) on note, salary from people;
create view remarks as select id, note as remark from people;
create materialized view frozen as select name, salary as pay from people;
create view nested as select upper(remark) as shown from remarks;
create table generated (id int, source text, shouted text generated always as ('!' || source) stored);
insert into generated (id, source) select id, note from people;
create view rows_of as select row_to_json(p)::text as line, p as whole from people p;
create view by_pay as select name as who from people order by salary limit 3;
create view joined as select n from (select n, n as salary from generate_series(84000, 84070) n) s natural join people;
create table branch (id int, reason text);
create table leaf (extra int) inherits (branch);
insert into leaf select id, note, id from people;
create table salaries (amount int primary key);
insert into salaries select distinct salary from people;
create table debts (id int, owed int references salaries);
insert into debts select id, salary from people;
create type person as (name text, remark text, pay int);
create table boxed (id int primary key, whole people, part person, parts person[]);
insert into boxed select id, p, row(name, note, salary)::person, array[row(name, note, salary)::person] from people p;
create table plain (id int primary key, word text);
insert into plain select n, 'openword' from generate_series(1, 30) n;
create function whisper() returns text language sql stable as 'select min(note) from people';
create function whisper_of(int) returns text language sql stable as 'select note from people where id = $1';
comment on column people.note is 'askpg:private';
comment on column people.badge is 'askpg:private';
comment on column person.remark is 'askpg:private';
comment on column person.pay is 'askpg:private';
comment on column generated.source is 'askpg:private';
comment on column branch.reason is 'askpg:private';
comment on column salaries.amount is 'askpg:private';
grant select on all tables in schema public to reader;
analyze;`

// kept is what no prompt may hold: the word and the digits of staff.
var kept = regexp.MustCompile(`(?i)qzx|wkv|8403[0-9]|\b74[34]\b`)

// Whatever statement a model writes, and by whatever strategy, no prompt holds a
// value of a private column: not in the schema, a sample, an error, a result or its size.
func TestPrompts_CarryNoPrivateValue(t *testing.T) {
	text, err := os.ReadFile("testdata/private.txt")
	if err != nil {
		t.Fatal(err)
	}
	var statements []string
	for l := range strings.Lines(string(text)) {
		if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
			statements = append(statements, l)
		}
	}
	database := pgtest.NewDatabase(t, staff)
	exec := allowingExecutor(t)
	ccfg := catalog.DefaultConfig()
	ccfg.Private = append(ccfg.Private, "people.salary")
	cat := catalog.New(ccfg, exec, quiet, prometheus.NewRegistry())
	t.Cleanup(cat.Close)
	told := verified{
		{Question: "how many people have the badge qzx?", SQL: "select count(*) from people where badge = 'qzx'"},
		{Question: "how many people are there?", SQL: "select count(*) as all_of_them from people"},
	}
	shown := false // the example that may be
	for _, level := range []string{prompt.ValuesNone, prompt.ValuesStats, prompt.ValuesSamples} {
		for _, strategy := range []string{"auto", "full", "mcs", "interactive"} {
			t.Run(level+"/"+strategy, func(t *testing.T) {
				writer := &writer{statements: statements}
				server := llmtest.New(t, writer.reply)
				c := server.Config("main")
				cfg := translator.DefaultConfig()
				cfg.Strategy, cfg.Privacy.Values = strategy, level
				cfg.MaxRepairs, cfg.MaxCalls, cfg.MaxSamples, cfg.WaveSize = 100, 400, 20, 20
				cfg.MCS.TablePrompts, cfg.MCS.ColumnPrompts, cfg.MCS.Prompts, cfg.MCS.Samples, cfg.MCS.Threshold = 1, 1, 1, 20, 0
				cfg.Full.Samples, cfg.Full.Augment, cfg.Full.Reflections = 20, false, 1
				cfg.Interactive.Turns = 20
				cfg.Explore = false
				w := &world{translator.New(cfg, cat, exec, []translator.Model{newModel(t, c)}, quiet, prometheus.NewRegistry(), translator.WithInterpreter(nil), translator.WithExamples(told)), database}
				for !writer.done() {
					ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
					tr, err := w.Translate(ctx, w.question("what is known of the people?"))
					cancel()
					if code := ask.CodeOf(err); code == ask.CodeInternal || code == ask.CodeQueryCanceled || code == ask.CodeConnectionFailure {
						t.Fatal(err)
					}
					if tr == nil {
						tr = ask.TranslationOf(err)
					}
					for _, c := range tr.Candidates {
						if c.Err != nil && kept.MatchString(c.Err.Error()+c.Err.Hint) {
							t.Errorf("the error of %q has a value: %v", c.SQL, c.Err)
						}
					}
				}
				for _, call := range server.Calls() {
					for _, m := range call.Messages {
						if m.Role == llm.Assistant {
							continue
						}
						shown = shown || strings.Contains(m.Content, "all_of_them")
						if at := kept.FindStringIndex(m.Content); at != nil {
							t.Errorf("%s: a prompt holds %q: …%s…", kindOf(call), m.Content[at[0]:at[1]], m.Content[max(0, at[0]-300):min(len(m.Content), at[1]+200)])
						}
					}
				}
				t.Logf("%d statements, %d calls", len(statements), len(server.Calls()))
			})
		}
	}
	if !shown {
		t.Error("no example stands in a prompt")
	}
}

// writer is a model that writes the statements in turn, each twice so that
// some votes agree.
type writer struct {
	statements []string
	mu         sync.Mutex
	next       int
}

func (w *writer) done() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.next >= len(w.statements)
}

func (w *writer) sql() string {
	w.next++
	return w.statements[(w.next-1)%len(w.statements)]
}

func (w *writer) reply(c llmtest.Call) llmtest.Reply {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch kindOf(c) {
	case "link tables", "link columns", "mask":
		return many(c.N, `{"tables": [], "columns": []}`)
	case "turn":
		if w.next >= len(w.statements) {
			return llmtest.Reply{Texts: []string{"Action: Done()"}}
		}
		return llmtest.Reply{Texts: []string{fence(w.sql())}}
	case "choose":
		return many(c.N, "CHOICE: 1")
	case "repair", "reflect", "review":
		return many(c.N, fence("select 1"))
	}
	out := llmtest.Reply{}
	for range c.N {
		out.Texts = append(out.Texts, fence(w.sql()))
	}
	return out
}

// What is proved to read nothing private is shown.
func TestPrompts_CarryWhatIsOpen(t *testing.T) {
	database := pgtest.NewDatabase(t, staff+`
create view words as select word from plain;
grant select on words to reader;`)
	exec := allowingExecutor(t)
	ccfg := catalog.DefaultConfig()
	ccfg.Private = append(ccfg.Private, "people.salary")
	cat := catalog.New(ccfg, exec, quiet, prometheus.NewRegistry())
	t.Cleanup(cat.Close)
	for _, tt := range []struct {
		sql   string
		shown bool
	}{
		{"select id, word from plain", true},
		{"select * from plain", true},
		{"select plain from plain", true},
		{"select name from people where id = 3", true},
		{"select name, count(*) from people group by name order by count(*) desc", true},
		{"select upper(word), now() > '2020-01-01', to_char(current_date, 'YYYY') is not null from words", true},
		{"select p.word, date_trunc('year', timestamp '2020-05-05') from people join plain p using (id) limit 2", true},
		{"with q as (select word from plain) select word from q union all select name from people", true},
		{"select word from plain where current_user is not null", false}, // asks who is asking
		{"select relname from pg_class", false},
		{"select name from people order by salary", false},
		{"select whisper(), word from plain", false},
		{"select count(*) from remarks", false}, // a view of private columns
	} {
		t.Run(tt.sql, func(t *testing.T) {
			server := llmtest.New(t, func(c llmtest.Call) llmtest.Reply {
				if c.Number == 1 {
					return llmtest.SQL(tt.sql)
				}
				return llmtest.Reply{Texts: []string{"Action: Done"}}
			})
			c := server.Config("main")
			cfg := translator.DefaultConfig()
			cfg.Strategy, cfg.Privacy.Values = "interactive", prompt.ValuesSamples
			w := &world{translator.New(cfg, cat, exec, []translator.Model{newModel(t, c)}, quiet, prometheus.NewRegistry(), translator.WithInterpreter(nil)), database}
			_, err := w.ask(t, "what is known of the people?")
			calls := server.Calls()
			if err != nil || len(calls) < 2 {
				t.Fatalf("%d calls: %v", len(calls), err)
			}
			last := calls[1].Messages[len(calls[1].Messages)-1].Content
			if shown := strings.Contains(last, "): ("); shown != tt.shown {
				t.Errorf("shown %v, want %v: %s", shown, tt.shown, last)
			}
		})
	}
}

// allowingExecutor runs candidates that may call the functions of staff.
func allowingExecutor(t *testing.T) executor {
	t.Helper()
	cfg := replica.DefaultConfig()
	cfg.URL = pgtest.Shared(t).Standby.URL("askpg", "postgres")
	cfg.MaxLag = ask.Duration(time.Minute)
	cfg.AllowFunctions = []string{"public.whisper", "public.whisper_of"}
	cfg.QuestionStatements = 1000
	r, err := replica.New(cfg, quiet, prometheus.NewRegistry())
	if err != nil {
		t.Fatal(fmt.Errorf("replica: %w", err))
	}
	t.Cleanup(r.Close)
	return executor{r}
}
