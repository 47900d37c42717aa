// The edits of the previous question that a follow-up may mean.

package grammar

import (
	"slices"
	"strings"
)

// add proposes a question.
func (f *followUp) add(kind editKind, replaces bool, parts ...string) {
	var kept []string
	for _, s := range parts {
		if s = strings.TrimSpace(s); s != "" {
			kept = append(kept, s)
		}
	}
	f.edits = append(f.edits, edit{strings.Join(kept, " "), kind, replaces})
}

func (f *followUp) text(from, to int) string { return writeTokens(f.before[from:to]) }

func (f *followUp) rest() string { return writeTokens(f.more.tokens[f.start:f.end]) }

// replace proposes the question with text in place of a span.
func (f *followUp) replace(kind editKind, span [2]int, text string) {
	f.add(kind, kind == editCondition, f.text(0, span[0]), text, f.text(span[1], len(f.before)))
}

// spans returns the spans of the question before that a function finds.
func (f *followUp) spans(end func(i int) int) (list [][2]int) {
	for i := 0; i < len(f.before); i++ {
		if e := end(i); e > i && e <= len(f.before) {
			list = append(list, [2]int{i, e})
			i = e - 1
		}
	}
	return list
}

// propose lists the questions that the follow-up may mean, likeliest first. It has none if it is not clear what is replaced.
func (f *followUp) propose() {
	for _, how := range []func() bool{f.count, f.sameWords, f.time, f.key, f.comparison, f.limit, f.order, f.aggregate, f.value, f.subject} {
		if how() {
			return
		}
	}
	f.addition()
}

// count makes a number of a list, and a list of a number: "how many are there", "which ones".
func (f *followUp) count() bool {
	p := f.more
	from := f.start
	if len(p.ends(from, "how_many")) == 0 && slices.Contains([]string{"which", "who", "list", "name"}, p.at(from).lower) {
		for _, w := range []string{"which", "which ones", "which are they", "which are those", "who are they", "list them", "name them", "list those"} {
			if words := strings.Fields(w); (p.follows(from, words) && from+len(words) >= f.end) && len(f.said.ends(0, "how_many", "count")) > 0 {
				e := f.said.ends(0, "how_many", "count")[0]
				f.add(editCount, false, "list the", strings.TrimSuffix(f.text(e, len(f.before)), "are there"))
				return true
			}
		}
		return false
	}
	for _, e := range p.ends(from, "how_many") {
		var tail string
		switch {
		case e >= f.end:
		case len(p.ends(e, "pronoun", "there", "the_one")) > 0:
			e = p.ends(e, "pronoun", "there", "the_one")[0]
			tail = writeTokens(p.tokens[min(e, f.end):f.end])
		case p.at(e).lower == "of" && len(p.ends(e+1, "pronoun", "the_one")) > 0:
			e = p.ends(e+1, "pronoun", "the_one")[0]
			tail = writeTokens(p.tokens[min(e, f.end):f.end])
		case slices.Contains([]string{"are", "is"}, p.at(e).lower):
			tail = writeTokens(p.tokens[e:f.end])
		default:
			continue
		}
		head := 0
		for _, s := range f.said.afterOpening(0, len(f.before)) {
			head = max(head, s.at)
		}
		for _, e := range f.said.ends(0, "how_many") {
			head = max(head, e)
		}
		for _, w := range []string{"are", "is"} {
			tail = strings.TrimSpace(strings.TrimPrefix(tail+" ", w+" "))
		}
		switch {
		case tail == "" || tail == "there" || tail == "that" || tail == "they":
			f.add(editCount, false, "how many", f.text(head, f.beforeOrder()))
		case len(f.said.ends(0, "how_many")) > 0:
			f.add(editCondition, false, f.text(0, len(f.before)), "that are", tail)
		default:
			f.add(editCount, false, "how many", f.text(head, len(f.before)), "that are", tail)
			f.beforeWithout(editCount, head, "how many", tail)
		}
		return true
	}
	return false
}

// beforeOrder returns where the order begins that the question before ends with, which a number of rows does not have; its end if there
// is none.
func (f *followUp) beforeOrder() int {
	for i := 1; i < len(f.before); i++ {
		if f.said.orderSpan(i) == len(f.before) {
			return i
		}
	}
	return len(f.before)
}

// beforeWithout says more of the things, from token head on, and not of what they are without.
func (f *followUp) beforeWithout(kind editKind, head int, opening, more string) {
	for i := head; i < len(f.before); i++ {
		if len(f.said.ends(i, "without")) > 0 {
			f.add(kind, false, opening, f.text(head, i), more, f.text(i, len(f.before)))
		}
	}
}

// sameWords replaces words of the question that differ from the follow-up in numbers alone: "top 3" by "top 5".
func (f *followUp) sameWords() bool {
	tokens := f.more.tokens[f.start:f.end]
	words, numbers := 0, 0
	for _, t := range tokens {
		if t.kind == numberToken {
			numbers++
		} else {
			words++
		}
	}
	if words == 0 || numbers == 0 || f.more.timeSpan(f.start) == f.end {
		return false
	}
	at := f.spans(func(i int) int {
		for k, t := range tokens {
			if i+k >= len(f.before) || t.kind != f.before[i+k].kind || t.kind != numberToken && t.lower != f.before[i+k].lower {
				return i
			}
		}
		return i + len(tokens)
	})
	if len(at) != 1 {
		return false
	}
	f.replace(editOrder, at[0], f.rest())
	f.edits = append(f.edits, edit{f.edits[len(f.edits)-1].question, editCondition, true})
	return true
}

// time replaces the time, or says one where none was said. A month is of the year that was said.
func (f *followUp) time() bool {
	if f.more.timeSpan(f.start) != f.end {
		return false
	}
	olds := f.spans(f.said.timeSpan)
	base := f.text(0, len(f.before))
	switch len(olds) {
	case 0:
		f.beforeWithout(editCondition, 0, "", f.rest())
		f.add(editCondition, false, base, f.rest())
		f.add(editCondition, false, base, "in", f.rest())
		for _, key := range f.spans(f.said.keySpan) {
			f.add(editCondition, false, f.text(0, key[0]), f.rest(), f.text(key[0], len(f.before)))
		}
	case 1:
		if text := f.timeWithin(f.before[olds[0][0]:olds[0][1]]); text != "" {
			f.replace(editCondition, olds[0], text)
		}
	}
	return true
}

// timeWithin returns the follow-up's time with what it takes over from the one that it replaces: "in october" of "in 2025" is
// "in october 2025", and "in 2024" of "in october 2025" is "in october 2024". It is empty if that can't be told.
func (f *followUp) timeWithin(old []token) string {
	p := f.more
	tokens := p.tokens[f.start:f.end]
	year, oldYear := yearIn(tokens), yearIn(old)
	month, oldMonth := p.partOfYear(tokens), p.partOfYear(old)
	switch {
	case month && year < 0 && oldYear >= 0:
		return f.rest() + " " + old[oldYear].text
	case month && year < 0 && !oldMonth && slices.ContainsFunc(old, func(t token) bool { return slices.Contains(p.language.dates.Units["year"], t.lower) }):
		return "" // "in october" after "last year"
	case year >= 0 && !month && oldMonth && oldYear >= 0:
		return writeTokens(old[:oldYear]) + " " + tokens[year].text + " " + writeTokens(old[oldYear+1:])
	case year >= 0 && !month && oldMonth:
		return writeTokens(old) + " " + tokens[year].text
	}
	if first := old[0].lower; len(tokens) == 1 && len(old) > 1 && p.language.prepositions[first] {
		return first + " " + f.rest()
	}
	return f.rest()
}

// key replaces what the answer is grouped by, or says it.
func (f *followUp) key() bool {
	if f.more.keySpan(f.start) != f.end {
		return false
	}
	olds := f.spans(f.said.keySpan)
	base := f.text(0, len(f.before))
	switch {
	case len(olds) == 1 && f.also:
		e := f.more.ends(f.start, "group")
		f.add(editKey, false, f.text(0, olds[0][1]), "and", writeTokens(f.more.tokens[e[len(e)-1]:f.end]), f.text(olds[0][1], len(f.before)))
	case len(olds) == 1:
		f.replace(editKey, olds[0], f.rest())
		f.edits[len(f.edits)-1].replaces = false
	case len(olds) == 0:
		if f.more.language.isRevenueWord(f.more.tokens[f.end-1].lower) {
			f.add(editOrder, false, base, f.rest()) // what ranks the best selling products
		}
		f.add(editKey, false, base, f.rest())
		for _, at := range f.spans(f.said.timeSpan) {
			f.add(editKey, false, f.text(0, at[0]), f.rest(), f.text(at[0], len(f.before)))
		}
	}
	return true
}

// comparison replaces a comparison with a number: "over 100" after "over 50" or "at least 50".
func (f *followUp) comparison() bool {
	if f.more.comparisonSpan(f.start) != f.end {
		return false
	}
	olds := f.spans(f.said.comparisonSpan)
	if len(olds) == 1 {
		f.replace(editCondition, olds[0], f.rest())
	}
	return len(olds) == 1
}

// limit replaces how many rows there are, or says it.
func (f *followUp) limit() bool {
	rest, keys := f.rest(), f.spans(f.said.keySpan)
	olds := f.spans(f.said.limitSpan)
	if f.more.limitSpan(f.start) != f.end {
		if len(keys)+len(olds) == 0 || !slices.Contains(f.more.ends(f.start, "top", "bottom"), f.end) {
			return false
		}
		rest += " 1" // "the worst" is one
		if len(f.lexicon.readAll(f.text(0, len(f.before)), f.options)) == 0 {
			return true // of what has no answer
		}
	}
	base := f.text(0, len(f.before))
	switch len(olds) {
	case 1:
		f.replace(editOrder, olds[0], rest)
	case 0:
		f.add(editOrder, false, base+",", rest)
		f.add(editOrder, false, base, rest)
		// "number of orders per customer": the top 5 customers by number of orders
		if len(keys) == 1 {
			if e := f.said.ends(keys[0][0], "group"); len(e) > 0 {
				f.add(editOrder, false, rest, f.text(e[0], keys[0][1]), "by", f.text(0, keys[0][0]), f.text(keys[0][1], len(f.before)))
			}
		}
	}
	return true
}

// order replaces the order of the rows, or says it.
func (f *followUp) order() bool {
	if f.more.orderSpan(f.start) != f.end {
		return false
	}
	if olds := f.spans(f.said.orderSpan); len(olds) == 1 {
		f.replace(editOrder, olds[0], f.rest())
		return true
	}
	f.add(editOrder, false, f.text(0, len(f.before)), f.rest())
	f.add(editOrder, false, f.text(0, len(f.before))+",", f.rest())
	return true
}

// aggregate replaces an aggregate: "and the highest?" after "the average price of products".
func (f *followUp) aggregate() bool {
	span := func(p *parser) func(i int) int {
		return func(i int) int {
			if e := p.ends(i, "avg", "sum", "max", "min", "median"); len(e) > 0 {
				return e[0]
			}
			return i
		}
	}
	if span(f.more)(f.start) != f.end {
		return false
	}
	if olds := f.spans(span(f.said)); len(olds) == 1 {
		f.replace(editCount, olds[0], f.rest())
		f.edits[len(f.edits)-1].replaces = false
	}
	return true
}

// value replaces a value of the same column, with a preposition before it or none and the name of what has it behind it or not.
func (f *followUp) value() bool {
	end := f.end
	for i := f.start + 1; i < f.end; i++ {
		if slices.Contains(f.more.relationAt(i), f.end) && len(f.more.mentions.values[f.start][i])+len(f.more.mentions.values[f.start+1][i]) > 0 {
			end = i
		}
	}
	from, olds := f.more.replaced(f.start, end, f.said, len(f.before))
	if len(olds) == 1 && f.start > 0 && f.isExcluded(olds[0][0]) {
		return true // "customers outside Germany", "and France": neither, or France again
	}
	if len(olds) == 1 {
		text := writeTokens(f.more.tokens[from:end])
		f.replace(editCondition, olds[0], text)
	}
	return len(olds) > 0
}

// isExcluded reports whether the question before says at token i what is left out.
func (f *followUp) isExcluded(i int) bool {
	return isSaid(f.before[max(0, i-3):i], "outside", "except", "excluding", "excludes", "without", "than", "besides", "not", "n't", "never")
}
