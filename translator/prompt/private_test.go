package prompt_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"askpg/catalog"
	"askpg/catalog/schema"
	"askpg/translator/prompt"
)

// Random schemas and settings are tried. No prompt of any kind carries a private column, what its statistics hold, what
// a definition compares it with, or a relation that is denied; and no value at all where privacy.values is none.
func TestPrompts_PrivateProperty(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for round := range 150 {
		s := &catalog.Snapshot{ServerVersion: 150000, Denied: []catalog.Name{{Schema: "public", Name: "secret_relation"}}}
		var private []*catalog.Column
		samples := prompt.Samples{}
		for i := range 1 + r.IntN(6) {
			rel := &catalog.Relation{Name: catalog.Name{Schema: []string{"public", "other"}[r.IntN(2)], Name: fmt.Sprintf("rel%d", i)},
				Kind: catalog.Table, Rows: 500, Comment: []string{"", "a comment"}[r.IntN(2)]}
			rows := prompt.Rows{Cells: [][][]byte{nil, nil}}
			for j := range 1 + r.IntN(6) {
				hide := r.IntN(3) == 0
				prefix := "open"
				if hide {
					prefix = "secret"
				}
				c := &catalog.Column{Relation: rel, Name: fmt.Sprintf("%s_col%d", prefix, j), Type: "text", Class: catalog.Text, Private: hide, Comment: prefix + " comment",
					Unique:  r.IntN(2) == 0,
					Profile: &catalog.Profile{Distinct: 2, Common: []string{prefix + "VALUE1", prefix + "VALUE2"}, Min: prefix + "VALUE0", Max: prefix + "VALUE9"}}
				if r.IntN(4) == 0 {
					c.Class, c.Type = catalog.Number, "integer"
				}
				rel.Columns = append(rel.Columns, c)
				rows.Columns = append(rows.Columns, c.Name)
				for k := range rows.Cells {
					rows.Cells[k] = append(rows.Cells[k], []byte(prefix+"VALUErow"))
				}
				if hide {
					private = append(private, c)
				}
			}
			rel.PrimaryKey = rel.Columns[:1]
			rel.Unique = [][]*catalog.Column{rel.Columns}
			s.Relations = append(s.Relations, rel)
			samples[rel] = rows
		}
		for range 3 {
			from, to := s.Relations[r.IntN(len(s.Relations))], s.Relations[r.IntN(len(s.Relations))]
			s.ForeignKeys = append(s.ForeignKeys, &catalog.ForeignKey{From: from, To: to,
				FromCols: []*catalog.Column{from.Columns[r.IntN(len(from.Columns))]}, ToCols: []*catalog.Column{to.Columns[0]}})
		}
		for _, c := range private {
			e := schema.Expression{Text: " = 'secret one'", Refs: []catalog.Reference{{Column: c}}}
			s.Measures = append(s.Measures, &catalog.Measure{Name: "what is", Relation: c.Relation, Relations: []*catalog.Relation{c.Relation}, Aggregate: schema.Expression{Text: "count(*)"}, Condition: e})
			s.Terms = append(s.Terms, &catalog.Measure{Name: "there", Relation: c.Relation, Relations: []*catalog.Relation{c.Relation}, Aggregate: e})
			c.Relation.Condition = e
		}
		in := prompt.Input{Snapshot: s, Question: "what is there", Samples: samples, SearchPath: []string{"public"},
			Privacy: prompt.Privacy{Values: []string{prompt.ValuesNone, prompt.ValuesStats, prompt.ValuesSamples}[r.IntN(3)]},
			Style:   prompt.Styles[r.IntN(len(prompt.Styles))],
			Frame:   []prompt.Frame{prompt.Direct, prompt.Plan, prompt.Divide}[r.IntN(3)],
			Order:   prompt.Order{Reverse: r.IntN(2) == 0, Shuffle: uint64(r.IntN(3)), Columns: r.IntN(2) == 0}}
		if r.IntN(2) == 0 {
			in.Budget = 1000 + r.IntN(2000)
		}
		if r.IntN(2) == 0 {
			in.NarrowFrom, in.Naming, in.Paper = 1, r.IntN(60), r.IntN(2) == 0
			in.Near, in.Beside = s.Relations[:1], s.Relations[len(s.Relations)-1:]
		}
		if r.IntN(2) == 0 {
			in.About = map[*catalog.Column]bool{s.Relations[0].Columns[0]: true}
		}
		for _, c := range private {
			in.Hits = append(in.Hits, catalog.Hit{Column: c, Value: "secretVALUE1"})
		}
		texts := map[string]string{}
		add := func(name string, p prompt.Prompt, err error) {
			if err == nil { // a budget may be too small for the question alone
				texts[name] = p.System + p.User
			}
		}
		p, err := prompt.Render(in)
		add("generate", p, err)
		for _, task := range []prompt.Task{prompt.LinkTables, prompt.LinkColumns, prompt.Mask, prompt.Choose, prompt.Augment} {
			p, err := prompt.RenderTask(task, in, []prompt.Choice{{SQL: "select 1", Result: "1 row"}})
			add(string(task), p, err)
		}
		p, err = prompt.Interactive(in)
		add("interactive", p, err)
		for name, text := range texts {
			if strings.Contains(text, "secret") {
				t.Fatalf("round %d, %s with values %s carries what is private:\n%s", round, name, in.Privacy.Values, text)
			}
			if in.Privacy.Values == prompt.ValuesNone && strings.Contains(text, "VALUE") {
				t.Fatalf("round %d, %s carries values though privacy.values is none:\n%s", round, name, text)
			}
			if in.Privacy.Values == prompt.ValuesStats && strings.Contains(text, "VALUErow") {
				t.Fatalf("round %d, %s carries rows though privacy.values is stats:\n%s", round, name, text)
			}
		}
	}
}
