package stem_test

import (
	"testing"

	"askpg/internal/stem"
)

func TestEnglish(t *testing.T) {
	for word, want := range map[string]string{
		"orders": "order", "Ordered": "order", " ordering ": "order", "companies": "compani", "cities": "citi",
		"running": "run", "does": "does", "its": "its", "is": "is", "": "", "é": "é", "customer's": "custom",
	} {
		if got := stem.English(word); got != want {
			t.Errorf("%q: stem %q, want %q", word, got, want)
		}
	}
}

// FuzzEnglish gives it what a question may hold: any bytes.
func FuzzEnglish(f *testing.F) {
	for _, s := range []string{"orders", "\xff\xfe's", "ıİ", "yyy", "'''", "naïvetés", "中文s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { stem.English(s) })
}
