// Questions that people ask of a database, for examples and for suggestions.

package grammar

import (
	"askpg/catalog"
	"cmp"
	"slices"
	"strings"
	"time"
)

// commonQuestions are what people ask of the relations that the question names,
// or of that with most events where it names none: their amounts by month, how
// many there are, by kind and at all.
func (p *parser) commonQuestions() []string {
	var out []string
	subjects := p.askedSubjects()
	if len(subjects) == 0 {
		r := p.mostEventful()
		if r == nil {
			return nil
		}
		return p.questionsOf(subject{r, p.spokenName(r)}, false)
	}
	for _, s := range subjects[:min(2, len(subjects))] {
		out = append(out, p.questionsOf(s, true)...)
	}
	return out
}

// subject is a relation that is asked about, with what it is called.
type subject struct {
	relation *catalog.Relation
	name     string
}

// spokenName is what a relation is called.
func (p *parser) spokenName(r *catalog.Relation) string {
	return plural(strings.Join(p.language.spoken(r.Name.Name), " "))
}

// askedSubjects returns the relations that the question names, or columns of which it names.
func (p *parser) askedSubjects() []subject {
	var out []subject
	add := func(r *catalog.Relation, name string) {
		if !slices.ContainsFunc(out, func(s subject) bool { return s.relation == r }) {
			out = append(out, subject{r, name})
		}
	}
	for i := range p.tokens {
		if p.language.dateWord(p.tokens[i].lower) {
			continue
		}
		for _, r := range p.mentions.relations[i] {
			name := writeTokens(p.tokens[r.start:r.end])
			switch {
			case r.score < namedScore:
			case p.isVerb(r.end-1) || strings.HasSuffix(name, "ed"):
				add(r.relation, p.spokenName(r.relation)) // "returned" speaks of returns
			default:
				add(r.relation, plural(name))
			}
		}
		for _, a := range p.mentions.attributes[i] {
			if c := a.candidates[0]; c.score >= 0.95 {
				add(c.column.Relation, p.spokenName(c.column.Relation))
			}
		}
	}
	return out
}

// mostEventful returns the relation of most rows that have a time and amounts, nil if there is none.
func (p *parser) mostEventful() *catalog.Relation {
	var most *catalog.Relation
	for _, r := range p.lexicon.snapshot.Relations {
		if len(p.lexicon.relationInfo[r].dates) > 0 && slices.ContainsFunc(r.Columns, p.additive) && (most == nil || r.Rows > most.Rows) {
			most = r
		}
	}
	return most
}

// questionsOf are what people ask of a subject: of the columns that the question names, or of all amounts if it was not asked about.
func (p *parser) questionsOf(s subject, asked bool) []string {
	var out []string
	dated := len(p.lexicon.relationInfo[s.relation].dates) > 0
	for _, c := range s.relation.Columns {
		name := strings.Join(p.language.spoken(c.Name), " ")
		switch {
		case c.Class != catalog.Number || p.isIdentifier(c) || asked && !p.mentionsColumn(c):
		case dated && p.additive(c):
			out = append(out, totalOf(name)+" of "+s.name+" per month")
		case asked:
			out = append(out, "average "+name+" of "+s.name)
		}
	}
	for _, c := range s.relation.Columns {
		if hasFewValues(c) && p.mentionsColumn(c) && !slices.Contains(p.lexicon.relationInfo[s.relation].display, c) {
			out = append(out, "number of "+s.name+" per "+strings.Join(p.language.spoken(c.Name), " "))
		}
	}
	if dated {
		out = append(out, "number of "+s.name+" per month")
	}
	return append(out, "how many "+s.name+" are there")
}

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

// namesRelation reports whether the question has the name of a relation.
func (p *parser) namesRelation() bool {
	for _, list := range p.mentions.relations {
		if slices.ContainsFunc(list, func(r relationMention) bool { return r.score >= namedScore }) {
			return true
		}
	}
	return false
}

// mentionsColumn reports whether the question may speak of a column.
func (p *parser) mentionsColumn(c *catalog.Column) bool {
	for _, ends := range p.mentions.attributes {
		for _, a := range ends {
			if slices.ContainsFunc(a.candidates, func(k columnCandidate) bool { return k.column == c }) {
				return true
			}
		}
	}
	return false
}

// hasFewValues reports whether a column has a few values, each of many rows.
func hasFewValues(c *catalog.Column) bool {
	return textual(c) && c.Profile != nil && c.Profile.Distinct > 1 && c.Profile.Distinct <= 30
}

// totalOf names the sum of a column.
func totalOf(name string) string {
	if strings.HasPrefix(name, "total") {
		return name
	}
	return "total " + name
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
