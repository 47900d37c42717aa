package ask

import (
	"slices"
	"strconv"
	"strings"
)

// Form is a question as it was written in a SQL text.
type Form struct {
	Text        string
	Hint        string
	Action      Action
	Run         int // for ActionRun
	More        bool
	Fresh       bool
	Options     map[string]string
	Feedback    *Feedback
	Annotations []string // the other comments around the question
	Parameters  int      // how many values the question takes: $1, $2 … in Text and Hint
	Err         *Error   // the form is a question, but a malformed one
}

// Feedback is an asker's word on the session's last answer: ask(good),
// ask(bad: reason).
type Feedback struct {
	Good   bool
	Reason string
}

// ParseForm reads a complete SQL text. ok is false if it is no question and
// has to be relayed as it is. A question without text has an empty Text.
func ParseForm(sql string) (f Form, ok bool) { return parseForm(sql, nil) }

// parseForm reads a question that stands in a statement with these parameters.
func parseForm(sql string, used []int) (f Form, ok bool) {
	if Detect([]byte(sql), true) != Yes {
		return Form{}, false
	}
	list, rest := comments(sql)
	var text, hint []string
	open := false // a run of line comments continues the question
	asked, byLine := false, false
	for i, c := range list {
		if isAskComment([]byte("--" + c.text)) {
			if asked {
				f.Err = errTwoQuestions()
			}
			asked, byLine = true, c.line
			body := trimBlanks(c.text, "*")[3:]
			body = f.cutDecorations(f.header(strings.TrimLeft(body, " \t")))
			lines, hints := splitHints(body)
			text, hint = append(text, lines...), append(hint, hints...)
			open = c.line
			continue
		}
		if h, isHint := cutHint(c.text); isHint {
			if f.Err == nil && closesBehind(slices.Concat(text, hint), list[i:]) {
				f.Err = errUnclosed()
			}
			hint = append(hint, h)
			continue
		}
		if open && c.line {
			if !f.decorated(c.text) {
				text = append(text, f.cutDecorations(c.text))
			}
			continue
		}
		open = false
		if c.text != "" {
			f.Annotations = append(f.Annotations, c.text)
		}
	}
	if rest != "" {
		lines, hints := f.verb(rest)
		text, hint = append(text, lines...), append(hint, hints...)
	}
	f.read(text, hint)
	if f.Err == nil && byLine {
		f.refuseStatement(f.Text)
	}
	f.placeholders(used)
	return f, true
}

// read takes the lines of the question and of its hint.
func (f *Form) read(text, hint []string) {
	f.Text = readConstants(strings.TrimSpace(strings.Join(text, "\n")))
	if before, ok := strings.CutSuffix(f.Text, ";?"); ok {
		f.Text = strings.TrimRight(before, "; ") + "?" // a driver's mark behind the end of the statement
	}
	f.Hint = strings.TrimSpace(strings.Join(append(hint, f.Hint), "\n")) // its constants stay as they are: a definition is SQL
}

// closesBehind says whether a constant begins in the lines of a question and ends in the comments behind them: a value
// with */ in it, or the end of a line, has ended the question's own.
func closesBehind(lines []string, rest []comment) bool {
	said := strings.Join(lines, "\n")
	if !unclosed(said) {
		return false
	}
	for _, c := range rest {
		said += "\n" + c.text
	}
	return !unclosed(said)
}

func errTwoQuestions() *Error {
	return Errorf(CodeSyntax, "two questions in one statement").
		WithHint("End each with a semicolon, or send each by itself. Lines that continue a question begin with -- alone.")
}

// ParseBare reads a text that is the question itself, as in auto mode.
func ParseBare(text string) (f Form) {
	f.read(f.bare(strings.TrimPrefix(text, bom)))
	f.placeholders(nil)
	return f
}

// header reads the options and the colon between the word ask and the text.
func (f *Form) header(s string) string {
	if strings.HasPrefix(s, "(") {
		if end := closingParen(s); end > 0 {
			f.options(s[1:end])
			s = strings.TrimLeft(s[end+1:], " \t\r\n")
		}
	}
	s, _ = strings.CutPrefix(s, ":")
	return s
}

// verb reads what follows the word ASK at the beginning of a statement:
// options, then a quoted or a bare question.
func (f *Form) verb(s string) (text, hint []string) {
	s = trimBlanks(s[3:], "")
	if inner, ok := inParentheses(s); ok {
		s = inner
	} else {
		s = f.header(s)
	}
	s = strings.TrimSpace(s)
	if inner, ok := inDoubleQuotes(s); ok {
		s = inner
	}
	if body, rest, quoted := cutQuoted(s); quoted {
		list, after := comments(rest)
		if word, tail, _ := strings.Cut(strings.TrimSpace(after), " "); strings.EqualFold(word, "hint") {
			if h, end, ok := cutQuoted(strings.TrimSpace(tail)); ok {
				hint = append(hint, h)
				list, after = comments(end)
			}
		}
		if after == "" {
			for _, c := range list {
				f.Annotations = append(f.Annotations, c.text)
			}
			lines, hints := splitHints(body)
			return lines, append(hint, hints...)
		}
		if after = strings.TrimRight(after, "; \t\r\n"); after == "?" || numbered.FindString(after) == after { // a question mark behind the quotation mark
			lines, hints := splitHints(body)
			return lines, append(hint, hints...)
		}
		if page.MatchString(after) {
			f.Err = Errorf(CodeSyntax, "SQL stands behind the question").
				WithHint("Write SELECT * FROM ask('…') AS r and the rest behind it.")
			return []string{body}, hint
		}
	}
	return f.bare(s)
}

// inParentheses returns the question of ASK('…'), as a function is called, and what stands behind it.
func inParentheses(s string) (string, bool) {
	if !strings.HasPrefix(s, "(") {
		return "", false
	}
	s = strings.TrimSpace(s[1:])
	_, rest, ok := cutQuoted(s)
	behind, closed := strings.CutPrefix(strings.TrimSpace(rest), ")")
	return s[:len(s)-len(rest)] + behind, ok && closed
}

// inDoubleQuotes returns a question that stands between double quotation marks, without them.
func inDoubleQuotes(s string) (string, bool) {
	s = strings.TrimRight(s, "; \t\r\n")
	for _, marks := range [][2]string{{`"`, `"`}, {"\u201c", "\u201d"}} {
		inner, opened := strings.CutPrefix(s, marks[0])
		inner, closed := strings.CutSuffix(inner, marks[1])
		if opened && closed && inner != "" && !strings.Contains(inner, marks[0]) && !strings.Contains(inner, marks[1]) {
			return inner, true
		}
	}
	return "", false
}

// options reads what stands between the parentheses, as in EXPLAIN (…).
func (f *Form) options(s string) {
	for s = strings.TrimSpace(s); s != ""; {
		var item string
		word, _ := leadingWord(s)
		if strings.EqualFold(word, "bad") {
			// The reason runs to the end, commas included.
			_, reason, _ := strings.Cut(s, ":")
			f.Feedback = &Feedback{Reason: strings.TrimSpace(reason)}
			return
		}
		item, s = cutItem(s)
		f.option(item)
	}
}

func (f *Form) option(item string) {
	if name, value, isSetting := strings.Cut(item, "="); isSetting {
		name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
		if v, rest, quoted := cutQuoted(value); quoted && rest == "" {
			value = v
		}
		if name == "hint" {
			f.Hint = value
			return
		}
		if name == "" || strings.ContainsAny(name, " \t'\"") {
			f.fail(item)
			return
		}
		name = strings.TrimPrefix(name, "askpg.")
		if !slices.Contains(questionSettings, name) {
			f.Err = Errorf(CodeSyntax, "unknown ask option %q", name).
				WithHint("The settings of one question are hint, %s.", strings.Join(questionSettings, ", "))
			return
		}
		if f.Options == nil {
			f.Options = map[string]string{}
		}
		f.Options[name] = value
		return
	}
	word, rest := leadingWord(item)
	rest = strings.TrimSpace(rest)
	switch word = strings.ToLower(word); {
	case word == "run":
		n, err := strconv.Atoi(rest)
		if err != nil || n < 1 {
			f.Err = Errorf(CodeSyntax, "ask(run …) needs the number of a candidate, not %q", rest).
				WithHint("ask(candidates) lists them; ask(run 2) runs the second.")
			return
		}
		f.Action, f.Run = ActionRun, n
	case rest != "":
		f.fail(item)
	case word == string(ActionSQL), word == string(ActionCandidates), word == string(ActionExplain):
		if f.Action != ActionRows && f.Action != Action(word) {
			f.Err = Errorf(CodeSyntax, "ask(%s, %s) asks for two things", f.Action, word).WithHint("Send one after the other: ASK(candidates); and ASK(explain); show the last question.")
			return
		}
		f.Action = Action(word)
	case word == "more":
		f.More = true
	case word == "fresh":
		f.Fresh = true
	case word == "good":
		f.Feedback = &Feedback{Good: true}
	default:
		f.fail(item)
	}
}

func (f *Form) fail(item string) {
	f.Err = Errorf(CodeSyntax, "unknown ask option %q", item).
		WithHint("Options are sql, candidates, explain, more, run N, fresh, good, bad: reason, and name=value.")
}

func leadingWord(s string) (word, rest string) {
	i := 0
	for i < len(s) && isWordByte(s[i]) {
		i++
	}
	return s[:i], s[i:]
}

// cutItem cuts the first item of a comma-separated list, quotes respected.
func cutItem(s string) (item, rest string) {
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == ',':
			return strings.TrimSpace(s[:i]), strings.TrimSpace(s[i+1:])
		}
	}
	return strings.TrimSpace(s), ""
}

// cutQuoted cuts a leading '…' or $tag$…$tag$ off s and returns what it holds.
func cutQuoted(s string) (body, rest string, ok bool) {
	if strings.HasPrefix(s, "'") {
		var b strings.Builder
		for i := 1; i < len(s); i++ {
			if s[i] == '\'' {
				if i+1 < len(s) && s[i+1] == '\'' {
					i++
				} else {
					return b.String(), s[i+1:], true
				}
			}
			b.WriteByte(s[i])
		}
		return "", s, false
	}
	if strings.HasPrefix(s, "$") {
		end := strings.IndexByte(s[1:], '$')
		if end < 0 {
			return "", s, false
		}
		tag := s[:end+2]
		for i := 1; i < len(tag)-1; i++ {
			if !isWordByte(tag[i]) || tag[i] == '.' {
				return "", s, false
			}
		}
		if body, rest, found := strings.Cut(s[len(tag):], tag); found {
			return body, rest, true
		}
	}
	return "", s, false
}

// splitHints parts the lines of a question from those that begin with hint:.
func splitHints(body string) (text, hint []string) {
	for _, line := range Lines(body, "\n") {
		line = strings.TrimSpace(line)
		if h, ok := cutHint(strings.TrimLeft(line, "* ")); ok {
			hint = append(hint, h)
		} else {
			text = append(text, line)
		}
	}
	return text, hint
}

func cutHint(s string) (string, bool) {
	if len(s) >= 5 && strings.EqualFold(s[:4], "hint") && s[4] == ':' {
		return strings.TrimSpace(s[5:]), true
	}
	return "", false
}
