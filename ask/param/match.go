package param

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"

	"askpg/ask"
)

// Bounds of matching a question: a question that can be read in more ways is
// ambiguous.
const (
	maxReadings = 64
	maxSteps    = 20_000
)

// Match is what became of matching a question.
type Match int

// The outcomes of matching.
const (
	None      Match = iota // another question
	Unread                 // the words are not what the parameters want
	Ambiguous              // several readings
	Matched
)

// Match compares a question with t. If it is t's but for the words of the
// parameters, and these can be read in one way, the values are returned by the
// parameters' names. An error is of reading a column.
func (t *Template) Match(ctx context.Context, question string, r *Reader) (map[string]string, Match, error) {
	kept, folded := ask.Fold(question)
	if len(kept) != len(folded) {
		return nil, None, nil
	}
	s := splitter{t: t, folded: folded}
	if !s.may() {
		return nil, None, nil
	}
	s.split(0, 0, nil)
	if s.over {
		return nil, Ambiguous, nil
	}
	if len(s.found) == 0 {
		return nil, None, nil
	}
	var one map[string]string
	for _, ends := range s.found {
		values, ok, err := t.read(ctx, r, kept, ends)
		switch {
		case err != nil:
			return nil, None, err
		case !ok:
		case one == nil:
			one = values
		case !maps.Equal(one, values):
			return nil, Ambiguous, nil
		}
	}
	if one == nil {
		return nil, Unread, nil
	}
	return one, Matched, nil
}

// read converts the words of one reading.
func (t *Template) read(ctx context.Context, r *Reader, kept []rune, ends []int) (map[string]string, bool, error) {
	words := make([]string, len(t.Parameters))
	at := 0
	for i, slot := range t.slots {
		begin := at + len([]rune(t.pieces[i]))
		w := string(kept[begin:ends[i]])
		if words[slot] != "" && fold(words[slot]) != fold(w) {
			return nil, false, nil
		}
		words[slot], at = w, ends[i]
	}
	values := map[string]string{}
	for i := range t.Parameters {
		p := &t.Parameters[i]
		if p.Type == typeText && len(p.Choices) == 0 && p.Column == "" && strings.ContainsFunc(words[i], unicode.IsSpace) && unquote(words[i]) == words[i] {
			return nil, false, nil // any text would take in what another question says more
		}
		v, ok, err := p.read(ctx, r, words[i])
		if err != nil || !ok {
			return nil, false, err
		}
		values[p.Name] = v
	}
	return values, true, nil
}

// splitter finds the ways in which a question falls into t's pieces.
type splitter struct {
	t      *Template
	folded []rune
	found  [][]int // ends of the parameters' words
	steps  int
	over   bool
}

// may says whether the question can be t's at all, which is quickly told.
func (s *splitter) may() bool {
	text, first, last := string(s.folded), s.t.pieces[0], s.t.pieces[len(s.t.pieces)-1]
	if !strings.HasPrefix(text, first) || !strings.HasSuffix(text, last) || len(text) <= len(first)+len(last) {
		return false
	}
	return !slices.ContainsFunc(s.t.pieces, func(p string) bool { return !strings.Contains(text, p) })
}

// split goes on behind the words of slot-1, which end at at.
func (s *splitter) split(slot, at int, ends []int) {
	piece := []rune(s.t.pieces[slot])
	if !s.stands(piece, at) {
		return
	}
	begin := at + len(piece)
	if begin >= len(s.folded) || s.folded[begin] == ' ' {
		return
	}
	next := []rune(s.t.pieces[slot+1])
	if slot+1 == len(s.t.slots) {
		end := len(s.folded) - len(next)
		if end > begin && s.folded[end-1] != ' ' && s.stands(next, end) {
			s.found = append(s.found, append(slices.Clip(ends), end))
			s.over = s.over || len(s.found) > maxReadings
		}
		return
	}
	for end := begin + 1; end+len(next) < len(s.folded) && !s.over; end++ {
		if s.steps++; s.steps > maxSteps {
			s.over = true
		}
		if s.folded[end-1] != ' ' && s.stands(next, end) {
			s.split(slot+1, end, append(slices.Clip(ends), end))
		}
	}
}

// stands says whether a piece is at a place of the question.
func (s *splitter) stands(piece []rune, at int) bool {
	if at+len(piece) > len(s.folded) {
		return false
	}
	for i, r := range piece {
		if s.folded[at+i] != r {
			return false
		}
	}
	return true
}
