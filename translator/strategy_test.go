package translator_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"askpg/ask"
	"askpg/translator"
	"askpg/translator/llm/llmtest"
)

// kindOf says what a call asks for, by the words of its prompt.
func kindOf(c llmtest.Call) string {
	last := c.Messages[len(c.Messages)-1].Content
	for _, k := range []struct{ mark, kind string }{
		{`"tables": [`, "link tables"}, {`"columns": [`, "link columns"}, {"Write the question again", "mask"},
		{"These candidates give different results", "choose"}, {"Before SQL is written", "augment"}, {"Review it against", "review"},
		{"These attempts failed", "reflect"}, {"refuses this SQL", "repair"},
	} {
		if strings.Contains(last, k.mark) {
			return k.kind
		}
	}
	if strings.Contains(c.Messages[0].Content, "FindShortestPath") {
		return "turn"
	}
	return "generate"
}

// kinds counts the calls by kind.
func kinds(s *llmtest.Server) map[string]int {
	out := map[string]int{}
	for _, c := range s.Calls() {
		out[kindOf(c)]++
	}
	return out
}

// many answers a call with n samples of each text in turn.
func many(n int, texts ...string) llmtest.Reply {
	var out []string
	for i := range n {
		out = append(out, texts[i%len(texts)])
	}
	return llmtest.Reply{Texts: out}
}

func fence(sql string) string { return "```sql\n" + sql + "\n```" }

func TestStrategies_Calls(t *testing.T) {
	const byCountry = "select country, count(*) from customers group by country"
	for _, tt := range []struct {
		strategy string
		opts     []option
		reply    func(llmtest.Call) llmtest.Reply
		calls    map[string]int
		value    string
		check    func(*testing.T, *llmtest.Server, *ask.Translation)
	}{
		{
			strategy: "mcs",
			opts: []option{func(c *translator.Config) {
				c.MCS.TablePrompts, c.MCS.ColumnPrompts, c.MCS.Prompts, c.MCS.Samples = 2, 3, 4, 5
				c.MinConfidence = 0.4
				c.Privacy.Values = "samples"
			}},
			reply: func(c llmtest.Call) llmtest.Reply {
				switch kindOf(c) {
				case "link tables":
					return many(c.N, `{"reasons": {}, "tables": ["customers"]}`, "Sure:\n```json\n{\"tables\": []}\n```", "no json")
				case "link columns":
					return many(c.N, `{"columns": ["customers.id", "customers.nothing", "customers.country"]}`)
				case "choose":
					return many(c.N, "Because.\nCHOICE: 2", "CHOICE: 2", "CHOICE: 1", "dunno", "CHOICE: 2")
				}
				return many(c.N, fence("select count(*) from orders"), fence("select count(*) from orders o"), fence(count), "no sql", fence("select broken"))
			},
			calls: map[string]int{"link tables": 2, "link columns": 3, "generate": 4, "choose": 1},
			value: "30", // the judge's choice, against the majority
			check: func(t *testing.T, s *llmtest.Server, tr *ask.Translation) {
				for _, c := range s.Calls() {
					if kindOf(c) == "generate" && (strings.Contains(c.Text(), "orders") || strings.Contains(c.Text(), "\n- name")) {
						t.Errorf("what was not linked is in the generation prompt:\n%s", c.Text())
					}
					if kindOf(c) == "choose" && (!strings.Contains(c.Text(), "1. gives 1 row of (count): (200)\n") || !strings.Contains(c.Text(), "2. gives 1 row of (count): (30)\n")) {
						t.Errorf("the judge does not see what the candidates give:\n%s", c.Text())
					}
					if c.N != 5 || c.Temperature != 1 {
						t.Errorf("%s: n = %d at temperature %v", kindOf(c), c.N, c.Temperature)
					}
				}
				if len(tr.Candidates) != 20 {
					t.Errorf("%d candidates, want 20", len(tr.Candidates))
				}
			},
		},
		{
			strategy: "mcs", // unanimous: nothing to choose
			opts:     []option{func(c *translator.Config) { c.MCS.Samples = 3 }},
			reply: func(c llmtest.Call) llmtest.Reply {
				if k := kindOf(c); k == "link tables" || k == "link columns" {
					return many(c.N, `{"tables": ["customers"], "columns": ["customers.id"]}`)
				}
				return many(c.N, fence(count))
			},
			calls: map[string]int{"link tables": 3, "link columns": 3, "generate": 5},
			value: "30",
		},
		{
			strategy: "pet",
			reply: func(c llmtest.Call) llmtest.Reply {
				if strings.Contains(c.Text(), "orders") {
					return llmtest.SQL("select count(c.id) from customers c") // PreSQL sees all tables
				}
				return llmtest.SQL(count)
			},
			calls: map[string]int{"generate": 2},
			value: "30",
			check: func(t *testing.T, s *llmtest.Server, tr *ask.Translation) {
				calls := s.Calls()
				if !strings.Contains(calls[0].Text(), "orders(") || strings.Contains(calls[1].Text(), "orders(") {
					t.Error("FinSQL's prompt is not cut to PreSQL's tables")
				}
				if !strings.Contains(calls[0].Text(), "### PostgreSQL tables") {
					t.Error("the prompt is not the reference-enhanced one")
				}
				if tr.Confidence != 1 {
					t.Errorf("PreSQL and FinSQL agree, confidence %v", tr.Confidence)
				}
			},
		},
		{
			strategy: "full",
			opts:     []option{func(c *translator.Config) { c.Full.Samples = 2 }},
			reply: func(c llmtest.Call) llmtest.Reply {
				switch kindOf(c) {
				case "augment":
					return many(c.N, "- country: the ISO code\n- one row for each country")
				case "review":
					return llmtest.SQL("select country, count(id) from customers group by 1")
				case "repair":
					return llmtest.SQL("select nothing from customers")
				case "reflect":
					return llmtest.SQL(byCountry)
				}
				if !strings.Contains(c.Text(), "one row for each country") {
					t.Error("the notes are not in the generation prompt")
				}
				return llmtest.SQL([]string{"select contry from customers", "select country, count(id) from customers group by 1"}[c.Number%2])
			},
			calls: map[string]int{"augment": 1, "generate": 2, "repair": 1, "reflect": 1, "review": 2},
			value: "",
		},
		{
			strategy: "interactive",
			reply: func(c llmtest.Call) llmtest.Reply {
				return llmtest.Reply{Texts: []string{[]string{
					"Thought: the plan.\nAction: SearchColumn(\"country of a customer\")\nObservation: imagined",
					"Thought: value.\nAction: SearchValue('shipped', table=orders, column=status)",
					"Thought: path.\nAction: FindShortestPath(customers.country, orders.status)",
					"Thought: try.\nAction: ExecuteSQL(\"select count(*) from custommers\")",
					"Thought: again.\nAction: ExecuteSQL(\"\"\"select count(*)\nfrom customers where country in ('DE', 'FR', 'IT')\"\"\")",
					"Thought: done.\nAction: Done",
				}[c.Number-1]}}
			},
			calls: map[string]int{"turn": 6},
			value: "30",
			check: func(t *testing.T, s *llmtest.Server, tr *ask.Translation) {
				last := s.Calls()[5].Text()
				for _, want := range []string{"customers.country text", "orders.status holds 'shipped'", "orders.customer_id = customers.id",
					`relation "custommers" does not exist`, "1 row of (count); the values are not shown"} {
					if !strings.Contains(last, want) {
						t.Errorf("the observations lack %q:\n%s", want, last)
					}
				}
				if strings.Contains(last, "imagined") {
					t.Error("what the model imagined to observe went on")
				}
			},
		},
	} {
		t.Run(tt.strategy, func(t *testing.T) {
			m, server := model(t, tt.reply)
			w := newWorld(t, nil, []translator.Model{m}, append(tt.opts, func(c *translator.Config) { c.Strategy = tt.strategy })...)
			tr, err := w.ask(t, "how many customers of each country are there")
			if err != nil {
				t.Fatalf("%v\n%v", err, kinds(server))
			}
			if got := kinds(server); fmt.Sprint(got) != fmt.Sprint(tt.calls) {
				t.Errorf("calls %v, want %v", got, tt.calls)
			}
			if got := string(tr.Result.Rows[0][0]); tt.value != "" && got != tt.value {
				t.Errorf("answer %s, want %s (%s)", got, tt.value, tr.SQL)
			}
			if tt.check != nil {
				tt.check(t, server, tr)
			}
		})
	}
}

func TestStrategies_NeedAModel(t *testing.T) {
	w := newWorld(t, reading(count, 1), nil)
	for _, name := range []string{"mcs", "full", "pet", "interactive"} {
		q := w.question("how many customers")
		q.Options = map[string]string{"strategy": name}
		if _, err := w.Translate(t.Context(), q); ask.CodeOf(err) != ask.CodeNoModel || ask.AsError(err).Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// PET's vote by complexity asks the models of PreSQL's grade only.
func TestPET_Complexity(t *testing.T) {
	var mu sync.Mutex
	asked := map[string]int{}
	reply := func(c llmtest.Call) llmtest.Reply {
		mu.Lock()
		asked[c.Model]++
		mu.Unlock()
		return llmtest.SQL(count)
	}
	strong, _ := model(t, reply)
	server := llmtest.New(t, reply)
	weak := newModel(t, server.Config("weak"))
	w := newWorld(t, nil, []translator.Model{strong, weak}, func(c *translator.Config) {
		c.Strategy, c.PET.Vote = "pet", "complexity"
		c.PET.Grades = map[string][]string{"easy": {"weak"}}
	})
	if _, err := w.ask(t, "how many customers"); err != nil {
		t.Fatal(err)
	}
	if asked["main"] != 1 || asked["weak"] != 1 {
		t.Fatalf("calls by model %v, want PreSQL of main and FinSQL of weak", asked)
	}
}

// A judge decides between readings that have as many votes, and its answers
// count.
func TestAuto_Select(t *testing.T) {
	m, server := model(t, func(c llmtest.Call) llmtest.Reply {
		if kindOf(c) == "choose" {
			if strings.Index(c.Text(), "from customers\n") > strings.Index(c.Text(), "from orders\n") {
				return many(c.N, "CHOICE: 2")
			}
			return many(c.N, "CHOICE: 1")
		}
		return llmtest.SQL([]string{count, "select count(*) from orders", "select broken"}[c.Number%3])
	})
	w := newWorld(t, nil, []translator.Model{m}, func(c *translator.Config) { c.MaxSamples, c.MaxRepairs = 6, 0 })
	tr, err := w.ask(t, "how many customers")
	if err != nil {
		t.Fatal(err, kinds(server))
	}
	if got := string(tr.Result.Rows[0][0]); got != "30" || kinds(server)["choose"] != 1 {
		t.Fatalf("answer %s after calls %v", got, kinds(server))
	}
	if want := 2.0 / 3; tr.Confidence < want-0.01 || tr.Confidence > want+0.01 {
		t.Fatalf("confidence %v, want the mean of 2 of 6 samples and 3 of 3 judgements", tr.Confidence)
	}
}

// Where candidates disagree, auto looks into the database itself; what the
// loop finds votes.
func TestAuto_Explore(t *testing.T) {
	m, server := model(t, func(c llmtest.Call) llmtest.Reply {
		if kindOf(c) == "turn" {
			if strings.Contains(c.Messages[len(c.Messages)-1].Content, "Observation") {
				return llmtest.Reply{Texts: []string{"Thought: that is it.\nAction: Done"}}
			}
			return llmtest.Reply{Texts: []string{"Thought: count.\nAction: ExecuteSQL(\"" + count + "\")"}}
		}
		return llmtest.SQL([]string{count, "select 7", "select 8"}[(c.Number-1)%3])
	})
	w := newWorld(t, nil, []translator.Model{m}, func(c *translator.Config) {
		c.MaxSamples, c.MinConfidence = 3, 0.5
	})
	tr, err := w.ask(t, "how many customers")
	if err != nil {
		t.Fatal(err, kinds(server))
	}
	if got := string(tr.Result.Rows[0][0]); got != "30" || kinds(server)["turn"] != 2 {
		t.Fatalf("answer %s after calls %v", got, kinds(server))
	}
}

// The first wave's calls go out together, and an answer that all agree on
// needs no others.
func TestAuto_Parallel(t *testing.T) {
	var mu sync.Mutex
	now, most := 0, 0
	gate := make(chan struct{})
	m, server := model(t, func(llmtest.Call) llmtest.Reply {
		mu.Lock()
		now++
		if most = max(most, now); now == 3 {
			close(gate)
		}
		mu.Unlock()
		<-gate // no call is answered before all three are there
		return llmtest.SQL(count)
	})
	w := newWorld(t, nil, []translator.Model{m})
	if _, err := w.ask(t, "how many customers"); err != nil {
		t.Fatal(err)
	}
	if most != 3 || len(server.Calls()) != 3 {
		t.Fatalf("%d calls at once of %d", most, len(server.Calls()))
	}
}
