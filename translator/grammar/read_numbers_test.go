package grammar

import (
	"strings"
	"testing"
)

// TestPlural makes plurals as they are written.
func TestPlural(t *testing.T) {
	for name, want := range map[string]string{"branch": "branches", "box": "boxes", "city": "cities", "day": "days", "order": "orders", "staff": "staff", "sales": "sales"} {
		if got := plural(name); got != want {
			t.Errorf("plural of %q is %q, want %q", name, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for words, want := range map[string]string{
		"5": "5", "twelve": "12", "5 million": "5000000", "a dozen": "12", "$50": "50", "two hundred": "200",
		"": "", "many": "", "5 apples": "", "'; --": "", "a": "",
		"5" + strings.Repeat(" million", 60): "", // too large to be written
	} {
		if got, ok := Number(words); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %v; want %q", words, got, ok, want)
		}
	}
}
