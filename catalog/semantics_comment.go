package catalog

import (
	"strings"

	"askpg/ask"
)

// applyComment takes lines that begin with "askpg:" out of comments:
// askpg:synonyms a, b · askpg:hidden · askpg:time column · askpg:filter
// condition · askpg:unit EUR · askpg:private.
func (b *builder) applyComment(r *Relation) {
	text, marks := splitComment(r.Comment)
	r.Comment = text
	if marks != nil {
		// What does not fit is no reason to refuse the rest.
		for _, t := range []tableSemantics{
			{Synonyms: ask.SplitList(marks["synonyms"]), Hidden: has(marks, "hidden")}, {Time: marks["time"]}, {Filter: marks["filter"]},
		} {
			_ = b.applyTable(r, &t)
		}
	}
	for _, c := range r.Columns {
		if !strings.Contains(c.Comment, "askpg:") {
			continue
		}
		text, marks := splitComment(c.Comment)
		c.Comment = text
		b.applyColumn(c, &columnSemantics{
			Synonyms: ask.SplitList(marks["synonyms"]), Unit: marks["unit"], Hidden: has(marks, "hidden"), Private: has(marks, "private"),
		})
	}
}

func has(m map[string]string, key string) bool {
	_, ok := m[key]
	return ok
}

// splitComment separates a comment's text from its marks, each of which goes
// to the end of its line.
func splitComment(comment string) (text string, marks map[string]string) {
	if !strings.Contains(comment, "askpg:") {
		return comment, nil
	}
	marks = map[string]string{}
	var lines []string
	for line := range strings.SplitSeq(comment, "\n") {
		before, mark, ok := strings.Cut(line, "askpg:")
		if ok {
			name, rest, _ := strings.Cut(strings.TrimSpace(mark), " ")
			marks[name] = strings.TrimSpace(rest)
			if name == "private" || name == "hidden" { // the text may go on behind it
				before += rest
			}
			line = before
		}
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n"), marks
}
