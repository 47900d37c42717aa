package translator

import (
	"fmt"
	"slices"
	"testing"

	"askpg/ask"
	"askpg/catalog"
)

// What a question is about and what its conversation read is near it, and so is what a model
// missed, by its own words; what joins these is beside them.
func TestRelevant(t *testing.T) {
	snap := &catalog.Snapshot{Database: "d", Role: "r"}
	table := func(name string, columns ...string) *catalog.Relation {
		r := &catalog.Relation{Name: catalog.Name{Schema: "public", Name: name}, Kind: catalog.Table}
		for i, c := range columns {
			r.Columns = append(r.Columns, &catalog.Column{Relation: r, Name: c, Num: int16(i + 1), Type: "int", Class: catalog.Number})
		}
		r.PrimaryKey = r.Columns[:1]
		snap.Relations = append(snap.Relations, r)
		return r
	}
	customers, orders := table("customers", "id"), table("orders", "id", "customer_id")
	for i := range 20 {
		table(fmt.Sprintf("valve_%d", i), "id", "pressure")
	}
	snap.ForeignKeys = []*catalog.ForeignKey{{From: orders, To: customers, FromCols: orders.Columns[1:], ToCols: customers.Columns}}
	around := func(from int, q ask.Question, missing ...string) []*catalog.Relation {
		c := DefaultConfig()
		c.NarrowFrom, c.NarrowTables = from, 3
		s := &state{t: &Translator{cfg: c}, snap: snap, q: q, missing: missing, set: settings{searchPath: []string{"public"}}}
		near, beside := s.nearRelations(s.saidMissing())
		return append(near, beside...)
	}
	near := around(1, ask.Question{Text: "how many customers are there"})
	if !slices.Contains(near, customers) || !slices.Contains(near, orders) || len(near) > 6 {
		t.Errorf("near the question are %d relations, without customers or what joins them", len(near))
	}
	near = around(1, ask.Question{Text: "and their number", History: []ask.Turn{{Question: "what is the pressure of valve 7", SQL: "select count(*) from orders"}}})
	if !slices.Contains(near, orders) || slices.Contains(near, customers) && len(near) > 7 {
		t.Error("what earlier SQL reads is not near")
	}
	if near := around(0, ask.Question{Text: "how many customers"}); near != nil {
		t.Error("it is narrowed though the setting is off")
	}
	for _, missing := range []string{"a table of pressures", "the columns of table valve_7 are not told"} {
		near := around(1, ask.Question{Text: "how many customers"}, missing)
		if !slices.Contains(near, customers) || !slices.ContainsFunc(near, func(r *catalog.Relation) bool { return r.Column("pressure") != nil }) {
			t.Errorf("%q: what a model missed is not near", missing)
		}
	}
	if near := around(1, ask.Question{Text: "xyzzy"}, "valve_7"); len(near) == 0 || near[0].Name.Name != "valve_7" {
		t.Error("the relation that a model named is not near")
	}
	if near := around(1, ask.Question{Text: "xyzzy"}); near != nil {
		t.Errorf("%d relations are near a question that names none", len(near))
	}
}
