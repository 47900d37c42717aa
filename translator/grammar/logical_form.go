// The logical form of a question: sets, conditions, phrases, modifiers. Forms are never changed
// once made: what narrows a set makes a new set with the same id.

package grammar

import (
	"slices"

	"askpg/catalog"
)

// set is rows of a relation, narrowed by conditions and then by superlatives.
type set struct {
	id          int
	relation    *catalog.Relation
	conditions  []condition
	superlative *superlative

	measure bool              // a measure is over its rows
	read    bool              // a measure over other rows reads these, too
	valued  []*catalog.Column // what the value of a measure reads: its own words for which rows count
	time    *catalog.Column   // that dates are about, of a measure over it or of what happened to it; nil for the relation's own
}

func (s *set) with(c ...condition) *set {
	n := *s
	n.conditions = append(s.conditions[:len(s.conditions):len(s.conditions)], c...)
	return &n
}

type conditionKind byte

const (
	compare  conditionKind = iota // column op value
	related                       // rows of child exist over path
	anyOf                         // subs, one of which holds
	allOf                         // subs, all of which hold
	noneOf                        // subs, not all of which hold
	written                       // the filter of a measure
	moreRows                      // of parts[0] there are more rows than of parts[1], or as op says
)

// condition is a condition on the rows of a set.
type condition struct {
	kind conditionKind

	column *catalog.Column // of the set itself
	op     string          // = <> < <= > >= between in, like, is null, is not null, range
	value  operand
	bare   bool // a time that no verb binds to its column
	past   bool // a month or day said without a year, of which the latest is taken
	both   bool // times that the question joins by "and"
	ahead  bool // a time to come, with an end

	child          *set
	path           path
	negated        bool        // no such row of child
	count          *quantifier // as many rows of child
	forSuperlative bool        // child is there for a superlative of the set
	joined         bool        // child is there for its columns only, or has to be joined for them

	parts []condition

	written *measured
}

// quantifier compares a number of rows.
type quantifier struct {
	op       string
	count    string
	distinct bool // different ones are counted
}

// operand is what a column is compared with.
type operand struct {
	literals []string        // literals as SQL
	query    *phrase         // a scalar subquery
	column   *catalog.Column // of the same row
	outer    *catalog.Column // of the row of the query around that is compared
	plain    string          // in words
	percent  bool            // the literals are in percent
	unit     string          // of the literals, as it is written behind them; empty if none is
}

// item is an output, a grouping key or a sort key: a column, an aggregate of
// one, or a count of rows.
type item struct {
	attribute *attribute      // not resolved to a column yet
	column    *catalog.Column // nil for a count of rows
	setID     int             // set that it belongs to; 0 until it is known
	aggregate string          // count, sum, avg, min, max, median, measureAgg
	distinct  bool
	trunc     string          // date_trunc unit
	age       bool            // years since the column, a birth
	entity    bool            // stands for the set's rows: shown by its display columns
	pair      int             // set with whose rows those that are counted make pairs, each counted once; 0 for none
	divisor   *item           // the aggregate is a share of this one, or a ratio to it
	scale     string          // factor of a ratio
	where     []condition     // FILTER of the aggregate
	each      *catalog.Column // by which rows are told of which the aggregate is of the sums
	running   bool            // the aggregate of a group is added to those of the groups before it in time
	ofTotal   bool            // the share that the aggregate of a group has of that of all groups
	minus     *item           // the column less this one
	unit      string          // that a difference of times is measured in; "" is an interval
	measure   *measured
}

// superlative keeps the first n rows by an order.
type superlative struct {
	by         item // a column, or a count of the rows of by.setID
	descending bool
	count      string
	skip       int // rows that come before those that are kept: 1 of the second largest
}

// groupCondition is a condition on an aggregate.
type groupCondition struct {
	by    item
	op    string
	value operand
}

// ordering is a sort key of the answer.
type ordering struct {
	by         item
	descending bool
}

// phrase is a noun phrase: a set of things, or attributes of one.
type phrase struct {
	set           *set
	items         []item // empty: the things themselves
	group         []item // grouping keys; an entity key stands for a set
	order         []ordering
	distinct      bool
	hits          [][]hit    // a value or several, not yet compared with anything
	literals      []string   // the same as SQL literals, for columns that are not indexed
	alternatives  bool       // the values are alternatives
	eachValue     bool       // all the values have to hold, each for itself
	number        string     // number before the head: "2 courses"
	bottom        bool       // number counts from the end: "bottom 5"
	pronoun       bool       // "they", "it"
	modifiers     []modifier // of a pronoun: "the one with the most power"
	unsaid        string     // what the question would have to say for this reading to be worth an answer
	ratio         []*phrase  // one value divided by another, each of its own query
	beside        bool       // the two of ratio are shown beside each other, not divided
	whether       bool       // it is asked whether there are any of the things, not which
	partition     []item     // of each of which the superlative keeps rows
	hints         []string   // direction of the thing: "arriving flights"
	having        []groupCondition
	happening     bool      // the things are called by the time at which something happened to them: "cancellations"
	fresh         bool      // "new" was said of the things: those whose own time is the one that is said
	attributeHead bool      // the head is an attribute: its values are the groups, not the rows
	ownGroup      *ownGroup // an aggregate is over those rows alone
	stay          bool      // the things are called by the time that somebody is there: "stays"
	words         [2]int    // tokens of its head
}

func (n *phrase) clone() *phrase {
	m := *n
	return &m
}

// over returns the phrase of another set.
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
func (n *phrase) isValue() bool { return n.set == nil && (len(n.hits) > 0 || len(n.literals) > 0) }

// isEntity reports whether the phrase stands for things and not for what is
// said of them.
func (n *phrase) isEntity() bool { return n.set != nil && len(n.items) == 0 }

// isAttribute reports whether the phrase is attributes whose set is not known.
func (n *phrase) isAttribute() bool { return n.set == nil && len(n.items) > 0 }

// hasAggregate reports whether an item is an aggregate.
func (n *phrase) hasAggregate() bool { return hasAggregate(n.items) }

// hasAggregate reports whether one of the items is an aggregate.
func hasAggregate(items []item) bool {
	return slices.ContainsFunc(items, func(it item) bool { return it.aggregate != "" })
}

// eachItem calls f for all that is shown, divided by, sorted by, compared or ranked by.
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

// modifier is something said of a noun phrase that has still to be applied to it.
type modifier struct {
	kind       modifierKind
	phrase     *phrase
	hints      []string // words of the verb or preposition, lower case
	negated    bool
	quantifier *quantifier
	descending bool   // the most, the highest
	count      string // how many rows the superlative keeps
	attribute  *attribute
	adjective  *adjective
	op         string
	value      operand
	date       *dateRange
	parts      []modifier
	leading    bool              // said before the sentence: "for each department, ..."
	eachValue  bool              // each of the values of phrase for itself
	own        bool              // attribute, or the state that a value is, is of the things themselves
	summed     bool              // attribute is of what a verb does, all of it together
	money      bool              // value is a sum of money
	verb       *relationMention  // the verb is the name of a relation that connects
	columns    []*catalog.Column // by which something had to be done
	dates      []dateRange       // times that are compared
	states     []*state          // one of which its rows are in
}

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
	modifierAll                                      // subs
	modifierAny                                      // one of subs
	modifierNot                                      // not subs[0]
	modifierNamed                                    // called val
	modifierLimit                                    // the first count groups
	modifierFirstOrLast                              // the first, the latest: by a date that hints choose
	modifierMostCommon                               // most often
	modifierNothing                                  // adds nothing: "that use it", "were made"
	modifierState                                    // is in one of states
	modifierPunctual                                 // late, on time
	modifierOlder                                    // older than 60 days
	modifierLevel                                    // less in stock than the level
	modifierLonger                                   // longer than 4 days
	modifierCounts                                   // by count
	modifierWithin                                   // closed within 2 days
	modifierShare                                    // in percent of all
	modifierPeriods                                  // in one time and in another
	modifierAmount                                   // an amount that is not named is so much
	modifierSoldMost                                 // the most pieces of it were sold
	modifierMoreOf                                   // there are more of phrase than of that of parts[0]
	modifierSame                                     // attribute, or that which verb names, is the same as of phrase
	modifierDirection                                // ascending or descending of what was said
)
