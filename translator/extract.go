package translator

import (
	"encoding/json"
	"regexp"
	"strings"

	"askpg/ask"
	"askpg/translator/llm"
)

// answer is what a model's text holds.
type answer struct {
	SQL     string // "" if there is none
	Missing string // what the data lacks, if the model says that it can't answer
	Refuses bool
}

var (
	thinking = regexp.MustCompile(`(?is)<think(?:ing)?>.*?</think(?:ing)?>`)
	unclosed = regexp.MustCompile(`(?is)^.*</think(?:ing)?>`)
	fences   = regexp.MustCompile("(?is)```[ \t]*([a-z]*)[^\n]*\n(.*?)(?:```|$)")
	cannot   = regexp.MustCompile(`(?im)^[\s*_>"'` + "`" + `-]*CANNOT[ _]ANSWER\b[\s:*_.-]*(.*)$`)
	starts   = regexp.MustCompile(`(?im)^[ \t]*\(*[ \t]*(?:SELECT|WITH|VALUES|TABLE)\b`)
	label    = regexp.MustCompile(`(?i)^\s*(?:sql|query|final(?: sql)?|answer)\s*:\s*`)
)

// withoutThoughts returns what a model says when it has done thinking.
func withoutThoughts(text string) string {
	return strings.TrimSpace(unclosed.ReplaceAllString(thinking.ReplaceAllString(text, ""), ""))
}

// extract finds the SQL in a model's answer: in a code fence, in a JSON
// object, or standing free among prose. It takes what is there, several statements too: what
// may run is the guard's to say.
func extract(text string) answer {
	text = withoutThoughts(text)
	if a, ok := fromJSON(text); ok {
		return a
	}
	var best string
	for _, m := range fences.FindAllStringSubmatch(text, -1) {
		lang, body := strings.ToLower(m[1]), trimSQL(m[2])
		if body == "" {
			continue
		}
		if a, ok := fromJSON(body); ok && a.Refuses {
			return a
		} else if ok {
			body = a.SQL
		} else if lang != "" && lang != "sql" && !strings.HasPrefix(lang, "pg") && !strings.HasPrefix(lang, "postgres") {
			continue
		}
		// The last statement that parses is the model's last word.
		if parses(body) || best == "" {
			best = body
		}
	}
	if m := cannot.FindStringSubmatch(text); m != nil && (best == "" || !parses(best)) {
		return answer{Refuses: true, Missing: strings.Trim(m[1], " \t*_`.")}
	}
	if best == "" {
		best = unfencedSQL(text)
	}
	if from, to := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}'); best == "" && from >= 0 && from < to {
		if a, ok := fromJSON(text[from : to+1]); ok {
			return a
		}
	}
	return answer{SQL: best}
}

// sqlForm is the object that an answer is, for models that keep to a form. The
// reason comes first: what is written before the SQL is thought before it.
var sqlForm = &llm.Form{
	Name: "answer",
	Schema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["reason","sql","cannot_answer"],"properties":{` +
		`"reason":{"type":"string"},"sql":{"type":"string"},"cannot_answer":{"type":"string"}}}`),
	Note: `Write the answer as one JSON object and nothing else: {"reason": the thoughts that lead to the SQL, "sql": the SQL, "cannot_answer": ""}. ` +
		`If the tables do not hold what the question needs, "sql" is "" and "cannot_answer" says what is missing, or READ ONLY.`,
}

// shortForm is sqlForm for the prompts of small models, which leave to it how to answer: so they are told in one way only.
var shortForm = &llm.Form{Name: sqlForm.Name, Schema: sqlForm.Schema, Note: sqlForm.Note,
	Plain: "Write the SQL in a ```sql fence and nothing else, or one line: CANNOT ANSWER: and what is missing, or READ ONLY."}

// fromJSON reads {"sql": "…"} or {"query": "…"}, or what the data lacks from
// {"cannot_answer": "…"}. ok is false if the text is no such object.
func fromJSON(text string) (a answer, ok bool) {
	if !strings.HasPrefix(text, "{") {
		return a, false
	}
	var m map[string]any
	if json.Unmarshal([]byte(text), &m) != nil {
		return a, false
	}
	for k, v := range m {
		s, isText := v.(string)
		switch strings.ToLower(k) {
		case "sql", "query":
			a.SQL = trimSQL(s)
			if m := fences.FindStringSubmatch(a.SQL); m != nil {
				a.SQL = trimSQL(m[2])
			}
		case "cannot_answer":
			if yes, _ := v.(bool); yes || isText && !blank(s) {
				a.Refuses, a.Missing = true, strings.TrimSpace(s)
			}
		}
	}
	if m := cannot.FindStringSubmatch(a.SQL); m != nil && !parses(a.SQL) {
		a = answer{Refuses: true, Missing: strings.Trim(m[1], " \t*_`.")}
	}
	if a.SQL != "" {
		a.Refuses, a.Missing = false, "" // it answers after all
	}
	return a, a.SQL != "" || a.Refuses
}

// unfencedSQL finds SQL that stands among prose: from a line that begins with SELECT
// or WITH, as far as it parses.
func unfencedSQL(text string) string {
	text = label.ReplaceAllString(text, "")
	from := starts.FindAllStringIndex(text, -1)
	for i := range from {
		rest := text[from[i][0]:]
		if parses(rest) {
			return trimSQL(rest)
		}
		// A trailing explanation is cut off at the semicolon or a blank line.
		for _, end := range []string{";", "\n\n"} {
			if k := strings.Index(rest, end); k > 0 && parses(rest[:k]) {
				return trimSQL(rest[:k])
			}
		}
		lines := strings.SplitAfter(rest, "\n")
		for n := min(len(lines)-1, 60); n > 0; n-- {
			if head := strings.Join(lines[:n], ""); parses(head) {
				return trimSQL(head)
			}
		}
	}
	if len(from) > 0 {
		return trimSQL(text[from[0][0]:]) // the server says what is wrong with it
	}
	if parses(text) && len(strings.Fields(text)) > 1 {
		return trimSQL(text) // another statement: the guard's to refuse
	}
	return ""
}

// trimSQL takes blanks and the last semicolon off.
func trimSQL(s string) string {
	return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(s), "; \t\r\n"))
}

func parses(s string) bool {
	if len(s) > maxSQL {
		return false
	}
	r, err := ask.Parse(s)
	return err == nil && len(r.Stmts) > 0
}

// maxSQL bounds a candidate, in bytes.
const maxSQL = 64 << 10

// keyOf returns the SQL as the parser prints it, so that blanks, case and
// comments do not make two candidates of one.
func keyOf(sql string) string {
	if len(sql) > maxSQL {
		return sql
	}
	tree, err := ask.Parse(sql)
	if err != nil {
		return sql
	}
	out, err := ask.Deparse(tree)
	if err != nil {
		return sql
	}
	return out
}
