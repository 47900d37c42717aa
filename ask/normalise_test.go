package ask_test

import (
	"errors"
	"fmt"
	"testing"

	"askpg/ask"
)

func TestNormalise(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"Which customers ordered most?", "which customers ordered most"},
		{"  which\tcustomers\n ordered  most ?! ", "which customers ordered most"},
		{"customers in the US", "customers in the US"},
		{"tell us", "tell us"},
		{"what's our Best month?", "what's our best month"},
		{"customers named 'Smith Jr.'", "customers named 'Smith Jr.'"},
		{`Products called "Blue  Pen" Today.`, `products called "Blue Pen" today`},
		{"cafe\u0301s", "caf\u00e9s"},
		{"O'Brien's Orders", "o'brien's orders"},
		{"", ""},
		{"???", ""},
		{"a\xffb", "a\ufffdb"},
	} {
		if got := ask.Normalise(c.in); got != c.want {
			t.Errorf("Normalise(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func FuzzNormalise(f *testing.F) {
	f.Add("Which 'A b' US?")
	f.Add("it's \"Open")
	f.Fuzz(func(t *testing.T, s string) {
		once := ask.Normalise(s)
		if twice := ask.Normalise(once); twice != once {
			t.Fatalf("Normalise(%q) = %q, and of that %q", s, once, twice)
		}
	})
}

func TestTranslationOf(t *testing.T) {
	tr := &ask.Translation{ID: "x"}
	err := fmt.Errorf("answering: %w", ask.WithTranslation(ask.Errorf(ask.CodeNoCandidate, "no candidate survived"), tr))
	if ask.TranslationOf(err) != tr {
		t.Fatal("the translation is not found in the chain")
	}
	if ask.CodeOf(err) != ask.CodeNoCandidate {
		t.Fatal("the error is not found behind the translation")
	}
	if ask.TranslationOf(errors.New("x")) != nil || ask.WithTranslation(nil, tr) != nil {
		t.Fatal("a translation out of nothing")
	}
}
