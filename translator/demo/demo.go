// Package demo finds demonstrations: verified questions that resemble another
// one, by their words or, with the words of their schema masked, by what they ask for. The
// measure is lexical and local.
package demo

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"askpg/catalog"
	"askpg/catalog/words"
)

// Pair is a question with its SQL.
type Pair struct {
	Question string `json:"question"`
	SQL      string `json:"sql"`
}

// Pool is an immutable set of pairs, safe for concurrent use.
type Pool struct {
	pairs    []Pair
	plain    corpus
	skeleton corpus
}

// maxPairs bounds a pool.
const maxPairs = 50_000

// Read reads a pool: a JSON object with question and sql (or gold) a line.
func Read(r io.Reader) (*Pool, error) {
	var pairs []Pair
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	for n := 1; s.Scan(); n++ {
		if strings.TrimSpace(s.Text()) == "" {
			continue
		}
		var p struct {
			Pair
			Gold any `json:"gold"`
		}
		if err := json.Unmarshal(s.Bytes(), &p); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		switch g := p.Gold.(type) {
		case string:
			p.SQL = g
		case []any:
			if len(g) > 0 {
				p.SQL, _ = g[0].(string)
			}
		}
		if p.Question == "" || p.SQL == "" {
			return nil, fmt.Errorf("line %d: question or sql is missing", n)
		}
		if pairs = append(pairs, p.Pair); len(pairs) > maxPairs {
			return nil, fmt.Errorf("more than %d pairs", maxPairs)
		}
	}
	return newPool(pairs), s.Err()
}

// newPool makes a pool of pairs.
func newPool(pairs []Pair) *Pool {
	p := &Pool{pairs: pairs}
	for _, pair := range pairs {
		p.plain.add(terms(pair.Question))
		p.skeleton.add(terms(MaskBySQL(pair.Question, pair.SQL)))
	}
	p.plain.weigh()
	p.skeleton.weigh()
	return p
}

// Similar returns the k pairs whose questions are most similar. A nil pool
// has none.
func (p *Pool) Similar(question string, k int) []Pair {
	if p == nil {
		return nil
	}
	return p.pick(p.plain.nearest(terms(question), k))
}

// SimilarMasked returns the k pairs whose skeletons are most similar to a
// masked question.
func (p *Pool) SimilarMasked(masked string, k int) []Pair {
	if p == nil {
		return nil
	}
	return p.pick(p.skeleton.nearest(terms(masked), k))
}

func (p *Pool) pick(indexes []int) []Pair {
	var out []Pair
	for _, i := range indexes {
		out = append(out, p.pairs[i])
	}
	return out
}

// mask stands for a word of the schema (PET-SQL, section 3.2).
const mask = "<mask>"

var word = regexp.MustCompile(`[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*`)

// Mask replaces the words of a question that name a relation or a column, or
// are values of the database, as PET-SQL masks them by the catalog (section 4.1).
func Mask(question string, s *catalog.Snapshot, hits []catalog.Hit) string {
	names := map[string]bool{}
	for _, r := range s.Relations {
		addNames(names, r.Name.Name)
		for _, c := range r.Columns {
			addNames(names, c.Name)
		}
	}
	out := replace(question, func(start, end int) bool {
		for _, h := range hits {
			if start < h.End && end > h.Start {
				return true
			}
		}
		w := question[start:end]
		return w[0] >= '0' && w[0] <= '9' || names[words.EnglishStem(strings.ToLower(w))]
	})
	return collapse(out)
}

// MaskBySQL replaces the words of a question that its SQL has as names or
// literals, for pairs whose database is not at hand.
func MaskBySQL(question, sql string) string {
	names := map[string]bool{}
	for _, w := range word.FindAllString(sql, -1) {
		if !keywords[strings.ToLower(w)] {
			addNames(names, w)
		}
	}
	return collapse(replace(question, func(start, end int) bool {
		w := question[start:end]
		return w[0] >= '0' && w[0] <= '9' || names[words.EnglishStem(strings.ToLower(w))]
	}))
}

func addNames(names map[string]bool, name string) {
	for _, w := range catalog.Words(name) {
		if len(w) > 2 {
			names[words.EnglishStem(w)] = true
		}
	}
}

func replace(s string, masked func(start, end int) bool) string {
	var b strings.Builder
	last := 0
	for _, m := range word.FindAllStringIndex(s, -1) {
		b.WriteString(s[last:m[0]])
		if masked(m[0], m[1]) {
			b.WriteString(mask)
		} else {
			b.WriteString(s[m[0]:m[1]])
		}
		last = m[1]
	}
	b.WriteString(s[last:])
	return b.String()
}

var runs = regexp.MustCompile(`<mask>(?:[\s_"'’-]*<mask>)+`)

func collapse(s string) string { return runs.ReplaceAllString(s, mask) }

var keywords = words.Set(`select from where and or not in like between join on as group by order having limit count
		sum avg min max distinct asc desc union intersect except is null left inner outer t1 t2 t3 t4 t5 exists case when then else end`)

// terms are the stemmed words of a text and their pairs.
func terms(s string) []string {
	var stems []string
	for _, w := range regexp.MustCompile(`<\w+>|[\p{L}\p{N}]+`).FindAllString(strings.ToLower(s), -1) {
		stems = append(stems, words.EnglishStem(w))
	}
	out := slices.Clone(stems)
	for i := 1; i < len(stems); i++ {
		out = append(out, stems[i-1]+" "+stems[i])
	}
	return out
}

// corpus ranks texts by the cosine of their tf–idf vectors.
type corpus struct {
	texts []map[string]float64
	idf   map[string]float64
}

func (c *corpus) add(terms []string) {
	v := map[string]float64{}
	for _, t := range terms {
		v[t]++
	}
	c.texts = append(c.texts, v)
}

func (c *corpus) weigh() {
	spread := map[string]int{}
	for _, v := range c.texts {
		for t := range v {
			spread[t]++
		}
	}
	c.idf = make(map[string]float64, len(spread))
	for t, n := range spread {
		c.idf[t] = math.Log(1 + float64(len(c.texts))/float64(n))
	}
	for _, v := range c.texts {
		c.normalise(v)
	}
}

func (c *corpus) normalise(v map[string]float64) {
	sum := 0.0
	for t, n := range v {
		v[t] = (1 + math.Log(n)) * c.idf[t]
		sum += v[t] * v[t]
	}
	if sum = math.Sqrt(sum); sum > 0 {
		for t := range v {
			v[t] /= sum
		}
	}
}

func (c *corpus) nearest(terms []string, k int) []int {
	q := map[string]float64{}
	for _, t := range terms {
		q[t]++
	}
	c.normalise(q)
	type scored struct {
		i     int
		score float64
	}
	var all []scored
	for i, v := range c.texts {
		s := 0.0
		for t, w := range q {
			s += w * v[t]
		}
		if s > 0 {
			all = append(all, scored{i, s})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return a.i - b.i
	})
	out := make([]int, 0, k)
	for _, s := range all[:min(k, len(all))] {
		out = append(out, s.i)
	}
	return out
}
