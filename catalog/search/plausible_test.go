package search_test

import (
	"fmt"
	"slices"
	"testing"

	"askpg/catalog/schema"
	"askpg/catalog/search"
)

// A word that is none may be a misspelt value; one that people write in its
// ordinary sense only means a value that is another form of it.
func TestValues_Misspelt(t *testing.T) {
	r := &schema.Relation{Name: schema.Name{Schema: "public", Name: "thing"}, Columns: []*schema.Column{{Name: "label", Class: schema.Text}}}
	r.Columns[0].Relation = r
	v := search.NewValues(func(yield func(*schema.Column, string) bool) {
		for _, s := range []string{"pending", "Camry", "canceled", "Springfield", "Los Angeles", "Headphones", "Toyota", "Electronics", "Harry Potter"} {
			if !yield(r.Columns[0], s) {
				return
			}
		}
	})
	for question, want := range map[string]string{
		"quarters ending in March":          "[]",
		"how much a truck can carry":        "[]",
		"sales to parties":                  "[]",
		"orders that are pendng":            "[pending]",
		"how many camrys were sold":         "[Camry]",
		"revenue of cancelled orders":       "[canceled]",
		"people in Springfeild":             "[Springfield]",
		"people in Los Angelos":             "[Los Angeles]",
		"what head phones cost":             "[Headphones]",
		"cars made by Toyta":                "[Toyota]",
		"how many electronic articles":      "[Electronics]",
		"the books of Harry Poter":          "[Harry Potter]",
		"which potter is in a hurry to end": "[]",
	} {
		got := []string{}
		for _, h := range v.Find(question) {
			if !slices.Contains(got, h.Value) {
				got = append(got, h.Value)
			}
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%q: %v, want %s", question, got, want)
		}
	}
}
