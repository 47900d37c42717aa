// The errors of questions that are not answered.

package grammar

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"askpg/ask"
	"askpg/catalog"
)

const (
	maxErrorText = 2000 // characters of a message, a detail or a hint
	maxErrorWord = 60   // characters that are left of a long word
)

// longWord is longer than a qualified name of PostgreSQL can be: two names of 63 bytes and a dot.
var longWord = regexp.MustCompile(`[^\s"',;]{128,}`)

// safeText returns a text of an error so that no name and no word of the question can stand for a line of askpg's own, or fill
// the screen: control characters and line breaks are made to be seen, and what is long is cut.
func safeText(s string) string {
	s = ask.Visible(strings.NewReplacer("\n", "␊", "\t", "␉").Replace(s))
	s = longWord.ReplaceAllStringFunc(s, func(word string) string { return truncate(word, maxErrorWord) })
	return truncate(s, maxErrorText)
}

// truncate returns the first n characters of a text that has more, with an ellipsis.
func truncate(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}

// forbiddenError names a relation that exists, that the question means and that
// the role may not read.
func (p *parser) forbiddenError() error {
	for _, d := range p.lexicon.forbidden {
		if len(d.stems) == 0 {
			continue
		}
		for i := 0; i+len(d.stems) <= len(p.tokens); i++ {
			match := true
			for k, s := range d.stems {
				match = match && p.tokens[i+k].stem == s && p.tokens[i+k].kind == wordToken
			}
			end := i + len(d.stems)
			if !match || p.isReadable(i, end, d) || d.column != "" && p.meansOther(i, end) {
				continue
			}
			what, right := "", ""
			if d.column != "" {
				what, right = "column "+d.column+" of ", " ("+quoteIdentifier(d.column)+")"
			}
			return ask.Errorf(ask.CodeInsufficientRights, "permission denied for %stable %s", what, d.name.Name).
				WithDetail("The question asks for %q, which role %q may not read.", strings.Join(p.wordsBetween(i, end), " "), p.lexicon.snapshot.Role).
				WithHint("The table's owner can allow it: GRANT SELECT%s ON %s.%s TO %s;", right, quoteIdentifier(d.name.Schema), quoteIdentifier(d.name.Name), quoteIdentifier(p.lexicon.snapshot.Role))
		}
	}
	return nil
}

func errTooLong(words int) error {
	return ask.Errorf(ask.CodeNoCandidate, "the question is too long for the built-in engine").WithDetail("It has %d words, and the engine reads at most %d.", words, maxWords).WithHint("Ask it in fewer words.")
}

// asksToAct reports whether the question begins with what is to be done, such
// as "delete", where the database has no name with that very word: cancelled_on
// does not make "cancel order 12" a question.
func (p *parser) asksToAct() bool {
	if slices.Contains([]string{"date", "dates", "time", "times"}, p.at(1).lower) {
		return false // "invoice dates"
	}
	return len(p.tokens) > 1 && p.tokens[0].kind == wordToken && p.tokens[0].lower != "list" && len(p.ends(1, "rate")) == 0 && ((p.language.imperatives[p.tokens[0].lower] || p.isVerbOfFlagOrTime(0)) && (!p.namedInForm(0) || p.isRowNamedAt(1, anyRelation)) ||
		p.isRowNamedAt(1, func(r *catalog.Relation) bool { return p.isVerbOfState(0, r) }))
}

// isRowNamedAt reports whether one thing of a relation that holds(r) is named from token i on, by its number: "refund invoice B-2010".
func (p *parser) isRowNamedAt(i int, holds func(*catalog.Relation) bool) bool {
	return slices.ContainsFunc(p.mentions.relations[i], func(m relationMention) bool {
		return m.score >= namedScore && singular(p.tokens[m.end-1].lower) == "" && (len(p.mentions.values[m.end]) > 0 || p.at(m.end).kind == numberToken) && holds(m.relation)
	})
}

// isVerbOfState reports whether a word is the verb of a state that a status of a relation tells: to release is to do what makes an order
// released.
func (p *parser) isVerbOfState(i int, r *catalog.Relation) bool {
	w := p.tokens[i].lower
	return slices.ContainsFunc(r.Columns, func(c *catalog.Column) bool {
		return p.lexicon.isStatus(c) && slices.ContainsFunc(p.lexicon.statusValues(c), func(l catalog.Label) bool {
			state := strings.ToLower(l.Text)
			return state != w && strings.HasSuffix(state, "ed") && !strings.HasSuffix(w, "ed") && isSameWord(w, state)
		})
	})
}

// isVerbOfFlagOrTime reports whether a word is the verb of a flag or of a time: to waive is to do what makes a fine waived.
func (p *parser) isVerbOfFlagOrTime(i int) bool {
	w := p.tokens[i].lower
	if len(p.statesAt[i]) > 0 {
		return false // "open claims"
	}
	for _, a := range inOrder(p.mentions.attributes[i]) {
		for _, c := range a.all() {
			state := c.column.Class == catalog.Boolean || isTime(c.column)
			if said := splitName(c.column.Name)[0]; state && (said == w+"d" || said == w+"ed") {
				return true
			}
		}
	}
	return false
}

// namedInForm reports whether a name that a token begins has the token's word in the form that it has.
func (p *parser) namedInForm(i int) bool {
	word := p.tokens[i].lower
	has := func(text string) bool {
		return slices.ContainsFunc(splitName(text), func(w string) bool { return strings.EqualFold(w, word) || singular(strings.ToLower(w)) == word })
	}
	for _, m := range p.mentions.relations[i] {
		if has(m.relation.Name.Name) {
			return true
		}
	}
	for _, a := range inOrder(p.mentions.attributes[i]) {
		if slices.ContainsFunc(a.all(), func(c columnCandidate) bool { return has(c.column.Name) }) {
			return true
		}
	}
	for _, hits := range inOrder(p.mentions.values[i]) {
		if slices.ContainsFunc(hits, func(h valueMention) bool { return has(h.value) }) {
			return true
		}
	}
	return false
}

// actError says that questions only read.
func (p *parser) actError() error {
	return ask.Errorf(ask.CodeRefused, "questions can only read, and this one asks for something to be done").
		WithDetail("%q tells askpg to do something.", p.tokens[0].text).
		WithHint("Ask for what the data says. To change data, write SQL: it goes to the server as it is.")
}

// meansOther reports whether words that name a forbidden column mean something of the language or a value: "phone orders". What
// somebody is without, or has, is no value: "customers without a phone".
func (p *parser) meansOther(i, end int) bool {
	if len(p.mentions.values[i][end]) > 0 {
		if i > 0 && len(p.ends(i-1, "article")) > 0 {
			i--
		}
		has := p.endsTag(i, "with", "without", "have", "no", "pronoun", "possessive")
		return p.at(end).lower != "of" && (!has || p.at(end).kind == wordToken && !p.isFunction(end))
	}
	return end == i+1 && p.hasMeaning(i) && !slices.Contains([]string{"of", "per", "by"}, p.at(end).lower) && !p.isMeasureNoun(i)
}

// isMeasureNoun reports whether a word that may say how much something is as a verb is a noun, since nothing that is so stands before it: "where
// the cost is over 100", "sorted by cost".
func (p *parser) isMeasureNoun(i int) bool {
	if len(p.language.measures[p.at(i).stem]) == 0 || i == 0 {
		return false
	}
	before := p.at(i - 1).lower
	return !p.mentions.covered[i-1] && !slices.Contains([]string{"that", "which", "who", "it", "they"}, before)
}

// isReadable reports whether the words also name something that may be read. It has to have that very name, and none that is a synonym of it: where
// the cost is forbidden it is not the price, and an amount of payments is no total of orders, whoever calls a table so.
func (p *parser) isReadable(i, j int, d forbiddenName) bool {
	for k := max(0, i-maxSpan); k <= i; k++ {
		for _, r := range p.mentions.relations[k] {
			stems := slices.Collect(maps.Keys(p.lexicon.relationInfo[r.relation].stems))
			if r.end >= j && r.score >= namedScore && containsAll(stems, d.stems) {
				return true
			}
		}
		for end, a := range inOrder(p.mentions.attributes[k]) {
			if c := a.candidates[0]; end >= j && c.score >= namedScore && containsAll(p.lexicon.relationInfo[c.column.Relation].names[c.column], d.stems) {
				return true
			}
		}
	}
	return false
}

// unknown returns the tokens that nothing accounts for.
func (p *parser) unknown() (out []int) {
	for i := range p.tokens {
		if p.isUnknown(i) {
			out = append(out, i)
		}
	}
	return out
}

// isUnknown reports whether nothing accounts for token i.
func (p *parser) isUnknown(i int) bool {
	return !p.mentions.covered[i] && !p.hasMeaning(i)
}

// unknownError names the words that nothing accounts for, and what is near
// them.
func (p *parser) unknownError() error {
	unknown := p.unknown()
	if len(unknown) == 0 {
		return nil
	}
	var words, called []string
	foreign := 0
	for _, i := range unknown {
		t := p.tokens[i]
		if quoted := fmt.Sprintf("%q", p.wholeWord(i)); !slices.Contains(words, quoted) {
			words = append(words, quoted)
		}
		if w := p.lexicon.similarName(t.lower); w != "" {
			called = append(called, fmt.Sprintf("%q is near %q", w, t.text))
		}
		if p.language.foreign[t.lower] || strings.ContainsFunc(t.lower, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) }) {
			foreign++
		}
	}
	verb := "it names nothing"
	if len(words) > 1 {
		verb = "they name nothing"
	}
	detail := fmt.Sprintf("Not understood: %s; %s that role %q may read in database %q.", strings.Join(words, ", "), verb, p.lexicon.snapshot.Role, p.lexicon.snapshot.Database)
	var near suggestion
	if foreign > 1 {
		detail += " The built-in engine reads English alone: ask in English."
	} else {
		near = p.nearest(unknown)
	}
	for _, i := range unknown {
		if p.lexicon.isLeftOut(p.tokens[i].lower) {
			detail += fmt.Sprintf(" What is called %q was left out, since its owner is not trusted (replica.trusted_owners).", p.tokens[i].text)
			break
		}
	}
	if len(called) > 0 {
		detail += " In the database " + strings.Join(called, ", ") + "."
	}
	hint := p.whatToAsk(near)
	if len(words) == 1 && foreign < 2 && len(near.questions) == 0 {
		hint += p.howToDefine(unknown[0])
	}
	return ask.Errorf(ask.CodeNoCandidate, "the question was not understood").WithDetail("%s", detail).WithHint("%s", hint)
}

// isLeftOut reports whether a relation of an owner who is not trusted is called so. Only the question's own word is told: whoever made the
// relation chose its name.
func (x *lexicon) isLeftOut(word string) bool {
	return slices.ContainsFunc(x.snapshot.Untrusted, func(n catalog.Name) bool {
		name := strings.ToLower(n.Name)
		return name == word || singular(name) == word || name == singular(word)
	})
}

// wholeWord returns the word of the question that token i is a part of: "O'Neil".
func (p *parser) wholeWord(i int) string {
	end := i + 1
	for p.at(end).joint != "" {
		end++
	}
	for i > 0 && p.tokens[i].joint != "" {
		i--
	}
	return writeTokens(p.tokens[i:end])
}

// understoodPart says which words were read as one phrase, and which are left.
func (p *parser) understoodPart() string {
	best := [2]int{}
	for i, list := range inOrder(p.nounPhrases) {
		for _, c := range list {
			if c.cost < answeredCost && c.end-i > best[1]-best[0] {
				best = [2]int{i, c.end}
			}
		}
	}
	part := func(from, to int) string { return strings.Trim(writeTokens(p.tokens[from:to]), "?!., ") }
	var rest []string
	for _, s := range []string{part(0, best[0]), part(best[1], len(p.tokens))} {
		if s != "" {
			rest = append(rest, fmt.Sprintf("%q", s))
		}
	}
	switch {
	case best[1] == best[0]:
		return "Each word is known, but not how they go together."
	case len(rest) == 0:
		return fmt.Sprintf("Each word is known, but no reading of %q is sure enough.", part(best[0], best[1]))
	}
	return fmt.Sprintf("Each word is known, but not how %q goes together with %s.", part(best[0], best[1]), strings.Join(rest, " and "))
}

// structureError says how far the question was read, or which of its words go
// with nothing, or which values are not known.
func (p *parser) structureError() error {
	var values []string
	for i, t := range p.tokens {
		if t.kind == quotedToken && t.end-t.start > len(t.text) && len(p.mentions.values[i][i+1]) == 0 && len(p.period(i)) == 0 {
			values = append(values, "'"+t.text+"'")
		}
	}
	if len(values) > 0 {
		return ask.Errorf(ask.CodeNoCandidate, "the question was not understood").
			WithDetail("Not understood: %s. askpg knows no such value in what role %q may read.", strings.Join(values, ", "), p.lexicon.snapshot.Role).
			WithHint("Write a value as the database has it, a day as 2024-06-01, a moment as '2024-06-01 13:45:00', and name the column.")
	}
	why, near := p.whyRefused, p.nearest(nil)
	detail := "Each word is known, but not how they go together."
	furthest := 0
	for i, list := range p.nounPhrases {
		for _, c := range list {
			if i < len(p.tokens) && c.end > furthest {
				furthest = c.end
			}
		}
	}
	switch {
	case why != "" || near.why != "":
		detail = cmp.Or(near.why, why)
	case near.kept != "":
		detail = fmt.Sprintf("Each word is known, but this does not go together with %q: %s.", near.kept, near.without)
	case near.without != "" && near.changed == "":
		detail = fmt.Sprintf("Each word is known, but this does not go together with the rest: %s.", near.without)
	case furthest > 0 && furthest < len(p.tokens) && p.tokens[furthest].kind != punctToken:
		detail = fmt.Sprintf("Each word is known, but not how they go together from %q on.", p.tokens[furthest].text)
	default:
		detail = p.understoodPart()
	}
	return ask.Errorf(ask.CodeNoCandidate, "the question was not understood").WithDetail("%s", detail).
		WithHint("%s", p.whatToAsk(near))
}
