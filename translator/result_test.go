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
	customers := &catalog.Relation{OID: 20000, Name: catalog.Name{Schema: "public", Name: "customers"}, Kind: catalog.Table}
	for _, name := range []string{"name", "card"} {
		customers.Columns = append(customers.Columns, &catalog.Column{Relation: customers, Name: name, Num: int16(len(customers.Columns) + 1), Type: "text", Class: catalog.Text, Private: name == "card"})
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
	const hidden = "a result of 3 columns, which is not shown: it may depend on private columns"
	for _, tt := range []struct {
		name, values string
		reads        map[uint32][]int16
		unknown      bool // what is read
		rows         [][][]byte
		capped       bool
		want         string
	}{
		{name: "all", rows: all[:2], want: `2 rows of (name, share, ok): ('O''Neil ''''''', 99.4285714286, true), (NULL, 12, NULL)`},
		{name: "cut", rows: all, want: `3 rows of (name, share, ok): ('O''Neil ''''''', 99.4285714286, true), (NULL, 12, NULL), …`},
		{name: "capped", rows: all[2:], capped: true, want: `more than 1 rows of (name, share, ok): ('c', 3.50, false), …`},
		{name: "none", want: `0 rows of (name, share, ok)`},
		{name: "statistics only", values: prompt.ValuesStats, rows: all[2:], want: `1 row of (name, share, ok); the values are not shown`},
		{name: "private", reads: map[uint32][]int16{20000: {1, 2}}, rows: all, want: hidden},
		{name: "whole rows", reads: map[uint32][]int16{20000: {0}}, rows: all, want: hidden},
		{name: "a column of nowhere", reads: map[uint32][]int16{20000: {3}}, rows: all, want: hidden},
		{name: "a relation of nowhere", reads: map[uint32][]int16{20000: {1}, 1259: nil}, rows: all, want: hidden},
		{name: "not known", unknown: true, rows: all, want: hidden},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.values == "" {
				tt.values = prompt.ValuesSamples
			}
			result := &ask.Result{Columns: columns, Rows: tt.rows, Complete: !tt.capped, Reads: &ask.Reads{Columns: map[uint32][]int16{20000: {1}}}}
			if tt.reads != nil {
				result.Reads.Columns = tt.reads
			}
			if tt.unknown {
				result.Reads = nil
			}
			s := &state{snap: &catalog.Snapshot{Relations: []*catalog.Relation{customers}}, set: settings{searchPath: []string{"public"}},
				t: &Translator{cfg: Config{Privacy: prompt.Privacy{Values: tt.values}}}}
			if got := s.describeResult(&candidate{result: result}, 2); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
	wide := &candidate{Candidate: ask.Candidate{SQL: "select 1"}, result: &ask.Result{Complete: true, Reads: &ask.Reads{}}}
	for range 300 {
		wide.result.Columns = append(wide.result.Columns, ask.Column{Name: "c", TypeOID: pgtype.TextOID})
	}
	wide.result.Rows = [][][]byte{row(strings.Split(strings.Repeat("a long value ", 300), " ")[:300]...)}
	s := &state{snap: &catalog.Snapshot{}, t: &Translator{cfg: Config{Privacy: prompt.Privacy{Values: prompt.ValuesSamples}}}}
	if got := s.describeResult(wide, 3); len(got) > 2*maxResultText {
		t.Errorf("%d bytes of a wide row", len(got))
	}
}
