package joins

import (
	"strings"

	"askpg/catalog/schema"
	"askpg/catalog/words"
)

// Comments that say what a column refers to: debno, "customer"; mgrno, "repno of area manager".

// mostWords is how many words a comment may have that is a thing's name.
const mostWords = 3

// recordWords end the name of a table that holds things: a customer master holds customers.
var recordWords = words.Set("master header headers head file table records data")

// calledBy returns what a comment calls a thing if it says no more, in canonical words written together; "" otherwise.
func calledBy(comment string) string {
	if strings.ContainsAny(comment, ",;:=/") {
		return ""
	}
	comment, _, _ = strings.Cut(comment, "(")
	w := strings.Fields(strings.ToLower(strings.TrimRight(strings.TrimSpace(comment), ".")))
	if len(w) > 1 && recordWords[w[len(w)-1]] {
		w = w[:len(w)-1]
	}
	if len(w) == 0 || len(w) > mostWords {
		return ""
	}
	for i, word := range w {
		w[i] = canonical(word)
	}
	return strings.Join(w, "")
}

// byComment returns the keys that a column's comment says it refers to: those of the relation that it names, or the one whose name
// it has before "of".
func (g *guesser) byComment(c *schema.Column) (keys []*schema.Column) {
	if name, of, said := strings.Cut(strings.ToLower(c.Comment), " of "); said && of != "" && name != strings.ToLower(c.Name) {
		if keys = g.byLocalName[schema.Name{Schema: c.Relation.Schema, Name: name}]; len(keys) > 0 {
			return keys
		}
	}
	noun := calledBy(c.Comment)
	if noun == "" {
		return nil
	}
	for _, r := range g.byNoun[noun] {
		keys = append(keys, g.keys[r]...)
	}
	return keys
}
