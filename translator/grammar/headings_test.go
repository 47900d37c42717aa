package grammar_test

import (
	"strings"
	"testing"

	"askpg/translator/grammar"
)

// TestHeaded names what is computed, and nothing else.
func TestHeaded(t *testing.T) {
	for e, want := range map[string]string{
		"100.0 * count(*) / NULLIF(sum(count(*)) OVER (), 0)": "percent",
		"(sum(a.x))::float8 / NULLIF(count(*), 0)":            "ratio",
		"quantity * price":            "amount",
		"(closed - opened)":           "difference",
		"sum(o.net) / 100.0":          "sum",
		`o."Net" / 100.0`:             `"Net"`,
		"o.net":                       "",
		"sum(quantity * price)":       "",
		"avg((closed - opened) / 7)":  "",
		"date_trunc('day', at)::date": "",
	} {
		if got := grammar.Headed(e); got != want {
			t.Errorf("%s is headed %q, want %q", e, got, want)
		}
	}
}

// TestInterpret_Headings looks for the names in the SQL.
func TestInterpret_Headings(t *testing.T) {
	s := schemas(t, "playhouse")["playhouse"].snap
	for question, want := range map[string]string{
		"percentage of pledges that are paid": " AS percent FROM",
		"ratio of shows to plays":             " AS ratio",
	} {
		if list, err := grammar.Interpret(question, "", s, grammar.Options{Now: now}); err != nil || !strings.Contains(list[0].SQL, want) {
			t.Errorf("%q: %v, %v; want %q", question, list, err, want)
		}
	}
}

// TestInterpret_FollowUpBound reads a follow-up with all of its steps, with as many as a few tries take, and with none.
func TestInterpret_FollowUpBound(t *testing.T) {
	s := schemas(t, "playhouse")["playhouse"].snap
	for left, want := range map[int]bool{30000: true, 2600: true, 1000: false, 0: false} {
		if got := grammar.FollowsWithin(left, "number of plays by genre", "in 2024", s); got != want {
			t.Errorf("with %d steps left a follow-up is understood: %v", left, got)
		}
	}
}
