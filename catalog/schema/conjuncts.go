package schema

import "strings"

// Conjuncts returns the conditions that an expression joins by AND, or the expression alone where it is something else.
func (e Expression) Conjuncts() []Expression {
	ands := topLevelAnds(e.Text)
	out := make([]Expression, 0, len(ands)+1)
	from := 0
	for _, at := range append(ands, len(e.Text)) {
		out = append(out, e.slice(from, at))
		from = min(at+len("and"), len(e.Text))
	}
	return out
}

// slice returns a part of an expression, with the places of its columns.
func (e Expression) slice(from, to int) Expression {
	text := e.Text[from:to]
	from += len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	part := Expression{Text: strings.TrimSpace(text)}
	for _, r := range e.Refs {
		if r.Start >= from && r.End <= to {
			part.Refs = append(part.Refs, Reference{r.Start - from, r.End - from, r.Column})
		}
	}
	return part
}

// topLevelAnds returns where the ANDs of a text stand that join its conditions: none if something binds weaker than they
// do, or is not looked into, such as a comment or the AND of a BETWEEN.
func topLevelAnds(text string) []int {
	if strings.Contains(text, "--") || strings.Contains(text, "/*") || strings.Contains(text, "$") {
		return nil
	}
	var ands []int
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\'' || c == '"':
			end := strings.IndexByte(text[i+1:], c)
			if end < 0 || c == '\'' && strings.Contains(text, `\`) {
				return nil
			}
			i += end + 1
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		case isWordByte(c):
			end := i
			for end < len(text) && isWordByte(text[end]) {
				end++
			}
			switch word := strings.ToLower(text[i:end]); {
			case word == "or" && depth == 0, word == "between", word == "case":
				return nil
			case word == "and" && depth == 0:
				ands = append(ands, i)
			}
			i = end - 1
		}
	}
	return ands
}

// isWordByte reports whether a byte is of a word or a number.
func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
