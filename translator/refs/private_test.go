package refs_test

import (
	"testing"

	"askpg/catalog"
	"askpg/translator/refs"
)

func TestReadsPrivate(t *testing.T) {
	people := &catalog.Relation{Name: catalog.Name{Schema: "public", Name: "people"}, Kind: catalog.Table}
	plain := &catalog.Relation{Name: catalog.Name{Schema: "public", Name: "plain"}, Kind: catalog.Table}
	for _, r := range []*catalog.Relation{people, plain} {
		r.Columns = []*catalog.Column{{Relation: r, Name: "id"}, {Relation: r, Name: "name"}}
	}
	people.Columns = append(people.Columns, &catalog.Column{Relation: people, Name: "ssn", Private: true})
	s := &catalog.Snapshot{Relations: []*catalog.Relation{people, plain}}
	for sql, want := range map[string]bool{
		"select id, name from people":                                    false,
		"select count(*) from people":                                    false,
		"select count(ssn) from people":                                  true,
		"select upper(p.ssn) from people p":                              true,
		`select "SSN" from people`:                                       true,
		"select * from people":                                           true,
		"select p.* from plain, people p":                                true,
		"table people":                                                   true,
		"select p from people p":                                         true,
		"select row_to_json(people) from people":                         true,
		"select x.b from people as x(a, b, c)":                           true,
		"select x from (select name as x from people) q":                 false,
		"select x from (select * from people) q(x)":                      true,
		"with q as (select ssn as x from people) select x from q":        true,
		"select * from plain":                                            false,
		"select plain from plain":                                        false,
		"select p.name from plain p where id in (select id from people)": false,
		"selec": true,
	} {
		if got := refs.ReadsPrivate(sql, s, []string{"public"}); got != want {
			t.Errorf("%s: %v, want %v", sql, got, want)
		}
	}
}
