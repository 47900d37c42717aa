package search_test

import (
	"slices"
	"strings"
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

// TestValues_Exactly: the whole text is the value, and no near one is.
func TestValues_Exactly(t *testing.T) {
	r := &schema.Relation{Name: schema.Name{Schema: "public", Name: "shops"}}
	town := &schema.Column{Relation: r, Name: "town"}
	v := search.NewValues(func(yield func(*schema.Column, string) bool) {
		_ = yield(town, "New York") && yield(town, "York") && yield(town, "Tents") && yield(town, "D.C.") && yield(town, "on")
	})
	for text, want := range map[string]string{"new york": "New York", "york": "York", "tent": "", "in york": "", "yorck": "", "d.c.": "D.C.", "ON": "", "": ""} {
		got := ""
		for _, h := range v.Exactly(text) {
			got += h.Value
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	var none *search.Values
	if got := none.Exactly("york"); got != nil {
		t.Errorf("without an index: %v", got)
	}
}

// A short ordinary word of the question's language is no code, unless it is written as the code is.
func TestValues_FindForeign(t *testing.T) {
	r := &schema.Relation{Name: schema.Name{Schema: "public", Name: "accounts"}}
	country, plan := &schema.Column{Relation: r, Name: "country"}, &schema.Column{Relation: r, Name: "plan"}
	v := search.NewValues(func(yield func(*schema.Column, string) bool) {
		_ = yield(country, "DE") && yield(country, "LA") && yield(plan, "PRO") && yield(plan, "Basis")
	})
	for question, want := range map[string]string{
		"Wie viele Umsätze haben wir pro Kunde?":         "",
		"umsatz pro kunde":                               "",
		"¿Cuántos clientes de España tiene la empresa?":  "",
		"combien de clients a la France ?":               "",
		"quantos clientes de Portugal":                   "",
		"quanti clienti per la Basis":                    "Basis",
		"Wie viele Kunden aus DE haben PRO?":             "DE PRO",
		"how many customers are on the pro plan":         "PRO",
		"pro plan customers":                             "PRO",
		"customers in de":                                "DE",
		"how many customers of Hansen Digital are on la": "LA",
	} {
		var got []string
		for _, h := range v.Find(question) {
			got = append(got, h.Value)
		}
		slices.Sort(got)
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %q, want %q", question, s, want)
		}
	}
}
