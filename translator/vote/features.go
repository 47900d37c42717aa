package vote

import (
	"encoding/json"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"askpg/ask"
	"askpg/internal/stem"
)

// The features of a group that Weights weigh. Those of candidates are
// averaged over the group; those in relative are taken as what the group has more and less
// than the votes' mean, so that they compare readings of one question and not questions.
const (
	fVotes      = "log votes"            // ln of the votes
	fShare      = "share"                // of all votes
	fWrong      = "literal not held"     // compares a column with a value that it is known not to hold
	fBlank      = "blank"                // no rows, or NULLs only
	fZero       = "zero"                 // a single 0
	fRepeats    = "repeated rows"        // rows occur more than once
	fRepeatsD   = "repeats, distinct"    // and the question asks for different ones
	fNoDistinct = "distinct missing"     // the question asks for different ones, the SQL has no DISTINCT
	fDistinct   = "distinct unasked"     // the other way round
	fNoLimit    = "superlative, all"     // a superlative, and the SQL keeps no single row
	fLimit      = "single row unasked"   // the other way round
	fNotNumber  = "count, no number"     // how many, and the result is no single cell
	fEachOne    = "each, one row"        // each, and there is one row
	fIDs        = "ids unasked"          // returns an id that the question does not ask for
	fUnnamed    = "columns unnamed"      // share of the columns whose names the question does not have
	fNumbers    = "numbers missing"      // numbers of the question that the SQL lacks
	fQuotes     = "quotes missing"       // quoted words of the question that the SQL lacks
	fTables     = "agreement on tables"  // mean overlap with the other candidates' tables
	fColumns    = "agreement on columns" // with their columns
	fLiterals   = "agreement on values"  // with their literals
	fClauses    = "agreement on clauses" // with their operators, functions and clauses
)

// relative are the features taken relatively: their names get " more" and
// " less".
var relative = []string{"cost", "width", "tables", "length", "nesting", "set operations"}

// allFeatures names the features of groups and of decisions.
var allFeatures = func() []string {
	out := []string{fVotes, fShare, fWrong, fBlank, fZero, fRepeats, fRepeatsD, fNoDistinct, fDistinct, fNoLimit, fLimit,
		fNotNumber, fEachOne, fIDs, fUnnamed, fNumbers, fQuotes, fTables, fColumns, fLiterals, fClauses}
	for _, k := range relative {
		out = append(out, k+" more", k+" less")
	}
	for _, n := range slices.Clone(out) {
		out = append(out, cWinner+n)
	}
	return append(out, cConstant, cProbability, cShare, cAgainst, cVotes, cAlone, cTables, cNesting, cLength, cWords, cCost, cJudges)
}()

// features are named numbers; a missing one is 0.
type features map[string]float64

// reading is what is taken from a candidate's text once.
type reading struct {
	x                                  features
	tables, columns, literals, clauses map[string]bool
	ok                                 bool
}

var (
	superlative    = regexp.MustCompile(`(?i)\b(most|least|highest|lowest|largest|smallest|youngest|oldest|earliest|latest|maximum|minimum|max|min|fewest|greatest|shortest|longest|best|worst|biggest|newest|top|cheapest|heaviest|lightest)\b`)
	counting       = regexp.MustCompile(`(?i)\b(how many|number of|count of|count the|total number)\b`)
	different      = regexp.MustCompile(`(?i)\b(different|distinct|distinctive|unique)\b`)
	eachOf         = regexp.MustCompile(`(?i)\b(each|every|per|for all|by)\b`)
	identifying    = regexp.MustCompile(`(?i)\b(ids?|codes?|numbers?|keys?|identifiers?|uid)\b`)
	numerals       = regexp.MustCompile(`\b\d+(?:\.\d+)?\b`)
	quotations     = regexp.MustCompile(`["“'‘]([^"”'’]{2,60})["”'’]`)
	clauseWords    = regexp.MustCompile(`\b(distinct|group by|order by|desc|limit|having|union|intersect|except|not|in|like|between|or|exists|left|count|sum|avg|min|max)\b|<=|>=|<>|<|>`)
	setWords       = regexp.MustCompile(`\b(union|intersect|except)\b`)
	stringLiterals = regexp.MustCompile(`'(?:[^']|'')*'`)
)

// read takes the features of one candidate.
func read(question string, b Ballot) reading {
	r := reading{x: features{}}
	if b.Result == nil {
		return r
	}
	r.ok = true
	low := strings.ToLower(b.SQL)
	x, res := r.x, b.Result
	single := len(res.Rows) == 1 && len(res.Columns) == 1
	distinctQ, distinctS := different.MatchString(question), strings.Contains(low, "distinct")
	superQ := superlative.MatchString(question)
	one := strings.Contains(low, "limit 1") || strings.Contains(low, "fetch first") || strings.Contains(low, "max(") || strings.Contains(low, "min(")
	each := eachOf.MatchString(question)
	repeats := repeated(res)

	x[fWrong] = flag(b.WrongLiteral)
	x[fBlank] = flag(Blank(res))
	x[fZero] = flag(single && string(res.Rows[0][0]) == "0")
	x[fRepeats] = flag(repeats)
	x[fRepeatsD] = flag(repeats && distinctQ)
	x[fNoDistinct] = flag(distinctQ && !distinctS)
	x[fDistinct] = flag(!distinctQ && distinctS)
	x[fNoLimit] = flag(superQ && !one)
	x[fLimit] = flag(!superQ && strings.Contains(low, "limit 1"))
	x[fNotNumber] = flag(counting.MatchString(question) && !each && !single)
	x[fEachOne] = flag(each && len(res.Rows) == 1)
	x["cost"] = math.Log1p(max(b.Cost, 0))
	x["width"] = float64(len(res.Columns))
	x["length"] = float64(min(len(b.SQL), 5000)) / 100
	x["nesting"] = float64(strings.Count(low, "select") - 1)
	x["set operations"] = flag(setWords.MatchString(low))

	words := map[string]bool{}
	for _, w := range stems(question) {
		words[w] = true
	}
	unnamed := 0
	for _, c := range res.Columns {
		if !slices.ContainsFunc(stems(c.Name), func(w string) bool { return words[w] }) {
			unnamed++
		}
		if name := strings.ToLower(c.Name); (name == "id" || strings.HasSuffix(name, "id")) && !identifying.MatchString(question) {
			x[fIDs] = 1
		}
	}
	x[fUnnamed] = float64(unnamed) / float64(max(1, len(res.Columns)))
	for _, n := range numerals.FindAllString(question, -1) {
		if !strings.Contains(low, n) {
			x[fNumbers]++
		}
	}
	for _, m := range quotations.FindAllStringSubmatch(question, -1) {
		if !strings.Contains(low, strings.ToLower(m[1])) {
			x[fQuotes]++
		}
	}
	r.tables, r.columns = namesIn(b.SQL)
	x["tables"] = float64(len(r.tables))
	r.literals, r.clauses = map[string]bool{}, map[string]bool{}
	for _, l := range append(stringLiterals.FindAllString(b.SQL, -1), numerals.FindAllString(b.SQL, -1)...) {
		r.literals[l] = true
	}
	for _, w := range clauseWords.FindAllString(low, -1) {
		r.clauses[w] = true
	}
	return r
}

// groupFeatures takes the features of all groups.
func groupFeatures(question string, ballots []Ballot, groups []Group) []features {
	readings := make([]reading, len(ballots))
	for i, b := range ballots {
		readings[i] = read(question, b)
	}
	total := 0.0
	for _, g := range groups {
		total += g.Votes
	}
	total = max(total, 1e-9) // ballots may all weigh nothing
	out := make([]features, len(groups))
	mean := features{}
	for gi, g := range groups {
		x := features{fVotes: math.Log(max(g.Votes, 1e-9)), fShare: g.Votes / total}
		m := float64(len(g.Members))
		for _, i := range g.Members {
			for k, v := range readings[i].x {
				x[k] += v / m
			}
			agreement(x, readings, i, m)
		}
		for _, k := range relative {
			mean[k] += x[k] * g.Votes / total
		}
		out[gi] = x
	}
	for _, x := range out {
		for _, k := range relative {
			d := x[k] - mean[k]
			delete(x, k)
			x[k+" more"], x[k+" less"] = max(0, d), max(0, -d)
		}
	}
	return out
}

// agreement adds how far candidate i's parts agree with the other
// candidates', whether their results do or not.
func agreement(x features, readings []reading, i int, members float64) {
	others := 0.0
	var tables, columns, literals, clauses float64
	for j, o := range readings {
		if j == i || !o.ok {
			continue
		}
		others++
		r := readings[i]
		tables += overlap(r.tables, o.tables)
		columns += overlap(r.columns, o.columns)
		literals += overlap(r.literals, o.literals)
		clauses += overlap(r.clauses, o.clauses)
	}
	if others == 0 {
		return
	}
	others *= members
	x[fTables] += tables / others
	x[fColumns] += columns / others
	x[fLiterals] += literals / others
	x[fClauses] += clauses / others
}

// overlap is Jaccard's index; two empty sets are the same.
func overlap(a, b map[string]bool) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	n := 0
	for k := range a {
		if b[k] {
			n++
		}
	}
	return float64(n) / float64(len(a)+len(b)-n)
}

// namesIn returns the tables and the columns that a statement names, columns
// with their table where an alias says it.
func namesIn(sql string) (tables, columns map[string]bool) {
	parsed.Lock()
	n, known := parsed.by[sql]
	parsed.Unlock()
	if known {
		return n.tables, n.columns
	}
	tables, columns = parseNames(sql)
	parsed.Lock()
	defer parsed.Unlock()
	if len(parsed.by) >= maxParsed {
		clear(parsed.by)
	}
	parsed.by[sql] = named{tables, columns}
	return tables, columns
}

// named is what a statement names.
type named struct{ tables, columns map[string]bool }

// maxParsed bounds the statements whose names are remembered: those of one
// question are asked for after each wave, and again for the confidence.
const maxParsed = 512

var parsed = struct {
	sync.Mutex
	by map[string]named
}{by: map[string]named{}}

func parseNames(sql string) (tables, columns map[string]bool) {
	tables, columns = map[string]bool{}, map[string]bool{}
	text, err := ask.ParseJSON(sql)
	if err != nil {
		return
	}
	var tree any
	if json.Unmarshal([]byte(text), &tree) != nil {
		return
	}
	alias := map[string]string{}
	walkTree(tree, "RangeVar", func(m map[string]any) {
		name, _ := m["relname"].(string)
		tables[name] = true
		if a, ok := m["alias"].(map[string]any); ok {
			if s, ok := a["aliasname"].(string); ok {
				alias[s] = name
			}
		}
	})
	walkTree(tree, "ColumnRef", func(m map[string]any) {
		fields, _ := m["fields"].([]any)
		var parts []string
		for _, f := range fields {
			f, _ := f.(map[string]any)
			s, _ := f["String"].(map[string]any)
			if v, ok := s["sval"].(string); ok {
				parts = append(parts, v)
			}
		}
		switch n := len(parts); {
		case n == 1 && len(tables) == 1:
			for t := range tables {
				columns[t+"."+parts[0]] = true
			}
		case n == 1:
			columns[parts[0]] = true
		case n > 1:
			t := parts[n-2]
			if a, ok := alias[t]; ok {
				t = a
			}
			columns[t+"."+parts[n-1]] = true
		}
	})
	return
}

// walkTree visits the nodes of a kind in an order that is always the same: an
// alias that subqueries use again stands for what it stood for last.
func walkTree(node any, key string, f func(map[string]any)) {
	switch n := node.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(n)) {
			v := n[k]
			if m, ok := v.(map[string]any); ok && k == key {
				f(m)
			}
			walkTree(v, key, f)
		}
	case []any:
		for _, v := range n {
			walkTree(v, key, f)
		}
	}
}

// stems splits a text or a name into stemmed words.
func stems(s string) []string {
	fields := strings.FieldsFunc(camel.ReplaceAllString(s, "${1}_${2}"), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r >= 0x80)
	})
	for i, f := range fields {
		fields[i] = stem.English(f)
	}
	return fields
}

var camel = regexp.MustCompile(`([a-z])([A-Z])`)

func repeated(r *ask.Result) bool {
	seen := make(map[string]bool, len(r.Rows))
	var b strings.Builder
	for _, row := range r.Rows {
		b.Reset()
		for _, c := range row {
			if c == nil {
				b.WriteString("\x00n")
			} else {
				b.WriteString("\x00v")
				b.Write(c)
			}
		}
		if seen[b.String()] {
			return true
		}
		seen[b.String()] = true
	}
	return false
}

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
