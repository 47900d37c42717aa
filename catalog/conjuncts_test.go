package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"askpg/catalog"
	"askpg/catalog/schema"
)

// TestConjuncts cuts conditions at the ANDs that join them, and nowhere else.
func TestConjuncts(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"gone = ' ' AND state <> '9'", []string{"gone = ' '", "state <> '9'"}},
		{"a = 1\n and b = 2 and c = 3", []string{"a = 1", "b = 2", "c = 3"}},
		{"a = 'x and y' and b", []string{"a = 'x and y'", "b"}},
		{"(a = 1 and b = 2) and c", []string{"a = 1", "b = 2", "c"}},
		{"(a = 1 or b = 2) and c", []string{"(a = 1 OR b = 2)", "c"}},
		{"a = 1 and b = 2 or c", []string{"a = 1 and b = 2 or c"}},
		{"a between 1 and 2", []string{"a between 1 and 2"}},
		{"a between 1 and 2 and c", []string{"a BETWEEN 1 AND 2", "c"}},
		{`"and" = 1 and brand = 2`, []string{`"and" = 1`, "brand = 2"}},
		{"a = 1\nand case when b and c then 1 end = 1", []string{"a = 1", "CASE WHEN b AND c THEN 1 END = 1"}},
		{"a = 1 -- and b\nand c", []string{"a = 1 -- and b\nand c"}}, // no definition has a comment
		{"a = 1 and", []string{"a = 1 and"}},
	} {
		column := &catalog.Column{Name: "c"}
		e := schema.Expression{Text: c.text}
		if at := strings.LastIndex(c.text, "c"); at >= 0 {
			e.Refs = []schema.Reference{{Start: at, End: at + 1, Column: column}}
		}
		var got []string
		for _, part := range catalog.Conjuncts(e) {
			got = append(got, part.Text)
			for _, r := range part.Refs {
				if part.Text[r.Start:r.End] != "c" {
					t.Errorf("%q: the column of %q is %q", c.text, part.Text, part.Text[r.Start:r.End])
				}
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
