package grammar_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"askpg/eval"
	"askpg/translator/grammar"
)

// formWords are what the places of testdata/forms.txt stand for in schemas that have nothing in common. What a schema does not
// have is not asked of it.
var formWords = map[string]map[string]string{
	"stall": {"P": "customers", "p": "customer", "E": "orders", "e": "order", "G": "channel", "V": "web", "PG": "tier", "PV": "gold", "PW": "silver",
		"T": "products", "t": "product", "TM": "price", "TG": "category", "TA": "most expensive", "who": "Ana Sol", "pa": "phone"},
	"library": {"P": "readers", "p": "reader", "E": "loans", "e": "loan", "M": "fine", "PG": "town", "PV": "York", "PW": "Leeds",
		"T": "books", "t": "book", "TM": "price", "TG": "genre", "TA": "cheapest", "who": "Gil Orr", "pa": "town"},
	"hotline": {"P": "donors", "p": "donor", "E": "donations", "e": "donation", "M": "amount", "G": "purpose", "V": "training",
		"T": "callers", "t": "caller", "TG": "city", "who": "Ada"},
	"courier": {"P": "couriers", "p": "courier", "E": "complaints", "e": "complaint", "M": "refund", "G": "reason", "V": "broken",
		"T": "parcels", "t": "parcel", "TM": "weight", "TG": "kind", "TA": "heaviest", "pa": "phone"},
}

// TestForms asks what has an answer in the many forms that people use. A line "= question" is followed by its paraphrases, each of
// which means the same. One behind "~" may be refused, but not be read otherwise; one behind "!" means something else.
func TestForms(t *testing.T) {
	text, err := os.ReadFile("testdata/forms.txt")
	if err != nil {
		t.Fatal(err)
	}
	place := regexp.MustCompile(`\{\w+\}`)
	for name, s := range schemas(t, "stall", "library", "hotline", "courier") {
		read := func(question string) string {
			got, err := grammar.Interpret(question, "", s.snap, grammar.Options{Now: now, Location: time.UTC})
			if err != nil || len(got) > 1 && got[1].Near {
				return ""
			}
			return got[0].SQL
		}
		same := func(a, b string) bool {
			if a == b {
				return true
			}
			want, err := run(s.conn, a)
			if err != nil {
				return false
			}
			got, err := run(s.conn, b)
			return err == nil && eval.Compare(want, got, false).Perm
		}
		canonical, sql := "", ""
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			kind, question, marked := strings.Cut(line, " ")
			if !marked || !strings.Contains("=~!", kind) {
				kind, question = "", line
			}
			question = place.ReplaceAllStringFunc(question, func(at string) string { return formWords[name][at[1:len(at)-1]] })
			asked := !strings.Contains(place.ReplaceAllStringFunc(line, func(at string) string {
				if formWords[name][at[1:len(at)-1]] == "" {
					return "\x00"
				}
				return ""
			}), "\x00")
			switch {
			case line == "":
			case kind == "=":
				canonical, sql = question, ""
				if asked {
					if sql = read(question); sql == "" {
						t.Errorf("%s: %q is not read", name, question)
					}
				}
			case !asked || sql == "":
			case kind == "!":
				if got := read(question); got == sql {
					t.Errorf("%s: %q is read as %q: %s", name, question, canonical, got)
				}
			default:
				if got := read(question); !(kind == "~" && got == "") && (got == "" || !same(sql, got)) {
					t.Errorf("%s: %q is read as %q; want %s", name, question, got, sql)
				}
			}
		}
	}
}
