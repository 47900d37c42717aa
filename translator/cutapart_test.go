package translator

import (
	"slices"
	"strings"
	"testing"
)

// TestCutApart holds that readings that are shortened still differ, as far as a message may be long.
func TestCutApart(t *testing.T) {
	shared := strings.Repeat("x", 250)
	for name, tt := range map[string]struct{ texts, want []string }{
		"short":      {[]string{"SELECT\n1", "SELECT 2"}, []string{"SELECT 1", "SELECT 2"}},
		"one":        {[]string{shared}, []string{shared[:200] + "…"}},
		"differ":     {[]string{shared + "a", shared + "b"}, []string{shared + "a", shared + "b"}},
		"early":      {[]string{"a" + shared, "b" + shared}, []string{"a" + shared[:199] + "…", "b" + shared[:199] + "…"}},
		"far beyond": {[]string{strings.Repeat(shared, 20) + "a", strings.Repeat(shared, 20) + "b"}, slices.Repeat([]string{strings.Repeat("x", 3200) + "…"}, 2)},
	} {
		if got := cutApart(tt.texts, 200); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
