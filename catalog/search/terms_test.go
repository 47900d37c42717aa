package search

import (
	"slices"
	"strings"
	"testing"
)

// The words of a period name no columns.
func TestQueryTerms_Period(t *testing.T) {
	for text, want := range map[string]string{
		"invoices of last month":               "invoice",
		"bookings of the past 12 months":       "booking",
		"last name and month of birth":         "last name month birth",
		"prices of 3 months":                   "price 3 month",
		"parcels this week, and the last 2016": "parcel last 2016",
	} {
		var got []string
		for _, q := range queryTerms(text) {
			if q.weight == 1 {
				got = append(got, q.word)
			}
		}
		for w := range strings.FieldsSeq(want) {
			if !slices.ContainsFunc(got, func(g string) bool { return strings.HasPrefix(g, w) }) {
				t.Errorf("%q: %q is not searched for, only %q", text, w, got)
			}
		}
		if len(got) != len(strings.Fields(want)) {
			t.Errorf("%q: %q are searched for, want %q", text, got, want)
		}
	}
}
