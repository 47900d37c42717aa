// Names that comments of relations and columns give.

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// addComment takes a column's comment as a further name if it is short enough to be one. A column whose name says nothing, such as
// bl_fal, is known by its comment up to a comma, as in "left on, yyyymmdd", and without a unit at its end: "net amount in cents".
func (x *lexicon) addComment(c *catalog.Column, terse bool) {
	comment, _, _ := strings.Cut(c.Comment, "askpg:")
	comment, _, _ = strings.Cut(yesOrNo.ReplaceAllString(comment, ""), "(")
	if i := strings.IndexAny(comment, ",;:"); terse && i > 0 && !legendEntry.MatchString(comment[:i]) && !legendCode.MatchString(comment[:i]) {
		comment = comment[:i]
	}
	words := commentWords(comment)
	if last := len(words) - 1; terse && last > 0 && (words[last] == "yyyymmdd" || unitNames[words[last]] != "" && c.Class == catalog.Number) {
		words = words[:last]
		if last > 1 && words[last-1] == "in" {
			words = words[:last-1]
		}
	}
	listed := slices.ContainsFunc(valuesOf(c), func(v string) bool { return slices.Equal(wordsOf(v), words) }) // "doctor, nurse or porter"
	if len(words) > 4 || listed || slices.ContainsFunc(words, isMark) || strings.Contains(comment, "=") {
		return // "negative = refund" says what values mean
	}
	x.add(&label{relation: c.Relation, column: c, words: words, score: 0.93, comment: true})
	known := 0 // "last known odometer reading"
	for known < len(words) && slices.Contains([]string{"last", "latest", "current", "known", "actual"}, words[known]) {
		known++
	}
	if known > 0 && len(words) > known+1 {
		x.add(&label{relation: c.Relation, column: c, words: words[known:], score: 0.93, comment: true})
	}
	if info := x.relationInfo[c.Relation]; terse {
		info.names[c] = append(info.names[c], x.stems(words)...)
	}
}

// isTooShort reports whether a column's name is one word that is too short to say what it is.
func isTooShort(words []string) bool {
	return len(words) == 1 && len(words[0]) <= 4 && unitNames[words[0]] == ""
}

// addRelationComment takes as further names of a relation what its comment says
// first, and what it says in brackets: "People who have an account (clients,
// buyers)". Nothing is called by another relation's name.
func (x *lexicon) addRelationComment(r *catalog.Relation) {
	comment, _, _ := strings.Cut(r.Comment, "askpg:")
	comment, brackets, _ := strings.Cut(comment, "(")
	brackets, _, _ = strings.Cut(brackets, ")")
	for k, text := range append([]string{comment}, strings.Split(brackets, ",")...) {
		words := commentWords(text)
		if k == 0 {
			x.addWholeComment(r, words)
		}
		end := slices.IndexFunc(words, func(w string) bool { return isMark(w) || smallWords[w] || relativeWords[w] })
		kind := k == 0 && end >= 0 && (words[end] == "and" || words[end] == "or")
		if end >= 0 {
			words = words[:end]
		} else if k == 0 && len(words) <= 4 {
			continue
		}
		if len(words) == 0 || len(words) > 2 {
			continue
		}
		if said := x.stems(words); slices.ContainsFunc(r.Columns, func(c *catalog.Column) bool { return slices.Equal(x.relationInfo[r].names[c], said) }) {
			continue // "Units sold and revenue of each product" tells of columns
		}
		last := words[len(words)-1]
		taken := slices.ContainsFunc(x.labelsByStem[x.language.stem(last)], func(lb *label) bool {
			return !lb.comment && (lb.column == nil && lb.relation != r || lb.column != nil && len(lb.words) == 1 && lb.score == 1 && lb.column.Class == catalog.Number)
		})
		if plural := singular(last) != "" || x.language.irregular[last] != ""; plural && !taken {
			x.add(&label{relation: r, words: words, score: 0.93, comment: true, kind: kind})
		}
	}
}

// addWholeComment adds a comment that is no longer than a name: "Customer master".
func (x *lexicon) addWholeComment(r *catalog.Relation, words []string) {
	if len(words) == 0 || len(words) > 4 || slices.ContainsFunc(words, isMark) {
		return
	}
	x.add(&label{relation: r, words: words, score: 0.93, comment: true})
	x.addStems(r, words)
	if last := len(words) - 1; last > 0 && slices.Contains(recordWords[rankHeader], words[last]) { // a customer master holds customers
		x.add(&label{relation: r, words: words[:last], score: 0.93, comment: true})
	}
}

// addStems notes what the rows of a relation are called, where its name does not say it: the noun that other words are said of,
// bills of "bills to customers" and orders of "sales orders".
func (x *lexicon) addStems(r *catalog.Relation, words []string) {
	if end := slices.IndexFunc(words, func(w string) bool { return smallWords[w] || relativeWords[w] || strings.HasSuffix(w, "ed") }); end >= 0 {
		if words[end] == "and" || words[end] == "or" {
			return // kinds of rows
		}
		words = words[:end]
	}
	if last := len(words) - 1; last > 0 && slices.Contains(recordWords[rankHeader], words[last]) {
		words = words[:last]
	}
	if len(words) == 0 {
		return
	}
	info, stems := x.relationInfo[r], x.stems(words)
	if slices.ContainsFunc(stems, func(s string) bool { return info.stems[s] }) {
		return
	}
	for k, s := range stems {
		if k == len(stems)-1 || x.language.notOrderNames[s] { // "purchase orders" are none of customers
			info.stems[s] = true
		}
	}
}

// isIgnoredComment reports whether a column's comment says that rows which it marks do not
// count: "entered by mistake, ignore".
func (l *language) isIgnoredComment(comment string) bool {
	for _, clause := range strings.FieldsFunc(strings.ToLower(comment), func(r rune) bool { return r == ',' || r == ';' || r == '.' || r == ':' }) {
		clause = " " + strings.TrimSpace(clause)
		if slices.ContainsFunc(l.ignoredInComments, func(s string) bool { return strings.HasSuffix(clause, " "+s) }) {
			return true
		}
	}
	return false
}

// isLeavingTime reports whether a time is the one at which somebody or something goes for good: it is called so, its comment says so,
// or it ends what began when somebody was hired.
func (x *lexicon) isLeavingTime(c *catalog.Column) bool {
	words := splitName(c.Name)
	if slices.ContainsFunc(c.Relation.Columns, func(o *catalog.Column) bool {
		return isTime(o) && slices.Contains(x.relationInfo[c.Relation].names[o], x.language.stem("arrive"))
	}) {
		return false // a stay, which has ended
	}
	called := slices.Contains(x.relationInfo[c.Relation].names[c], x.language.stem("left")) || slices.ContainsFunc(c.Synonyms, func(s string) bool { return x.language.stem(s) == x.language.stem("left") })
	if called || slices.ContainsFunc(words, func(w string) bool { return w == "left" || w == "resigned" || timeWords[w] == "left" }) || x.isNamed(c, x.language.retirementNames) || x.language.isLeavingComment(c.Comment) {
		return true
	}
	return (words[0] == "end" || words[0] == "ended" || words[0] == "term") && x.isNamed(c, x.language.stemPhrases([]string{"end", "ended", "term", "terminated", "termination"})) && (x.isStaff(c.Relation) || slices.ContainsFunc(c.Relation.Columns, func(o *catalog.Column) bool {
		return isTime(o) && slices.Contains(x.relationInfo[c.Relation].names[o], x.language.stem("hire"))
	}))
}

// isLeavingComment reports whether a column's comment says that it is the time when a person
// leaves: "set when the person leaves the company", "last day of employment".
func (l *language) isLeavingComment(comment string) bool {
	comment = strings.ToLower(comment)
	return slices.ContainsFunc(l.leavingInComments, func(s string) bool { return strings.Contains(comment, s) })
}

// commentWords returns the words of a comment but those that say nothing in a name.
func commentWords(text string) []string {
	return slices.DeleteFunc(wordsOf(strings.TrimRight(strings.TrimSpace(text), ".")), func(w string) bool {
		return w == "the" || w == "a" || w == "an" || w == "our" || w == "own" || w == "all"
	})
}

// isMark reports whether a word is a mark between words.
func isMark(w string) bool { return w == "," || w == ":" || w == "." || w == ";" }

// relativeWords begin what a comment says of the thing that it has named.
var relativeWords = wordSet([]string{"that", "which", "who", "whose", "where", "when", "what", "how", "we", "they", "is", "are", "one"})
