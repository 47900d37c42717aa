package grammar

import (
	"sort"
	"strings"

	"askpg/catalog"
)

// attr is a piece of the question that names a column: one of cands.
type attr struct {
	cands []colCand
	start int // tokens
	end   int
	named bool // asks for a name: the display columns of whatever it is the name of
	adj   bool // comes from an adjective or a verb, not from its name
}

type colCand struct {
	col   *catalog.Column
	score float64 // 1 is the column's very name
	label *label
	down  bool // an adjective's direction is reversed
}

// relMention is a piece of the question that names a relation.
type relMention struct {
	rel   *catalog.Relation
	score float64
	start int
	end   int
}

// hit is a value of the database that the question mentions.
type hit struct {
	col   *catalog.Column
	value string
	score float64
}

// mentions is what each place of the question may mean.
type mentions struct {
	rels    map[int][]relMention
	attrs   map[int]map[int]*attr // by start and end
	vals    map[int]map[int][]hit
	covered []bool // by any reading at all
}

// maxSpan is how many words the name of a thing may take in a question.
const maxSpan = 6

func (p *parser) annotate(question string) {
	m := &mentions{rels: map[int][]relMention{}, attrs: map[int]map[int]*attr{}, vals: map[int]map[int][]hit{}, covered: make([]bool, len(p.toks))}
	p.m = m
	for i := range p.toks {
		p.annotateNames(i)
	}
	p.coverMeasures()
	for _, h := range p.x.snap.Values.Find(question) {
		if i, j := p.tokenRange(h.Start, h.End); i < j && p.x.info[h.Column.Relation] != nil {
			score := 1.0
			if !h.Exact {
				score = 0.65
				if j == i+1 && (len(p.toks[i].lower) < 5 || p.isFunction(i)) {
					continue
				}
			}
			if p.toks[i].kind == quotedToken && !strings.EqualFold(h.Value, p.toks[i].text) && strings.EqualFold(strings.TrimSpace(h.Value), p.toks[i].text) {
				h.Value = p.toks[i].text // what is quoted is meant to the letter
			}
			p.addHit(i, j, hit{col: h.Column, value: h.Value, score: score})
		}
	}
	for i, t := range p.toks {
		p.annotateValues(i)
		if s := singular(t.lower); s != "" && t.kind == wordToken && !p.isFunction(i) && len(m.vals[i][i+1]) == 0 {
			p.lookUpIndex(i, i+1, s, 0.95)
		}
	}
	for i, byEnd := range m.vals {
		for j := range byEnd {
			if j == i+1 && p.isFunction(i) && p.toks[i].kind == wordToken && p.toks[i].text == p.toks[i].lower && !(p.lang.aliases[p.toks[i].lower] != nil && i > 0 && (p.lang.preps[p.toks[i-1].lower] || p.toks[i-1].lower == "the")) {
				delete(byEnd, j) // "of", "in", "or" are not values unless written as such
				continue
			}
			p.cover(i, j)
		}
	}
	p.correctSpelling()
}

func (p *parser) cover(i, j int) {
	for ; i < j; i++ {
		p.m.covered[i] = true
	}
}

func (p *parser) tokenRange(start, end int) (int, int) {
	i, j := -1, -1
	for k, t := range p.toks {
		quote := 0
		if t.kind == quotedToken {
			quote = 3 // its marks, of up to three bytes each
		}
		if t.start >= start-quote && i < 0 && t.end > start {
			i = k
		}
		if t.end <= end+quote {
			j = k + 1
		}
	}
	if i < 0 {
		return 0, 0
	}
	return i, j
}

func (p *parser) addHit(i, j int, h hit) {
	if p.m.vals[i] == nil {
		p.m.vals[i] = map[int][]hit{}
	}
	for _, old := range p.m.vals[i][j] {
		if old.col == h.col {
			return
		}
	}
	p.m.vals[i][j] = append(p.m.vals[i][j], h)
}

// annotateValues finds the values that the statistics name, and other names of
// places.
func (p *parser) annotateValues(i int) {
	t := p.toks[i]
	if t.kind == quotedToken {
		p.lookUp(i, i+1, wordsOf(t.text), 1, t.text)
		return
	}
	if t.kind == punctToken {
		return
	}
	var words []string
	for j := i; j < len(p.toks) && j < i+maxValueWords; j++ {
		if k := p.toks[j].kind; k == quotedToken || k == punctToken && p.toks[j].lower != "." && p.toks[j].lower != "&" && p.toks[j].lower != "/" {
			break
		}
		words = append(words, p.toks[j].lower)
		p.lookUp(i, j+1, words, 1, "")
		if j-i < p.lang.aliasLength && len(p.m.vals[i][j+1]) > 0 {
			for _, other := range p.lang.aliases[strings.Join(words, " ")] {
				p.lookUp(i, j+1, wordsOf(other), 0.6, other)
				p.lookUpIndex(i, j+1, other, 0.6)
			}
		} else if j-i < p.lang.aliasLength && p.aliasFits(i, j+1) {
			for _, other := range p.lang.aliases[strings.Join(words, " ")] {
				p.lookUp(i, j+1, wordsOf(other), 0.9, other)
				p.lookUpIndex(i, j+1, other, 0.9)
			}
		}
	}
}

func (p *parser) lookUp(i, j int, words []string, score float64, exact string) {
	key := p.x.valueKey(words)
	if key == "" {
		return
	}
	for c, v := range p.x.valueRaw[key] {
		s := score
		if p.toks[i].kind == quotedToken && !strings.EqualFold(v, p.toks[i].text) && strings.EqualFold(strings.TrimSpace(v), p.toks[i].text) {
			v = p.toks[i].text
		}
		if exact != "" && !strings.EqualFold(v, exact) {
			s -= 0.1
		}
		p.addHit(i, j, hit{col: c, value: v, score: s})
	}
}

// aliasFits reports whether a word of origin is used as an adjective, before
// what it is said of or after "is"; names of places fit anywhere.
func (p *parser) aliasFits(i, j int) bool {
	if j-i > 1 || len(p.toks[i].lower) <= 4 || p.toks[i].lower == "america" {
		return true
	}
	if i > 0 {
		switch p.toks[i-1].lower {
		case "is", "are", "was", "were", "not", "by", "all", "the", "from":
			return true
		}
	}
	return j < len(p.toks) && p.toks[j].kind == wordToken && (len(p.m.rels[j]) > 0 || len(p.m.attrs[j]) > 0)
}

// lookUpIndex finds a text in the value index that stands for the words of the
// question.
func (p *parser) lookUpIndex(i, j int, text string, score float64) {
	for _, h := range p.x.snap.Values.Find(text) {
		if h.Exact && h.Start == 0 && h.End == len(text) && p.x.info[h.Column.Relation] != nil {
			p.addHit(i, j, hit{col: h.Column, value: h.Value, score: score})
		}
	}
}

// annotateNames finds the relations and columns whose names begin at token i.
func (p *parser) annotateNames(i int) {
	first := p.toks[i]
	if first.kind != wordToken || first.lower == "of" || first.lower == "the" || first.lower == "'s" {
		return
	}
	rels := map[[2]any]relMention{}
	var stems []string
	var raw strings.Builder
	for j := i; j < len(p.toks) && j < i+maxSpan; j++ {
		t := p.toks[j]
		if t.kind != wordToken && t.kind != numberToken {
			break
		}
		if j > i && (t.lower == "of" || t.lower == "the" || t.lower == "a" || t.lower == "'s") {
			raw.WriteString(t.lower)
			continue
		}
		stems = append(stems, t.stem)
		raw.WriteString(t.lower)
		seen := map[*label]float64{}
		for _, lb := range p.candidateLabels(stems[0]) {
			if s := p.x.match(stems, lb); s > 0 {
				seen[lb] = max(seen[lb], s)
			}
		}
		if j > i {
			for _, lb := range p.x.concat[p.lang.stem(raw.String())] {
				seen[lb] = max(seen[lb], 0.98*lb.score)
			}
		} else if len(first.lower) >= 4 && !p.isFunction(i) {
			for _, lb := range p.x.affix {
				if s := affixScore(first.lower, lb.words[0]); s > 0 && seen[lb] == 0 {
					seen[lb] = s
				}
			}
		}
		if short, ok := p.lang.compounds[p.stemsBetween(i, j+1)]; ok && j > i {
			stem := p.lang.stem(short)
			for _, lb := range p.x.labels[stem] {
				if s := p.x.match([]string{stem}, lb); s > 0 && lb.col != nil {
					seen[lb] = max(seen[lb], 0.9*s)
				}
			}
		}
		for lb, s := range seen {
			if lb.col == nil {
				key := [2]any{lb.rel, j + 1}
				if s > rels[key].score {
					rels[key] = relMention{lb.rel, s, i, j + 1}
				}
			} else {
				p.addAttr(i, j+1, lb, s)
			}
		}
	}
	for _, r := range rels {
		p.m.rels[i] = append(p.m.rels[i], r)
		p.cover(r.start, r.end)
	}
	sort.Slice(p.m.rels[i], func(a, b int) bool {
		x, y := p.m.rels[i][a], p.m.rels[i][b]
		if x.score != y.score {
			return x.score > y.score
		}
		if x.end != y.end {
			return x.end > y.end
		}
		return x.rel.OID < y.rel.OID
	})
	for _, a := range p.m.attrs[i] {
		sort.Slice(a.cands, func(x, y int) bool {
			if a.cands[x].score != a.cands[y].score {
				return a.cands[x].score > a.cands[y].score
			}
			if a.cands[x].col.Relation != a.cands[y].col.Relation {
				return a.cands[x].col.Relation.OID < a.cands[y].col.Relation.OID
			}
			return a.cands[x].col.Num < a.cands[y].col.Num
		})
	}
}

// singular returns the singular of a plural, "" if it is none.
// correctSpelling lets words that mean nothing stand for name words that
// differ by a letter or two. A word of a relation that the role may not read
// is no misspelling.
// namesDenied reports whether a stem is of the name of a relation that the
// role may not read.
// editDistance counts insertions, deletions, substitutions and swaps of
// neighbours (Damerau 1964, restricted), up to limit.
