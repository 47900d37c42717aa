package grammar

import (
	"sort"
	"strings"
	"sync"

	"askpg/catalog"
	nameWords "askpg/catalog/words"
)

// lexicon is what the words of a question may mean in one database: its
// relations, columns and values by the stems of their names. It is made once
// for a snapshot.
type lexicon struct {
	measures     []named // their names
	language     *language
	snapshot     *catalog.Snapshot
	labels       map[string][]*label // by every stem in them
	joinedWords  map[string][]*label // by the stem of the words written together
	uncutLabels  []*label            // labels of names written together that could not be cut
	values       map[string][]*catalog.Column
	valueTexts   map[string]map[*catalog.Column]string
	graph        *graph
	denied       []deniedName
	relationInfo map[*catalog.Relation]*relationInfo
	words        []string        // every name word, for misspellings
	roles        map[string]bool // stems of verbs of which keys are called: "coach" of coach_id, "plan" of planner_id
}

// label is a way to call a relation or a column.
type label struct {
	relation *catalog.Relation
	column   *catalog.Column // nil for a relation
	words    []string
	stems    []string
	optional []bool // words that may be left out at little cost: the relation's own, "name", "id"
	score    float64
	comment  bool
	allWords bool // all of it has to be said
}

type deniedName struct {
	name  catalog.Name
	stems []string
}

// relationInfo holds what the parser asks of a relation again and again.
type relationInfo struct {
	stems    map[string]bool // of its name
	display  []*catalog.Column
	key      []*catalog.Column // primary key, or the columns that seem to be it
	dates    []*catalog.Column
	names    map[*catalog.Column][]string // stems of column names
	junction bool                         // only connects other relations
	deleted  *catalog.Column              // says that a row counts as deleted, nil if none does
	left     *catalog.Column              // when somebody left, null for those who are there; nil if none is
}

var lexicons struct {
	sync.Mutex
	order []*catalog.Snapshot
	made  map[*catalog.Snapshot]*lexicon
}

// maxLexicons is how many lexicons are kept: one for each role and database in
// use. They are rebuilt when needed.
const maxLexicons = 32

// lexiconOf returns the lexicon of a snapshot, made when it is first asked.
func lexiconOf(s *catalog.Snapshot) *lexicon {
	lexicons.Lock()
	defer lexicons.Unlock()
	if x := lexicons.made[s]; x != nil {
		return x
	}
	if lexicons.made == nil {
		lexicons.made = map[*catalog.Snapshot]*lexicon{}
	}
	if len(lexicons.order) >= maxLexicons {
		delete(lexicons.made, lexicons.order[0])
		lexicons.order = lexicons.order[1:]
	}
	x := newLexicon(loadEnglish(), s)
	lexicons.made[s] = x
	lexicons.order = append(lexicons.order, s)
	return x
}

// newLexicon makes the lexicon of a snapshot.
func newLexicon(l *language, s *catalog.Snapshot) *lexicon {
	x := &lexicon{
		language: l, snapshot: s, labels: map[string][]*label{}, joinedWords: map[string][]*label{},
		values: map[string][]*catalog.Column{}, valueTexts: map[string]map[*catalog.Column]string{},
		relationInfo: map[*catalog.Relation]*relationInfo{},
	}
	n := newNamer(l, s)
	seen := map[string]bool{}
	for _, r := range s.Relations {
		words := n.relation(r)
		info := &relationInfo{stems: map[string]bool{}, names: map[*catalog.Column][]string{}}
		x.relationInfo[r] = info
		for _, w := range words {
			info.stems[l.stem(w)] = true
			seen[w] = true
		}
		x.add(&label{relation: r, words: words, score: 1})
		if expanded := x.expand(words); expanded != nil {
			x.add(&label{relation: r, words: expanded, score: 0.97})
		}
		x.addSynonyms(r, nil, r.Synonyms)
		prefix := columnPrefix(r)
		for _, c := range r.Columns {
			words := n.column(c, prefix)
			if _, ok := truth(c); ok && len(words) == 1 && len(words[0]) > 5 {
				for _, p := range []string{"is", "has"} {
					if rest := strings.TrimPrefix(words[0], p); rest != words[0] {
						words = []string{p, rest}
					}
				}
			}
			for _, w := range words {
				seen[w] = true
			}
			info.names[c] = x.stems(words)
			x.add(&label{relation: r, column: c, words: words, score: 1})
			if expanded := x.expand(words); expanded != nil {
				info.names[c] = append(info.names[c], x.stems(expanded)...)
				x.add(&label{relation: r, column: c, words: expanded, score: 0.97})
			}
			if own := singularWords(info, l, n.relation(r), words); own != nil {
				x.add(&label{relation: r, column: c, words: own, score: 0.98, allWords: true})
			}
			if full := n.words(c.Name); prefix != "" && strings.Join(full, " ") != strings.Join(words, " ") {
				x.add(&label{relation: r, column: c, words: full, score: 1})
			}
			x.addSynonyms(r, c, c.Synonyms)
			x.addComment(c)
			x.addValues(c)
		}
	}
	for _, r := range s.Relations {
		x.addRelationComment(r)
	}
	x.measures = x.measureNames()
	for w := range seen {
		if len(w) >= 5 {
			x.words = append(x.words, w)
		}
	}
	sort.Strings(x.words)
	x.graph = newGraph(x)
	x.addRoles()
	for _, r := range s.Relations {
		x.describe(r)
	}
	for _, d := range s.Denied {
		x.denied = append(x.denied, deniedName{d, x.stems(n.words(strings.TrimPrefix(d.Name, n.tablePrefix)))})
	}
	return x
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
func (x *lexicon) expand(words []string) []string {
	var out []string
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

// add notes a name.
func (x *lexicon) add(lb *label) {
	if len(lb.words) == 0 {
		return
	}
	lb.stems = x.stems(lb.words)
	lb.optional = make([]bool, len(lb.words))
	for i, s := range lb.stems {
		if lb.column != nil {
			lb.optional[i] = x.relationInfo[lb.relation].stems[s] || s == "name" || s == "is" || s == "has" || s == "of" || s == "the" || len(s) == 1 || i > 0 && i == len(lb.stems)-1 && (s == "at" || s == "on")
		} else {
			lb.optional[i] = s == "tabl" || s == "data" || s == "info" || s == "list" || s == "datum" || s == "inform" || s == "detail" || s == "record"
		}
	}
	if lb.column != nil && len(lb.words) == 1 && len(lb.words[0]) >= 8 {
		x.uncutLabels = append(x.uncutLabels, lb)
	}
	done := map[string]bool{}
	for _, s := range lb.stems {
		if !done[s] {
			done[s] = true
			x.labels[s] = append(x.labels[s], lb)
		}
	}
	key := x.language.stem(strings.Join(lb.words, ""))
	x.joinedWords[key] = append(x.joinedWords[key], lb)
}

// addSynonyms takes the words that an administrator gave a relation or a
// column: they name it as well as its own do.
func (x *lexicon) addSynonyms(r *catalog.Relation, c *catalog.Column, synonyms []string) {
	for _, s := range synonyms {
		if words := wordsOf(s); len(words) > 0 {
			x.add(&label{relation: r, column: c, words: words, score: 0.99})
		}
	}
}

// addRoles notes the verbs that keys are called by: planner_id points to who plans.
func (x *lexicon) addRoles() {
	x.roles = map[string]bool{}
	for c := range x.graph.foreign {
		for _, w := range splitName(c.Name) {
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

// addValues indexes the values of a column that the statistics, an enum type and
// an administrator name.
func (x *lexicon) addValues(c *catalog.Column) {
	if c.Private {
		return
	}
	for _, l := range c.Labels {
		x.addValue(c, l.Text, l.Value)
	}
	if c.Class != catalog.Text && c.Class != catalog.Enum {
		return
	}
	for _, v := range c.Enum {
		x.addValue(c, v, v)
	}
	if c.Profile != nil {
		for _, v := range c.Profile.Common {
			x.addValue(c, v, v)
		}
	}
}

// maxValueWords bounds the words of a value that a question can mention.
const maxValueWords = 8

// addValue indexes a value by the text that stands for it: itself, or what an
// administrator says that it means.
func (x *lexicon) addValue(c *catalog.Column, text, v string) {
	key := x.valueKey(wordsOf(text))
	if key == "" || len(text) > 100 {
		return
	}
	columns := x.valueTexts[key]
	if columns == nil {
		columns = map[*catalog.Column]string{}
		x.valueTexts[key] = columns
	}
	if _, ok := columns[c]; !ok {
		columns[c] = v
		x.values[key] = append(x.values[key], c)
	}
}

// valueKey folds case and inflection: "cats" finds "cat".
func (x *lexicon) valueKey(words []string) string {
	if len(words) > maxValueWords {
		return ""
	}
	stems := make([]string, 0, len(words))
	for _, w := range words {
		stems = append(stems, x.language.stem(w))
	}
	return strings.Join(stems, " ")
}
