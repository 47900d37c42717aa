package ask

import (
	"regexp"
	"strings"
)

// Comments that tools add to a text say who sent it. Mode, Hex and Lightdash write a JSON object,
// Sigma and Amazon QuickSight one with a word before it. sqlcommenter writes key='value',
// Marginalia and ActiveRecord key:value, Redash "key: value, key: value". Metabase and Looker write
// a name of their own.
var (
	jsonObject  = regexp.MustCompile(`(?s)^[^{]{0,80}\{\s*"[^"]*"\s*:.*\}'?$`)
	namedTools  = regexp.MustCompile(`(?i)^(metabase::|looker query context|sigma\b|hex query|hex:|mode:|grafana:|redash:|superset:|\[sql_lab\]|sqlmesh_|dbt:|querytag:|query_tag|tableau:|powerbi:|quicksight\b|cube:|lightdash:|evidence:|sent by |x-request-id)`)
	quotedPairs = regexp.MustCompile(`^([A-Za-z_][\w.%-]*)\s*=\s*'[^']*'((\s*,\s*|\s+)[\w.%-]+\s*=\s*'[^']*')*,?$`)
	tightPairs  = regexp.MustCompile(`^([A-Za-z_][\w.%-]*)[:=][^\s,=:'][^\s,]*(,\s*[\w.%-]+[:=][^\s,]*)*,?$`)
	loosePairs  = regexp.MustCompile(`^([A-Za-z][\w .-]{0,30}):\s[^,]*(,\s*[A-Za-z][\w .-]{0,30}:\s?[^,]*)+$`)
	onePair     = regexp.MustCompile(`^([A-Za-z][\w-]*)\s*[:=]\s*\S+$`)
)

// knownKeys are keys of pairs that tools write and questions do not begin a line with.
var knownKeys = map[string]bool{
	"action": true, "app": true, "application": true, "app_name": true, "client_addr": true, "controller": true, "controller_with_namespace": true,
	"dag_id": true, "db_driver": true, "dashboard_id": true, "dddb": true, "dddbs": true, "dde": true, "ddps": true, "ddpv": true, "email": true, "framework": true,
	"hostname": true, "job": true, "job_id": true, "line": true, "pid": true, "prisma_traceparent": true, "queryhash": true, "query_hash": true, "query_id": true,
	"querytype": true, "request_id": true, "route": true, "socket": true, "source_location": true, "task_id": true, "trace_id": true, "traceparent": true,
	"tracestate": true, "userid": true, "user_id": true, "user_email": true, "username": true,
}

type decoration int

const (
	notDecoration decoration = iota
	isDecoration
	mayBeDecoration // it reads like a tool's pair and like a person's condition
)

// decorates says whether a comment behind a question is a tool's. text has no delimiters.
func decorates(text string) decoration {
	text = strings.TrimRight(strings.TrimSpace(text), "; \t")
	key := func(m []string) bool { return m != nil && knownKeys[strings.ToLower(m[1])] }
	switch quoted, tight := quotedPairs.FindStringSubmatch(text), tightPairs.FindStringSubmatch(text); {
	case jsonObject.MatchString(text), namedTools.MatchString(text), key(quoted), key(tight), key(loosePairs.FindStringSubmatch(text)), key(onePair.FindStringSubmatch(text)):
		return isDecoration
	case quoted != nil && quoted[2] != "", tight != nil && tight[2] != "":
		return isDecoration // several pairs in a row
	case quoted != nil, tight != nil:
		return mayBeDecoration
	}
	return notDecoration
}

// maxDecorations bounds the comments behind a question: taking one off looks at the whole text.
const maxDecorations = 100

// cutDecorations takes what tools have appended to a text off its end: comments within the line comment of a
// question, or behind a question without quotation marks. Nobody else writes a block comment there.
func (f *Form) cutDecorations(s string) string {
	for range maxDecorations {
		s = strings.TrimRight(s, "; \t\r\n\f\v")
		at := lastComment(s)
		if at < 0 {
			return s
		}
		comment := s[at:]
		text := strings.TrimSpace(strings.TrimSuffix(comment[2:], "*/"))
		if comment[0] == '-' {
			if !f.decorated(text) {
				return s
			}
		} else {
			f.Annotations = append(f.Annotations, text)
		}
		s = s[:at]
	}
	f.Err = Errorf(CodeProgramLimit, "more than %d comments stand behind the question", maxDecorations).
		WithHint("Leave them out.")
	return s
}

// lastComment returns where the comment begins that ends a text, the first such place if there are several; -1 if it ends
// with none. A comment does not begin behind a slash, an asterisk or a hyphen.
func lastComment(s string) int {
	begins := func(from int, delimiter string) int {
		for {
			i := strings.Index(s[from:], delimiter)
			if i < 0 {
				return -1
			}
			if from += i; from == 0 || !strings.Contains("/*-", s[from-1:from]) {
				return from
			}
			from++
		}
	}
	line := begins(strings.LastIndexByte(s, '\n')+1, "--")
	body, ends := strings.CutSuffix(s, "*/")
	if !ends {
		return line
	}
	before := 0 // where the comment before this one ends
	if i := strings.LastIndex(body, "*/"); i > 0 && body[i-1] != '/' {
		before = i + 2
	}
	block := begins(before, "/*")
	if block < 0 || block+2 > len(body) || line >= 0 && line < block {
		return line
	}
	return block
}

// decorated keeps a line comment behind the question as an annotation, if it is a tool's.
func (f *Form) decorated(text string) bool {
	switch decorates(text) {
	case isDecoration:
		f.Annotations = append(f.Annotations, text)
		return true
	case mayBeDecoration:
		f.Err = Errorf(CodeSyntax, "it can't be told whether %q is a part of the question or a tool's annotation", text).
			WithHint("If it is a part of the question, write it into the question's line, in words. If it is an annotation, write it between /* and */.")
	}
	return false
}
