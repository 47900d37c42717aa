package param

// Part is a piece of a text; Name is the parameter's if it is one's.
type Part struct {
	Text string
	Name string
}

// Parts cuts question and SQL at the parameters, to show them.
func (t *Template) Parts() (question, sql []Part) {
	return PartsOfQuestion(t.markedQuestion), parts(t.markedSQL, inSQL)
}

// PartsOfQuestion cuts a marked question at its parameters; nil if it cannot be
// read.
func PartsOfQuestion(marked string) []Part { return parts(marked, inQuestion) }

// Plain returns SQL without marks; a text that cannot be read is returned as it
// is.
func Plain(sql string) string {
	plain, _, err := readMarks(sql, inSQL)
	if err != nil {
		return sql
	}
	return plain
}

func parts(marked string, shown func(string) string) []Part {
	plain, marks, err := readMarks(marked, shown)
	if err != nil {
		return nil
	}
	var out []Part
	at := 0
	for _, m := range marks {
		if m.start > at {
			out = append(out, Part{Text: plain[at:m.start]})
		}
		out = append(out, Part{Text: plain[m.start:m.end], Name: m.name})
		at = m.end
	}
	if at < len(plain) {
		out = append(out, Part{Text: plain[at:]})
	}
	return out
}
