// States of rows, such as "open" and "overdue".

package grammar

import (
	"slices"
	"strings"
	"time"

	"askpg/catalog"
)

// state is what a word says of a row without being the name of a column. A bill is "unpaid" as long as the time of its payment is null,
// and "overdue" if it was due before today, too. Which columns tell it is found for each relation.
type state struct {
	Words   []string // as questions have it
	Lacks   []string // what has not happened to the row, by names of times that are null until then
	Has     []string // what has happened to it
	Flags   []string // names of flags that say so
	Denied  []string // names of flags that say the contrary
	Values  []string // values of a status that mean the state; used only if the status also has a value for what Lacks names
	Due     bool     // what was due has not happened in time
	Open    bool     // something is not paid yet: of a bill, what is open
	Settled bool     // nothing of a bill is open, where its payments are rows of their own
	Past    []string // names of times that have passed
	Coming  bool     // its time has not come yet

	Unlinked string   // "assign" for "unassigned": the state holds if the key of that name is null
	Without  []string // "pay" for "unpaid": the state holds if no row of a relation of that name refers to the row

	null *catalog.Column // the column that has no value, as its comment says
}

// findStates finds the words of states at token i, by where they end.
func (p *parser) findStates(i int) (out map[int][]*state) {
	if p.tokens[i].kind != wordToken {
		return nil
	}
	add := func(end int, s *state) {
		if out == nil {
			out = map[int][]*state{}
		}
		out[end] = append(out[end], s)
	}
	for _, list := range [][]phrasedState{p.language.states[p.tokens[i].lower], p.lexicon.nullStates[p.tokens[i].lower]} {
		for _, s := range list {
			if p.follows(i, s.words) && p.hasState(s.state) {
				add(i+len(s.words), s.state)
			}
		}
	}
	if s, end := p.negatedState(i); s != nil && slices.ContainsFunc(p.relations, func(r *catalog.Relation) bool { return p.stateOf(r, s) != nil }) {
		add(end, s)
	}
	return out
}

// phrasedState is a state with one of its phrases.
type phrasedState struct {
	words []string
	state *state
}

// hasState reports whether rows of any relation can be in a state. A lexicon
// finds it once.
func (p *parser) hasState(s *state) bool {
	if known, ok := p.lexicon.hasStates.Load(s); ok {
		return known.(bool)
	}
	has := slices.ContainsFunc(p.lexicon.snapshot.Relations, func(r *catalog.Relation) bool { return p.stateOf(r, s) != nil })
	p.lexicon.hasStates.Store(s, has)
	return has
}

// applyState narrows a phrase to the rows that are in the first of the states that the columns of their relation prove.
func (p *parser) applyState(n *phrase, m *modifier) []reading {
	if p.isValueOf(n.set.relation, m.hints[0]) {
		return nil // the value is the state
	}
	for _, s := range m.states {
		if conditions := p.stateOf(n.set.relation, s); conditions != nil {
			return []reading{{n.holding(conditions...), 0.05}}
		}
	}
	return nil
}

// isValueOf reports whether a word is one of the few values of a column of a relation, such as a status.
func (p *parser) isValueOf(r *catalog.Relation, word string) bool {
	c, v := p.stateNamed(r, strings.ToLower(word))
	return c != nil && strings.EqualFold(v.Text, word)
}

// stateOf returns the conditions on the rows of a relation that are in a state,
// nil if its columns do not prove which are.
func (p *parser) stateOf(r *catalog.Relation, s *state) (out []condition) {
	if s.null != nil {
		if s.null.Relation != r {
			return nil
		}
		return []condition{{kind: compare, column: s.null, op: "is null"}}
	}
	x := p.lexicon
	is := func(c *catalog.Column, op string) condition { return condition{kind: compare, column: c, op: op} }
	if flag := x.flagged(r, s); flag != nil {
		return []condition{*flag}
	}
	if inStatus := p.inFlaggedStatus(r, s); inStatus != nil {
		return []condition{*inStatus}
	}
	if c := p.keyOfNegated(r, s.Unlinked); c != nil {
		return []condition{is(c, "is null")}
	}
	switch {
	case s.Settled:
		return p.settledOf(r)
	case s.Coming:
		c := onlyWhere(p.futureTimes(r), func(c *catalog.Column) bool { return !x.isNamed(c, x.language.endTimeNames) })
		if c == nil {
			return nil
		}
		out = append(out, fromToday(c))
	case len(s.Past) > 0:
		c := only(x.timesNamed(r, s.Past))
		if c == nil {
			return nil
		}
		out = append(out, beforeToday(c))
	case len(s.Has) > 0:
		c := x.firstNullable(r, s.Has)
		if c == nil {
			return nil
		}
		return []condition{is(c, "is not null")}
	default:
		return p.lacking(r, s)
	}
	return append(out, p.withoutCancelledOf(r, s, out)...)
}

// flagged returns the condition on a flag of a relation that says whether its rows are in a state, nil if there is none.
func (x *lexicon) flagged(r *catalog.Relation, s *state) *condition {
	c, op := x.flagOf(r, s.Flags), "="
	if c == nil {
		c, op = x.flagOf(r, s.Denied), "<>"
	}
	if c == nil {
		return nil
	}
	text, _ := truth(c)
	is := comparedWithTrue(c, op, text)
	return &is
}

// comparedWithTrue compares a flag with the text that stands for yes in it.
func comparedWithTrue(c *catalog.Column, op, text string) condition {
	return condition{kind: compare, column: c, op: op, value: operand{literals: []string{text}, plain: "true"}}
}

// inFlaggedStatus returns the condition on rows whose status is a row of its own that has a flag for a state: order_statuses with is_open. It is nil if
// there is none.
func (p *parser) inFlaggedStatus(r *catalog.Relation, s *state) *condition {
	for _, e := range p.lexicon.graph.edges[r] {
		if !e.toOne || e.implied || !p.lexicon.isOfStatuses(e.to) {
			continue
		}
		if flag := p.lexicon.flagged(e.to, s); flag != nil {
			return &condition{kind: related, child: (&set{id: p.newID(), relation: e.to}).with(*flag), path: e.path()}
		}
	}
	return nil
}

// isOfStatuses reports whether the rows of a relation are statuses that others have.
func (x *lexicon) isOfStatuses(r *catalog.Relation) bool {
	name := splitName(r.Name.Name)
	if full := x.expand(name); full != nil {
		name = full
	}
	return slices.Contains(x.stems([]string{"status", "stage"}), x.language.stem(lastOf(name)))
}

// lacking returns the conditions on rows to which something has not happened, nil if nothing proves that: see stateOf.
func (p *parser) lacking(r *catalog.Relation, s *state) []condition {
	out := p.notEnded(r, s)
	byOtherRows := out == nil // no column of the relation tells, but payments or events do
	if byOtherRows {
		if out = p.openOf(r, s); out == nil {
			out = p.withoutEvent(r, s)
		}
	}
	if out == nil {
		return nil
	}
	if s.Due {
		due := only(p.dueTimes(r))
		if due == nil {
			return nil
		}
		out = append(out, beforeToday(due))
	}
	if byOtherRows {
		return append(out, p.lexicon.withoutCancelled(r, out)...) // nobody waits for what was cancelled
	}
	return append(out, p.withoutCancelledOf(r, s, out)...)
}

// withoutCancelledOf returns what leaves out what was cancelled of the rows in a state that a word denies: nobody waits for it. What is
// "uncancelled" may be anything else.
func (p *parser) withoutCancelledOf(r *catalog.Relation, s *state, said []condition) []condition {
	if s.Unlinked != "" && (!p.isEvent(r) || slices.Contains(p.language.voidNames, s.Unlinked)) {
		return nil
	}
	return p.lexicon.withoutCancelled(r, said)
}

// notEnded returns the conditions on rows that have not had what ends them: no such time, one that lies ahead, or a status that says
// so. It is nil if no column tells.
func (p *parser) notEnded(r *catalog.Relation, s *state) []condition {
	x := p.lexicon
	c := x.firstNullable(r, s.Lacks)
	if c == nil && s == x.language.ongoing {
		if now := p.goingOnNow(r); now != nil {
			return now
		}
	}
	if c == nil {
		status, values := x.statusOf(r, s)
		if status == nil {
			return nil
		}
		return []condition{oneOf(status, values)}
	}
	out := []condition{{kind: compare, column: c, op: "is null"}}
	if s == x.language.ongoing && !x.isNamed(c, x.language.expiryNames) {
		return append(out, x.validNow(r)...) // what was not terminated may have ended
	}
	if x.isNamed(c, x.language.expiryNames) {
		out = []condition{{kind: anyOf, parts: append(out, fromToday(c))}}
		if interval := p.interval(r); interval != nil && interval.to == c && hasTimeAfter(interval.from, p.now().Format(time.DateOnly)) {
			out = append(out, untilToday(interval.from))
		}
	}
	return out
}

// goingOnNow returns the conditions on rows of a relation that go on today, by the days on which each begins and ends, by the day until which it is
// valid, or by other rows that make it such. It is nil if nothing tells.
func (p *parser) goingOnNow(r *catalog.Relation) []condition {
	if p.lexicon.goesOnBetween(r) {
		interval := p.lexicon.relationInfo[r].validity
		return []condition{untilToday(interval.from), fromToday(interval.to)}
	}
	if valid := p.lexicon.validNow(r); valid != nil {
		return valid
	}
	return p.suchNow(r)
}

func fromToday(c *catalog.Column) condition { return within(c, today(), "", "today or later") }

func untilToday(c *catalog.Column) condition {
	return within(c, "", "CURRENT_DATE + INTERVAL '1 day'", "today or earlier")
}

func beforeToday(c *catalog.Column) condition { return within(c, "", today(), "before today") }

// within compares a column with a time from lo (inclusive) to hi (exclusive), where they are not empty.
func within(c *catalog.Column, lo, hi, plain string) condition {
	return condition{kind: compare, column: c, op: "range", value: operand{literals: []string{lo, hi}, plain: plain}}
}

// goesOnBetween reports whether each row of a relation has the days on which it begins and ends, and no status besides, so
// that these tell whether it goes on.
func (x *lexicon) goesOnBetween(r *catalog.Relation) bool {
	s := x.relationInfo[r].validity
	return s != nil && s.from.Class == catalog.Date && s.to.Class == catalog.Date && s.from.NotNull && s.to.NotNull && !slices.ContainsFunc(r.Columns, x.isStatus)
}

// withoutCancelled returns what says that rows of a relation were not cancelled and the
// like. A cancelled row is neither unpaid nor upcoming.
func (x *lexicon) withoutCancelled(r *catalog.Relation, said []condition) []condition {
	return x.withoutStatusOf(r, said, x.language.voidNames)
}

// withoutStatusOf returns what says that rows of a relation are not what one of the names says.
func (x *lexicon) withoutStatusOf(r *catalog.Relation, said []condition, names []string) (out []condition) {
	for _, c := range r.Columns {
		if speaksOf(said, c) {
			continue
		}
		switch text, flag := truth(c); {
		case x.isNamed(c, names) && isTime(c) && !c.NotNull:
			out = append(out, condition{kind: compare, column: c, op: "is null"})
		case x.isNamed(c, names) && flag:
			out = append(out, orNull(comparedWithTrue(c, "<>", text)))
		case x.isStatus(c):
			var void []string
			for _, v := range x.statusValues(c) {
				if slices.Contains(names, x.language.stemPhrase(v.Text)) {
					void = append(void, literal(v.Value))
				}
			}
			if len(void) == 0 {
				continue
			}
			out = append(out, orNull(condition{kind: compare, column: c, op: "not in", value: operand{literals: void, plain: plainList(void)}}))
		}
	}
	return out
}

// orNull lets a condition hold of the rows, too, in which its column is null.
func orNull(c condition) condition {
	if c.column.NotNull {
		return c
	}
	return condition{kind: anyOf, parts: []condition{{kind: compare, column: c.column, op: "is null"}, c}}
}

// isStatus reports whether a column is a status: it is called one, or somebody has said what its codes mean, whatever its name, and its values are known.
func (x *lexicon) isStatus(c *catalog.Column) bool {
	names := x.relationInfo[c.Relation].names[c]
	if c.Private || !slices.Contains(names, x.language.stem("status")) && !slices.Contains(names, x.language.stem("state")) && len(x.meanings(c)) == 0 {
		return false
	}
	return len(x.statusValues(c)) > 0
}

// statusValues returns the values of a column with their meaning.
func (x *lexicon) statusValues(c *catalog.Column) (out []catalog.Label) {
	if l := x.meanings(c); len(l) > 0 {
		return l
	}
	for _, v := range valuesOf(c) {
		if isText(c) && len(v) > 2 && !slices.ContainsFunc(out, func(l catalog.Label) bool { return l.Value == v }) {
			out = append(out, catalog.Label{Value: v, Text: strings.ToLower(strings.Join(splitName(v), " "))})
		}
	}
	return out
}

// statusOf returns the status of a relation that has a value for what has not happened to a row, and the literals of the values that mean the state.
// Any further value has to be one for what was cancelled. It is nil if there is no such status.
func (x *lexicon) statusOf(r *catalog.Relation, s *state) (*catalog.Column, []string) {
	for _, c := range r.Columns {
		if !x.isStatus(c) {
			continue
		}
		done, others, values := false, false, []string(nil)
		for _, v := range x.statusValues(c) {
			switch stem := x.language.stemPhrase(v.Text); {
			case slices.Contains(s.Lacks, stem):
				done = true
			case slices.Contains(s.Values, stem):
				values = append(values, literal(v.Value))
			case !slices.Contains(x.language.voidNames, stem):
				others = true
			}
		}
		if done && !others && len(values) > 0 {
			return c, values
		}
	}
	return nil, nil
}

// oneOf says that a column has one of some values.
func oneOf(c *catalog.Column, literals []string) condition {
	op := "="
	if len(literals) > 1 {
		op = "in"
	}
	return condition{kind: compare, column: c, op: op, value: operand{literals: literals, plain: plainList(literals)}}
}

// flagOf returns the yes-or-no column of a relation that is called by one of the names.
func (x *lexicon) flagOf(r *catalog.Relation, names []string) *catalog.Column {
	for _, c := range r.Columns {
		if _, ok := truth(c); ok && !c.Private && x.isNamed(c, names) {
			return c
		}
	}
	return nil
}

// timesNamed returns the times of a relation that are called by one of the names.
func (x *lexicon) timesNamed(r *catalog.Relation, names []string) []*catalog.Column {
	return slices.DeleteFunc(slices.Clone(x.relationInfo[r].dates), func(c *catalog.Column) bool { return !x.isNamed(c, names) })
}

// firstNullable returns the time for the first of the names that exactly one time has which may be null; nil if there is none.
func (x *lexicon) firstNullable(r *catalog.Relation, names []string) *catalog.Column {
	for i := range names {
		if c := onlyWhere(x.timesNamed(r, names[i:i+1]), func(c *catalog.Column) bool { return mayLack(c) && !saysUntil(c, names[i]) }); c != nil {
			return c
		}
	}
	return nil
}

// saysUntil reports whether a column says until when something is so, which does not prove that it is so now: insured_until.
func saysUntil(c *catalog.Column, name string) bool {
	words := splitName(c.Name)
	return len(words) > 1 && words[len(words)-1] == "until" && !strings.Contains(name, "until") && words[0] != "valid"
}

// only returns the only one of some columns or relations, nil if there are several or none.
func only[T any](list []*T) *T {
	if len(list) != 1 {
		return nil
	}
	return list[0]
}

// onlyWhere returns the only one of some columns, relations or edges of which a condition holds, nil if it holds of several or of none.
func onlyWhere[T any](list []*T, holds func(*T) bool) (found *T) {
	for _, t := range list {
		if !holds(t) {
			continue
		}
		if found != nil {
			return nil
		}
		found = t
	}
	return found
}

// futureTimes returns the times of a relation that are known to lie in the future
// for some of its rows.
func (p *parser) futureTimes(r *catalog.Relation) []*catalog.Column {
	day := p.now().Format(time.DateOnly)
	return slices.DeleteFunc(slices.Clone(p.lexicon.relationInfo[r].dates), func(c *catalog.Column) bool { return !hasTimeAfter(c, day) || isOpenEnded(c) })
}

// hasTimeAfter reports whether some of the times of a column are known to lie after a day.
func hasTimeAfter(c *catalog.Column, day string) bool { return c.Profile != nil && c.Profile.Max > day }

// isNamed reports whether a column is called by one of the names alone: by its
// name or comment without the words of its relation and those that say that it is a
// time or a flag.
func (x *lexicon) isNamed(c *catalog.Column, names []string) bool {
	info := x.relationInfo[c.Relation]
	for _, lb := range x.columnLabels[c] {
		var core []string
		for _, s := range lb.stems {
			if !fillerStems[s] && !info.stems[s] {
				core = append(core, s)
			}
		}
		if len(core) > 0 && slices.Contains(names, strings.Join(core, " ")) {
			return true
		}
	}
	return false
}

// fillerStems are stems of names that say of a column that it is a time or a flag.
var fillerStems = wordSet([]string{"at", "on", "date", "time", "datetim", "timestamp", "day", "is", "has", "was", "dt", "ts", "by", "actual", "the", "yn", "flag", "flg"})
