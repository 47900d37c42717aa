// Follow-ups: a question that changes the one before it becomes a whole question.

package grammar

import (
	"slices"

	"askpg/ask"
)

// A follow-up edits the question before it: a time, a key, a value of the same column, a number or an order takes the place
// of the one that there was, anything else is said of the same things. The edit is made in the words, so that the outcome is a
// whole question, on which the next one can follow up. It is then read as any question is, and the forms of both are compared:
// what the edit did not speak of must have stayed as it was.

// editKind says what an edit may change in the form of the question.
type editKind byte

const (
	editCondition editKind = iota // which rows: a time, a value, a comparison
	editKey                       // what the answer is grouped by
	editOrder                     // the order of the rows, and how many of them
	editOutput                    // what is shown beside what was shown
	editCount                     // rows into their number, an aggregate into another
	editSubject                   // of what things it is
)

// edit is a question that a follow-up may mean, made by a change of the previous question.
type edit struct {
	question string
	kind     editKind
	replaces bool // a condition, by one on the same column
}

// trialSteps is the least number of steps that each trial of a follow-up counts: together they take no more than maxSteps, and so at
// most 24 are read.
const trialSteps = maxSteps / 24

// followUp is a follow-up while the questions that it may mean are proposed.
type followUp struct {
	lexicon *lexicon
	options Options
	said    *parser // the question before it
	before  []token
	more    *parser // the follow-up, of which the tokens from start to end say something
	start   int
	end     int
	also    bool // what it says is beside what there was
	edits   []edit
}

// follow returns the whole question that one means which follows up on another, and its readings. It is an error if it cannot be
// told what it changes.
func (x *lexicon) follow(previous, question string, o Options) (string, []Interpretation, error) {
	more := newParser(x, question, o)
	if n := len(more.tokens) + len(scan(previous)); n > maxWords {
		return "", nil, errTooLong(n)
	}
	if err := more.forbiddenError(); err != nil {
		return "", nil, err
	}
	if more.asksToAct() {
		return "", nil, more.actError()
	}
	if start, end := more.contentSpan(); start < end {
		if err := newParser(x, writeTokens(more.tokens[start:end]), o).unknownError(); err != nil {
			return "", nil, err
		}
	}
	was := x.readAll(previous, o)
	if len(was) == 0 {
		if reworded, list := newParser(x, previous, o).inOtherWords(); list != nil {
			previous, was = reworded, list
		}
	}
	if slices.IndexFunc(was, func(r Interpretation) bool { return r.SQL == o.Chosen }) > 0 {
		return "", nil, ask.Errorf(ask.CodeNoCandidate, "the question was not understood").
			WithDetail("The last answer was not the likeliest reading of %q, so a follow-up can't change its words.", previous).
			WithHint("Ask the whole question, in words that say which reading is meant.")
	}
	whole, list, rest := x.followed(previous, question, o)
	if whole == "" && len(was) == 0 {
		return "", nil, ask.Errorf(ask.CodeNoCandidate, "the question was not understood").
			WithDetail("%q was not understood, so that a follow-up has nothing to change.", previous).
			WithHint("Ask the whole question in other words.")
	}
	if whole == "" {
		return "", nil, ask.Errorf(ask.CodeNoCandidate, "the question was not understood").
			WithDetail("It is not clear what %q changes in %q.", rest, previous).
			WithHint(`Ask the whole question. A follow-up changes one thing: "in 2024", "by month", "top 5", "only" and a value.`)
	}
	return whole, list, nil
}

func (x *lexicon) followed(previous, question string, o Options) (string, []Interpretation, string) {
	f := &followUp{lexicon: x, options: o, said: newParser(x, previous, o), more: newParser(x, question, o)}
	f.before = f.said.tokens
	for len(f.before) > 0 && f.before[len(f.before)-1].kind == punctToken {
		f.before = f.before[:len(f.before)-1]
	}
	f.start, f.end = f.more.contentSpan()
	for _, w := range []string{"also", "too", "additionally"} {
		f.also = f.also || slices.ContainsFunc(f.more.tokens, func(t token) bool { return t.lower == w })
	}
	if f.start >= f.end || len(f.before) == 0 {
		return "", nil, question
	}
	rest := writeTokens(f.more.tokens[f.start:f.end])
	if unit, end := f.more.dateUnit(f.start); end > f.start && end == f.end-1 && f.more.tokens[end].lower == "before" {
		if question = f.unitBefore(unit); question == "" {
			return "", nil, rest
		}
		whole, list, _ := x.followed(previous, question, o)
		return whole, list, rest
	}
	f.propose()
	was := x.readAll(writeTokens(f.before), o)
	for _, near := range []bool{false, true} { // an answer first, then one of several
		for _, e := range f.edits {
			if *o.steps += trialSteps; *o.steps > maxSteps {
				break
			}
			if list := x.readAll(e.question, o); len(list) > 0 && (near || !isAmbiguous(list)) && e.keeps(was, list[0]) {
				return e.question, list, rest
			}
		}
	}
	whole, list := f.changedTwice(previous)
	return whole, list, rest
}

// unitBefore writes out "the month before", which is before the one that the question names; "" if that names none.
func (f *followUp) unitBefore(unit string) string {
	names := func(i int, phrases []string) bool {
		return slices.ContainsFunc(f.said.anyOfPhrases(i, phrases), func(e int) bool {
			u, end := f.said.dateUnit(e)
			return end > e && u == unit
		})
	}
	dates := &f.said.language.dates
	for i := range f.before {
		switch {
		case names(i, dates.This):
			return "last " + unit
		case names(i, dates.Last):
			return "the " + unit + " before last"
		}
	}
	return ""
}

// changedTwice reads a follow-up that changes two things: "in 2024 by month".
func (f *followUp) changedTwice(previous string) (string, []Interpretation) {
	for k := f.end - 1; k > f.start; k-- {
		if !f.more.beginsAnything(k) || *f.options.steps > maxSteps {
			continue
		}
		half, _, _ := f.lexicon.followed(previous, writeTokens(f.more.tokens[f.start:k]), f.options)
		if half == "" {
			continue
		}
		if whole, list, _ := f.lexicon.followed(half, writeTokens(f.more.tokens[k:f.end]), f.options); whole != "" {
			return whole, list
		}
	}
	return "", nil
}

// beginsAnything reports whether something of its own begins at token i.
func (p *parser) beginsAnything(i int) bool {
	return p.language.prepositions[p.tokens[i].lower] || p.timeSpan(i) > i || p.keySpan(i) > i || len(p.ends(i, "relative", "with", "without", "order", "top", "bottom", "except")) > 0
}

// readAll returns the readings of a whole question, none if the best is no answer or the steps are used up.
func (x *lexicon) readAll(question string, o Options) []Interpretation {
	o.Suggest = false
	p := newParser(x, question, o)
	if len(p.tokens) == 0 || len(p.tokens) > maxWords || p.forbiddenError() != nil || len(p.unknown()) > 0 {
		return nil
	}
	if o.steps != nil {
		p.steps = *o.steps
	}
	list := p.interpretations(p.read())
	if o.steps != nil {
		*o.steps = p.steps
		if p.isExhausted() {
			return nil // the best reading may be missing
		}
	}
	if len(list) == 0 || list[0].Score < score(answeredCost) {
		return nil
	}
	return list
}

func isAmbiguous(list []Interpretation) bool {
	return slices.ContainsFunc(list, func(r Interpretation) bool { return r.Near })
}
