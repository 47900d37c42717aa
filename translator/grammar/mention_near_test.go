package grammar_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"askpg/catalog"
	"askpg/translator/grammar"
)

// largeSchema is a schema of tables, given as schema, name and columns, among many others.
func largeSchema(tables ...[]string) *catalog.Snapshot {
	s := &catalog.Snapshot{Database: "large", Role: "me", Values: &catalog.Values{}}
	for i := range 60 {
		tables = append(tables, []string{"public", fmt.Sprintf("lot%c%c", 'a'+i/20, 'a'+i%20), "id", "weight"})
	}
	for i, t := range tables {
		r := &catalog.Relation{Name: catalog.Name{Schema: t[0], Name: t[1]}, OID: uint32(i + 1), Kind: catalog.Table, Rows: 10}
		for n, name := range t[2:] {
			r.Columns = append(r.Columns, &catalog.Column{Relation: r, Num: int16(n + 1), Name: name, Class: catalog.Number, NotNull: true})
		}
		r.PrimaryKey = r.Columns[:1]
		s.Relations = append(s.Relations, r)
	}
	return s
}

// Of two tables of one name each may be meant, although the search finds one of them alone among the first.
func TestInterpret_Namesakes(t *testing.T) {
	wide := []string{"purchasing", "invoices", "id", "amount"}
	for i := range 40 {
		wide = append(wide, fmt.Sprintf("noise%c%c", 'a'+i/20, 'a'+i%20))
	}
	tables := [][]string{{"sales", "invoices", "id", "amount"}, wide}
	for _, n := range []string{"invoices_amount", "amount_invoices", "amount_of_invoices", "invoice_amounts", "amount_invoice", "amounts_invoices", "amounts_of_invoices"} {
		tables = append(tables, []string{"stats", n, "id", "total_amount", "invoices"})
	}
	s := largeSchema(tables...)
	for _, q := range []string{"how many invoices are there", "total amount of invoices", "invoices with an amount over 100"} {
		list, err := grammar.Interpret(q, "", s, grammar.Options{})
		if err != nil || len(list) < 2 || !list[1].Near {
			t.Errorf("%s: %v, %v; want two readings as likely", q, list, err)
			continue
		}
		for i, schema := range []string{"sales.invoices", "purchasing.invoices"} {
			if !strings.Contains(list[i].SQL, schema) {
				t.Errorf("%s: reading %d is %s; want one of %s", q, i, list[i].SQL, schema)
			}
		}
	}
}

// Of two tables of one name the one on the search path is meant, however many others there are, and whichever came first.
func TestInterpret_SearchPath(t *testing.T) {
	var tables [][]string
	for i := range 20 {
		tables = append(tables, []string{fmt.Sprintf("tenant%c", 'a'+i), "invoice", "id", "amount", "lane"}, []string{fmt.Sprintf("tenant%c", 'a'+i), "invoices", "id", "amount"})
	}
	for _, many := range []bool{false, true} {
		s := largeSchema(append(tables, []string{"public", "invoices", "id", "amount"})...)
		if !many {
			s.Relations = slices.DeleteFunc(s.Relations, func(r *catalog.Relation) bool {
				return r.Schema != "public" && r.Schema != "tenanta" || strings.HasPrefix(r.Name.Name, "lot")
			})
		}
		for _, q := range []string{"how many invoices are there", "total amount of invoices", "invoices with an amount over 100"} {
			list, err := grammar.Interpret(q, "", s, grammar.Options{})
			if err != nil || !strings.Contains(list[0].SQL, "FROM invoices") || len(list) > 1 && list[1].Near {
				t.Errorf("%s: %v, %v; want the table of the search path alone", q, list, err)
			}
		}
		if list, err := grammar.Interpret("how many invoices are there", "", s, grammar.Options{SearchPath: []string{}}); err != nil || !strings.Contains(list[0].SQL, "FROM tenanta.invoice") {
			t.Errorf("%v, %v; want the schema, too, where the search path is empty", list, err)
		}
		if list, err := grammar.Interpret("invoices by lane", "", s, grammar.Options{}); err != nil || !strings.Contains(list[0].SQL, ".invoice") {
			t.Errorf("%v, %v; want a table that has lanes", list, err)
		}
	}
}
