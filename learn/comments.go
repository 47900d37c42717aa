package learn

import (
	"regexp"
	"slices"
	"strings"

	"askpg/catalog"
)

// called finds the names that a comment gives: "also called depot or hub", "aka SKU".
var called = regexp.MustCompile(`(?i)\b(?:also (?:called|known as)|a\.k\.a\.|aka)[:\s]+([^.;:()\n]+)`)

// maxNameWords bounds a name in a comment; what is longer goes on to say something else.
const maxNameWords = 3

// namesIn returns the other names that a comment gives.
func namesIn(comment string) (out []string) {
	for _, m := range called.FindAllStringSubmatch(comment, -1) {
		for name := range strings.SplitSeq(strings.NewReplacer(" or ", ",", " and ", ",").Replace(m[1]), ",") {
			if name = strings.Trim(name, " \"'“”‘’"); name == "" || len(strings.Fields(name)) > maxNameWords {
				break
			}
			out = with(out, name)
		}
	}
	return out
}

// proposeCommented proposes the other names that comments give tables and columns.
func (l *learner) proposeCommented() {
	for _, r := range l.snap.Relations {
		if found := l.unused(r, namesIn(r.Comment), r.Synonyms); len(found) > 0 {
			l.add(&Proposal{Kind: kindSynonym, Name: l.of(r), comment: r.Comment, table: "table", fields: []field{{"name", l.of(r)}, {"synonyms", found}}})
		}
		for _, c := range r.Columns {
			if found := l.unused(r, namesIn(c.Comment), c.Synonyms); len(found) > 0 && !c.Private {
				l.add(&Proposal{Kind: kindSynonym, Name: l.column(c), comment: c.Comment, table: "column", fields: []field{{"name", l.column(c)}, {"synonyms", found}}})
			}
		}
	}
}

// unused returns the names that no relation and no column of this one has.
func (l *learner) unused(r *catalog.Relation, names, synonyms []string) []string {
	return slices.DeleteFunc(names, func(name string) bool {
		same := func(other string) bool { return stems(other) == stems(name) }
		return l.things[stems(name)] || slices.ContainsFunc(synonyms, same) || slices.ContainsFunc(r.Columns, func(c *catalog.Column) bool { return same(c.Name) })
	})
}
