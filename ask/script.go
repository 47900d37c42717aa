package ask

import (
	"slices"
	"strconv"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"
)

// Script is the text of a message with questions, cut in three.
type Script struct {
	Questions []string // each with its semicolon; of a statement that holds questions the statement
	Tail      string   // the statements behind them, of which none asks
}

// CutScript cuts a text that begins with a question, or with a statement that holds one. ok is false if a question stands
// anywhere else, or may: then nothing of it must run. A text without a question is a Script without one.
func CutScript(text string) (s Script, ok bool) {
	for {
		n := leadingQuestion(text)
		if n == 0 {
			break
		}
		s.Questions = append(s.Questions, text[:n])
		text = text[n:]
	}
	last := len(s.Questions) - 1
	if last >= 0 && blank(text) {
		s.Questions[last] += text // it may be an annotation of the question
		return s, true
	}
	list := statements(text)
	for i := range list {
		if !list[i].isQuestion() {
			continue
		}
		if last >= 0 || !blank(strings.Join(textsOf(list[:i]), "")) {
			return Script{}, false
		}
		if list[i].isDeclare() { // its rows are fetched by what comes behind it
			return Script{Questions: []string{text}}, true
		}
		end := len(strings.Join(textsOf(list[:i+1]), ""))
		s.Questions, text, list = []string{text[:end]}, text[end:], list[i+1:]
		if slices.ContainsFunc(list, func(s sqlStatement) bool { return s.isQuestion() }) {
			return Script{}, false
		}
		if blank(text) {
			s.Questions[0] += text
			return s, true
		}
		break
	}
	s.Tail = text
	return s, len(s.Questions) == 0 || list != nil || !MayHold([]byte(text))
}

// leadingQuestion returns the length of the question with which a text begins, its semicolon included. It is 0 if the
// text begins with none, or with one that stands above its SQL.
func leadingQuestion(text string) int {
	asked := false
	for i := 0; i < len(text); {
		kind, end, _ := nextPiece(text, i)
		switch kind {
		case pieceLine, pieceBlock:
			asked = asked || isAskComment([]byte(text[i:end]))
		case pieceSemicolon:
			if asked {
				return end
			}
		case pieceSQL:
			if asked || !hasAskWord(text[i:]) || Detect([]byte(text[i:]), true) != Yes {
				return 0
			}
			// By verb. One without quotation marks is nothing that could be cut.
			n := quotedVerb(text[i:])
			if n < 0 {
				return len(text)
			}
			rest := text[i+n:]
			semicolon := len(rest) - len(trimBlanks(rest, ""))
			if semicolon == len(rest) || rest[semicolon] != ';' {
				return len(text)
			}
			return i + n + semicolon + 1
		}
		i = end
	}
	if asked {
		return len(text)
	}
	return 0
}

func textsOf(list []sqlStatement) (texts []string) {
	for i := range list {
		texts = append(texts, list[i].text)
	}
	return texts
}

// blank says whether a text is nothing but blanks, comments that ask nothing and semicolons.
func blank(text string) bool {
	list, rest := comments(text)
	return rest == "" && !slices.ContainsFunc(list, func(c comment) bool { return isAskComment([]byte("--" + c.text)) })
}

// isQuestion says whether a statement is, or holds, a question that is answered.
func (s *sqlStatement) isQuestion() bool {
	if leadingQuestion(s.text) > 0 {
		return true
	}
	if len(s.asks) == 0 {
		return false
	}
	_, places, _ := s.embed()
	return len(places) > 0
}

// quotedVerb returns where ASK '…' HINT '…', with which a text begins, ends; -1 if it has no quotation marks.
func quotedVerb(s string) int {
	rest := trimBlanks(s[3:], "")
	if strings.HasPrefix(rest, "(") {
		end := closingParen(rest)
		if end < 0 {
			return -1
		}
		rest = trimBlanks(rest[end+1:], "")
	}
	_, rest, ok := cutQuoted(rest)
	if !ok {
		return -1
	}
	if after := trimBlanks(rest, ""); len(after) > 4 && strings.EqualFold(after[:4], "hint") {
		if _, end, ok := cutQuoted(trimBlanks(after[4:], "")); ok {
			rest = end
		}
	}
	return len(s) - len(rest)
}

// paged says whether a text that begins with ASK '…' goes on as a statement does that a program has limited, ordered or filtered.
func paged(s string) bool {
	n := quotedVerb(s)
	if n < 0 || !MayHold([]byte(s[:n])) || MayHold([]byte(s[n:])) {
		return false
	}
	if _, behind := comments(s[n:]); !page.MatchString(behind) {
		return false
	}
	_, err := Parse("SELECT * FROM ask('') AS ask " + s[n:])
	return err == nil
}

// A sqlStatement is one statement of a text, up to its semicolon, with the comments before it.
type sqlStatement struct {
	text   string
	tokens []*pg_query.ScanToken // without comments
	asks   []place               // its questions: ask comments, and ASK '…' that is not all of it
}

// place is where a question stands in a statement.
type place struct {
	start, end int
	before     int // how many of the statement's tokens stand before it
	comment    bool
	form       Form
}

// statements cuts a text at its semicolons. It returns nil if the text can't be read: if
// a quotation mark is not closed, or the body of a function has semicolons of its own.
func statements(text string) (list []sqlStatement) {
	if strings.IndexByte(text, 0) >= 0 {
		return nil
	}
	scan, err := Scan(text)
	if err != nil {
		return nil
	}
	var s sqlStatement
	from, depth, last := 0, 0, 0
	end := func(at int) {
		s.text = text[from:at]
		s.findAsks(from)
		list = append(list, s)
		s, from, depth = sqlStatement{}, at, 0
	}
	for _, t := range scan.Tokens {
		if int(t.Start) < last || t.End <= t.Start || int(t.End) > len(text) {
			return nil // the scanner misplaces some tokens (U&'…')
		}
		last = int(t.End)
		switch t.Token {
		case pg_query.Token_ATOMIC:
			return nil
		case pg_query.Token_ASCII_40:
			depth++
		case pg_query.Token_ASCII_41:
			depth--
		case pg_query.Token_ASCII_59:
			if depth <= 0 {
				end(last)
				continue
			}
		}
		s.tokens = append(s.tokens, t)
	}
	if from < len(text) {
		end(len(text))
	}
	return list
}

// maxTries bounds how often one statement is searched for the end of an ASK, each time up to the statement's end.
const maxTries = 1000

// findAsks finds the questions of a statement that begins at this place of the text, and counts the places of its tokens from there.
func (s *sqlStatement) findAsks(from int) {
	all := s.tokens
	s.tokens = nil
	for _, t := range all {
		t.Start -= int32(from)
		t.End -= int32(from)
	}
	text := func(t *pg_query.ScanToken) string { return s.text[t.Start:t.End] }
	used := parameters(all, s.text)
	tries := 0
	for i := 0; i < len(all); i++ {
		t := all[i]
		if isComment(t) {
			if !isAskComment([]byte(text(t))) {
				continue
			}
			// Line comments behind a line comment continue it.
			end := i
			for t.Token == pg_query.Token_SQL_COMMENT && end+1 < len(all) && all[end+1].Token == pg_query.Token_SQL_COMMENT && !isAskComment([]byte(text(all[end+1]))) {
				end++
			}
			form, _ := parseForm(s.text[t.Start:all[end].End], used)
			s.asks = append(s.asks, place{start: int(t.Start), end: int(all[end].End), before: len(s.tokens), comment: true, form: form})
			i = end
			continue
		}
		if t.Token == pg_query.Token_IDENT && strings.EqualFold(text(t), "ask") && tries < maxTries && (len(s.tokens) > 0 || paged(s.text[t.Start:])) {
			tries++
			if n := quotedVerb(s.text[t.Start:]); n > 0 {
				form, _ := parseForm(s.text[t.Start:int(t.Start)+n], used)
				s.asks = append(s.asks, place{start: int(t.Start), end: int(t.Start) + n, before: len(s.tokens), form: form})
				for i+1 < len(all) && int(all[i+1].Start) < int(t.Start)+n {
					i++
				}
				continue
			}
		}
		s.tokens = append(s.tokens, t)
	}
}

// parameters returns the numbers of the parameters among tokens.
func parameters(tokens []*pg_query.ScanToken, text string) (list []int) {
	for _, t := range tokens {
		if t.Token != pg_query.Token_PARAM {
			continue
		}
		if n, err := strconv.Atoi(text[t.Start+1 : t.End]); err == nil {
			list = append(list, n)
		}
	}
	return list
}

// UsedParameters returns the numbers of the parameters of a SQL text. ok is false if the text can't be read.
func UsedParameters(sql string) (used map[int]bool, ok bool) {
	scan, err := Scan(sql)
	if err != nil {
		return nil, false
	}
	used = map[int]bool{}
	for _, n := range parameters(scan.Tokens, sql) {
		used[n] = true
	}
	return used, true
}

func isComment(t *pg_query.ScanToken) bool {
	return t.Token == pg_query.Token_SQL_COMMENT || t.Token == pg_query.Token_C_COMMENT
}

func (s *sqlStatement) isDeclare() bool {
	return len(s.tokens) > 0 && s.tokens[0].Token == pg_query.Token_DECLARE
}
