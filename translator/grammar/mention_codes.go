// Numbers and codes that tell rows apart, most of which the index of values does not hold: "order HX-20417".

package grammar

import (
	"strings"
	"unicode"

	"askpg/catalog"
)

// annotateCodes takes a word of letters and digits behind a thing for the number of it, where one column tells the rows apart by such.
func (p *parser) annotateCodes() {
	for i := 1; i < len(p.tokens); i++ {
		end := p.codeEnd(i)
		if end == i || p.mentions.values[i][end] != nil {
			continue
		}
		code := p.question[p.tokens[i].start:p.tokens[end-1].end]
		for from := max(0, i-maxSpan); from < i; from++ {
			for _, m := range p.mentions.relations[from] {
				if c := p.numberedSo(m.relation, code); m.end == i && m.score >= namedScore && c != nil {
					p.addValue(i, end, valueMention{column: c, value: code, score: 1})
					p.cover(i, end)
				}
			}
		}
	}
}

// codeEnd returns where the code ends that begins at token i: a text without a blank that begins with a capital letter and has a digit. It
// returns i if there is none.
func (p *parser) codeEnd(i int) int {
	end := i
	for end < len(p.tokens) && p.tokens[end].kind != quotedToken && (end == i || strings.Trim(p.question[p.tokens[end-1].end:p.tokens[end].start], "-/_") == "") {
		end++
	}
	for end > i && p.tokens[end-1].kind == punctToken {
		end--
	}
	if end == i {
		return i
	}
	text := p.question[p.tokens[i].start:p.tokens[end-1].end]
	if !strings.ContainsFunc(text, unicode.IsDigit) || !unicode.IsUpper([]rune(text)[0]) {
		return i
	}
	return end
}

// numberedSo returns the only column that tells the rows of a relation apart by texts of the form of one; nil if there is none.
func (p *parser) numberedSo(r *catalog.Relation, code string) *catalog.Column {
	return onlyWhere(r.Columns, func(c *catalog.Column) bool {
		return c.Unique && !c.Private && isText(c) && c.Profile != nil && codeForm(c.Profile.Min) == codeForm(code) && codeForm(c.Profile.Max) == codeForm(code)
	})
}

// codeForm returns a text with a 9 for its digits and an A for its letters, each once for several. The letters that it begins with stay:
// codes of one kind have the same.
func codeForm(text string) string {
	var b strings.Builder
	begin, last := true, rune(0)
	for _, r := range text {
		begin = begin && unicode.IsLetter(r)
		switch {
		case unicode.IsDigit(r):
			r = '9'
		case unicode.IsLetter(r) && !begin:
			r = 'A'
		}
		if begin || r != last || r != '9' && r != 'A' {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}
