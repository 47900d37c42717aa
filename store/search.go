package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"askpg/ask"
)

// fewRows is how many translations may pass the other filters for a text search
// to check its hits against all of them. rareRows is how many may for a list of
// a time to read them all instead of going by the index of the time.
const (
	fewRows  = 20_000
	rareRows = 2_000
)

// search returns the query that finds the rows of a page, as column found.
func (s *Store) search(ctx context.Context, f *Filter, order string, limit int) (query string, args []any, err error) {
	c := s.conditions(f)
	filtered := len(c.where) > 0
	if f.Before != "" {
		if err := c.after(s, f); err != nil {
			return "", nil, err
		}
	}
	words := s.textQuery(f.Text)
	if id := strings.ToLower(strings.TrimSpace(f.Text)); idForm.MatchString(id) {
		c.add(`seq in (select seq from translations where `+idBegins+`)`, id, id+afterID)
		words = ""
	}
	if words != "" {
		// What was asked a moment ago is found as well.
		if err := s.indexText(ctx); err != nil {
			s.log.WarnContext(ctx, "the words of the newest translations are not indexed yet", "error", err)
		}
	}
	switch {
	case words == "":
	case s.dialect == postgres:
		c.add("to_tsvector('simple', left(question || ' ' || hint || ' ' || sql || ' ' || message, 100000)) @@ to_tsquery('simple', ?)", words)
	case f.Order == PriorityFirst:
		c.add("seq in (select docid from translations_text where translations_text match ?)", words)
	default:
		// The text index yields its hits newest first, so the page is full
		// soon, unless the other filters let few of them pass. Then the few
		// are collected beforehand, which their indexes do without the rows.
		args := append([]any{words}, c.args...)
		if filtered {
			n, err := s.count(ctx, c, fewRows)
			if err != nil {
				return "", nil, fmt.Errorf("listing translations: %w", err)
			}
			if n < fewRows {
				return fmt.Sprintf(`select docid as found from translations_text where translations_text match ? and +docid in (select seq from translations%s) order by docid desc limit %d`, c, limit), args, nil
			}
		}
		rest := strings.Replace(c.String(), " where ", " and ", 1)
		return fmt.Sprintf(`select seq as found from translations_text x cross join translations where translations_text match ? and seq = x.docid%s order by x.docid desc limit %d`, rest, limit), args, nil
	}
	from := ""
	if s.byTime(f) && s.dialect == sqlite {
		if from, err = s.timeIndex(ctx, f, c); err != nil {
			return "", nil, fmt.Errorf("listing translations: %w", err)
		}
	}
	return fmt.Sprintf(`select seq as found from translations%s%s order by %s limit %d`, from, c, order, limit), c.args, nil
}

// byTime says whether a list is in the order of the time of asking instead of
// that of logging, which is all but the same. The index of the time has that
// order. So a page of a time long ago is found without what came later.
func (s *Store) byTime(f *Filter) bool {
	return f.Order == NewestFirst && s.textQuery(f.Text) == "" && (!f.Since.IsZero() || !f.Until.IsZero() || f.MinElapsed > 0 || f.MaxElapsed > 0)
}

// timeIndex makes SQLite go by the index of the time, which holds what is
// filtered by as well, unless the other filters let few translations pass.
func (s *Store) timeIndex(ctx context.Context, f *Filter, c *clause) (from string, err error) {
	rest := *f
	rest.Since, rest.Until, rest.MinElapsed, rest.MaxElapsed = time.Time{}, time.Time{}, 0, 0 // that index has both
	if others := s.conditions(&rest); len(others.where) > 0 {
		n, err := s.count(ctx, others, rareRows)
		if err != nil {
			return "", err
		}
		if n < rareRows {
			for i, w := range c.where {
				c.where[i] = strings.Replace(w, "asked ", "+asked ", 1)
			}
			return "", nil
		}
	}
	return " indexed by translations_asked", nil
}

// after continues behind the last row of the page before.
func (c *clause) after(s *Store, f *Filter) error {
	first, place := "", f.Before
	if f.Order == PriorityFirst || s.byTime(f) {
		first, place, _ = strings.Cut(f.Before, "_")
	}
	seq, err := strconv.ParseInt(place, 10, 64)
	if err != nil {
		return errNoPlace
	}
	switch {
	case f.Order == PriorityFirst:
		p, err := strconv.ParseFloat(first, 64)
		if err != nil {
			return errNoPlace
		}
		c.add("(priority, seq) < (?, ?)", p, seq)
	case s.byTime(f):
		asked, err := strconv.ParseInt(first, 10, 64)
		if err != nil {
			return errNoPlace
		}
		c.add("(asked, seq) < (?, ?)", s.time(time.UnixMicro(asked)), seq)
	default:
		c.add("seq < ?", seq)
	}
	return nil
}

var errNoPlace = ask.Errorf(ask.CodeInvalidParameter, "this is no place in the list; start again at its first page")

// textSyntax is what a query of a full-text index is made of: words, each perhaps with any ending, in phrases.
var textSyntax = map[dialect]struct{ quote, anyEnding, begin, between, end, and string }{
	sqlite:   {anyEnding: "*", begin: `"`, between: " ", end: `"`, and: " "},
	postgres: {quote: "'", anyEnding: ":*", begin: "(", between: " <-> ", end: ")", and: " & "},
}

// textQuery turns what a person types into a query of the full-text index.
// Nothing of it is syntax but quotes and a star at a word's end.
func (s *Store) textQuery(input string) string {
	syntax := textSyntax[s.dialect]
	var phrases []string
	for i, part := range strings.Split(storable(input), `"`) {
		var words []string
		for _, w := range strings.FieldsFunc(part, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '*'
		}) {
			w, any := strings.CutSuffix(w, "*")
			if w = strings.ReplaceAll(w, "*", ""); w == "" {
				continue
			}
			w = syntax.quote + w + syntax.quote
			if any {
				w += syntax.anyEnding
			}
			words = append(words, w)
		}
		length := 1
		if quoted := i%2 == 1; quoted {
			length = max(len(words), 1)
		}
		for phrase := range slices.Chunk(words, length) {
			phrases = append(phrases, syntax.begin+strings.Join(phrase, syntax.between)+syntax.end)
		}
	}
	return strings.Join(phrases, syntax.and)
}
