package translator_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/catalog"
	"askpg/internal/pgtest"
	"askpg/translator"
	"askpg/translator/llm"
	"askpg/translator/llm/llmtest"
	"askpg/translator/prompt"
)

// vault is a random schema whose every secret is a word that occurs nowhere
// else.
type vault struct {
	script strings.Builder
	never  map[string]string // word: what it is; in no prompt
	values map[string]string // values that the role may read: in none if privacy.values is none
	open   []string          // relations that the role may read something of
	column map[string][]string
	near   []string // names of hidden columns without their last letter
	like   []string // values, likewise
}

func (v *vault) word(r *rand.Rand, prefix string) string {
	b := []byte(prefix)
	for range 9 {
		b = append(b, "bcdfghjkmpqrtvwxz"[r.IntN(17)])
	}
	return string(b)
}

// newVault makes tables that are granted whole, by columns or not at all, some
// under row security, some with private columns, with keys from each to each.
func newVault(r *rand.Rand) *vault {
	v := &vault{never: map[string]string{}, values: map[string]string{}, column: map[string][]string{}}
	v.script.WriteString("do $$ begin create role reader; exception when duplicate_object then null; end $$;\n" +
		"do $$ begin create role askpg login noinherit; exception when duplicate_object then null; end $$;\nalter role askpg set log_min_messages = 'fatal';\ngrant reader to askpg;\n")
	var made []string
	for i := range 5 + r.IntN(3) {
		denied := i == 0 || r.IntN(4) == 0
		secured, byColumn := !denied && r.IntN(3) == 0, !denied && r.IntN(2) == 0
		name := v.word(r, "")
		if denied {
			v.never[name] = "a relation that is not granted"
		} else {
			v.open = append(v.open, name)
		}
		cols, granted, comments := []string{"id int primary key"}, []string{"id"}, []string{}
		values := []string{"n"}
		if i > 0 {
			cols, values = append(cols, "parent int references "+made[r.IntN(len(made))]), append(values, "n")
			granted = append(granted, "parent")
		}
		for j := range 2 + r.IntN(4) {
			hidden := denied
			col := v.word(r, "")
			switch {
			case denied:
				v.never[col] = "a column of a relation that is not granted"
			case byColumn && j == 0:
				hidden = true
				v.never[col] = "a column that is not granted"
				v.near = append(v.near, col[:len(col)-1])
			case r.IntN(3) == 0:
				hidden = true
				granted = append(granted, col)
				v.never[col] = "a private column"
				v.near = append(v.near, col[:len(col)-1])
				comments = append(comments, fmt.Sprintf("comment on column %s.%s is 'askpg:private %s';", name, col, v.secret(r, v.never, "the comment of a private column")))
			default:
				granted = append(granted, col)
				v.column[name] = append(v.column[name], col)
			}
			cols = append(cols, col+" text")
			// Few values, so that statistics and the value index hold them all. The
			// first half of the rows is what row security hides.
			a, b := v.secret(r, v.never, "a value that is hidden"), v.secret(r, v.never, "a value that is hidden")
			if !hidden {
				delete(v.never, b)
				v.values[b] = "a value that may be read"
				if !secured {
					delete(v.never, a)
					v.values[a] = "a value that may be read"
				}
			}
			v.like = append(v.like, a[:len(a)-1], b[:len(b)-1])
			values = append(values, fmt.Sprintf("'alpha ' || case when n <= 40 then '%s' else '%s' end", a, b))
		}
		fmt.Fprintf(&v.script, "create table %s (%s);\ninsert into %s select %s from generate_series(1, 80) n;\n%s\n", name, strings.Join(cols, ", "), name, strings.Join(values, ", "), strings.Join(comments, "\n"))
		switch {
		case denied:
		case byColumn:
			fmt.Fprintf(&v.script, "grant select (%s) on %s to reader;\n", strings.Join(granted, ", "), name)
		default:
			fmt.Fprintf(&v.script, "grant select on %s to reader;\n", name)
		}
		if secured {
			fmt.Fprintf(&v.script, "alter table %s enable row level security;\ncreate policy p on %s using (id > 40);\n", name, name)
		}
		made = append(made, name)
	}
	v.script.WriteString("analyze;\n")
	return v
}

func (v *vault) secret(r *rand.Rand, in map[string]string, what string) string {
	w := v.word(r, "")
	in[w] = what
	return w
}

// prying answers as a model that wants to see everything, without knowing a
// secret: it errs near hidden names, casts text, reads whole rows and searches for everything.
func (v *vault) prying(seed uint64) func(llmtest.Call) llmtest.Reply {
	var mu sync.Mutex
	r := rand.New(rand.NewPCG(seed, 1))
	sql := func() string {
		t := v.open[r.IntN(len(v.open))]
		c := "id"
		if cols := v.column[t]; len(cols) > 0 {
			c = cols[r.IntN(len(cols))]
		}
		like := v.like[r.IntN(len(v.like))]
		near := "hidden"
		if len(v.near) > 0 {
			near = v.near[r.IntN(len(v.near))]
		}
		return []string{
			"select * from " + t, "select t from " + t + " t", "select row_to_json(t) from " + t + " t", "select count(*) from " + t,
			"select " + near + " from " + t, "select t." + near + " from " + t + " t", "select id from " + near,
			fmt.Sprintf("select %s::int from %s", c, t), fmt.Sprintf("select %s::date from %s", c, t),
			fmt.Sprintf("select id from %s where %s = 'alpha %s'", t, c, like), fmt.Sprintf("select max(%s), min(%s) from %s", c, c, t),
			fmt.Sprintf("select id, %s from %s where %s like 'a%%'", c, t, c), fmt.Sprintf("select string_agg(%s, ',') from %s", c, t),
			"select broken from " + t, "selec 1",
		}[r.IntN(15)]
	}
	return func(c llmtest.Call) llmtest.Reply {
		mu.Lock()
		defer mu.Unlock()
		switch kindOf(c) {
		case "link tables", "link columns":
			return many(c.N, `{"tables": ["`+v.open[r.IntN(len(v.open))]+`"], "columns": ["`+v.open[r.IntN(len(v.open))]+`.id"]}`)
		case "turn":
			return llmtest.Reply{Texts: []string{[]string{
				`Action: SearchColumn("alpha text")`, `Action: SearchColumn("id parent secret")`, `Action: SearchValue("alpha ` + v.like[r.IntN(len(v.like))] + `")`,
				"Action: FindShortestPath(" + v.open[0] + ".id, " + v.open[len(v.open)-1] + ".id)",
				"Action: ExecuteSQL(\"" + sql() + "\")", "Action: ExecuteSQL(\"" + sql() + "\")", "Action: ExecuteSQL(\"" + sql() + "\")",
			}[r.IntN(7)]}}
		case "choose":
			return many(c.N, "CHOICE: 1")
		}
		out := llmtest.Reply{}
		for range c.N {
			out.Texts = append(out.Texts, fence(sql()))
		}
		return out
	}
}

// In random schemas, under every privacy setting and strategy, no prompt holds
// what the role may not read or what privacy keeps back, whatever the model asks for: not in the
// schema, not in an error that is sent back, not in what a tool returns.
func TestPrompts_CarryNoSecret(t *testing.T) {
	const seeds = 4
	exec := newExecutor(t)
	for seed := uint64(1); seed <= seeds; seed++ {
		v := newVault(rand.New(rand.NewPCG(seed, 77)))
		database := pgtest.NewDatabase(t, v.script.String())
		cat := catalog.New(catalog.DefaultConfig(), exec, quiet, prometheus.NewRegistry())
		t.Cleanup(cat.Close)
		for _, level := range []string{prompt.ValuesNone, prompt.ValuesStats, prompt.ValuesSamples} {
			for _, strategy := range []string{"auto", "mcs", "full", "pet", "interactive"} {
				t.Run(fmt.Sprintf("%d/%s/%s", seed, level, strategy), func(t *testing.T) {
					server := llmtest.New(t, v.prying(seed))
					c := server.Config("main")
					cfg := translator.DefaultConfig()
					cfg.Strategy, cfg.Privacy.Values, cfg.MaxRepairs, cfg.MaxCalls = strategy, level, 9, 60
					cfg.MCS.Samples, cfg.MCS.Threshold, cfg.Full.Reflections, cfg.Interactive.Samples = 3, 0, 2, 2
					w := &world{translator.New(cfg, cat, exec, []translator.Model{newModel(t, c)}, quiet, prometheus.NewRegistry()), database}
					ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
					defer cancel()
					_, err := w.Translate(ctx, w.question("which alpha is in "+v.open[0]+" with the text alpha "+v.like[seed]+", or alpha "+v.like[len(v.like)-1]+"?"))
					if code := ask.CodeOf(err); code == ask.CodeInternal || code == ask.CodeQueryCanceled {
						t.Fatal(err)
					}
					if len(server.Calls()) == 0 {
						t.Fatalf("no model was asked: %v", err)
					}
					for _, call := range server.Calls() {
						v.search(t, call, level)
					}
				})
			}
		}
	}
}

// search looks for secrets in what a model was told, its own words left out.
func (v *vault) search(t *testing.T, c llmtest.Call, level string) {
	for _, m := range c.Messages {
		if m.Role == llm.Assistant {
			continue
		}
		for word, what := range v.never {
			if strings.Contains(m.Content, word) {
				t.Fatalf("%s, %q, is in a prompt to %s with values %s:\n%s", what, word, kindOf(c), level, m.Content)
			}
		}
		if level != prompt.ValuesNone {
			continue
		}
		for word, what := range v.values {
			if strings.Contains(m.Content, word) {
				t.Fatalf("%s, %q, is in a prompt to %s though privacy.values is none:\n%s", what, word, kindOf(c), m.Content)
			}
		}
	}
}
