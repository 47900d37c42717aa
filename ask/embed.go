package ask

import (
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"
)

// embed writes calls of ask('…') in the place of the questions of a statement that is not SQL without them. places are
// those of the calls in the text that it returns, with their forms. There are none if the statement goes to the server
// as it is. An error says that two questions stand for one statement, or that a comment has swallowed what a tool has
// written behind it.
//
// A statement that is SQL is left alone: there a question stands above the SQL that answers
// it. But SELECT whose columns are nothing but a question, which a program has put before it, is SQL
// too, and would return rows without columns.
func (s *sqlStatement) embed() (text string, places []place, err error) {
	if len(s.asks) == 0 {
		return s.text, nil, nil
	}
	_, perr := Parse(s.text)
	var asks []place
	columns := false // a question stands for those of a statement that is SQL
	for i, p := range s.asks {
		if p.comment && s.emptySelect(p) {
			columns = perr == nil
			if i > 0 && s.asks[i-1].before == p.before {
				return s.text, s.asks, errTwoQuestions()
			}
			p.start = int(s.tokens[p.before-1].Start)
		} else if perr == nil {
			continue
		}
		asks = append(asks, p)
	}
	if len(asks) == 0 {
		return s.text, nil, nil
	}
	// A question stands for a statement, or for a relation in FROM.
	for _, call := range []string{"SELECT * FROM ask('') AS ask", "ask('')"} {
		var b strings.Builder
		places, at := []place(nil), 0
		for _, p := range asks {
			b.WriteString(s.text[at:p.start])
			places = append(places, place{start: b.Len() + strings.Index(call, "ask("), form: p.form})
			b.WriteString(call)
			at = p.end
		}
		b.WriteString(s.text[at:])
		if _, err := Parse(b.String()); err == nil {
			return b.String(), places, nil
		}
	}
	if columns {
		return s.text, asks, Errorf(CodeSyntax, "the question takes the place of a SELECT's columns, and that SELECT has more parts").
			WithHint("Write the question alone, or SELECT … FROM ask('…') AS r.")
	}
	depth := 0
	for _, t := range s.tokens {
		switch t.Token {
		case pg_query.Token_ASCII_40:
			depth++
		case pg_query.Token_ASCII_41:
			depth--
		}
	}
	if depth > 0 {
		return s.text, asks, Errorf(CodeSyntax, "a parenthesis is closed within the comment of the question").
			WithHint("Write the question as /* ask: … */, so that what a program writes behind it is not a part of it.")
	}
	return s.text, nil, nil
}

// emptySelect says whether the question stands where SELECT has its list and nothing else: SELECT, the
// question, and the end, FROM, LIMIT and the like.
func (s *sqlStatement) emptySelect(p place) bool {
	if p.before == 0 || s.tokens[p.before-1].Token != pg_query.Token_SELECT {
		return false
	}
	if p.before == len(s.tokens) {
		return true
	}
	switch s.tokens[p.before].Token {
	case pg_query.Token_ASCII_41, pg_query.Token_ASCII_59, pg_query.Token_LIMIT, pg_query.Token_OFFSET, pg_query.Token_FETCH,
		pg_query.Token_ORDER, pg_query.Token_WHERE, pg_query.Token_UNION, pg_query.Token_EXCEPT, pg_query.Token_INTERSECT, pg_query.Token_FOR,
		pg_query.Token_INTO, pg_query.Token_FROM, pg_query.Token_GROUP_P, pg_query.Token_HAVING, pg_query.Token_WINDOW:
		return true
	}
	return false
}
