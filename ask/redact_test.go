package ask_test

import (
	"fmt"
	"slices"
	"testing"

	"askpg/ask"
)

func TestRedactSQL(t *testing.T) {
	for sql, want := range map[string]string{
		"select 1": "select ?",
		"select * from a where b = 'it''s' and c=4.5":                                   "select * from a where b = ? and c=?",
		`select E'a\'b', $$x 'y'$$, $q$z$q$, B'01', X'ff', 'a' 'b', 'c'`:                "select ?, ?, ?, ?, ?, ? ?, ?",
		"select \"a 1\", t1.c2 from t1 -- for Ann\n where x in (1, 2e5) /* 'secret' */": "select \"a 1\", t1.c2 from t1 \n where x in (?, ?)",
		`select U&'\0041', 1`: "?", // misplaced by the scanner
		"select 'never ends":  "?",
		"select \xff":         "?",
		"":                    "",
	} {
		if got := ask.RedactSQL(sql); got != want {
			t.Errorf("%s:\n got %s\nwant %s", sql, got, want)
		}
	}
}

func TestLiterals(t *testing.T) {
	got := ask.Literals(`select 'it''s', 42, E'tab', 'a b' from "x 7" -- 'no'`)
	if want := []string{"it's", "42", "tab", "a b"}; !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
}

func TestRedactText(t *testing.T) {
	for _, tt := range []struct {
		text, want string
		literals   []string
	}{
		{"how many orders", "how many orders", nil},
		{"what's our customers' best month?", "what's our customers?", nil}, // a quote that never closes hides the rest
		{"orders of 'Ann Smith' in 2024", "orders of ? in ?", nil},
		{`invalid input syntax for type integer: "Ann"`, "invalid input syntax for type integer: ?", nil},
		{"orders of ann smith since May", "orders of ? since ?", []string{"Ann Smith", "may"}},
		{"names with zed in them", "names with ? in them", []string{"%zed%"}},
		{"mail ann@example.com, card 4111-1111, id A12B", "mail ?, card ?, id ?", nil},
		{"“Ann” and «Bob» and `Cid` and $$Dan$$", "? and ? and ? and ?", nil},
		{"(a = 'x'::text)", "(a = ?::text)", nil},
		{"Größe über alles", "Größe über alles", nil},
	} {
		if got := ask.RedactText(tt.text, tt.literals...); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// TestRedactText_ManyLiterals: a text is not searched for thousands of literals one after the other; nothing of it is kept then.
func TestRedactText_ManyLiterals(t *testing.T) {
	var many []string
	for i := range 4000 {
		many = append(many, fmt.Sprintf("w%dx", i))
	}
	if got := ask.RedactText("how many of mark are there", many...); got != "?" {
		t.Errorf("got %q", got)
	}
	if got := ask.RedactText("how many of mark are there", "mark"); got != "how many of ? are there" {
		t.Errorf("got %q", got)
	}
}
