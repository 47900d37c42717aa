// Durations: the interval between two times of a row, in a unit.

package grammar

import (
	"fmt"
	"slices"

	"askpg/catalog"
	nameWords "askpg/catalog/words"
)

// Durations: how much later one time of a row is than another.

// secondsOf is how many seconds a unit of time has; a month and a year are those of
// the mean.
var secondsOf = map[string]float64{"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800, "month": 2629746, "year": 31556952}

// minus writes an item's column less another one.
func (b *builder) minus(e string, it item) string {
	alias, ok := b.aliases[it.subtrahend.setID]
	if !ok {
		return b.noSQL()
	}
	from := b.column(alias, it.subtrahend.column)
	days := it.column.Class == catalog.Date && it.subtrahend.column.Class == catalog.Date
	seconds := secondsOf[it.unit]
	switch {
	case it.column.Class == catalog.Number || days && (it.unit == "" || it.unit == "day"):
		return "(" + e + " - " + from + ")"
	case days && seconds > 86400:
		return fmt.Sprintf("((%s - %s) / %s)", e, from, formatNumber(seconds/86400))
	case days:
		return b.noSQL() // days have no hours
	case it.unit == "":
		return "(" + e + " - " + from + ")"
	}
	return fmt.Sprintf("(extract(epoch FROM %s - %s) / %s)", e, from, formatNumber(seconds))
}

// durationUnit reads what a duration is measured in, or a word for a duration.
func (p *parser) durationUnit(i int) (string, int) {
	for _, e := range p.ends(i, "duration") {
		return "", e
	}
	if unit, e := p.dateUnit(i); e > i && secondsOf[unit] > 0 && singular(p.at(i).lower) != "" {
		return unit, e
	}
	switch p.at(i).lower {
	case "night", "nights":
		return "day", i + 1
	case "minutes", "mins":
		return "minute", i + 1
	case "seconds", "secs":
		return "second", i + 1
	}
	return "", i
}

// inUnit reads ", in days" behind a duration.
func (p *parser) inUnit(i int) (string, int) {
	for _, c := range p.maybe(i, "comma") {
		if p.at(c).lower == "(" {
			c++
		}
		if p.at(c).lower == "in" {
			c++
		}
		if unit, e := p.durationUnit(c); e > c && unit != "" && c > i {
			return unit, e
		}
	}
	return "", i
}

// inMentionedUnit measures how long something takes in the unit that is said anywhere behind it: "average length of stay per ward in days".
func (p *parser) inMentionedUnit(n *phrase) *phrase {
	for i := 1; i < len(p.tokens); i++ {
		unit, e := p.durationUnit(i)
		if p.tokens[i-1].lower != "in" || e == i || unit == "" {
			continue
		}
		x := n.clone()
		x.items = slices.Clone(n.items)
		for k := range x.items {
			if x.items[k].subtrahend != nil && x.items[k].unit == "" {
				x.items[k].unit = unit
			}
		}
		return x
	}
	return n
}

// namedTimes is the columns of times that a word of the question may name.
type namedTimes struct {
	columns    []*catalog.Column
	start, end int // tokens; start of verbs alone
}

// namedTimesAt reads a word for a time of rows: "booking" for booked_at, "the due
// date" for due_on.
func (p *parser) namedTimesAt(i int) (out []namedTimes) {
	for _, d := range p.maybe(i, "article", "pronoun") {
		if d >= len(p.tokens) || p.tokens[d].kind != wordToken {
			continue
		}
		for end, a := range inOrder(p.mentions.attributes[d]) {
			var columns []*catalog.Column
			for _, c := range a.candidates {
				if isTime(c.column) && c.score >= 0.7 {
					columns = append(columns, c.column)
				}
			}
			if len(columns) > 0 {
				out = append(out, namedTimes{columns: columns, end: end})
			}
		}
		if p.isFunction(d) && len(p.mentions.relations[d]) == 0 || p.language.dateWord(p.tokens[d].lower) {
			continue // "order" names the times of orders, even if it is a word for sorting
		}
		columns := p.timesWithWord(d)
		if len(columns) == 0 {
			continue
		}
		end := d + 1
		switch p.at(end).lower {
		case "date", "day", "time":
			end++
		}
		out = append(out, namedTimes{columns: columns, end: end})
	}
	return out
}

// timesWithWord returns the times in whose names the word at i is.
func (p *parser) timesWithWord(i int) (columns []*catalog.Column) {
	for _, r := range p.relations {
		for _, c := range p.lexicon.relationInfo[r].dates {
			if p.hintsAt([]string{p.tokens[i].lower}, p.lexicon.relationInfo[r].names[c]) {
				columns = append(columns, c)
			}
		}
	}
	return columns
}

// isTime reports whether a column is a day or a moment.
func isTime(c *catalog.Column) bool { return c.Class == catalog.Date || c.Class == catalog.Timestamp }

// timeInterval is two times of one row, or of a row and of the one that it belongs to, from the first to the second: from order to delivery,
// from check-in to check-out.
type timeInterval struct {
	from, to *catalog.Column
	end      int
}

// timeIntervals reads "from booking to delivery", "between order and shipment".
func (p *parser) timeIntervals(i int) (out []timeInterval) {
	if w := p.at(i).lower; w != "from" && w != "between" {
		return nil
	}
	for _, a := range append(p.namedTimesAt(i+1), p.ownTimesAt(i+1)...) {
		switch p.at(a.end).lower {
		case "to", "and", "until", "till":
		default:
			continue
		}
		for _, b := range p.namedTimesAt(a.end + 1) {
			from, to := p.withWordInName(p.tokens[a.end-1], a.columns), p.withWordInName(p.tokens[b.end-1], b.columns)
			out = append(out, p.intervalsBetween(from, to, b.end)...)
		}
	}
	return out
}

// ownTimesAt reads the name of rows for the time at which they came, where no time is called so: an "order" was placed.
func (p *parser) ownTimesAt(i int) (out []namedTimes) {
	for _, d := range p.maybe(i, "article") {
		for _, m := range p.relationsFrom(d) {
			if c := p.timeOfArrival(&set{relation: m.relation}); c != nil && c.NotNull && m.score >= namedScore && len(p.timesWithWord(m.end-1)) == 0 {
				out = append(out, namedTimes{columns: []*catalog.Column{c}, end: m.end})
			}
		}
	}
	return out
}

// intervalsBetween pairs the times that two words may mean, where each means one of a relation.
func (p *parser) intervalsBetween(from, to []*catalog.Column, end int) (out []timeInterval) {
	for _, r := range p.relations {
		f, t := onlyOf(from, r), onlyOf(to, r)
		if f != nil && t != nil && f != t {
			out = append(out, timeInterval{f, t, end})
		}
	}
	if f, t := only(from), only(to); len(out) == 0 && f != nil && t != nil && f.NotNull && !p.isPeople(f.Relation) && p.lexicon.pointsTo(t.Relation, f.Relation) {
		out = append(out, timeInterval{f, t, end})
	}
	return out
}

// onlyOf returns the column of the list that is of the relation, nil if none or
// several are.
func onlyOf(list []*catalog.Column, r *catalog.Relation) (only *catalog.Column) {
	for _, c := range list {
		if c.Relation != r || c == only {
			continue
		}
		if only != nil {
			return nil
		}
		only = c
	}
	return only
}

// interval is when rows of a relation begin and end, nil if that is not clear.
func (p *parser) interval(r *catalog.Relation) *timeInterval {
	return p.lexicon.relationInfo[r].interval
}

// intervalOf finds when rows of a relation begin and end: the times that are called so, of which there is one pair. valid says that they
// may be those between which the rows hold.
func (x *lexicon) intervalOf(r *catalog.Relation, valid bool) (found *timeInterval) {
	dates := x.relationInfo[r].dates
	called := func(c *catalog.Column, words []string) bool {
		return slices.ContainsFunc(spelledOut(c.Name), func(w string) bool { return slices.Contains(words, w) })
	}
	for _, pair := range x.language.intervals {
		if pair.Valid && !valid {
			continue
		}
		for _, from := range dates {
			for _, to := range dates {
				if from == to || !called(from, pair.From) || !called(to, pair.To) || called(to, pair.From) {
					continue
				}
				s := &timeInterval{from: from, to: to}
				either := len(pair.From) == 1 && pair.From[0] == "in" // a guest comes in and goes out, a boat goes out and comes in
				if either && slices.Index(r.Columns, to) < slices.Index(r.Columns, from) {
					s.from, s.to = to, from
				}
				if found != nil && *found != *s {
					return nil
				}
				found = s
			}
		}
	}
	return found
}

// spelledOut returns the words of a name, and those that abbreviations among them stand for.
func spelledOut(name string) (out []string) {
	for _, w := range splitName(name) {
		out = append(append(out, w), nameWords.Expand(w)...)
	}
	return out
}

// durationOf is a phrase of how long rows of a relation last, by an aggregate.
func (p *parser) durationOf(s timeInterval, aggregate, unit string) *phrase {
	n := p.entity(s.to.Relation)
	from := n.set.id
	if whole := p.lexicon.toOne(s.to.Relation, s.from.Relation); s.from.Relation != s.to.Relation && whole != nil {
		begun := &set{id: p.newID(), relation: s.from.Relation}
		from, n.set = begun.id, n.set.with(condition{kind: related, child: begun, path: *whole, joined: true})
	}
	n.items = []item{{aggregate: aggregate, column: s.to, setID: n.set.id, unit: unit, subtrahend: &item{column: s.from, setID: from}}}
	return n
}
