package ask

import (
	"slices"
	"strconv"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"
)

// Part is a piece of the text of a message. The pieces are dealt with one after the other.
type Part struct {
	Text     string
	Asks     bool // it holds a question that is answered, and is no other statement
	Commands bool // they only set something, or begin or end a transaction (Lead)
}

// Parts cuts a text into its questions and what stands between them. A text in
// which no statement can be told from the next one is one part.
func Parts(text string) (parts []Part) {
	add := func(p Part) {
		if n := len(parts); n > 0 && blank(parts[n-1].Text) {
			p.Text = parts[n-1].Text + p.Text
			parts[n-1] = p
			return
		} else if n > 0 && (blank(p.Text) || !p.Asks && !parts[n-1].Asks && p.Commands == parts[n-1].Commands) {
			parts[n-1].Text += p.Text
			return
		}
		parts = append(parts, p)
	}
	if n := Lead([]byte(text)); n > 0 {
		add(Part{Text: text[:n], Commands: true})
		text = text[n:]
	}
	if _, rest := comments(text); hasAskWord(rest) && Detect([]byte(text), true) == Yes {
		// By verb. A text without quotation marks is nothing that could be cut.
		end := quotedVerb(rest)
		if end < 0 || !strings.HasPrefix(strings.TrimSpace(rest[end:]), ";") {
			add(Part{Text: text, Asks: true})
			return parts
		}
		end = len(text) - len(rest) + end + strings.IndexByte(rest[end:], ';') + 1
		add(Part{Text: text[:end], Asks: true})
		text = text[end:]
		if !blank(text) {
			parts = append(parts, Parts(text)...)
		}
		return parts
	}
	list := statements(text)
	if list == nil {
		add(Part{Text: text, Asks: Detect([]byte(text), true) == Yes})
		return parts
	}
	for i, s := range list {
		p := Part{Text: s.text, Asks: len(s.tokens) == 0 && len(s.asks) > 0}
		switch {
		case p.Asks:
		case len(s.asks) > 0:
			_, places, _ := s.embed()
			p.Asks = len(places) > 0
		default:
			n := Lead([]byte(s.text + ";"))
			p.Commands = n > 0 && blank(s.text[min(n, len(s.text)):])
		}
		if p.Asks && s.isDeclare() {
			// Its rows are fetched by what comes behind it.
			for _, s := range list[i+1:] {
				p.Text += s.text
			}
			add(p)
			return parts
		}
		add(p)
	}
	return parts
}

// blank says whether a text is nothing but blanks, comments that ask nothing and semicolons.
func blank(text string) bool {
	list, rest := comments(text)
	return rest == "" && !slices.ContainsFunc(list, func(c comment) bool { return isAskComment([]byte("--" + c.text)) })
}

// quotedVerb returns where ASK '…' HINT '…', with which a text begins, ends; -1 if it has no quotation marks.
func quotedVerb(s string) int {
	rest := strings.TrimLeft(s[3:], " \t\r\n\f\v")
	if strings.HasPrefix(rest, "(") {
		end := closingParen(rest)
		if end < 0 {
			return -1
		}
		rest = strings.TrimLeft(rest[end+1:], " \t\r\n\f\v")
	}
	_, rest, ok := cutQuoted(rest)
	if !ok {
		return -1
	}
	if after := strings.TrimLeft(rest, " \t\r\n\f\v"); len(after) > 4 && strings.EqualFold(after[:4], "hint") {
		if _, end, ok := cutQuoted(strings.TrimLeft(after[4:], " \t\r\n\f\v")); ok {
			rest = end
		}
	}
	return len(s) - len(rest)
}

// A sqlStatement is one statement of a text, up to its semicolon, with the comments before it.
type sqlStatement struct {
	text   string
	tokens []*pg_query.ScanToken // without comments
	asks   []place               // its questions: ask comments, and ASK '…' that is not its beginning
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
	scan, err := pg_query.Scan(text)
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
		if len(s.tokens) > 0 && t.Token == pg_query.Token_IDENT && strings.EqualFold(text(t), "ask") {
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
	scan, err := pg_query.Scan(sql)
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
