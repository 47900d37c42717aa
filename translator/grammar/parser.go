package grammar

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"askpg/catalog"
)

// parser holds one question while it is read. The parse functions return every
// reading that begins at a token, with where it ends and how far-fetched it
// is; results are kept, so that each place is read once.
type parser struct {
	x          *lexicon
	lang       *language
	toks       []token
	m          *mentions
	opts       Options
	tags       []map[string][]int
	adjs       []map[int][]adjective
	ids        int
	nps        map[int][]cand
	mods       map[int][]mcand
	vps        map[int][]mcand
	haves      map[int][]mcand
	dates      map[int][]dateCand
	active     map[int]bool
	steps      int
	statements map[[2]int][]cand
	pathsC     map[[2]*catalog.Relation][]path
	why        string // why the best reading is no answer
}

// cand is a reading of a noun phrase.
type cand struct {
	np   *np
	end  int
	cost float64
}

// mcand is a reading of a modifier.
type mcand struct {
	mod  mod
	end  int
	cost float64
}

// Bounds of the search. A reading whose cost is beyond maxCost is dropped.
const (
	beamPerEnd = 5
	maxCost    = 7.0
	maxSteps   = 60000
)

func newParser(x *lexicon, text string, o Options) *parser {
	p := &parser{
		x: x, lang: x.lang, toks: scan(text), opts: o, nps: map[int][]cand{}, mods: map[int][]mcand{},
		vps: map[int][]mcand{}, haves: map[int][]mcand{}, dates: map[int][]dateCand{}, active: map[int]bool{}, statements: map[[2]int][]cand{}, pathsC: map[[2]*catalog.Relation][]path{},
	}
	for i := range p.toks {
		p.toks[i].stem = p.lang.stem(p.toks[i].lower)
	}
	p.tag()
	p.annotate(text)
	return p
}

// tag finds the function phrases at each token.
func (p *parser) tag() {
	p.tags = make([]map[string][]int, len(p.toks)+1)
	p.adjs = make([]map[int][]adjective, len(p.toks)+1)
	for i, t := range p.toks {
		if t.kind == quotedToken {
			continue
		}
		tags := map[string][]int{}
		for _, ph := range p.lang.phrases[t.lower] {
			if p.follows(i, ph.words) {
				tags[ph.tag] = append(tags[ph.tag], i+len(ph.words))
			}
		}
		// Before a number "over" compares, and says no place.
		tags["in"] = slices.DeleteFunc(tags["in"], func(e int) bool {
			return e < len(p.toks) && p.toks[e].kind == numberToken && (slices.Contains(tags["gt"], e) || slices.Contains(tags["lt"], e))
		})
		for _, ends := range tags {
			sort.Sort(sort.Reverse(sort.IntSlice(ends)))
		}
		p.tags[i] = tags
		for _, ph := range p.lang.adjPhrases[t.lower] {
			if p.follows(i, ph.words) {
				if p.adjs[i] == nil {
					p.adjs[i] = map[int][]adjective{}
				}
				p.adjs[i][i+len(ph.words)] = p.lang.adjectives[ph.tag]
			}
		}
	}
}

func (p *parser) follows(i int, words []string) bool {
	if i+len(words) > len(p.toks) {
		return false
	}
	for k, w := range words {
		if t := p.toks[i+k]; t.lower != w || t.kind == quotedToken {
			return false
		}
	}
	return true
}

// ends returns where the phrases of any of the tags that begin at i end,
// longest first.
func (p *parser) ends(i int, tags ...string) []int {
	if i >= len(p.toks) || p.tags[i] == nil {
		return nil
	}
	if len(tags) == 1 {
		return p.tags[i][tags[0]]
	}
	var out []int
	for _, t := range tags {
		for _, e := range p.tags[i][t] {
			if !containsInt(out, e) {
				out = append(out, e)
			}
		}
	}
	sort.Sort(sort.Reverse(sort.IntSlice(out)))
	return out
}

// maybe is ends with i itself as the last possibility: the phrase may be
// missing.
func (p *parser) maybe(i int, tags ...string) []int {
	return append(append([]int(nil), p.ends(i, tags...)...), i)
}

func containsInt(list []int, n int) bool {
	for _, x := range list {
		if x == n {
			return true
		}
	}
	return false
}

// isFunction reports whether the token is a word of the language's own that
// carries structure.
func (p *parser) isFunction(i int) bool {
	t := p.toks[i]
	if t.kind == punctToken {
		return true
	}
	if p.lang.skip[t.lower] || p.lang.preps[t.lower] {
		return true
	}
	for _, ph := range p.lang.phrases[t.lower] {
		if len(ph.words) == 1 {
			return true
		}
	}
	return false
}

// known reports whether a token means anything to the language.
func (p *parser) known(i int) bool {
	t := p.toks[i]
	if t.kind != wordToken || p.isFunction(i) || p.isVerb(i) {
		return true
	}
	if i > 0 && (t.lower == "table" || t.lower == "records" || t.lower == "record" || t.lower == "entries" || t.lower == "data") {
		return true
	}
	if p.lang.dateWord(t.lower) {
		return true
	}
	if _, ok := p.lang.numbers[t.lower]; ok {
		return true
	}
	if _, ok := p.lang.units[t.lower]; ok {
		return true
	}
	if _, ok := p.lang.measures[t.stem]; ok {
		return true
	}
	for _, d := range p.lang.directions {
		if d.words[t.lower] {
			return true
		}
	}
	for j := max(0, i-6); j <= i; j++ {
		for _, ends := range p.tags[j] {
			for _, e := range ends {
				if e > i {
					return true
				}
			}
		}
		for e := range p.adjs[j] {
			if e > i {
				return true
			}
		}
	}
	return false
}

func (p *parser) isVerb(i int) bool {
	t := p.at(i)
	return t.kind == wordToken && !isNoun(t) && (p.lang.verbs[t.stem] || p.lang.verbs[strings.TrimSuffix(t.stem, "e")])
}

// isNoun reports whether a word is a noun made of what its stem is: "manager",
// "attendance".
func isNoun(t token) bool {
	w := strings.TrimSuffix(t.lower, "s")
	for _, end := range []string{"er", "or", "ance", "ment", "ion"} {
		if strings.HasSuffix(w, end) && !strings.HasSuffix(t.stem, end) {
			return true
		}
	}
	return false
}

func (p *parser) newID() int {
	p.ids++
	return p.ids
}

func (p *parser) entity(r *catalog.Relation) *np {
	return &np{set: &set{id: p.newID(), rel: r}}
}

// keep drops the worst readings.
func keep(list []cand) []cand {
	sort.SliceStable(list, func(i, j int) bool { return list[i].cost < list[j].cost })
	perEnd := map[int]int{}
	out := list[:0:0]
	for _, c := range list {
		if c.cost > maxCost || perEnd[c.end] >= beamPerEnd {
			continue
		}
		perEnd[c.end]++
		out = append(out, c)
	}
	return out
}

func keepMods(list []mcand) []mcand {
	sort.SliceStable(list, func(i, j int) bool { return list[i].cost < list[j].cost })
	perEnd := map[int]int{}
	out := list[:0:0]
	for _, c := range list {
		if c.cost > maxCost || perEnd[c.end] >= 7 {
			continue
		}
		perEnd[c.end]++
		out = append(out, c)
	}
	return out
}

func (p *parser) at(i int) token {
	if i < len(p.toks) {
		return p.toks[i]
	}
	return token{kind: punctToken}
}

// number reads a number in digits or words: 5, "two", "5 million", "a dozen".
func (p *parser) number(i int) (string, int) {
	t := p.at(i)
	var v float64
	text := ""
	switch {
	case i >= len(p.toks):
		return "", i
	case t.kind == numberToken:
		text = t.text
		v, _ = strconv.ParseFloat(t.text, 64)
	case t.lower == "$" || t.lower == "€" || t.lower == "£":
		n, e := p.number(i + 1)
		if e == i+1 {
			return "", i
		}
		return n, e
	case (t.lower == "a" || t.lower == "an") && i+1 < len(p.toks) && p.lang.numbers[p.toks[i+1].lower] >= 12:
		i++
		v = 1 * p.lang.numbers[p.toks[i].lower]
		text = formatNumber(v)
	default:
		n, ok := p.lang.numbers[t.lower]
		if t.lower == "one" && i > 0 && (p.toks[i-1].lower == "the" || p.toks[i-1].lower == "that" || p.toks[i-1].lower == "each") {
			return "", i
		}
		if !ok || t.kind != wordToken || t.lower == "k" {
			return "", i
		}
		v, text = n, formatNumber(n)
	}
	i++
	for i < len(p.toks) && p.toks[i].kind == wordToken {
		n, ok := p.lang.numbers[p.toks[i].lower]
		if !ok || n < 100 && n != 12 || p.toks[i].lower == "k" && p.toks[i].start != p.toks[i-1].end {
			break
		}
		v *= n
		text = formatNumber(v)
		i++
	}
	return text, i
}

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// unit skips a unit of measure after a number.
func (p *parser) unit(i int) []int {
	out := []int{}
	if i < len(p.toks) {
		for _, words := range p.lang.units[p.toks[i].lower] {
			if p.follows(i, words) {
				out = append(out, i+len(words))
			}
		}
	}
	sort.Sort(sort.Reverse(sort.IntSlice(out)))
	return append(out, i)
}
