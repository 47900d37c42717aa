package translator

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgtype"

	"askpg/ask"
	"askpg/catalog"
	"askpg/translator/prompt"
)

func TestGives(t *testing.T) {
	customers := &catalog.Relation{Name: catalog.Name{Schema: "public", Name: "customers"}, Kind: catalog.Table}
	for _, name := range []string{"name", "card"} {
		customers.Columns = append(customers.Columns, &catalog.Column{Relation: customers, Name: name, Type: "text", Class: catalog.Text, Private: name == "card"})
	}
	row := func(cells ...string) (out [][]byte) {
		for _, c := range cells {
			if c == "NULL" {
				out = append(out, nil)
			} else {
				out = append(out, []byte(c))
			}
		}
		return out
	}
	columns := []ask.Column{{Name: "name", TypeOID: pgtype.TextOID}, {Name: "share", TypeOID: pgtype.NumericOID}, {Name: "ok", TypeOID: pgtype.BoolOID}}
	all := [][][]byte{row("O'Neil\n```", "99.42857142857142857100", "t"), row("NULL", "12", "NULL"), row("c", "3.50", "f")}
	for _, tt := range []struct {
		name, values, sql string
		rows              [][][]byte
		capped            bool
		want              string
	}{
		{name: "all", rows: all[:2], want: `2 rows of (name, share, ok): ('O''Neil ''''''', 99.4285714286, true), (NULL, 12, NULL)`},
		{name: "cut", rows: all, want: `3 rows of (name, share, ok): ('O''Neil ''''''', 99.4285714286, true), (NULL, 12, NULL), …`},
		{name: "capped", rows: all[2:], capped: true, want: `more than 1 rows of (name, share, ok): ('c', 3.50, false), …`},
		{name: "none", want: `0 rows of (name, share, ok)`},
		{name: "statistics only", values: prompt.ValuesStats, rows: all[2:], want: `1 row of (name, share, ok); the values are not shown`},
		{name: "private", sql: "select card from customers", rows: all[2:], want: `1 row of (…, …, …); private columns are read, and the values are not shown`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.values == "" {
				tt.values = prompt.ValuesSamples
			}
			if tt.sql == "" {
				tt.sql = "select name from customers"
			}
			s := &state{snap: &catalog.Snapshot{Relations: []*catalog.Relation{customers}}, set: settings{searchPath: []string{"public"}},
				t: &Translator{cfg: Config{Privacy: prompt.Privacy{Values: tt.values}}}}
			c := &candidate{Candidate: ask.Candidate{SQL: tt.sql}, result: &ask.Result{Columns: columns, Rows: tt.rows, Complete: !tt.capped}}
			if got := s.gives(c, 2); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
	wide := &candidate{Candidate: ask.Candidate{SQL: "select 1"}, result: &ask.Result{Complete: true}}
	for range 300 {
		wide.result.Columns = append(wide.result.Columns, ask.Column{Name: "c", TypeOID: pgtype.TextOID})
	}
	wide.result.Rows = [][][]byte{row(strings.Split(strings.Repeat("a long value ", 300), " ")[:300]...)}
	s := &state{snap: &catalog.Snapshot{}, t: &Translator{cfg: Config{Privacy: prompt.Privacy{Values: prompt.ValuesSamples}}}}
	if got := s.gives(wide, 3); len(got) > 2*maxGiven {
		t.Errorf("%d bytes of a wide row", len(got))
	}
}
