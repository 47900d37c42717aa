package words_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"askpg/catalog/words"
)

func TestSplit(t *testing.T) {
	for name, want := range map[string]string{
		"OrderItemsV2":   "order items v 2",
		"order_items_v2": "order items v 2",
		"HTTPServer":     "http server",
		"Straße-Größe":   "strasse grosse",
		"__":             "",
		"":               "",
	} {
		if got := strings.Join(words.Split(name), " "); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestTokens(t *testing.T) {
	const text = "São Paulo's 2 O'Brien"
	var got []string
	for _, token := range words.Tokens(text) {
		got = append(got, fmt.Sprintf("%s=%s", token.Text, text[token.Start:token.End]))
	}
	if want := "[sao=São paulo=Paulo s=s 2=2 o=O brien=Brien]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if k := words.Key(words.Tokens("New-York!")); k != words.Key(words.Tokens("new  york")) || k != "new york" {
		t.Errorf("key %q", k)
	}
	if k := words.StemKey(words.Tokens("hidden mountains")); k != words.StemKey(words.Tokens("Hidden mountain")) {
		t.Errorf("key of stems %q", k)
	}
}

func TestSingular(t *testing.T) {
	for plural, want := range map[string]string{
		"orders": "order", "categories": "category", "boxes": "box", "addresses": "address", "churches": "church",
		"status": "status", "analysis": "analysis", "glass": "glass", "gas": "gas",
	} {
		if got := words.Singular(plural); got != want {
			t.Errorf("%s: %s, want %s", plural, got, want)
		}
	}
}

func TestLists(t *testing.T) {
	for word, want := range map[string]string{"qty": "[quantity]", "fname": "[first name]", "quantity": "[]"} {
		if got := fmt.Sprint(words.Expand(word)); got != want {
			t.Errorf("%s stands for %s, want %s", word, got, want)
		}
	}
	if got := fmt.Sprint(words.ExpandedStems("mpg")); got != "[mile gallon]" {
		t.Errorf("stems of mpg: %s", got)
	}
	if got := fmt.Sprint(words.Answering("where")); !strings.Contains(got, words.Stem("city")) {
		t.Errorf("where is answered by %s", got)
	}
	for word, want := range map[string][3]bool{ // stop word, searched for, frequent
		"the": {true, false, true}, "year": {true, true, true}, "carry": {false, true, true}, "pendng": {false, true, false}, "still": {false, false, true},
	} {
		if got := [3]bool{words.IsStop(word), words.IsSearched(word), words.IsFrequent(word)}; got != want {
			t.Errorf("%s: %v, want %v", word, got, want)
		}
	}
	if !words.Generic([]string{"created", "at"}) || !words.Generic([]string{"address", "2"}) || words.Generic([]string{"customer", "id"}) {
		t.Error("generic names are not told apart")
	}
}

func TestVocabulary(t *testing.T) {
	v := words.NewVocabulary()
	v.Add("airports: where flights start")
	for name, want := range map[string]string{
		"sourceairport": "sourceairport sourc airport", // run together
		"tblairports":   "tblairport tbl airport",      // an unknown prefix
		"airportid":     "airportid airport id",
		"department":    "depart", // looks as if it ran together
		"cust_no":       "cust custom no number",
	} {
		if got := strings.Join(v.NameTerms(name), " "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := strings.Join(v.NameStems("custairport_qty"), " "); got != "custom airport quantiti" {
		t.Errorf("stems: %q", got)
	}
}

func TestSimilarity(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"revenue", "revenue", 1}, {"revneue", "revenue", 1 - 1.0/7}, {"revenu", "revenue", 1 - 1.0/7}, {"ravenue", "revenue", 1 - 1.0/7},
		{"a", "abcdef", 0}, {"", "", 0}, {strings.Repeat("x", 200), strings.Repeat("x", 200), 0},
	} {
		if got := words.Similarity(c.a, c.b); math.Abs(got-c.want) > 1e-9 || math.Abs(words.Similarity(c.b, c.a)-c.want) > 1e-9 {
			t.Errorf("%.10q and %.10q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
