// What has ended and what goes on: a question has to say which of them it is about.

package grammar

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// endedDoubt refuses what takes things that have ended for those that go on, where
// nobody said which: it counts or adds up contracts of which each has the day of
// its end, or asks for who has one.
func (p *parser) endedDoubt(n *phrase) string {
	if n.set == nil || p.endedToo {
		return ""
	}
	if n.hasAggregate() {
		if c := p.unsaidEnd(n.set); c != nil && !n.shows(c) && !p.saysAll(n.set.relation) {
			return p.mayHaveEnded(n.set.relation, c)
		}
	}
	return cmp.Or(p.endedBefore(n.set), p.neverWas(n), p.lapsedBeing(n))
}

// neverWas refuses to count rows of which a status says that some were called off before they began: an admission that was
// cancelled before arrival is none.
func (p *parser) neverWas(n *phrase) string {
	counts := slices.ContainsFunc(n.items, func(it item) bool { return it.aggregate == "count" || addsUp(it.aggregate) })
	if !counts || p.saysAll(n.set.relation) {
		return ""
	}
	for _, c := range n.set.relation.Columns {
		for _, l := range p.lexicon.meanings(c) {
			calledOff := slices.ContainsFunc(p.language.void, func(s string) bool { return strings.HasPrefix(p.language.stemPhrase(l.Text), s+" before ") })
			if calledOff && !speaksOf(n.set.conditions, c) && !slices.ContainsFunc(n.set.conditions, func(o condition) bool { return o.column != nil && isTime(o.column) && mayLack(o.column) }) {
				return fmt.Sprintf("Some of %s were %s: say which are meant by %s, or that all count.", n.set.relation.Name.Name, l.Text, c.Name)
			}
		}
	}
	return ""
}

// mayHaveEnded says that rows may have ended, and notes of which relation, so that questions for either are suggested.
func (p *parser) mayHaveEnded(r *catalog.Relation, end *catalog.Column) string {
	why := fmt.Sprintf("Some of %s may have ended: say which are meant by %s, or that ended ones count too.", r.Name.Name, end.Name)
	p.ended = endedRows{r, why}
	return why
}

// saysAll reports whether the question says all of a relation's rows: "average fee of all contracts".
func (p *parser) saysAll(r *catalog.Relation) bool {
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

// endedRows are the rows of which a question does not say whether those count that have ended.
type endedRows struct {
	relation *catalog.Relation
	why      string
}

// endedQuestions returns the question asked once of those that go on and once of all, where nobody said which are meant.
func (p *parser) endedQuestions() []string {
	r := p.ended.relation
	if r == nil || p.why != p.ended.why {
		return nil
	}
	end, name := len(p.tokens), plural(strings.Join(p.language.spoken(r.Name.Name), " "))
	text := func(from, to int) string { return strings.TrimRight(writeTokens(p.tokens[from:to]), "?!. ") }
	with := func(at int, words string) string { return strings.TrimSpace(text(0, at) + words + text(at, end)) }
	var bridged []string
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

// takeEnded takes away the words that say that what has ended counts, too, and remembers it: "ended ones too",
// "including ended rentals", "ended or not", "ever".
func (p *parser) takeEnded() {
	var kept []token
	for i := 0; i < len(p.tokens); i++ {
		if t := p.tokens[i].lower; t == "ever" && i > 0 && p.tokens[i-1].lower != "never" {
			p.endedToo = true
		}
		if end := p.endedWords(i); end > i {
			p.endedToo = true
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
	j := p.endOf(at, p.language.including)
	ended := p.endOf(j, p.language.hasEnded)
	if ended == j {
		return i
	}
	noun := ended
	if stem := p.at(ended).stem; p.at(ended).lower == "ones" || p.isRelation(stem) {
		noun++
	}
	tail := p.endOf(noun, p.language.too)
	if j == at && tail == noun {
		return i
	}
	return tail
}

// endOf returns where the longest of some phrases ends that begin at token i; i if none does.
func (p *parser) endOf(i int, phrases []string) int {
	return slices.Max(append(p.anyOfPhrases(i, phrases), i))
}

// endedBefore is endedDoubt for what a set has.
func (p *parser) endedBefore(s *set) string {
	for _, c := range s.conditions {
		if c.kind == related && c.negated && slices.ContainsFunc(c.child.conditions, func(c condition) bool { return c.op == "range" }) {
			if away := p.lexicon.firstNullable(s.relation, p.language.parted); away != nil && !speaksOf(s.conditions, away) {
				return p.mayHaveEnded(s.relation, away) // of what is sold nothing more happens
			}
		}
		if c.kind != related || c.negated {
			continue
		}
		if why := p.endedAlong(s, c); why != "" {
			return why
		}
		if why := p.endedBefore(c.child); why != "" {
			return why
		}
	}
	return ""
}

// endedAlong is endedDoubt for what a set is joined to by a condition.
func (p *parser) endedAlong(s *set, c condition) string {
	for i, e := range c.path.edges {
		child := c.child
		if i < len(c.path.edges)-1 {
			child = &set{relation: e.to}
			if !c.path.edges[i+1].toOne {
				continue // what happened in them is meant, whether they have ended or not
			}
		}
		if end := p.unsaidEnd(child); end != nil && !e.toOne && !speaksOf(s.conditions, end) {
			return p.mayHaveEnded(e.to, end)
		}
	}
	return ""
}

// unsaidEnd returns the column of the day on which rows end, if they need not have
// one and the conditions say nothing of it or of a time.
func (p *parser) unsaidEnd(s *set) *catalog.Column {
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
		if c.Class == catalog.Date && !c.NotNull && ends && !speaksOf(s.conditions, c) && !isPart(c, words[0]) {
			return c
		}
	}
	return nil
}

// hasStart reports whether each row of a relation has a day on which it starts: it goes on
// until it is cancelled.
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
