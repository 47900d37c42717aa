package ask

import (
	"regexp"
	"slices"
	"strings"
)

// bare reads a question without quotation marks: everything up to the last semicolon, without the comments of
// tools at the end.
func (f *Form) bare(s string) (text, hint []string) {
	s = f.cutDecorations(strings.TrimSpace(s))
	f.refuseStatement(s)
	return splitHints(s)
}

// appended is what programs append to a text and people do not write into a question.
var appended = regexp.MustCompile(`(?i)\bwhere\s+1\s*=\s*0\b|\bfetch\s+(first|next)\s+\S+\s+rows?\s+only$|\boffset\s+(\d+|\$\d+)(\s+rows?)?$|\n\s*limit\s+\S+$|\n\s*order\s+by\s+\d+$|\n\s*(union|except|intersect)\b`)

// closes is what follows the parenthesis of a program that has put the text into a subquery.
var closes = regexp.MustCompile(`(?is)^\s*(as\s+)?("[^"]*"|\w*)\s*((limit|where|order|group|offset|fetch|select|to)\b.*)?$`)

// numberedEnd is a question mark that a driver has numbered.
var numberedEnd = regexp.MustCompile(`\$\d+$`)

// page is what programs append to a question between quotation marks, where a bare question would go on.
var page = regexp.MustCompile(`(?i)^(limit\s+\S+|offset\s+\S+|order\s+by\s|fetch\s+(first|next)\s|where\s|union\s|except\s|intersect\s|\))`)

// refuseStatement refuses a question that goes on to the end of its text or line and has SQL behind it there.
func (f *Form) refuseStatement(s string) {
	if strings.Contains(s, "$") {
		s = numberedEnd.ReplaceAllString(s, "")
	}
	s = strings.TrimRight(s, " \t\r\n?!.")
	depth, closed := 0, false
	for i := 0; i < len(s) && !closed; i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				depth, closed = 0, closes.MatchString(s[i+1:])
			}
		}
	}
	parts := strings.Split(s, ";")
	statement := slices.ContainsFunc(parts[1:], func(p string) bool { return beginsStatement(p) || page.MatchString(strings.TrimSpace(p)) })
	if statement || closed || appended.MatchString(s) {
		f.Err = Errorf(CodeSyntax, "SQL stands behind the question").
			WithHint("Send each by itself, or show where the question ends: /* ask: … */ or ASK $$…$$")
	}
}
