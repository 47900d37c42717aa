// The lexicon of a snapshot: what its relations, columns and values are called.

package grammar

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"askpg/catalog"
	nameWords "askpg/catalog/words"
)

// lexicon is what the words of a question may mean in one database: its
// relations, columns and values by the stems of their names. It is made once
// for a snapshot.
type lexicon struct {
	measures           []measureName // their names
	goods              []measureName // what is computed of goods, where an admin has not defined it
	language           *language
	snapshot           *catalog.Snapshot
	labelsByStem       map[string][]*label // by every stem in them
	tableLabels        map[string][]*label // those of relations
	labelsByJoinedStem map[string][]*label // by the stem of the words written together
	labelsByUncutName  map[string][]*label // by the name, where that is written together and could not be cut
	values             map[string][]*catalog.Column
	initials           map[string][]valueMention // the values that initials stand for
	valueTexts         map[string]map[*catalog.Column]string
	graph              *graph
	forbidden          []forbiddenName
	relationInfo       map[*catalog.Relation]*relationInfo
	words              []string // every name word, for misspellings
	legends            map[*catalog.Column]legend
	sexes              []*catalog.Column // that say of which sex a person is
	columnLabels       map[*catalog.Column][]*label
	eavAttributes      map[*catalog.Column]eavAttribute // that a question may name like columns
	lineAmounts        map[*catalog.Column]lineAmount   // likewise, at most one
	balances           map[*catalog.Column]balance      // likewise
	soldQuantities     []*catalog.Column                // numbers of pieces of what was sold
	hasStates          sync.Map                         // of each state of the language that was asked for, whether a relation has it
	nullStates         map[string][]phrasedState        // by first word: what it means that a column has no value
	terseTables        map[byte][]terseName             // names of tables that may abbreviate words, by their first letter
	terseColumns       map[byte][]terseName             // likewise of columns
	hasTerseNames      bool                             // many tables are called by what is no word
	roots              map[string][]string              // stems of words of names, by their roots
	roles              map[string]bool                  // stems of verbs of which keys are called: "coach" of coach_id, "plan" of planner_id
}

// label is one name of a relation or a column: its identifier in words, its comment, or a synonym that an admin gave.
type label struct {
	relation *catalog.Relation
	column   *catalog.Column // nil for a relation
	words    []string
	stems    []string
	optional []bool // words that may be left out at little cost: the relation's own, "name", "id"
	score    float64
	comment  bool // the name is of a comment
	allWords bool // all of it has to be said
	kind     bool // it names one kind of several that the comment says the relation holds
	age      bool // the column is a birth, and the word an age
}

// name returns the identifier of what the label calls.
func (lb *label) name() string {
	if lb.column != nil {
		return lb.column.Name
	}
	return lb.relation.Name.Name
}

// forbiddenName is the name of a relation or column that the role may not read, so that a question for it is refused with the right
// error.
type forbiddenName struct {
	name   catalog.Name
	column string // "" for a relation
	stems  []string
}

// relationInfo is what is worked out once of each relation.
type relationInfo struct {
	stems      map[string]bool              // of its name
	things     map[string]bool              // stems of what it holds, where its name is longer: of order headers, or of the statuses of orders
	joinedName string                       // its name in one word, as labelsByJoinedStem has it
	display    []*catalog.Column            // the columns that show which row it is, such as a name
	key        []*catalog.Column            // primary key, or the columns that seem to be it
	dates      []*catalog.Column            // days and moments
	names      map[*catalog.Column][]string // stems of column names
	junction   bool                         // only connects other relations
	deleted    *catalog.Column              // says that a row counts as deleted or does not count at all, nil if none does
	marks      []*catalog.Column            // deleted, and those that say by a value that a row does not count
	leftover   bool                         // what a migration or a backup left behind, which is called by its whole name alone
	interval   *timeInterval                // when rows begin and end, nil if that is not clear
	validity   *timeInterval                // the same, or the times between which rows hold
	left       *catalog.Column              // when somebody left, null for those who are there; nil if none is
}

var lexicons struct {
	sync.Mutex
	order []*catalog.Snapshot
	made  map[*catalog.Snapshot]func() *lexicon // makes it at the first call, while others are asked
}

// maxLexicons is how many lexicons are kept: one for each role and database in
// use. They are rebuilt when needed.
const maxLexicons = 32

// lexiconOf returns the lexicon of a snapshot, made when it is first asked.
func lexiconOf(s *catalog.Snapshot) *lexicon {
	lexicons.Lock()
	x := lexicons.made[s]
	if x == nil {
		x = sync.OnceValue(func() *lexicon { return newLexicon(loadEnglish(), s) })
		if lexicons.made == nil {
			lexicons.made = map[*catalog.Snapshot]func() *lexicon{}
		}
		if len(lexicons.order) >= maxLexicons {
			delete(lexicons.made, lexicons.order[0])
			lexicons.order = lexicons.order[1:]
		}
		lexicons.made[s] = x
		lexicons.order = append(lexicons.order, s)
	}
	lexicons.Unlock()
	return x()
}

// newLexicon makes the lexicon of a snapshot.
func newLexicon(l *language, s *catalog.Snapshot) *lexicon {
	x := &lexicon{
		language: l, snapshot: s, labelsByStem: map[string][]*label{}, tableLabels: map[string][]*label{}, labelsByJoinedStem: map[string][]*label{}, labelsByUncutName: map[string][]*label{},
		values: map[string][]*catalog.Column{}, initials: map[string][]valueMention{}, valueTexts: map[string]map[*catalog.Column]string{},
		relationInfo: map[*catalog.Relation]*relationInfo{}, legends: map[*catalog.Column]legend{}, eavAttributes: map[*catalog.Column]eavAttribute{}, lineAmounts: map[*catalog.Column]lineAmount{}, balances: map[*catalog.Column]balance{}, columnLabels: map[*catalog.Column][]*label{}, nullStates: map[string][]phrasedState{}, terseTables: map[byte][]terseName{}, terseColumns: map[byte][]terseName{}, roots: map[string][]string{},
	}
	n := newNamer(l, s)
	for _, r := range s.Relations {
		x.addRelation(n, r)
	}
	for _, r := range s.Relations {
		x.addRelationComment(r)
		x.addEAVAttributes(r)
	}
	x.addCountries()
	x.measures = x.measureNames()
	slices.Sort(x.words)
	x.words = slices.Compact(x.words)
	x.graph = newGraph(x)
	x.addRoles()
	for _, r := range s.Relations {
		x.describe(r)
	}
	x.addLineAmounts()
	x.addBalances()
	x.goods = x.goodsMeasures()
	x.hasTerseNames = x.isMostlyTerse()
	x.addPersons()
	if len(s.Relations) > wholeSchema {
		for _, list := range x.labelsByStem { // where those of one relation are looked for
			slices.SortStableFunc(list, func(a, b *label) int { return cmp.Compare(a.relation.OID, b.relation.OID) })
		}
	}
	for _, d := range s.Denied {
		x.forbidden = append(x.forbidden, forbiddenName{d, "", x.stems(n.words(strings.TrimPrefix(d.Name, n.tablePrefix)))})
	}
	for _, r := range s.Relations {
		for _, c := range r.Denied {
			x.forbidden = append(x.forbidden, forbiddenName{r.Name, c, x.stems(n.words(c))})
		}
	}
	return x
}

// addRelation adds what a relation and its columns are called.
func (x *lexicon) addRelation(n *namer, r *catalog.Relation) {
	words := n.words(strings.TrimPrefix(r.Name.Name, n.tablePrefix))
	if x.isLeftover(r) {
		whole := splitName(r.Name.Name)
		x.relationInfo[r] = &relationInfo{stems: wordSet(x.stems(whole)), names: map[*catalog.Column][]string{}, leftover: true}
		x.add(&label{relation: r, words: whole, score: 1, allWords: true})
		return
	}
	info := &relationInfo{stems: wordSet(x.stems(words)), joinedName: x.language.stem(strings.Join(words, "")), names: map[*catalog.Column][]string{}}
	x.relationInfo[r] = info
	x.addWords(words)
	x.add(&label{relation: r, words: words, score: 1})
	full := words
	if expanded := x.expand(words); expanded != nil {
		full = expanded
		x.add(&label{relation: r, words: full, score: 0.97})
	}
	var things []string
	if last := len(full) - 1; last > 0 && (full[last] == "header" || full[last] == "master") { // ord_hdr holds orders, which ord_stat says something of
		things = full[:last]
		x.add(&label{relation: r, words: things, score: 0.95})
	} else if last > 0 && x.isOfStatuses(r) { // the status of an order is a row of order_statuses
		things = full[last:]
		x.add(&label{relation: r, words: things, score: 0.92})
	}
	info.things = wordSet(x.stems(things))
	x.addSynonyms(r, nil, r.Synonyms)
	prefix := columnPrefix(r)
	for _, c := range r.Columns {
		x.addColumn(n, info, words, c, prefix)
	}
}

// leftovers are words of names of tables that a migration or a backup left behind.
var leftovers = wordSet([]string{"old", "bak", "bkp", "backup", "mig", "migr", "migration", "migrated", "tmp", "stg", "staging", "legacy"})

// isLeftover reports whether a table is what was left of another one, by its name: orders_old, beside orders.
func (x *lexicon) isLeftover(r *catalog.Relation) bool {
	words := splitName(r.Name.Name)
	at := slices.IndexFunc(words, func(w string) bool { return leftovers[w] })
	if at <= 0 {
		return false
	}
	return slices.ContainsFunc(x.snapshot.Relations, func(o *catalog.Relation) bool { return slices.Equal(splitName(o.Name.Name), words[:at]) })
}

// addColumn adds what a column is called, of a relation of that name whose columns have that prefix, and its values.
func (x *lexicon) addColumn(n *namer, info *relationInfo, relation []string, c *catalog.Column, prefix string) {
	words := splitFlagPrefix(c, n.column(c, prefix))
	add := func(words []string, score float64, allWords bool) {
		x.add(&label{relation: c.Relation, column: c, words: words, score: score, allWords: allWords})
	}
	x.addWords(words)
	info.names[c] = x.stems(words)
	add(words, 1, false)
	expanded := x.expandOf(c, words)
	if expanded != nil {
		info.names[c] = append(info.names[c], x.stems(expanded)...)
		add(expanded, 0.97, false)
	}
	if bare := x.withoutUnit(c, words); bare != nil {
		add(bare, 0.96, false)
	}
	if own := singularWords(info, x.language, relation, words); own != nil {
		add(own, 0.98, true)
		if n := len(relation); n > 1 { // the "payment method" of rent_payments
			add(own[n-1:], 0.97, true)
		}
	}
	if full := n.words(c.Name); prefix != "" && !slices.Equal(full, words) {
		add(full, 1, false)
	}
	for _, said := range amountNames(c, words) {
		add(said, 0.97, true)
	}
	x.addSynonyms(c.Relation, c, c.Synonyms)
	if l := legendOf(c); !c.Private && (len(l.labels) > 0 || len(l.null) > 0) {
		x.legends[c] = l
		for _, text := range l.null {
			if isSaidByValue(c, text) {
				continue
			}
			words, lacks := strings.Fields(text), &state{null: c}
			x.nullStates[words[0]] = append(x.nullStates[words[0]], phrasedState{words, lacks})
			if last := len(words) - 1; last == 1 && slices.Contains(info.names[c], x.language.stem(words[0])) { // the result that a time is of is pending
				x.nullStates[words[last]] = append(x.nullStates[words[last]], phrasedState{words[last:], lacks})
			}
		}
	}
	terse := isTooShort(words) && expanded == nil
	if terse {
		for _, synonym := range c.Synonyms {
			info.names[c] = append(info.names[c], x.stems(strings.Fields(synonym))...)
		}
	}
	x.addComment(c, terse)
	x.addValues(c)
}

// isSaidByValue reports whether another column of the rows has a value by which a state begins: where channel is "web", "null for web orders"
// names no further state.
func isSaidByValue(c *catalog.Column, state string) bool {
	return slices.ContainsFunc(c.Relation.Columns, func(o *catalog.Column) bool {
		return o != c && slices.ContainsFunc(valuesOf(o), func(v string) bool { return strings.HasPrefix(state+" ", strings.ToLower(v)+" ") })
	})
}

// splitFlagPrefix cuts "is" and "has" off the one word that a flag is called by: "isactive".
func splitFlagPrefix(c *catalog.Column, words []string) []string {
	if _, ok := truth(c); ok && len(words) == 1 && len(words[0]) > 5 {
		for _, p := range []string{"is", "has"} {
			if rest, found := strings.CutPrefix(words[0], p); found {
				return []string{p, rest}
			}
		}
	}
	return words
}

// withoutUnit returns the words of a column before its unit: "the odometer" of odo_km. nil if it has none, or they say something else
// without it, as "per" of what is per kilogram.
func (x *lexicon) withoutUnit(c *catalog.Column, words []string) []string {
	if unitOf(c, words) == "" {
		return nil
	}
	bare := words[:len(words)-1]
	if expanded := x.expand(bare); expanded != nil {
		bare = expanded
	}
	if x.language.dateWord(bare[0]) || smallWords[lastOf(bare)] {
		return nil
	}
	return bare
}

// addWords notes the words of a name that are long enough to be misspelled.
func (x *lexicon) addWords(words []string) {
	for _, w := range words {
		if len(w) >= 5 {
			x.words = append(x.words, w)
		}
	}
}

// singularWords puts a relation's words before a column's: "country code" is
// the code of a country. nil if the column's name has them already.
func singularWords(info *relationInfo, l *language, relation, col []string) []string {
	for _, w := range col {
		if info.stems[l.stem(w)] {
			return nil
		}
	}
	if len(relation)+len(col) > 4 {
		return nil
	}
	return append(append([]string(nil), relation...), col...)
}

// stems returns the stems of words.
func (x *lexicon) stems(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = x.language.stem(w)
	}
	return out
}

// expand writes abbreviations out; nil if there are none.
func (x *lexicon) expand(words []string) (out []string) {
	changed := false
	for i, w := range words {
		if long := nameWords.Expand(w); long != nil && (w != "no" || i > 0) {
			out = append(out, long...)
			changed = true
		} else {
			out = append(out, w)
		}
	}
	if !changed {
		return nil
	}
	return out
}

// timeWords are what abbreviations stand for in names of times, where they are other words elsewhere: reg_d is no region.
var timeWords = map[string]string{"d": "date", "st": "start", "lv": "left", "dis": "discharge", "reg": "registration", "ret": "returned", "exp": "expiry", "rcv": "received", "bk": "booked", "pd": "paid", "shp": "shipped", "strt": "start", "iss": "issued", "rpt": "reported"}

// expandOf writes out the abbreviations in the name of a column; nil if there are none.
func (x *lexicon) expandOf(c *catalog.Column, words []string) []string {
	if k := slices.Index(words, "reg"); k >= 0 && k+1 < len(words) && suffixes[words[k+1]] {
		words = slices.Clone(words)
		words[k] = "registration"
	}
	if unit := unitOf(c, words); unit != "" {
		last := len(words) - 1
		full := append(slices.Clone(words[:last]), strings.Fields(unit)...)
		if out := x.expand(full); out != nil {
			return out
		}
		if slices.Equal(full, words) {
			return nil
		}
		return full
	}
	if c.Class != catalog.Date && c.Class != catalog.Timestamp || len(words) < 2 {
		return x.expand(words)
	}
	full := slices.Clone(words)
	for i, w := range words {
		if long := timeWords[w]; long != "" && (w != "d" || i > 0) {
			full[i] = long
		}
	}
	if out := x.expand(full); out != nil {
		return out
	}
	if slices.Equal(full, words) {
		return nil
	}
	return full
}

// add notes a name.
func (x *lexicon) add(lb *label) {
	if len(lb.words) == 0 {
		return
	}
	x.addTerse(lb)
	lb.stems = x.stems(lb.words)
	lb.optional = make([]bool, len(lb.words))
	for i, s := range lb.stems {
		if lb.column != nil {
			info := x.relationInfo[lb.relation]
			lb.optional[i] = info.stems[s] || info.things[s] || s == "name" || s == "is" || s == "has" || s == "of" || s == "the" || len(s) == 1 || i > 0 && i == len(lb.stems)-1 && (s == "at" || s == "on")
		} else {
			lb.optional[i] = s == "tabl" || s == "data" || s == "info" || s == "list" || s == "datum" || s == "inform" || s == "detail" || s == "record"
		}
	}
	if lb.column != nil && len(lb.words) == 1 && len(lb.words[0]) >= 8 {
		x.labelsByUncutName[lb.words[0]] = append(x.labelsByUncutName[lb.words[0]], lb)
	}
	x.addRoots(lb)
	if words := x.language.withParticle(lb.words); words != nil && !lb.comment {
		x.add(&label{relation: lb.relation, column: lb.column, words: words, score: min(lb.score, 0.96)})
	}
	done := map[string]bool{}
	for _, s := range lb.stems {
		if !done[s] {
			done[s] = true
			x.labelsByStem[s] = append(x.labelsByStem[s], lb)
			if lb.column == nil {
				x.tableLabels[s] = append(x.tableLabels[s], lb)
			}
		}
	}
	if lb.column != nil {
		x.columnLabels[lb.column] = append(x.columnLabels[lb.column], lb)
	}
	key := x.language.stem(strings.Join(lb.words, ""))
	x.labelsByJoinedStem[key] = append(x.labelsByJoinedStem[key], lb)
}

// declaredScore is the score of a word that an administrator gave.
const declaredScore = 0.99

// addSynonyms takes the words that an administrator gave a relation or a
// column: they name it as well as its own do.
func (x *lexicon) addSynonyms(r *catalog.Relation, c *catalog.Column, synonyms []string) {
	for _, s := range synonyms {
		if words := wordsOf(s); len(words) > 0 {
			x.add(&label{relation: r, column: c, words: words, score: declaredScore})
		}
	}
}

// addRoles notes the verbs that keys are called by: planner_id points to who plans, and checked_by to who checked.
func (x *lexicon) addRoles() {
	x.roles = map[string]bool{}
	for c := range x.graph.foreign {
		words := splitName(c.Name)
		if n := len(words); n > 1 && words[n-1] == "by" {
			x.roles[x.language.stem(words[n-2])] = true
		}
		for _, w := range words {
			base := strings.TrimSuffix(strings.TrimSuffix(w, "er"), "or")
			if n := len(base); base == w || n < 3 {
				continue
			} else if base[n-1] == base[n-2] {
				x.roles[x.language.stem(base[:n-1])] = true
			}
			x.roles[x.language.stem(base)], x.roles[x.language.stem(base+"e")] = true, true
		}
	}
}
