package translator

import (
	"strings"
	"testing"

	"askpg/catalog"
)

func TestWithoutExamples(t *testing.T) {
	for _, test := range []struct {
		question, hint string
		exact          bool
		kept           bool
	}{
		{"customers in France", "", true, true},
		{"customers in France", "", false, true},
		{"customers abroad", "abroad means not in France", true, true},
		{"customers abroad", "abroad means not in France", false, false},
		{"customers abroad", "countries are written in full (eg France)", true, false},
		{"customers abroad", `countries are written out, for example "France"`, true, false},
	} {
		text := test.question + "\n" + test.hint
		start := strings.Index(text, "France")
		hits := []catalog.Hit{{Value: "France", Start: start, End: start + len("France"), Exact: test.exact}}
		if got := withoutExamples(nil, hits, text, len(test.question)); (len(got) == 1) != test.kept {
			t.Errorf("%q, hint %q, exact %v: kept %d hits, want kept %v", test.question, test.hint, test.exact, len(got), test.kept)
		}
	}
}

func TestWithoutExamples_Numbers(t *testing.T) {
	for question, kept := range map[string]int{"the top 3 customers": 0, "sales of the last 3 months": 0, "rooms on floor 3": 1} {
		i := strings.Index(question, "3")
		hits := []catalog.Hit{{Value: "3", Start: i, End: i + 1, Exact: true}}
		if got := withoutExamples(nil, hits, question, len(question)); len(got) != kept {
			t.Errorf("%q: kept %d hits, want %d", question, len(got), kept)
		}
	}
}

func TestWithoutExamples_Names(t *testing.T) {
	cars := &catalog.Relation{Name: catalog.Name{Name: "cars"}}
	model := &catalog.Column{Relation: cars, Name: "model"}
	for question, kept := range map[string]int{"make and model of the cars": 0, "how many models are there": 0, "sales of the Model 3": 1} {
		hit := catalog.Hit{Column: model, Value: "Model 3", Start: strings.Index(strings.ToLower(question), "model")}
		hit.End = hit.Start + len("model")
		if strings.HasSuffix(question, "3") {
			hit.End = len(question)
		}
		if got := withoutExamples(nil, []catalog.Hit{hit}, question, len(question)); len(got) != kept {
			t.Errorf("%q: kept %d hits, want %d", question, len(got), kept)
		}
	}
}

// What is only near a value says nothing if it is a name of the schema, or an ordinary word and no form of the value.
func TestWithoutExamples_Near(t *testing.T) {
	clerks := &catalog.Column{Relation: &catalog.Relation{Name: catalog.Name{Name: "claims"}}, Name: "job", Class: catalog.Text}
	values := catalog.NewValues(func(yield func(*catalog.Column, string) bool) { yield(clerks, "driver") })
	for _, test := range []struct {
		words, value string
		score        float64
		exact        bool
		kept         int
	}{
		{"claims", "claims clerk", .6, false, 0},
		{"jobs", "Job", .9, false, 0},
		{"jobs", "jobs", 1, true, 1},
		{"drivers", "driver", .9, false, 1},
		{"average", "Averidge", .7, false, 0},
		{"Kowalsky", "Kowalski", .8, false, 1},
	} {
		question := "what is the " + test.words
		hit := catalog.Hit{Column: &catalog.Column{Relation: &catalog.Relation{}}, Value: test.value, Start: 12, End: len(question), Score: test.score, Exact: test.exact}
		if got := withoutExamples(values, []catalog.Hit{hit}, question, len(question)); len(got) != test.kept {
			t.Errorf("%q near %q: kept %d hits, want %d", test.words, test.value, len(got), test.kept)
		}
	}
}

func TestUnheld(t *testing.T) {
	for question, want := range map[string]int{
		`who is "Ada"`:                         1,
		`orders of 'France' today`:             0, // found
		`the customer's orders and the shop's`: 0, // nothing quoted
		"what is “Ada Lovelace”":               1,
		`names that end with "ez"`:             0, // part of one
		`the book "1984," in which year`:       1,
	} {
		var hits []catalog.Hit
		if i := strings.Index(question, "France"); i >= 0 {
			hits = append(hits, catalog.Hit{Start: i, End: i + len("France")})
		}
		if got := unknownQuotations(question, hits); len(got) != want {
			t.Errorf("unknownQuotations(%q) = %q, want %d", question, got, want)
		} else if want == 1 && strings.Contains(got[0], ",") {
			t.Errorf("unknownQuotations(%q) = %q: punctuation of the question is taken for a part of the value", question, got)
		}
	}
}
