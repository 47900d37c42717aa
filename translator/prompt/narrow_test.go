package prompt_test

import (
	"strings"
	"testing"

	"askpg/catalog"
	"askpg/translator/prompt"
)

// A schema that is larger than it needs to be is cut to what is near the question, and
// what a measure reads that the question names; a small one, or one that was linked, is not.
func TestRender_Narrow(t *testing.T) {
	for _, test := range []struct {
		name    string
		edit    func(*prompt.Input)
		without string // relations that are not shown
	}{
		{"Small", func(in *prompt.Input) { in.NarrowFrom = 100_000 }, ""},
		{"Never", func(in *prompt.Input) { in.NarrowFrom = 0 }, ""},
		{"NothingNear", func(in *prompt.Input) { in.Near = nil }, ""},
		{"Large", func(*prompt.Input) {}, "orders Revenue"},
		{"Measure", func(in *prompt.Input) {
			orders := in.Snapshot.Relations[1]
			in.Question = "turnover by country"
			in.Snapshot.Measures = []*catalog.Measure{{Name: "turnover", Relation: orders, Relations: []*catalog.Relation{orders}}}
		}, "Revenue"},
		{"Linked", func(in *prompt.Input) { in.Tables = in.Snapshot.Relations[1:] }, "customers"},
	} {
		for _, style := range []prompt.Style{prompt.DDL, prompt.Profile, prompt.Reference} {
			in := input(style, prompt.Direct)
			in.History, in.Demos, in.Hits = nil, nil, nil
			in.Near, in.NarrowFrom = in.Snapshot.Relations[:1], 20
			test.edit(&in)
			p, err := prompt.Render(in)
			if err != nil {
				t.Fatal(err)
			}
			var without []string
			for _, r := range in.Snapshot.Relations {
				shown := false
				for _, s := range p.Shown {
					shown = shown || s == r
				}
				if !shown {
					without = append(without, r.Name.Name)
				}
			}
			if got := strings.Join(without, " "); got != test.without || p.Left != 0 {
				t.Errorf("%s, %s: %q are not shown, %d left out; want %q", test.name, style, got, p.Left, test.without)
			}
			if test.name == "Large" && strings.Contains(p.User, "orders") {
				t.Errorf("%s: a key leads out of what is shown:\n%s", style, p.User)
			}
		}
	}
}

// A value that is only near a word of the question says so.
func TestRender_NearValue(t *testing.T) {
	in := input(prompt.DDL, prompt.Direct)
	country := in.Snapshot.Relations[0].Columns[2]
	in.Question, in.Hint = "customers from Olandd or DE", ""
	in.Hits = []catalog.Hit{
		{Column: country, Value: "O'Land", Start: 15, End: 21, Score: .7},
		{Column: country, Value: "DE", Start: 25, End: 27, Score: 1, Exact: true},
	}
	p, err := prompt.Render(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"- customers.country holds 'O''Land' (near 'Olandd')\n", "- customers.country holds 'DE'\n"} {
		if !strings.Contains(p.User, want) {
			t.Errorf("%q is not in\n%s", want, p.User)
		}
	}
}
