// Refusing questions that do not say whether they are about what has ended, what goes on, or both.

package grammar

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// refuseEnded refuses a reading that counts or lists things which may have ended, where the question does not say whether those count:
// contracts that all have an end date.
func (p *parser) refuseEnded(n *phrase) string {
	if p.includesEnded {
		return ""
	}
	if n.hasAggregate() {
		if c := p.unrestrictedEnd(n.set); c != nil && !n.shows(c) && !p.mentionsAll(n.set.relation) {
			return p.mayHaveEnded(n.set.relation, c)
		}
	}
	return cmp.Or(p.refuseEndedRows(n.set), p.refuseNeverBegan(n), p.refuseLapsed(n))
}

// refuseNeverBegan refuses to count rows of which a status says that some never began: admissions that were cancelled before arrival.
func (p *parser) refuseNeverBegan(n *phrase) string {
	counts := slices.ContainsFunc(n.items, func(it item) bool { return it.aggregate == "count" || isOverAll(it.aggregate) })
	if !counts || p.mentionsAll(n.set.relation) {
		return ""
	}
	for _, c := range n.set.relation.Columns {
		for _, l := range p.lexicon.meanings(c) {
			calledOff := slices.ContainsFunc(p.language.voidNames, func(s string) bool { return strings.HasPrefix(p.language.stemPhrase(l.Text), s+" before ") })
			if calledOff && !speaksOf(n.set.conditions, c) && !slices.ContainsFunc(n.set.conditions, func(o condition) bool { return o.column != nil && isTime(o.column) && mayLack(o.column) }) {
				return fmt.Sprintf("Some of %s were %s: say which are meant by %s, or that all count.", n.set.relation.Name.Name, l.Text, c.Name)
			}
		}
	}
	return ""
}

// mayHaveEnded returns the refusal that rows may have ended, and notes their relation, so that a question for those that go on and one
// for all are suggested.
func (p *parser) mayHaveEnded(r *catalog.Relation, end *catalog.Column) string {
	why := fmt.Sprintf("Some of %s may have ended: say which are meant by %s, or that ended ones count too.", r.Name.Name, end.Name)
	p.ended = endedRows{r, why}
	return why
}

// mentionsAll reports whether the question says all of a relation's rows: "average fee of all contracts".
func (p *parser) mentionsAll(r *catalog.Relation) bool {
	for i := range p.tokens {
		if p.tokens[i].lower != "all" {
			continue
		}
		for _, e := range append(p.ends(i, "article"), i+1) {
			if slices.ContainsFunc(p.mentions.relations[e], func(m relationMention) bool { return m.relation == r && m.score >= namedScore }) {
				return true
			}
		}
	}
	return false
}

// endedRows are the rows of a refused question that may have ended: the question does not say whether those count.
type endedRows struct {
	relation *catalog.Relation
	why      string
}

// endedQuestions returns the question asked once of those that go on and once of all, where nobody said which are meant.
func (p *parser) endedQuestions() (bridged []string) {
	r := p.ended.relation
	if r == nil || p.whyRefused != p.ended.why {
		return nil
	}
	end, name := len(p.tokens), plural(strings.Join(p.language.spoken(r.Name.Name), " "))
	text := func(from, to int) string { return strings.TrimRight(writeTokens(p.tokens[from:to]), "?!. ") }
	with := func(at int, words string) string { return strings.TrimSpace(text(0, at) + words + text(at, end)) }
	for i := range p.tokens {
		for _, m := range p.mentions.relations[i] {
			switch {
			case m.score < namedScore:
			case m.relation == r:
				return []string{with(m.start, " running "), text(0, end) + ", ended ones too"}
			case bridged == nil && p.makesSuch(r, m.relation):
				bridged = []string{with(m.start, " current "), text(0, end) + ", ended " + name + " too"}
			case bridged == nil:
				bridged = []string{with(m.end, " with running "+name+" "), text(0, end) + ", ended " + name + " too"}
			}
		}
		for to, a := range inOrder(p.mentions.attributes[i]) {
			if c := a.candidates[0]; c.column.Relation == r && c.score >= namedScore {
				return []string{with(to, " of running "+name+" "), text(0, end) + ", ended " + name + " too"}
			}
		}
	}
	return bridged
}

// removeEndedWords removes the words by which rows that have ended count, too, and notes that: "ended ones too", "including ended
// rentals", "ended or not", "ever".
func (p *parser) removeEndedWords() {
	var kept []token
	for i := 0; i < len(p.tokens); i++ {
		if t := p.tokens[i].lower; t == "ever" && i > 0 && p.tokens[i-1].lower != "never" {
			p.includesEnded = true
		}
		if end := p.endedWords(i); end > i {
			p.includesEnded = true
			i = end - 1
			continue
		}
		kept = append(kept, p.tokens[i])
	}
	p.tokens = kept
}

// endedWords returns where words end that say that what has ended counts; i if none begin there.
func (p *parser) endedWords(i int) int {
	at := i
	if p.at(at).kind == punctToken || p.at(at).lower == "and" {
		at++
	}
	j := p.endOf(at, p.language.includingPhrases)
	ended := p.endOf(j, p.language.endedPhrases)
	if ended == j {
		return i
	}
	noun := ended
	if stem := p.at(ended).stem; p.at(ended).lower == "ones" || p.isRelation(stem) {
		noun++
	}
	tail := p.endOf(noun, p.language.alsoPhrases)
	if j == at && tail == noun {
		return i
	}
	return tail
}

// endOf returns where the longest of some phrases ends that begin at token i; i if none does.
func (p *parser) endOf(i int, phrases []string) int {
	return slices.Max(append(p.anyOfPhrases(i, phrases), i))
}

// refuseEndedRows is refuseEnded for the rows of a set.
func (p *parser) refuseEndedRows(s *set) string {
	for _, c := range s.conditions {
		if c.kind == related && c.negated && slices.ContainsFunc(c.child.conditions, func(c condition) bool { return c.op == "range" }) {
			if away := p.lexicon.firstNullable(s.relation, p.language.disposalNames); away != nil && !speaksOf(s.conditions, away) {
				return p.mayHaveEnded(s.relation, away) // of what is sold nothing more happens
			}
		}
		if c.kind != related || c.negated {
			continue
		}
		if why := cmp.Or(p.refuseEndedJoined(s, c), p.refuseEndedRows(c.child)); why != "" {
			return why
		}
	}
	return ""
}

// refuseEndedJoined is refuseEnded for the rows that a condition relates to a set.
func (p *parser) refuseEndedJoined(s *set, c condition) string {
	for i, e := range c.path.edges {
		child := c.child
		if i < len(c.path.edges)-1 {
			child = &set{relation: e.to}
			if !c.path.edges[i+1].toOne {
				continue // what happened in them is meant, whether they have ended or not
			}
		}
		if end := p.unrestrictedEnd(child); end != nil && !e.toOne && !speaksOf(s.conditions, end) {
			return p.mayHaveEnded(e.to, end)
		}
	}
	return ""
}

// unrestrictedEnd returns the column of the end of rows, if it may be null and no condition restricts it or another time.
func (p *parser) unrestrictedEnd(s *set) *catalog.Column {
	if slices.ContainsFunc(s.conditions, func(c condition) bool { return c.op == "range" || c.kind == compare && p.isState(c.column) }) {
		return nil
	}
	for _, c := range s.relation.Columns {
		words := splitName(c.Name)
		ends := slices.Contains(words, "end") || slices.Contains(words, "ended") || slices.Contains(words, "until") ||
			(slices.Contains(words, "cancelled") || slices.Contains(words, "canceled") || slices.Contains(words, "terminated")) && p.hasStart(c.Relation)
		if c == p.lexicon.relationInfo[s.relation].left {
			continue // who has left does not count unless asked for
		}
		if p.lexicon.lapses(c) && !speaksOf(s.conditions, c) {
			return c
		}
		if c.Class == catalog.Date && !c.NotNull && ends && !speaksOf(s.conditions, c) && !isPart(c, words[0]) && !p.isEndOfPart(c) {
			return c
		}
	}
	return nil
}

// isEndOfPart reports whether a participle before "until" says what ends: a boat that is insured_until a day is a boat after it.
func (p *parser) isEndOfPart(c *catalog.Column) bool {
	words := splitName(c.Name)
	return len(words) == 2 && words[1] == "until" && strings.HasSuffix(words[0], "ed") && !p.hasStart(c.Relation) && p.interval(c.Relation) == nil
}

// hasStart reports whether a relation has a time of the start that is never null: a row goes on from then until it is cancelled.
func (p *parser) hasStart(r *catalog.Relation) bool {
	return slices.ContainsFunc(r.Columns, func(c *catalog.Column) bool {
		words := splitName(c.Name)
		return c.Class == catalog.Date && c.NotNull && (slices.Contains(words, "start") || slices.Contains(words, "started") || slices.Contains(words, "begin") || slices.Contains(words, "since"))
	})
}

// isPart reports whether a column is one of several that are called by a part of
// the thing: licence_until and licence_class are of its licence.
func isPart(c *catalog.Column, first string) bool {
	return len(first) > 3 && slices.ContainsFunc(c.Relation.Columns, func(o *catalog.Column) bool { return o != c && splitName(o.Name)[0] == first })
}
