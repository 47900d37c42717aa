package grammar_test

import (
	"testing"

	"askpg/ask"
	"askpg/catalog"
	"askpg/translator/grammar"
)

// oddSnapshot has tables and columns whose names hold no word, beside ordinary ones.
func oddSnapshot() *catalog.Snapshot {
	s := fuzzSnapshot()
	for i, name := range []string{"?", "_", "…", "visits!"} {
		r := &catalog.Relation{Name: catalog.Name{Schema: "public", Name: name}, OID: uint32(i + 10), Kind: catalog.Table, Rows: 10}
		for k, c := range []*catalog.Column{
			{Name: "?", Class: catalog.Text, Profile: &catalog.Profile{Distinct: 2, Common: []string{"Y", "N"}}},
			{Name: "!", Class: catalog.Number}, {Name: "–", Class: catalog.Date}, {Name: "__", Class: catalog.Timestamp},
			{Name: "$$", Class: catalog.Text, Profile: &catalog.Profile{Distinct: 10}},
		} {
			c.Relation, c.Num = r, int16(k+1)
			r.Columns = append(r.Columns, c)
		}
		r.PrimaryKey = r.Columns[1:2]
		s.Relations = append(s.Relations, r)
		s.ForeignKeys = append(s.ForeignKeys, &catalog.ForeignKey{From: s.Relations[2], To: r, FromCols: s.Relations[2].Columns[:1], ToCols: r.PrimaryKey})
	}
	return s
}

// TestInterpret_OddNames asks where names have no word. Whoever may create a table chooses its name, and nobody's questions are to end for it.
func TestInterpret_OddNames(t *testing.T) {
	s := oddSnapshot()
	list, err := grammar.Interpret("how many visits?", "", s, grammar.Options{})
	if err != nil || list[0].SQL != "SELECT count(*) FROM visits" {
		t.Fatal(list, err)
	}
	for _, q := range []string{"active visits", "who is the visits !", "total of visits", "who has no visits today", "latest ? by !", "_ per month", "who is ?", "not _", "average $$ of …", "visits open for more than 3 days", "the,"} {
		for _, previous := range []string{"", "how many visits"} {
			if _, err := grammar.Interpret(q, "", s, grammar.Options{Previous: previous, Suggest: true}); err != nil && ask.AsError(err) == nil {
				t.Errorf("%q behind %q: %v", q, previous, err)
			}
		}
	}
}
