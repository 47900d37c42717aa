// Names that comments of relations and columns give.

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// addComment takes a column's comment as a further name if it is short enough
// to be one.
func (x *lexicon) addComment(c *catalog.Column) {
	comment, _, _ := strings.Cut(c.Comment, "askpg:")
	comment, _, _ = strings.Cut(yesOrNo.ReplaceAllString(comment, ""), "(")
	if words := commentWords(comment); len(words) <= 4 && !slices.ContainsFunc(words, isMark) {
		x.add(&label{relation: c.Relation, column: c, words: words, score: 0.93, comment: true})
	}
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
		if k == 0 && len(words) > 0 && len(words) <= 4 && !slices.ContainsFunc(words, isMark) {
			x.add(&label{relation: r, words: words, score: 0.93, comment: true})
			if last := len(words) - 1; last > 0 && slices.Contains(recordWords[0], words[last]) { // a customer master holds customers
				x.add(&label{relation: r, words: words[:last], score: 0.93, comment: true})
			}
		}
		end := slices.IndexFunc(words, func(w string) bool { return isMark(w) || joining[w] || relativeWords[w] })
		kind := k == 0 && end >= 0 && (words[end] == "and" || words[end] == "or")
		if end >= 0 {
			words = words[:end]
		} else if k == 0 && len(words) <= 4 {
			continue
		}
		if len(words) == 0 || len(words) > 2 {
			continue
		}
		last := words[len(words)-1]
		taken := slices.ContainsFunc(x.labels[x.language.stem(last)], func(lb *label) bool {
			return !lb.comment && (lb.column == nil && lb.relation != r || lb.column != nil && len(lb.words) == 1 && lb.score == 1 && lb.column.Class == catalog.Number)
		})
		if plural := singular(last) != "" || x.language.irregular[last] != ""; plural && !taken {
			x.add(&label{relation: r, words: words, score: 0.93, comment: true, kind: kind})
		}
	}
}

// saysIgnored reports whether a column's comment says that rows which it marks do not
// count: "entered by mistake, ignore".
func (l *language) saysIgnored(comment string) bool {
	for _, clause := range strings.FieldsFunc(strings.ToLower(comment), func(r rune) bool { return r == ',' || r == ';' || r == '.' || r == ':' }) {
		clause = " " + strings.TrimSpace(clause)
		if slices.ContainsFunc(l.ignored, func(s string) bool { return strings.HasSuffix(clause, " "+s) }) {
			return true
		}
	}
	return false
}

// saysLeft reports whether a time is the one at which somebody or something goes for good: it is called so, its comment says so,
// or it ends what began when somebody was hired.
func (x *lexicon) saysLeft(c *catalog.Column) bool {
	words := splitName(c.Name)
	if slices.ContainsFunc(words, func(w string) bool { return w == "left" || timeWords[w] == "left" }) || x.isNamed(c, x.language.gone) || x.language.saysLeft(c.Comment) {
		return true
	}
	return (words[0] == "end" || words[0] == "ended") && x.isNamed(c, x.language.stemPhrases([]string{"end", "ended"})) && (x.isStaff(c.Relation) || slices.ContainsFunc(c.Relation.Columns, func(o *catalog.Column) bool {
		return isTime(o) && slices.Contains(x.relationInfo[c.Relation].names[o], x.language.stem("hire"))
	}))
}

// saysLeft reports whether a column's comment says that it is the time when a person
// leaves: "set when the person leaves the company", "last day of employment".
func (l *language) saysLeft(comment string) bool {
	comment = strings.ToLower(comment)
	return slices.ContainsFunc(l.leaving, func(s string) bool { return strings.Contains(comment, s) })
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
