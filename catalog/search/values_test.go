package search_test

import (
	"slices"
	"testing"

	"askpg/catalog/schema"
	"askpg/catalog/search"
)

func TestValues_Spellings(t *testing.T) {
	r := &schema.Relation{Name: schema.Name{Schema: "public", Name: "shops"}}
	town, street := &schema.Column{Relation: r, Name: "town"}, &schema.Column{Relation: r, Name: "street"}
	v := search.NewValues(func(yield func(*schema.Column, string) bool) {
		_ = yield(town, "Köln") && yield(town, "KÖLN") && yield(town, "Bonn") && yield(street, "Bonn")
	})
	for text, want := range map[string][]string{"köln": {"KÖLN", "Köln"}, "bonn": {"Bonn"}, "Paris": nil, "": nil} {
		got, known := v.Spellings(town, text)
		if slices.Sort(got); !slices.Equal(got, want) || !known {
			t.Errorf("%q: %q, %v; want %q", text, got, known, want)
		}
	}
	if got, known := v.Spellings(&schema.Column{Relation: r, Name: "other"}, "Bonn"); got != nil || known {
		t.Errorf("of a column that is not indexed: %q, %v", got, known)
	}
	var none *search.Values
	if got, known := none.Spellings(town, "Bonn"); got != nil || known {
		t.Errorf("without an index: %q, %v", got, known)
	}
}
