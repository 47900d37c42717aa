// What points back to a premise: "their names", "of them", "these boats", "how many are there".

package grammar

import (
	"slices"
	"strings"
)

// asked returns what a question from token i to end asks of a premise, in one sentence.
func (p *parser) asked(pr premise, i, end int) (out []string) {
	w := &p.language.premises
	for i < end && (p.tokens[i].kind == punctToken || slices.Contains([]string{"then", "now", "also", "and"}, p.tokens[i].lower)) {
		i++
	}
	if i >= end {
		return nil
	}
	if pr.things != "" && !pr.each {
		switch {
		case p.isWhole(i, end, w.Listed), p.asksThem(pr, i, end, "which"), p.asksThem(pr, i, end, "what"):
			return []string{"show " + pr.things}
		case p.isWhole(i, end, w.Counted), p.asksThem(pr, i, end, "how", "many"):
			return []string{"how many " + pr.things}
		}
	}
	r := &references{parser: p, about: pr}
	if q := r.replaced(i, end); q != "" {
		if all, ok := strings.CutPrefix(q, "for each "); ok && !pr.each && !p.asksTotal(i, end) {
			return []string{q, "for " + all}
		}
		return []string{q}
	}
	asked := p.words(i, end)
	switch {
	case pr.condition != "":
		if !p.shows(i, end) {
			out = append(out, asked+" "+pr.condition)
		}
		if pr.lead != "" {
			out = append(out, "for "+pr.lead+", "+asked)
		}
		return out
	case pr.topic && !p.anyNamed(i, end):
		return []string{"for " + pr.things + ", " + asked}
	}
	return nil
}

// anyNamed reports whether a relation is named from token i to end.
func (p *parser) anyNamed(i, end int) bool {
	for ; i < end; i++ {
		if len(p.relationAt(i)) > 0 {
			return true
		}
	}
	return false
}

// shows reports whether the question from token i to end says what to show of things, of which a condition behind it would be understood:
// "show the boats with their age whose harbour is Bath".
func (p *parser) shows(i, end int) bool {
	for ; i < end; i++ {
		if len(p.ends(i, "with", "showing")) > 0 && !p.language.isAuxiliary(p.tokens[i].lower) || p.tokens[i].lower == "," {
			return true
		}
	}
	return false
}

// asksTotal reports whether a number of several things is asked for from token i to end, which is another of each of them.
func (p *parser) asksTotal(i, end int) bool {
	for ; i < end; i++ {
		if len(p.ends(i, "how_many", "count", "avg", "sum", "max", "min", "median", "most", "least")) > 0 {
			return true
		}
	}
	return false
}

// isWhole reports whether the tokens from i to end are one of the phrases.
func (p *parser) isWhole(i, end int, phrases []string) bool {
	return slices.ContainsFunc(p.anyOfPhrases(i, phrases), func(e int) bool { return e <= end && p.isOnlyFillers(e, end) })
}

// asksThem reports whether the question from token i to end is that which boats these are, or how many.
func (p *parser) asksThem(pr premise, i, end int, opening ...string) bool {
	if !p.follows(i, opening) {
		return false
	}
	i += len(opening)
	e := p.nounOfPremise(pr, i)
	return e > i && p.isWhole(e, end, p.language.premises.Are)
}

// nounOfPremise returns the end of a noun at token i that names the things of a premise, as its first noun does; i if none does.
func (p *parser) nounOfPremise(pr premise, i int) int {
	end := i
	for k := pr.from; k < pr.to; k++ {
		for _, head := range p.mentions.relations[k] {
			for _, m := range p.mentions.relations[i] {
				if m.relation == head.relation && head.end <= pr.to {
					end = max(end, m.end)
				}
			}
		}
		if len(p.mentions.relations[k]) > 0 || p.language.prepositions[p.tokens[k].lower] {
			return end
		}
		if i < len(p.tokens) && p.tokens[i].kind == wordToken && p.tokens[k].stem == p.tokens[i].stem {
			end = i + 1
		}
	}
	return end
}

// references writes the things of a premise in the place of the words that point to them.
type references struct {
	*parser
	about premise
	out   []string
	said  bool // the things are written
	owned bool // the things are to be written behind what they own
}

// replaced returns the question from token i to end with the things in it; "" if nothing points to them.
func (r *references) replaced(i, end int) string {
	first := i
	if e := r.leading(i, end); e > i {
		i = e
	}
	for i < end {
		if e := r.reference(i, end); e > i {
			i = e
			continue
		}
		r.out = append(r.out, r.words(i, i+1))
		i++
	}
	if r.about.each && (r.said || r.owned) {
		if r.anyNamed(first, end) && !r.asksTotal(first, end) {
			return "" // "for each writer, what are their books": beside whom
		}
		r.out = append([]string{r.about.things + ","}, r.out...)
		return r.text()
	}
	if r.owned && !r.said {
		r.out = append(r.out, "of", r.about.things)
		r.said = true
	}
	if !r.said {
		return ""
	}
	return r.text()
}

// leading writes what the question begins with: "for them, …", "for their visits I need …". It returns where that ends.
func (r *references) leading(i, end int) int {
	if w := r.tokens[i].lower; w != "for" && w != "of" && w != "from" || r.about.each {
		return i
	}
	from := i + 1
	if e := r.behindAny(from, []string{"each", "every", "each of", "every one of"}); e > from {
		from = e
		r.out = append(r.out, "for each")
	} else {
		from = r.behindQuantifier(from)
		r.out = append(r.out, "for")
	}
	e := r.pointed(from, end)
	if possessives[r.tokens[from].lower] && len(r.relationAt(from+1)) > 0 {
		e = r.relationAt(from + 1)[0]
		r.out = append(r.out, r.words(from+1, e), "of")
	}
	if e == 0 && slices.Contains([]string{"each", "every"}, r.tokens[from-1].lower) && r.nounOfThings(from) > from {
		e = r.nounOfThings(from)
	}
	if e <= from || e >= end {
		r.out = nil
		return i
	}
	r.write(from, e, "")
	r.out = append(r.out, ",")
	if r.tokens[e].lower == "," {
		e++
	}
	return e
}

func (r *references) text() string {
	return strings.NewReplacer(" ,", ",", " 's", "'s", " n't", "n't").Replace(strings.Join(r.out, " "))
}

// reference writes the things in the place of words at token i that point to them, and returns where these end; i if there are none.
func (r *references) reference(i, end int) int {
	t := r.tokens[i]
	if t.kind != wordToken {
		return i
	}
	if e := r.ownNoun(i + 1); possessives[t.lower] && e > i+1 && e <= end && !r.said {
		r.out = append(r.out, r.words(i+1, e), r.about.condition) // of the writer: "his books" are those whose writer he is
		r.said = true
		return e
	}
	if possessives[t.lower] && !(t.lower == "her" && i+1 >= end) {
		r.out = append(r.out, "the")
		r.owned = true
		return i + 1
	}
	if t.lower == "of" || t.lower == "for" {
		if e := r.pointed(r.behindQuantifier(i+1), end); e > i+1 {
			return r.write(i, e, "of")
		}
	}
	if i > 0 && (r.language.isAuxiliary(r.tokens[i-1].lower) || len(r.ends(i-1, "be_bare")) > 0) {
		if e := r.pointed(r.behindQuantifier(i), end); e > i {
			return r.write(i, e, "")
		}
	}
	if t.lower == "them" {
		return r.write(i, i+1, "")
	}
	if t.lower == "such" || t.lower == "these" || t.lower == "those" || t.lower == "this" {
		if e := r.nounOfThings(i + 1); e > i+1 && e <= end {
			return r.write(i, e, "")
		}
	}
	return i
}

// ownNoun returns the end of the name at token i of the relation whose column a condition is on; i if there is none.
func (r *references) ownNoun(i int) int {
	for _, m := range r.mentions.relations[i] {
		if r.about.owner != nil && m.relation == r.about.owner && m.score >= namedScore {
			return m.end
		}
	}
	return i
}

// possessives are the pronouns of what things own.
var possessives = wordSet([]string{"their", "its", "his", "her"})

// pointers are the pronouns that point to things.
var pointers = wordSet([]string{"they", "them", "these", "those", "it", "he", "she", "him"})

// behindQuantifier returns the end of "all of", "each of" at token i.
func (r *references) behindQuantifier(i int) int {
	return r.behindAny(i, []string{"all", "all of", "each of", "every one of", "both of", "every", "each"})
}

// pointed returns the end of words at token i that point to the things, "them" and "these boats"; 0 if there are none.
func (r *references) pointed(i, end int) int {
	if i >= end {
		return 0
	}
	w := r.tokens[i].lower
	if w == "such" || w == "these" || w == "those" || w == "this" || w == "that" {
		if e := r.nounOfThings(i + 1); e > i+1 && e <= end {
			return e
		}
	}
	if pointers[w] && len(r.mentions.relations[i+1]) == 0 {
		return i + 1
	}
	return 0
}

func (r *references) nounOfThings(i int) int {
	if r.about.condition != "" {
		if ends := r.relationAt(i); len(ends) > 0 {
			return ends[0]
		}
	}
	return r.nounOfPremise(r.about, i)
}

// write writes the things in the place of the tokens from i to end. It returns end.
func (r *references) write(i, end int, preposition string) int {
	if r.about.each {
		r.said = true
		if preposition == "" {
			r.out = append(r.out, r.words(r.about.from, r.about.to-1))
		}
		return end
	}
	things := r.about.things
	if r.about.condition != "" {
		if w := r.words(end-1, end); len(r.mentions.relations[end-1]) > 0 {
			things = w + " " + r.about.condition
		}
	}
	if r.said {
		return end
	}
	r.said = true
	if preposition != "" {
		r.out = append(r.out, preposition)
	}
	r.out = append(r.out, things)
	return end
}

// statusOf asks for the status of one thing instead of whether it is one of several: "has order 12 been delivered". What was delivered was shipped.
func (q *worded) statusOf() string {
	if !slices.Contains([]string{"is", "was", "has"}, q.word(0)) {
		return ""
	}
	said := q.wordsEnd() - 1
	for said > 1 && slices.Contains([]string{"yet", "already", "now"}, q.at(said).lower) {
		said--
	}
	from, to := 1, said
	if q.at(from).lower == "the" || q.at(from).lower == "my" {
		from++
	}
	for to > from && slices.Contains([]string{"been", "already", "yet"}, q.at(to-1).lower) {
		to--
	}
	for _, h := range q.mentions.values[said][said+1] {
		for _, m := range q.mentions.relations[from] {
			if m.relation == h.column.Relation && m.end < to && q.lexicon.isStatus(h.column) {
				return joinWords(joinWords(splitName(h.column.Name)...), "of", q.text(from, to))
			}
		}
	}
	return ""
}

// whereLives asks for the city that the address of people is in: "where does Ann Lee live".
func (q *worded) whereLives() string {
	live := q.end() - 1
	if q.word(0) != "where" || q.word(1) != "does" && q.word(1) != "do" || q.word(live) != "live" {
		return ""
	}
	return joinWords("city of", q.written(2, live))
}

// partsOf asks for the things under another one of their kind: "subcategories of Kitchen", "what categories are there under Kitchen".
func (q *worded) partsOf() string {
	for i := range q.words {
		name, sub := strings.CutPrefix(strings.ReplaceAll(q.word(i), "-", ""), "sub")
		for _, r := range q.relations {
			last := lastOf(splitName(r.Name.Name))
			if q.lexicon.graph.selfReference(r, true) == nil || q.language.stem(name) != q.language.stem(last) {
				continue
			}
			under := i + 1
			for slices.Contains([]string{"are", "is", "there", "belong", "do", "we", "have"}, q.word(under)) {
				under++
			}
			if w := q.word(under); under+1 < q.end() && (sub && slices.Contains([]string{"of", "in", "to", "under"}, w) || w == "under" || w == "below" || w == "in") {
				before := q.written(0, i)
				if before == "what" || before == "which" {
					before = ""
				}
				return joinWords(before, called(r), "that belong to", q.written(under+1, q.end()))
			}
		}
	}
	return ""
}

// stateFirst says behind things what has become of them and what has not: "paid but not yet shipped orders".
func (q *worded) stateFirst() string {
	but := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "but" })
	if but < 1 || q.word(but+1) != "not" {
		return ""
	}
	for noun := but + 3; noun < min(but+5, q.end()); noun++ {
		for _, m := range q.mentions.relations[noun] {
			if m.score >= namedScore && singular(q.word(m.end-1)) != "" && q.isInflected(noun-1) {
				return joinWords(q.written(0, but-1), q.word(but-1), q.written(noun, m.end), q.written(but+1, noun), q.written(m.end, q.end()))
			}
		}
	}
	return ""
}

// unitsInEach asks for an average of each: "how many units are in an order on average".
func (q *worded) unitsInEach() string {
	average := q.end() - 2
	if !q.saysAt(0, []string{"how", "many"}) || !q.saysAt(average, []string{"on", "average"}) || average < 5 {
		return ""
	}
	for of := 3; of < average; of++ {
		if slices.Contains([]string{"a", "an", "each", "one"}, q.word(of)) && slices.ContainsFunc(q.mentions.relations[of+1], func(m relationMention) bool {
			return m.end == average || q.word(m.end) == "have" || q.word(m.end) == "contain"
		}) {
			return joinWords("average number of", q.word(2), "per", q.word(of+1))
		}
	}
	return ""
}
