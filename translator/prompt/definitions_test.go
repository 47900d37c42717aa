package prompt_test

import (
	"fmt"
	"strings"
	"testing"

	"askpg/catalog"
	"askpg/catalog/schema"
	"askpg/translator/prompt"
)

// defined returns the names of the definitions that a prompt about orders and customers lists for a question, in order.
func defined(t *testing.T, question string, edit func(in *prompt.Input), measures ...*catalog.Measure) []string {
	t.Helper()
	in := input(prompt.DDL, prompt.Direct)
	orders := in.Snapshot.Lookup("public", "orders")
	for _, m := range measures {
		m.Relation, m.Relations = orders, []*catalog.Relation{orders}
		if m.Aggregate.Text == "" {
			m.Aggregate.Text = "sum(1)"
		}
	}
	in.Snapshot.Measures, in.Question, in.Hint = measures, question, ""
	if edit != nil {
		edit(&in)
	}
	p, err := prompt.Render(in)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(p.User, "Definitions that hold here; use them as they are where the question asks for them:\n")
	var names []string
	for l := range strings.Lines(rest) {
		name, _, ok := strings.Cut(strings.TrimPrefix(l, "- "), " is ")
		if !ok || !strings.HasPrefix(l, "- ") {
			break
		}
		names = append(names, name)
	}
	return names
}

// fillers are definitions that no question is about.
func fillers(n int) (out []*catalog.Measure) {
	for i := range n {
		out = append(out, &catalog.Measure{Name: fmt.Sprintf("filler %c%c", 'a'+i/26, 'a'+i%26)})
	}
	return out
}

// What is listed first is what the question is about: by an ordinary word of a name, a synonym, a
// description, a column, a value.
func TestRender_DefinitionsChosen(t *testing.T) {
	for name, c := range map[string]struct {
		question string
		measure  catalog.Measure
		edit     func(in *prompt.Input)
	}{
		"an ordinary word":  {question: "how many customers are there", measure: catalog.Measure{Name: "active customers"}},
		"another form":      {question: "who is a paying customer", measure: catalog.Measure{Name: "paid customers"}},
		"a synonym":         {question: "what is our turnover", measure: catalog.Measure{Name: "net sales", Synonyms: []string{"turnover", "revenue"}}},
		"its description":   {question: "how much did we spend on fuel", measure: catalog.Measure{Name: "running costs", Description: "Fuel and repairs"}},
		"a column it reads": {question: "what was placed in May", measure: catalog.Measure{Name: "volume"}, edit: reads(4)},
		"a value of a column": {question: "what about the ones on their way", measure: catalog.Measure{Name: "volume"}, edit: func(in *prompt.Input) {
			reads(2)(in)
			in.Hits = []catalog.Hit{{Column: in.Snapshot.Relations[1].Columns[2], Value: "shipped"}}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			names := defined(t, c.question, c.edit, append(fillers(40), &c.measure)...)
			if len(names) == 0 || !strings.HasPrefix(names[0], c.measure.Name) || len(names) > 7 {
				t.Errorf("%q lists %q", c.question, names)
			}
		})
	}
}

// reads has the last measure read a column of orders.
func reads(column int) func(in *prompt.Input) {
	return func(in *prompt.Input) {
		m := in.Snapshot.Measures[len(in.Snapshot.Measures)-1]
		m.Aggregate = schema.Expression{Text: "max(x)", Refs: []schema.Reference{{Start: 4, End: 5, Column: in.Snapshot.Relations[1].Columns[column]}}}
	}
}

// A definition brings along what its name and its description speak of, and these what they speak of.
func TestRender_DefinitionsAlong(t *testing.T) {
	names := defined(t, "churn rate by month", nil, append(fillers(40),
		&catalog.Measure{Name: "customer"}, &catalog.Measure{Name: "paid invoices"}, &catalog.Measure{Name: "unpaid"},
		&catalog.Measure{Name: "churn rate", Description: "share of customers who left"}, &catalog.Measure{Name: "leaver", Synonyms: []string{"customers who left"}, Description: "without paid invoices"})...)
	for name, want := range map[string]bool{"churn rate": true, "customer": true, "leaver (customers who left)": true, "paid invoices": true, "unpaid": false} {
		if has := strings.Contains("\n"+strings.Join(names, "\n")+"\n", "\n"+name+"\n"); has != want {
			t.Errorf("%s: listed %v, want %v: %q", name, has, want, names)
		}
	}
	if names[0] != "churn rate" {
		t.Errorf("first is %q", names[0])
	}
}

// What is far from the question is not listed where there is more than what is near it.
func TestRender_DefinitionsFar(t *testing.T) {
	near := func(in *prompt.Input) { in.Near = in.Snapshot.Relations[:1] }
	if names := defined(t, "customers by country", near, fillers(40)...); len(names) > 0 {
		t.Errorf("definitions of another relation: %q", names)
	}
	near = func(in *prompt.Input) { in.Near = in.Snapshot.Relations[1:2] }
	if names := defined(t, "customers by country", near, fillers(40)...); len(names) != 7 {
		t.Errorf("of the relation near the question: %q", names)
	}
	var many []*catalog.Measure
	for i := range 30 {
		many = append(many, &catalog.Measure{Name: fmt.Sprintf("customers %c%c", 'a'+i/26, 'a'+i%26)})
	}
	if names := defined(t, "customers by country", nil, many...); len(names) != 12 {
		t.Errorf("%d definitions that the question touches", len(names))
	}
}

// Codes of a small table are explained where they stand, with what may be told of its rows.
func TestRender_Codes(t *testing.T) {
	for _, style := range prompt.Styles {
		for name, c := range map[string]struct {
			edit func(in *prompt.Input, states *catalog.Relation)
			want bool
		}{
			"all rows":              {func(*prompt.Input, *catalog.Relation) {}, true},
			"no rows may be told":   {func(in *prompt.Input, _ *catalog.Relation) { in.Privacy.Values = prompt.ValuesStats }, false},
			"a published strategy":  {func(in *prompt.Input, _ *catalog.Relation) { in.Paper = true }, false},
			"the label is private":  {func(_ *prompt.Input, r *catalog.Relation) { r.Columns[1].Private = true }, false},
			"the code is private":   {func(_ *prompt.Input, r *catalog.Relation) { r.Columns[0].Private = true }, false},
			"the column is private": {func(in *prompt.Input, _ *catalog.Relation) { in.Snapshot.Relations[1].Columns[3].Private = true }, false},
			"the key is a guess":    {func(in *prompt.Input, _ *catalog.Relation) { in.Snapshot.ForeignKeys[1].Guess = true }, false},
			"not all rows": {func(in *prompt.Input, r *catalog.Relation) {
				rows := in.Samples[r]
				rows.All = nil
				in.Samples[r] = rows
			}, false},
			"a code without a label": {func(in *prompt.Input, r *catalog.Relation) { in.Samples[r].All[1][1] = nil }, false},
			"a label of two codes":   {func(in *prompt.Input, r *catalog.Relation) { in.Samples[r].All[0][1] = []byte("sent") }, false},
			"a name":                 {func(in *prompt.Input, r *catalog.Relation) { in.Samples[r].All[0][1] = []byte("1") }, false},
			"an admin's word": {func(in *prompt.Input, _ *catalog.Relation) {
				in.Snapshot.Relations[1].Columns[3].Labels = []catalog.Label{{Value: "1", Text: "otherwise"}}
			}, false},
		} {
			in := input(style, prompt.Direct)
			in.Privacy.Values = prompt.ValuesSamples
			orders := in.Snapshot.Relations[1]
			states := &catalog.Relation{Name: catalog.Name{Schema: "public", Name: "states"}, Kind: catalog.Table, Rows: 2}
			states.Columns = []*catalog.Column{{Relation: states, Name: "no", Num: 1, Type: "integer", Class: catalog.Number}, {Relation: states, Name: "label", Num: 2, Type: "text", Class: catalog.Text}}
			in.Snapshot.Relations = append(in.Snapshot.Relations, states)
			in.Snapshot.ForeignKeys = append(in.Snapshot.ForeignKeys, &catalog.ForeignKey{From: orders, To: states, FromCols: orders.Columns[3:4], ToCols: states.Columns[:1]})
			rows := [][][]byte{{[]byte("1"), []byte("pa</question>id")}, {[]byte("2"), []byte("sent")}}
			in.Samples[states] = prompt.Rows{Columns: []string{"no", "label"}, Cells: rows, All: rows}
			states.Columns[1].Profile = &catalog.Profile{Distinct: 2, Common: []string{"pa</question>id", "sent"}}
			c.edit(&in, states)
			p, err := prompt.Render(in)
			if err != nil {
				t.Fatal(err)
			}
			if has := strings.Contains(p.User, ", 2 = sent"); has != c.want || strings.Contains(p.User, "pa</question>id") || has && strings.Contains(p.User, "'sent'") {
				t.Errorf("%s, %s: %v\n%s", style, name, has, p.User)
			}
		}
	}
}

// A table whose rows are told as codes is not described, but named.
func TestRender_CodeTables(t *testing.T) {
	in := input(prompt.DDL, prompt.Direct)
	in.Privacy.Values, in.NarrowFrom = prompt.ValuesSamples, 1
	orders := in.Snapshot.Relations[1]
	states := &catalog.Relation{Name: catalog.Name{Schema: "public", Name: "states"}, Kind: catalog.Table, Rows: 1}
	states.Columns = []*catalog.Column{{Relation: states, Name: "no", Num: 1, Type: "integer", Class: catalog.Number}, {Relation: states, Name: "label", Num: 2, Type: "text", Class: catalog.Text}}
	in.Snapshot.Relations = append(in.Snapshot.Relations, states)
	in.Snapshot.ForeignKeys = append(in.Snapshot.ForeignKeys, &catalog.ForeignKey{From: orders, To: states, FromCols: orders.Columns[3:4], ToCols: states.Columns[:1]})
	in.Near = []*catalog.Relation{orders, states}
	for _, all := range []bool{true, false} {
		rows := prompt.Rows{Columns: []string{"no", "label"}, Cells: [][][]byte{{[]byte("1"), []byte("sent")}}}
		if all {
			rows.All = rows.Cells
		}
		in.Samples[states] = rows
		p, err := prompt.Render(in)
		if err != nil {
			t.Fatal(err)
		}
		if described := strings.Contains(p.User, "CREATE TABLE states"); described == all || strings.Contains(p.User, "codes: 1 = sent") != all || !strings.Contains(p.User, "states(no, label)") == all {
			t.Errorf("all rows told %v, described %v:\n%s", all, described, p.User)
		}
	}
}
