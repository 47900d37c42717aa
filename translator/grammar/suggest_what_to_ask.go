// The hint of a refusal: what can be asked instead.

package grammar

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"askpg/catalog"
)

// whatToAsk returns the hint of a refusal: the questions near to the one asked, or else what there is to ask about.
func (p *parser) whatToAsk(s suggestion) string {
	if len(s.questions) == 0 {
		return p.whatThereIs()
	}
	var quoted []string
	for _, q := range s.questions {
		quoted = append(quoted, strconv.Quote(q))
	}
	list, changed := strings.Join(quoted, " or "), s.changed
	switch {
	case s.without == "" && changed == "":
		return "Ask " + list + "."
	case changed == "":
		changed = "Without " + s.without
	case s.without != "":
		changed += " and without " + s.without
	}
	return changed + " it has an answer: " + list + "."
}

// maxListed bounds the names that a refusal lists.
const maxListed = 12

// whatThereIs names the columns of the tables that the question speaks of, or the tables if it speaks of none.
func (p *parser) whatThereIs() string {
	var said []string
	for _, r := range p.relationsForHint() {
		var names []string
		for _, c := range r.Columns {
			if !p.isIdentifier(c) {
				names = append(names, c.Name)
			}
		}
		if len(names) > 0 {
			said = append(said, fmt.Sprintf("Table %s has %s.", r.Name.Name, listed(names)))
		}
	}
	if len(said) > 0 {
		return strings.Join(said, " ")
	}
	relations := slices.Clone(p.lexicon.snapshot.Relations)
	slices.SortStableFunc(relations, func(a, b *catalog.Relation) int { return cmp.Compare(b.Rows, a.Rows) })
	var names []string
	for _, r := range relations {
		names = append(names, r.Name.Name)
	}
	return "The tables are " + listed(names) + "."
}

// listed writes names one after the other, the first of them if they are many.
func listed(names []string) string {
	if more := len(names) - maxListed; more > 0 {
		return strings.Join(names[:maxListed], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}

// relationsForHint returns up to two relations that the question names, or whose columns it names.
func (p *parser) relationsForHint() []*catalog.Relation {
	named, of := p.mentionedRelations()
	if len(named) == 0 {
		named = of
	}
	return named[:min(2, len(named))]
}

// mentionedRelations returns the relations that the question names, and those whose columns or else values it names.
func (p *parser) mentionedRelations() (named, of []*catalog.Relation) {
	var holding []*catalog.Relation
	for i := range p.tokens {
		for _, m := range p.mentions.relations[i] {
			if m.score >= namedScore && !slices.Contains(named, m.relation) {
				named = append(named, m.relation)
			}
		}
		for _, a := range inOrder(p.mentions.attributes[i]) {
			if c := a.candidates[0]; c.score >= exactNameScore && len(p.ends(i, "rate")) == 0 && !slices.Contains(of, c.column.Relation) {
				of = append(of, c.column.Relation)
			}
		}
	}
	for i := range p.tokens {
		for _, hits := range inOrder(p.mentions.values[i]) {
			if r := hits[0].column.Relation; len(hits) == 1 && !slices.Contains(holding, r) {
				holding = append(holding, r)
			}
		}
	}
	if len(of) == 0 {
		of = holding
	}
	return named, of
}

// howToDefine shows how a hint defines the unknown word at token i over a column of what it is said of, as in "churned customers",
// "which customers are churned"; "" if it is said of nothing, or that has no column of a few values.
func (p *parser) howToDefine(i int) string {
	var of []*catalog.Relation
	for _, m := range p.relationsFrom(i + 1) {
		of = append(of, m.relation)
	}
	if len(of) == 0 && i > 0 && len(p.ends(i-1, "be")) > 0 {
		of = p.relationsForHint()
	}
	for _, r := range of {
		for _, c := range r.Columns {
			if hasFewValues(c) && !p.isIdentifier(c) && !slices.Contains(p.lexicon.relationInfo[r].display, c) {
				return fmt.Sprintf(" A line of the question may define it, such as: hint: %s means %s = '…'.", p.tokens[i].text, quoteIdentifier(c.Name))
			}
		}
	}
	return ""
}
