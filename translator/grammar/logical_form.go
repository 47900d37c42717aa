// The logical form of a question: sets, conditions, phrases, modifiers. A form is never changed once it is made: narrowing a set makes a
// new set with the same id.

package grammar

import (
	"slices"

	"askpg/catalog"
)

// set is the rows of a relation that meet conditions, of which a superlative then keeps the first. "Orders without a payment" is a set of
// orders with one condition, whose child is the set of payments.
type set struct {
	id          int
	relation    *catalog.Relation
	conditions  []condition
	superlative *superlative

	isMeasured      bool              // an admin's measure is computed over its rows
	isReadByMeasure bool              // an admin's measure over other rows reads these rows, too
	valueColumns    []*catalog.Column // the columns that the measure's expression reads; no default filter is added on them
	time            *catalog.Column   // the column that dates of the question are compared with; nil if the relation's own times are tried
}

// with returns the set narrowed by further conditions.
func (s *set) with(c ...condition) *set {
	n := *s
	n.conditions = append(s.conditions[:len(s.conditions):len(s.conditions)], c...)
	return &n
}

// conditionKind says which fields of a condition are used.
type conditionKind byte

const (
	compare  conditionKind = iota // column op value
	related                       // rows of the set child are joined by path
	anyOf                         // one of parts holds
	allOf                         // all of parts hold
	noneOf                        // not all of parts hold
	written                       // the filter of an admin's measure, as SQL
	moreRows                      // there are more rows of parts[0] than of parts[1], or as op says
)

// condition is a predicate on the rows of a set. The kind says which of the fields it uses.
type condition struct {
	kind conditionKind

	column      *catalog.Column // of the set itself
	op          string          // = <> < <= > >= between in, like, is null, is not null, range
	value       operand
	unbound     bool // compares a time that no verb of the question ties to this column: "orders in May", not "ordered in May"
	latest      bool // the question has no year for this month or day, so it is the latest such one
	joinedByAnd bool // the question joins the times by "and": "in 2023 and 2024"
	future      bool // compares a time to come that has an end: "next week"

	child          *set
	path           path
	negated        bool        // there is no such row of child: NOT EXISTS
	undated        bool        // a time is not of child: an unpaid order of this month has no payment of any time
	count          *quantifier // how many rows of child there are; nil for at least one
	forSuperlative bool        // child is only joined because the set's superlative ranks by it
	joined         bool        // child is joined for its columns, and not only tested for rows
	optional       bool        // rows without any of child stay: of "the fewest orders", none are the fewest

	parts []condition

	written *measured
}

// quantifier compares a number of related rows: "at least two orders".
type quantifier struct {
	op       string
	count    string
	distinct bool // only different rows count: "two different products"
}

// operand is what a column is compared with.
type operand struct {
	literals []string        // written as SQL
	query    *phrase         // a scalar subquery: "than the average price"
	column   *catalog.Column // another column of the same row
	outer    *catalog.Column // a column of the outer query's row, in a correlated subquery
	plain    string          // in words, for messages
	percent  bool            // the literals are in percent
	unit     string          // of the literals, as it is written behind them; empty if none is
}

// item is an output, a grouping key or a sort key: a column, an aggregate of
// one, or a count of rows.
type item struct {
	attribute   *attribute      // the words that name the column, until it is resolved
	column      *catalog.Column // nil for a count of rows
	setID       int             // set that it belongs to; 0 until it is known
	aggregate   string          // count, sum, avg, min, max, median, measureAggregate; "" if none
	distinct    bool
	trunc       string          // date_trunc unit
	age         bool            // years since the column, a birth
	entity      bool            // stands for the rows of the set themselves, which are shown by their display columns
	pairedSetID int             // set with whose rows those that are counted make pairs, each counted once; 0 for none
	divisor     *item           // the aggregate is a share of this one, or a ratio to it
	scale       string          // factor of a ratio
	where       []condition     // FILTER of the aggregate
	whereSetID  int             // set that where is about; 0 if it is setID
	perOrder    *catalog.Column // the key of what lines belong to: the aggregate is of the sums for each of them, as in "average order value"
	running     bool            // a running total: the aggregates of earlier groups are added
	growth      bool            // by how many percent the aggregate is more than that of the group of the time before
	ofTotal     bool            // the group's share of the total of all groups
	subtrahend  *item           // is subtracted from the column: "time from order to delivery"
	unit        string          // that a difference of times is measured in; "" is an interval
	measure     *measured
}

// superlative keeps the first rows of a set by an order: "the 3 oldest customers", "the customer with the most orders".
type superlative struct {
	by         item // a column, or a count of the rows of by.setID
	descending bool
	count      string
	skip       int // rows that come before those that are kept: 1 of the second largest
}

// groupCondition compares an aggregate of each group: HAVING.
type groupCondition struct {
	by    item
	op    string
	value operand
}

// ordering is a sort key of the answer: ORDER BY.
type ordering struct {
	by         item
	descending bool
}

// phrase is a noun phrase of the question, and at last the whole question: a set of things, attributes of them, or values. "The number of
// orders per customer" is the set of orders, a count as its only item, and customers as its group. Until a phrase of attributes or values is
// resolved, its set is nil.
type phrase struct {
	set           *set
	items         []item // outputs; empty if the things themselves are shown
	group         []item // grouping keys
	order         []ordering
	distinct      bool
	values        [][]valueMention // a value or several, not yet compared with anything
	literals      []string         // the same as SQL literals, for columns that are not indexed
	alternatives  bool             // the values are alternatives
	eachValue     bool             // all the values have to hold, each for itself
	number        string           // number before the head: "2 courses"
	fromEnd       bool             // number counts from the end: "bottom 5"
	isPronoun     bool             // "they", "it"
	modifiers     []modifier       // of a pronoun: "the one with the most power"
	refusal       string           // why this reading is refused, found while it was read; "" if it is not
	ratio         []*phrase        // one value divided by another, each of its own query
	shownBeside   bool             // the two phrases of ratio are two outputs and are not divided
	asksExistence bool             // the answer is whether there are any of the things: SELECT EXISTS
	partition     []item           // the superlative keeps rows for each of these keys: PARTITION BY
	hints         []string         // direction of the thing: "arriving flights"
	having        []groupCondition
	isEventNoun   bool      // the things are called by the time at which something happened to them: "cancellations"
	isNew         bool      // "new customers": the question has to give the time at which they came
	attributeHead bool      // the head noun is an attribute, so each of its values is one row of the answer
	ownGroup      *ownGroup // the aggregate is over the rows that share a key with the outer row
	ofReferenced  *edge     // the value is of the row that this key of the outer row points to
	isStay        bool      // the things are called by the time from arrival to departure: "stays"
	words         [2]int    // the tokens of its head noun: begin and end
	keepsAll      bool      // each of the things that it is grouped by is shown, also those that it has nothing of
}

// clone returns a shallow copy, of which fields may be set.
func (n *phrase) clone() *phrase {
	m := *n
	return &m
}

// over returns the phrase with another set.
func (n *phrase) over(s *set) *phrase {
	m := n.clone()
	m.set = s
	return m
}

// holding returns the phrase narrowed to the rows of its set that meet conditions.
func (n *phrase) holding(c ...condition) *phrase { return n.over(n.set.with(c...)) }

// replacing returns the phrase with a set in the place of that which has its id.
func (n *phrase) replacing(s *set) *phrase { return n.over(n.set.replace(s)) }

// withItems returns the phrase with other outputs.
func (n *phrase) withItems(items ...item) *phrase {
	m := n.clone()
	m.items = items
	return m
}

// isValue reports whether the phrase is values alone.
func (n *phrase) isValue() bool { return n.set == nil && (len(n.values) > 0 || len(n.literals) > 0) }

// isEntity reports whether the phrase stands for things and not for attributes of them.
func (n *phrase) isEntity() bool { return n.set != nil && len(n.items) == 0 }

// isAttribute reports whether the phrase is attributes whose set is not yet known.
func (n *phrase) isAttribute() bool { return n.set == nil && len(n.items) > 0 }

// countsRows reports whether an output is the number of rows of the phrase's set.
func (n *phrase) countsRows() bool {
	return slices.ContainsFunc(n.items, func(it item) bool { return it.aggregate == "count" && it.column == nil && it.setID == n.set.id })
}

// hasAggregate reports whether an item is an aggregate.
func (n *phrase) hasAggregate() bool { return hasAggregate(n.items) }

// hasAggregate reports whether one of the items is an aggregate.
func hasAggregate(items []item) bool {
	return slices.ContainsFunc(items, func(it item) bool { return it.aggregate != "" })
}

// eachItem calls f for each output, key, sort key, and what HAVING or a superlative compares.
func (n *phrase) eachItem(f func(item)) {
	for _, list := range [][]item{n.items, n.group, n.partition} {
		for _, it := range list {
			f(it)
		}
	}
	for _, o := range n.order {
		f(o.by)
	}
	for _, h := range n.having {
		f(h.by)
	}
	walk(n.set, func(s *set, _ int) {
		if s.superlative != nil {
			f(s.superlative.by)
		}
	})
}

// ranks returns by what the answer is sorted and, if only the first of its rows are wanted, by what these are found.
func (n *phrase) ranks() (out []item) {
	for _, o := range n.order {
		out = append(out, o.by)
	}
	if s := n.set.superlative; s != nil {
		out = append(out, s.by)
	}
	return out
}

// find returns the set of that id within s, nil if there is none.
func (s *set) find(id int) *set {
	if s == nil {
		return nil
	}
	if s.id == id {
		return s
	}
	for _, c := range s.conditions {
		if c.kind == related && !c.negated && c.count == nil {
			if f := c.child.find(id); f != nil {
				return f
			}
		}
	}
	return nil
}

// pathTo returns the path by which the set of that id is joined to s.
func (s *set) pathTo(id int) path {
	if s.id == id {
		return path{}
	}
	for _, c := range s.conditions {
		if c.kind == related && !c.negated && c.count == nil && c.child.find(id) != nil {
			return path{edges: slices.Concat(c.path.edges, c.child.pathTo(id).edges)}
		}
	}
	return path{}
}

// replace returns s with the set of n's id replaced by n.
func (s *set) replace(n *set) *set {
	if s.id == n.id {
		return n
	}
	out := *s
	out.conditions = append([]condition(nil), s.conditions...)
	for i, c := range out.conditions {
		if c.kind == related && !c.negated && c.count == nil && c.child.find(n.id) != nil {
			out.conditions[i].child = c.child.replace(n)
		}
	}
	return &out
}

// mapped returns what a function makes of the set and of all sets that it is related to.
func (s *set) mapped(of func(*set) *set) *set {
	out, made := of(s), false
	for i, c := range out.conditions {
		if c.kind != related {
			continue
		}
		child := c.child.mapped(of)
		if child == c.child {
			continue
		}
		if !made {
			x := *out
			x.conditions = append([]condition(nil), out.conditions...)
			out, made = &x, true
		}
		out.conditions[i].child = child
	}
	return out
}

// modifier is what the question says of a noun phrase, before it is applied to one: "without a payment", "per customer", "in May". Applying
// it to a phrase makes a new phrase: see apply.
type modifier struct {
	kind          modifierKind
	phrase        *phrase
	hints         []string // words of the verb or preposition, lower case
	negated       bool
	quantifier    *quantifier
	descending    bool   // the most, the highest
	count         string // how many rows the superlative keeps
	attribute     *attribute
	adjective     *adjective
	op            string
	value         operand
	date          *dateRange
	parts         []modifier
	leading       bool              // said before the sentence: "for each department, ..."
	eachValue     bool              // each of the values of phrase for itself
	ofThingItself bool              // attribute, or the state that a value is, or what is the most common or of the most rows, is of the things themselves
	summed        bool              // attribute is of what a verb does, all of it together
	money         bool              // value is a sum of money
	verb          *relationMention  // the verb is the name of a relation that connects
	columns       []*catalog.Column // the due dates of modifierPunctual, or the times that modifierWithin counts from; nil if that is when the things came
	dates         []dateRange       // the times that modifierPeriods compares
	states        []*state          // the rows are in one of these
}

// modifierKind says what kind of thing a modifier says, and so which function applies it.
type modifierKind byte

const (
	modifierRelated              modifierKind = iota // stands in relation to phrase (an entity or values)
	modifierOf                                       // "of phrase"
	modifierCompare                                  // attribute op value
	modifierComparative                              // comparative: adj op val
	modifierSuperlative                              // with the highest attribute
	modifierSuperlativeAdjective                     // is the largest
	modifierMostRows                                 // with the most of phrase
	modifierDate                                     // in that time
	modifierGroup                                    // per phrase
	modifierOrder                                    // ordered by phrase
	modifierExcept                                   // except phrase
	modifierAll                                      // all of parts hold
	modifierAny                                      // one of parts holds
	modifierNot                                      // parts[0] does not hold
	modifierNamed                                    // called val
	modifierLimit                                    // the first count groups
	modifierFirstOrLast                              // the first, the latest: by a date that hints choose
	modifierMostCommon                               // most often
	modifierFiller                                   // adds nothing: "that use it", "were made"
	modifierState                                    // is in one of states
	modifierPunctual                                 // late, on time
	modifierOlderThan                                // older than 60 days
	modifierLevel                                    // less in stock than the level
	modifierLongerThan                               // longer than 4 days
	modifierCounts                                   // by count
	modifierWithin                                   // closed within 2 days
	modifierShare                                    // in percent of all
	modifierPeriods                                  // in one time and in another
	modifierAmount                                   // an amount that is not named is so much
	modifierSoldMost                                 // the most pieces of it were sold
	modifierMoreOf                                   // there are more of phrase than of that of parts[0]
	modifierSame                                     // attribute, or that which verb names, is the same as of phrase
	modifierGrowth                                   // how much more it is than the time before
	modifierOnly                                     // parts[0] holds of some of them, and of no other
	modifierDirection                                // ascending or descending of what was said
)
