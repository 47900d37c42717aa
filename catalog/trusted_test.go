package catalog

import (
	"testing"

	"askpg/ask"
	"askpg/catalog/schema"
)

// TestSnapshot_For leaves out all that reads a relation of an owner who is not trusted, and nothing else.
func TestSnapshot_For(t *testing.T) {
	relation := func(name string) *Relation {
		r := &Relation{Name: Name{Schema: "s", Name: name}}
		r.Columns = []*Column{{Relation: r, Name: "id", Num: 1}}
		return r
	}
	ours, theirs := relation("ours"), relation("theirs")
	key := func(from, to *Relation) *ForeignKey {
		return &ForeignKey{Name: from.Name.Name + to.Name.Name, From: from, To: to, FromCols: from.Columns, ToCols: to.Columns}
	}
	named := func(name string) Name { return Name{Schema: "s", Name: name} }
	measure := func(relations ...*Relation) *Measure { return &Measure{Relation: relations[0], Relations: relations} }
	s := &Snapshot{
		Relations: []*Relation{ours, theirs}, ForeignKeys: []*ForeignKey{key(ours, ours), key(ours, theirs), key(theirs, ours)},
		Denied: []Name{named("hidden"), named("mine")}, Unusable: []Name{named("empty"), named("other")},
		Untrusted: []Name{theirs.Name, named("hidden"), named("empty")}, Values: &Values{},
		Measures: []*Measure{measure(ours), measure(ours, theirs)}, Terms: []*Measure{measure(theirs), measure(ours)},
		Queries: []*Query{{Relations: []*Relation{ours}}, {Relations: []*schema.Relation{ours, theirs}}},
	}
	if s.For(&ask.Session{Login: &ask.Login{}}) != s {
		t.Error("a login of the asker's own reads what it may")
	}
	got := s.For(&ask.Session{})
	if got == s || got != s.For(&ask.Session{}) {
		t.Fatal("the snapshot is not made once")
	}
	if len(got.Relations) != 1 || got.Lookup("s", "ours") != ours || got.Lookup("s", "theirs") != nil || len(got.ForeignKeys) != 1 || got.ForeignKeys[0].To != ours {
		t.Errorf("relations %v, keys %v", got.Relations, got.ForeignKeys)
	}
	if len(got.Denied) != 1 || got.Denied[0].Name != "mine" || len(got.Unusable) != 1 || got.Unusable[0].Name != "other" {
		t.Errorf("denied %v, unusable %v", got.Denied, got.Unusable)
	}
	if len(got.Measures) != 1 || len(got.Terms) != 1 || len(got.Queries) != 1 {
		t.Errorf("%d measures, %d terms, %d queries", len(got.Measures), len(got.Terms), len(got.Queries))
	}
	if len(s.Relations) != 2 || len(s.Measures) != 2 || s.Lookup("s", "theirs") != theirs {
		t.Error("the snapshot itself was changed")
	}
}
