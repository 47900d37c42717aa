package grammar

import "askpg/catalog"

// The logical form of a question. Forms are never changed once made: what
// narrows a set makes a new set with the same id.

// set is rows of a relation, narrowed by conditions and then by superlatives.
type set struct {
	id    int
	rel   *catalog.Relation
	conds []cond
	sup   *super

	measure bool            // a measure is over its rows
	time    *catalog.Column // that dates are about, of a measure over it; nil for the relation's own
}

func (s *set) with(c ...cond) *set {
	n := *s
	n.conds = append(s.conds[:len(s.conds):len(s.conds)], c...)
	return &n
}

type condKind byte

const (
	compare condKind = iota // col op val
	related                 // rows of child exist over path
	anyOf                   // subs, one of which holds
	allOf                   // subs, all of which hold
	noneOf                  // subs, not all of which hold
	written                 // the filter of a measure
)

// cond is a condition on the rows of a set.
type cond struct {
	kind condKind

	col  *catalog.Column // of the set itself
	op   string          // = <> < <= > >= between in, like, is null, is not null, range
	val  operand
	bare bool // a time that no verb binds to its column
	both bool // times that the question joins by "and"

	child *set
	path  path
	neg   bool   // no such row of child
	count *quant // as many rows of child
	rank  bool   // child is there for a superlative of the set
	join  bool   // child is there for its columns only, or has to be joined for them

	subs []cond

	written *measured
}

// quant compares a number of rows.
type quant struct {
	op string
	n  string
}

// operand is what a column is compared with.
type operand struct {
	lits  []string // literals as SQL
	query *np      // a scalar subquery
	plain string   // in words
}

// item is an output, a grouping key or a sort key: a column, an aggregate of
// one, or a count of rows.
type item struct {
	attr     *attr           // not resolved to a column yet
	col      *catalog.Column // nil for a count of rows
	sid      int             // set that it belongs to; 0 until it is known
	agg      string          // count, sum, avg, min, max, measureAgg
	distinct bool
	trunc    string // date_trunc unit
	entity   bool   // stands for the set's rows: shown by its display columns
	over     *item  // the aggregate is a share of this one, or a ratio to it
	scale    string // factor of a ratio
	where    []cond // FILTER of the aggregate
	measure  *measured
}

// super keeps the first n rows by an order.
type super struct {
	by   item // a column, or a count of the rows of by.sid
	desc bool
	n    string
}

// having is a condition on an aggregate.
type having struct {
	by  item
	op  string
	val operand
}

// ordering is a sort key of the answer.
type ordering struct {
	by   item
	desc bool
}

// np is a noun phrase: a set of things, or attributes of one.
type np struct {
	set      *set
	items    []item // empty: the things themselves
	group    []item // grouping keys; an entity key stands for a set
	order    []ordering
	distinct bool
	hits     [][]hit  // a value or several, not yet compared with anything
	raw      []string // the same as SQL literals, for columns that are not indexed
	any      bool     // the values are alternatives
	both     bool     // all the values have to hold, each for itself
	num      string   // number before the head: "2 courses"
	low      bool     // num are the last ones: "bottom 5"
	pron     bool
	mods     []mod // of a pronoun: "the one with the most power"
	each     bool
	ties     bool     // a superlative keeps what ties
	unsaid   string   // what the question would have to say for this reading to be worth an answer
	ratio    []*np    // one value divided by another, each of its own query
	hints    []string // direction of the thing: "arriving flights"
	having   []having
	byItems  bool // the head is an attribute: its values are the groups, not the rows
	words    [2]int
}

func (n *np) clone() *np {
	m := *n
	return &m
}

// isValue reports whether the phrase is values alone.
func (n *np) isValue() bool { return n.set == nil && (len(n.hits) > 0 || len(n.raw) > 0) }

// isEntity reports whether the phrase stands for things and not for what is
// said of them.
func (n *np) isEntity() bool { return n.set != nil && len(n.items) == 0 }

// isAttr reports whether the phrase is attributes whose set is not known.
func (n *np) isAttr() bool { return n.set == nil && len(n.items) > 0 }

// hasAggregate reports whether an item is an aggregate.
func (n *np) hasAggregate() bool {
	for _, it := range n.items {
		if it.agg != "" {
			return true
		}
	}
	return false
}

// find returns the set of that id within s, nil if there is none.
func (s *set) find(id int) *set {
	if s == nil {
		return nil
	}
	if s.id == id {
		return s
	}
	for _, c := range s.conds {
		if c.kind == related && !c.neg && c.count == nil {
			if f := c.child.find(id); f != nil {
				return f
			}
		}
	}
	return nil
}

// replace returns s with the set of n's id replaced by n.
func (s *set) replace(n *set) *set {
	if s.id == n.id {
		return n
	}
	out := *s
	out.conds = append([]cond(nil), s.conds...)
	for i, c := range out.conds {
		if c.kind == related && !c.neg && c.count == nil && c.child.find(n.id) != nil {
			out.conds[i].child = c.child.replace(n)
		}
	}
	return &out
}

// mod is something said of a noun phrase that has still to be applied to it.
type mod struct {
	kind   modKind
	np     *np
	hints  []string // words of the verb or preposition, lower case
	neg    bool
	quant  *quant
	desc   bool   // the most, the highest
	n      string // how many rows the superlative keeps
	attr   *attr
	adj    *adjective
	op     string
	val    operand
	date   *dateRange
	subs   []mod
	lead   bool
	both   bool        // each of the values of np for itself
	amount bool        // attr is of what a verb does, all of it together
	verb   *relMention // the verb is the name of a relation that connects
}

type modKind byte

const (
	modRelated   modKind = iota // stands in relation to np (an entity or values)
	modOf                       // "of np"
	modCompare                  // attr op val
	modAdjective                // comparative: adj op val
	modSuper                    // with the highest attr
	modSuperAdj                 // is the largest
	modSuperRows                // with the most np
	modDate                     // in that time
	modGroup                    // per np
	modOrder                    // ordered by np
	modExcept                   // except np
	modAll                      // subs
	modAny                      // one of subs
	modNot                      // not subs[0]
	modNamed                    // called val
	modLimit
	modSuperDate // the first, the latest: by a date that hints choose
	modCommon    // most often
	modNothing   // adds nothing: "that use it", "were made"
	modDirection // ascending or descending of what was said
)
