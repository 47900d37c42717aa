// Questions that have one reading each of those that a question has.

package grammar

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"askpg/ask"
	"askpg/catalog"
)

// maxApart bounds the questions that are read to find one for a reading.
const maxApart = 4

// Apart returns for each reading of a question one that has it alone, "" if none was found. Words that name different things
// in the readings are replaced by the names of these.
func Apart(question string, s *catalog.Snapshot, list []Interpretation, o Options) []string {
	if o.SearchPath == nil {
		o.SearchPath = []string{"public"}
	}
	x, out := lexiconOf(s), make([]string, len(list))
	for i, r := range list {
		var tries []string
		for _, l := range r.Linked {
			if !slices.ContainsFunc(list, func(other Interpretation) bool { return other.SQL != r.SQL && !links(other, l) }) {
				continue
			}
			tries = append(tries, x.named(question, l)...)
		}
		for _, q := range tries[:min(maxApart, len(tries))] {
			if read := x.readAll(q, o); len(read) > 0 && !isAmbiguous(read) && read[0].SQL == r.SQL {
				out[i] = q
				break
			}
		}
	}
	return out
}

// links reports whether a reading uses what a link names.
func links(r Interpretation, l ask.Link) bool {
	return slices.ContainsFunc(r.Linked, func(other ask.Link) bool { return other.Object == l.Object && other.Value == l.Value })
}

// named returns a question with an object called by its name, in place of the words for it.
func (x *lexicon) named(question string, l ask.Link) []string {
	path := strings.Split(l.Object, ".")
	var names []string
	for _, name := range path[1:] {
		names = append(names, strings.Join(x.language.spoken(name), " "))
	}
	words, err := regexp.Compile(`(?i)\b` + regexp.QuoteMeta(l.Words) + `\b`)
	at := words.FindStringIndex(question)
	if err != nil || len(names) == 0 || l.Words == "" {
		at = nil
	}
	replaced := func(by string) string { return trimmed(question[:at[0]] + by + question[at[1]:]) }
	thing, single := plural(names[0]), cmp.Or(singular(names[0]), names[0])
	switch {
	case at == nil && len(names) == 1:
		return []string{trimmed(question) + " of " + thing}
	case at == nil:
		return nil
	case len(names) == 1:
		return []string{replaced(thing)}
	case l.Value != "":
		return []string{replaced(single + " " + names[1] + " " + l.Words), replaced(names[1] + " " + l.Words)}
	}
	return []string{replaced(l.Words + " of " + thing), replaced(names[1] + " of " + thing), replaced(single + " " + names[1])}
}
