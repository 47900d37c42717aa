package ask_test

import (
	"slices"
	"testing"

	"askpg/ask"
)

func TestSplitIdentifiers(t *testing.T) {
	for path, want := range map[string][]string{
		"":                     nil,
		`"$user", public`:      {"$user", "public"},
		"Sales,\tHR":           {"sales", "hr"},
		`"Sales ""A""", "x,y"`: {`Sales "A"`, "x,y"},
		"École":                {"École"}, // PostgreSQL folds ASCII alone
		"\xff\xfeA":            {"\xff\xfea"},
		`"open`:                {"open"},
	} {
		if got := ask.SplitIdentifiers(path); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}
