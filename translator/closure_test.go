package translator

import (
	"slices"
	"strings"
	"testing"

	"askpg/catalog"
)

// library makes a snapshot of tables; a key is written from.column>to.
func library(tables string, keys ...string) (*state, func(string) []*catalog.Relation) {
	s := &catalog.Snapshot{ServerVersion: 150000}
	byName := map[string]*catalog.Relation{}
	column := func(r *catalog.Relation, name string) *catalog.Column {
		if c := r.Column(name); c != nil {
			return c
		}
		c := &catalog.Column{Relation: r, Name: name, Num: int16(len(r.Columns) + 1), Type: "integer", Class: catalog.Number}
		r.Columns = append(r.Columns, c)
		return c
	}
	for i, name := range strings.Fields(tables) {
		r := &catalog.Relation{OID: uint32(i + 1), Name: catalog.Name{Schema: "public", Name: name}, Kind: catalog.Table, Rows: 10}
		r.PrimaryKey = []*catalog.Column{column(r, "id")}
		s.Relations = append(s.Relations, r)
		byName[name] = r
	}
	for _, k := range keys {
		from, to, _ := strings.Cut(k, ">")
		name, col, _ := strings.Cut(from, ".")
		s.ForeignKeys = append(s.ForeignKeys, &catalog.ForeignKey{From: byName[name], To: byName[to],
			FromCols: []*catalog.Column{column(byName[name], col)}, ToCols: byName[to].PrimaryKey})
	}
	return &state{snap: s}, func(names string) (out []*catalog.Relation) {
		for n := range strings.FieldsSeq(names) {
			out = append(out, byName[n])
		}
		return out
	}
}

func namesOf(relations []*catalog.Relation) string {
	var out []string
	for _, r := range relations {
		out = append(out, r.Name.Name)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func bibliography() (*state, func(string) []*catalog.Relation) {
	return library("author domain publication writes domain_publication domain_author journal island",
		"writes.aid>author", "writes.pid>publication", "domain_publication.did>domain", "domain_publication.pid>publication",
		"domain_author.aid>author", "domain_author.did>domain", "publication.jid>journal")
}

func TestCloseLinks(t *testing.T) {
	s, named := bibliography()
	for linked, want := range map[string]string{
		"author":             "author",
		"author publication": "author publication writes",
		"author writes domain_publication domain": "author domain domain_publication writes", // by the publication's key, without it
		"author journal":            "author journal publication writes",
		"author island":             "author island", // nothing joins them
		"author publication island": "author island publication writes",
	} {
		if got := namesOf(s.closeLinks(named(linked), nil)); got != want {
			t.Errorf("%s is closed to %s, want %s", linked, got, want)
		}
	}
	columns := map[*catalog.Column]bool{}
	tables := s.closeLinks(named("writes domain_publication"), columns)
	for _, r := range tables {
		if !columns[r.Column("pid")] {
			t.Errorf("%s lacks the key that joins it", r.Name.Name)
		}
	}
	if columns[named("writes")[0].Column("aid")] {
		t.Error("a key to a table that is not linked is linked")
	}
}

func TestDropIdle(t *testing.T) {
	s, named := bibliography()
	columns := map[*catalog.Column]bool{}
	for _, r := range named("author publication") {
		columns[r.PrimaryKey[0]] = true
	}
	if got := namesOf(s.dropIdle(named("author writes publication domain_author journal"), columns)); got != "author publication writes" {
		t.Errorf("kept %s, want author publication writes", got)
	}
}
