package translator_test

import (
	"slices"
	"testing"

	"askpg/translator"
)

// TestSearchPath: an empty path is no path, and not the usual one.
func TestSearchPath(t *testing.T) {
	for setting, want := range map[string][]string{"": {"ann", "public"}, `""`: {}, `"$user", public`: {"ann", "public"}, `sales, "My Own"`: {"sales", "My Own"}} {
		if got := translator.SearchPath(setting, "ann"); got == nil || !slices.Equal(got, want) {
			t.Errorf("%q: %#v, want %q", setting, got, want)
		}
	}
}
