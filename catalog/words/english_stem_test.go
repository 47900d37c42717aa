package words_test

import (
	"testing"

	"askpg/catalog/words"
)

func TestEnglishStem(t *testing.T) {
	for word, want := range map[string]string{
		"orders": "order", "Ordered": "order", " ordering ": "order", "companies": "compani", "cities": "citi",
		"running": "run", "does": "does", "its": "its", "is": "is", "": "", "é": "é", "customer's": "custom",
	} {
		if got := words.EnglishStem(word); got != want {
			t.Errorf("%q: stem %q, want %q", word, got, want)
		}
	}
}

// FuzzEnglishStem gives it what a question may hold: any bytes.
func FuzzEnglishStem(f *testing.F) {
	for _, s := range []string{"orders", "\xff\xfe's", "ıİ", "yyy", "'''", "naïvetés", "中文s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { words.EnglishStem(s) })
}
