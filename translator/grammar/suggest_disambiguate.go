// Questions that have only one of the readings of an ambiguous question.

package grammar

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"askpg/ask"
	"askpg/catalog"
)

// maxDisambiguations bounds the questions that are read to find one for a reading.
const maxDisambiguations = 4

// Disambiguate returns for each reading of a question one that has it alone, "" if none was found. Words that name different things
// in the readings are replaced by the names of these, and what no word names is named.
func Disambiguate(question string, s *catalog.Snapshot, list []Interpretation, o Options) []string {
	if o.SearchPath == nil {
		o.SearchPath = []string{"public"}
	}
	x, out := lexiconOf(s), make([]string, len(list))
	for i, r := range list {
		others := slices.DeleteFunc(slices.Clone(list), func(other Interpretation) bool { return other.SQL == r.SQL })
		var tries []string
		for _, l := range r.Linked {
			if slices.ContainsFunc(others, func(other Interpretation) bool { return !isUsedLink(other, l) }) {
				tries = append(tries, x.withObjectName(question, l, o)...)
			}
		}
		column, asRole := x.inRole(question, r, others)
		tries = append(tries, asRole...)
		for _, q := range tries[:min(maxDisambiguations, len(tries))] {
			read := x.readAll(q, o)
			if len(read) == 0 || isAmbiguous(read) {
				continue
			}
			if read[0].SQL == r.SQL || slices.Contains(asRole, q) && strings.Contains(read[0].SQL, column) && !slices.ContainsFunc(others, func(other Interpretation) bool { return read[0].SQL == other.SQL }) {
				out[i] = q
				break
			}
		}
	}
	return out
}

// inRole returns a column that refers to things in this reading alone, and the question with these things called by their role,
// as "sender customers", and "senders".
func (x *lexicon) inRole(question string, r Interpretation, others []Interpretation) (column string, list []string) {
	for _, t := range x.snapshot.Relations {
		for _, e := range x.graph.edges[t] {
			if !e.toOne || len(e.fromCols) != 1 || len(e.role) == 0 {
				continue
			}
			column = e.fromCols[0].Name
			if !strings.Contains(r.SQL, column) || slices.ContainsFunc(others, func(other Interpretation) bool { return strings.Contains(other.SQL, column) }) {
				continue
			}
			role, to := x.language.spoken(column)[0], e.to.Name.Schema+"."+e.to.Name.Name
			for _, l := range r.Linked {
				if l.Object == to || strings.HasPrefix(l.Object, to+".") {
					list = append(list, replacedWords(question, l.Words, role+" "+l.Words)...)
				}
			}
			if len(list) > 0 {
				return column, list
			}
		}
	}
	return "", nil
}

// isUsedLink reports whether a reading uses what a link names.
func isUsedLink(r Interpretation, l ask.Link) bool {
	return slices.ContainsFunc(r.Linked, func(other ask.Link) bool { return other.Object == l.Object && other.Value == l.Value })
}

// replacedWords returns a question with other words in the place of some, nothing if it has not these.
func replacedWords(question, words, by string) []string {
	pattern, err := regexp.Compile(`(?i)\b` + regexp.QuoteMeta(words) + `\b`)
	if err != nil || words == "" {
		return nil
	}
	at := pattern.FindStringIndex(question)
	if at == nil {
		return nil
	}
	return []string{trimmed(question[:at[0]] + by + question[at[1]:])}
}

// withObjectName returns a question with an object called by its name, in place of the words for it if there are any.
func (x *lexicon) withObjectName(question string, l ask.Link, o Options) (names []string) {
	path := strings.Split(l.Object, ".")
	for _, name := range path[1:] {
		names = append(names, strings.Join(x.language.spoken(name), " "))
	}
	if len(names) == 0 {
		return nil
	}
	thing, single := plural(names[0]), cmp.Or(singular(names[0]), names[0])
	by := []string{thing}
	switch {
	case l.Words == "" && len(names) == 1:
		return []string{trimmed(question) + " of " + thing}
	case l.Words == "":
		return append(x.withTimeVerb(question, path[2], o), trimmed(question)+" by "+names[1])
	case len(names) == 1:
	case l.Value != "":
		by = []string{single + " " + names[1] + " " + l.Words, names[1] + " " + l.Words}
	default:
		by = []string{l.Words + " of " + thing, names[1] + " of " + thing, single + " " + names[1]}
	}
	var out []string
	for _, b := range by {
		out = append(out, replacedWords(question, l.Words, b)...)
	}
	return out
}

// withTimeVerb returns a question with a column's verb before its time: "no-shows booked last month", "visits starting last month".
func (x *lexicon) withTimeVerb(question, column string, o Options) []string {
	p := newParser(x, question, o)
	verb := x.language.spoken(column)[0]
	if stem := singular(verb); stem != "" {
		verb = x.language.inflectedAs("doing", stem)
	}
	for i := 1; i < len(p.tokens); i++ {
		if p.timeSpan(i) > i {
			at := p.tokens[i].start
			return []string{trimmed(question[:at] + verb + " " + question[at:])}
		}
	}
	return nil
}
