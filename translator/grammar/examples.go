// Questions that people ask of a database.

package grammar

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"askpg/catalog"
)

// Example is a question that the engine answers.
type Example struct {
	Question string
	Relation *catalog.Relation
}

const (
	maxExamples = 12                     // questions that Examples returns
	exampleTime = 300 * time.Millisecond // in which it reads them
)

// Examples returns questions that the engine answers: of the relations with most rows, how many there are, by kind and by month.
func Examples(s *catalog.Snapshot, o Options) (list []Example) {
	if o.SearchPath == nil {
		o.SearchPath = []string{"public"}
	}
	x, deadline := lexiconOf(s), time.Now().Add(exampleTime)
	relations := slices.Clone(s.Relations)
	slices.SortStableFunc(relations, func(a, b *catalog.Relation) int { return cmp.Compare(b.Rows, a.Rows) })
	for _, r := range relations {
		name := plural(strings.Join(x.language.spoken(r.Name.Name), " "))
		questions := []string{"how many " + name + " are there"}
		for _, c := range r.Columns {
			if hasFewValues(c) && !slices.Contains(x.relationInfo[r].display, c) {
				questions = append(questions, "number of "+name+" by "+strings.Join(x.language.spoken(c.Name), " "))
				break
			}
		}
		if len(x.relationInfo[r].dates) > 0 {
			questions = append(questions, "number of "+name+" per month")
		}
		for _, q := range questions {
			if len(list) >= maxExamples || time.Now().After(deadline) {
				return list
			}
			if x.answers(q, o) {
				list = append(list, Example{q, r})
			}
		}
	}
	return list
}

// hasFewValues reports whether a column has a few values, each of many rows.
func hasFewValues(c *catalog.Column) bool {
	return isText(c) && c.Profile != nil && c.Profile.Distinct > 1 && c.Profile.Distinct <= 30
}

// plural returns the plural of a name.
func plural(name string) string {
	switch {
	case strings.HasSuffix(name, "s"), name == "staff", name == "people":
		return name
	case strings.HasSuffix(name, "y") && !slices.ContainsFunc([]string{"ay", "ey", "oy", "uy"}, func(end string) bool { return strings.HasSuffix(name, end) }):
		return strings.TrimSuffix(name, "y") + "ies"
	case slices.ContainsFunc([]string{"ch", "sh", "x", "z"}, func(end string) bool { return strings.HasSuffix(name, end) }):
		return name + "es"
	}
	return name + "s"
}
