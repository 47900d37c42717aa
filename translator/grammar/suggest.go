package grammar

import (
	"slices"
	"strings"
	"time"

	"askpg/catalog"
)

// What a refusal says beside the word that was not understood: what is called
// nearly so, and questions close to this one that have an answer.
const (
	maxSuggested = 2    // questions that a refusal suggests
	maxTried     = 10   // questions that are read to find them, of either kind
	namedScore   = 0.85 // of a word that is a relation's name
	// suggestTime bounds the reading of either kind.
	suggestTime = 30 * time.Millisecond
)

// suggestion is a question that the engine answers, and the words of the
// question asked that it leaves out.
type suggestion struct {
	question string
	without  string
}

// suggest finds questions near to the one asked that have an answer: the
// question without one of its parts, unknown words first, and what is usual to
// ask of the relations that it names.
func (p *parser) suggest(unknown []int) []suggestion {
	var out []suggestion
	if !p.opts.Suggest {
		return nil
	}
	deadline, tried := time.Now().Add(suggestTime), 0
	try := func(question, without string) {
		if question == "" || len(out) >= maxSuggested || tried >= maxTried || time.Now().After(deadline) ||
			slices.ContainsFunc(out, func(s suggestion) bool { return s.question == question }) {
			return
		}
		tried++
		if p.x.answers(question, p.opts) {
			out = append(out, suggestion{question, without})
		}
	}
	parts := p.parted()
	lacking := parts
	if len(unknown) > 0 {
		lacking = slices.DeleteFunc(slices.Clone(parts), func(part [2]int) bool {
			return !slices.ContainsFunc(unknown, func(i int) bool { return part[0] <= i && i < part[1] })
		})
		try(p.without(lacking), p.said(lacking))
		if p.namesRelation() { // else the word may be what the question is about
			var alone [][2]int
			for _, i := range unknown {
				alone = append(alone, [2]int{i, i + 1})
			}
			try(p.without(alone), p.said(alone))
		}
	} else {
		for i := len(lacking) - 1; i >= 0; i-- {
			try(p.without(lacking[i:i+1]), p.said(lacking[i:i+1]))
		}
		for i := len(lacking) - 2; i > 0; i-- {
			try(p.without(lacking[i:]), p.said(lacking[i:]))
		}
	}
	deadline, tried = time.Now().Add(suggestTime), 0
	for _, q := range p.usualQuestions() {
		try(q, "")
	}
	return out
}

// answers reports whether a question has one likely reading.
func (x *lexicon) answers(question string, o Options) bool {
	o.Suggest = false
	p := newParser(x, question, o)
	if len(p.toks) == 0 || p.deniedError() != nil || len(p.unknown()) > 0 {
		return false
	}
	list := p.interpretations(p.read())
	return len(list) > 0 && list[0].Score >= score(answeredCost) && !slices.ContainsFunc(list, func(r Interpretation) bool { return r.Near })
}

// parted cuts the question where something more is said: at prepositions, at
// commas, before relative clauses and keys.
func (p *parser) parted() [][2]int {
	var out [][2]int
	start := 0
	for i, t := range p.toks {
		cut := p.lang.preps[t.lower] || t.kind == punctToken || len(p.ends(i, "rel", "group", "with", "without", "and", "or", "whose", "order", "except", "since")) > 0
		if cut && i > start && !(i > 0 && len(p.ends(i-1, "rel", "group", "with", "and", "or", "order")) > 0) {
			out, start = append(out, [2]int{start, i}), i
		}
	}
	if start < len(p.toks) {
		out = append(out, [2]int{start, len(p.toks)})
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// without writes the question without some of its tokens.
func (p *parser) without(parts [][2]int) string {
	if len(parts) == 0 {
		return ""
	}
	var kept []token
	for i, t := range p.toks {
		if !slices.ContainsFunc(parts, func(part [2]int) bool { return part[0] <= i && i < part[1] }) {
			kept = append(kept, t)
		}
	}
	for len(kept) > 0 && kept[len(kept)-1].kind == punctToken {
		kept = kept[:len(kept)-1]
	}
	return writeTokens(kept)
}

func (p *parser) said(parts [][2]int) string {
	var toks []token
	for _, part := range parts {
		toks = append(toks, p.toks[part[0]:part[1]]...)
	}
	return strings.TrimRight(writeTokens(toks), "?!. ")
}

// writeTokens writes tokens as they stood.
func writeTokens(toks []token) string {
	var b strings.Builder
	for i, t := range toks {
		if i > 0 && t.lower != "'s" && t.lower != "," && t.lower != "?" && t.lower != "n't" {
			b.WriteByte(' ')
		}
		if t.kind == quotedToken {
			b.WriteString("'" + t.text + "'")
			continue
		}
		b.WriteString(t.text)
	}
	return strings.TrimSpace(b.String())
}

// usualQuestions are what people ask of the relations that the question names,
// or of that with most events where it names none: their amounts by month, how
// many there are, by kind and at all.
func (p *parser) usualQuestions() []string {
	type subject struct {
		rel  *catalog.Relation
		name string
	}
	var subjects []subject
	add := func(r *catalog.Relation, name string) {
		if !slices.ContainsFunc(subjects, func(s subject) bool { return s.rel == r }) {
			subjects = append(subjects, subject{r, name})
		}
	}
	called := func(r *catalog.Relation) string { return plural(strings.Join(p.x.lang.spoken(r.Name.Name), " ")) }
	for i := range p.toks {
		if p.lang.dateWord(p.toks[i].lower) {
			continue
		}
		for _, r := range p.m.rels[i] {
			if r.score >= namedScore {
				add(r.rel, plural(writeTokens(p.toks[r.start:r.end])))
			}
		}
		for _, a := range p.m.attrs[i] {
			if c := a.cands[0]; c.score >= 0.95 {
				add(c.col.Relation, called(c.col.Relation))
			}
		}
	}
	none := len(subjects) == 0
	if none {
		var most *catalog.Relation
		for _, r := range p.x.snap.Relations {
			amounts := slices.ContainsFunc(r.Columns, p.additive)
			if len(p.x.info[r].dates) > 0 && amounts && (most == nil || r.Rows > most.Rows) {
				most = r
			}
		}
		if most == nil {
			return nil
		}
		add(most, called(most))
	}
	var out []string
	for _, s := range subjects[:min(2, len(subjects))] {
		dated := len(p.x.info[s.rel].dates) > 0
		for _, c := range s.rel.Columns {
			name := strings.Join(p.x.lang.spoken(c.Name), " ")
			switch {
			case c.Class != catalog.Number || p.isIdentifier(c) || !none && !p.mentioned(c):
			case dated && p.additive(c):
				out = append(out, totalOf(name)+" of "+s.name+" per month")
			case !none:
				out = append(out, "average "+name+" of "+s.name)
			}
		}
		for _, c := range s.rel.Columns {
			if few(c) && p.mentioned(c) {
				out = append(out, "number of "+s.name+" per "+strings.Join(p.x.lang.spoken(c.Name), " "))
			}
		}
		if dated {
			out = append(out, "number of "+s.name+" per month")
		}
		out = append(out, "how many "+s.name+" are there")
	}
	return out
}

// namesRelation reports whether the question has the name of a relation.
func (p *parser) namesRelation() bool {
	for _, list := range p.m.rels {
		if slices.ContainsFunc(list, func(r relMention) bool { return r.score >= namedScore }) {
			return true
		}
	}
	return false
}

// mentioned reports whether the question may speak of a column.
func (p *parser) mentioned(c *catalog.Column) bool {
	for _, ends := range p.m.attrs {
		for _, a := range ends {
			if slices.ContainsFunc(a.cands, func(k colCand) bool { return k.col == c }) {
				return true
			}
		}
	}
	return false
}

// few reports whether a column has a few values, each of many rows.
func few(c *catalog.Column) bool {
	return textual(c) && c.Profile != nil && c.Profile.Distinct > 1 && c.Profile.Distinct <= 30
}

func totalOf(name string) string {
	if strings.HasPrefix(name, "total") {
		return name
	}
	return "total " + name
}

func plural(name string) string {
	switch {
	case strings.HasSuffix(name, "s"), name == "staff", name == "people":
		return name
	case strings.HasSuffix(name, "y") && !strings.HasSuffix(name, "ey"):
		return strings.TrimSuffix(name, "y") + "ies"
	}
	return name + "s"
}

// calledNearly returns the name of the database that is written nearly as a
// word, or begins as it does; "" if there is none.
func (x *lexicon) calledNearly(word string) string {
	best, distance := "", 4
	for _, w := range x.words {
		d := editDistance(word, w, 3)
		if n := min(len(w), len(word)); d > 2 && n >= 5 && w[:5] == word[:5] {
			d = 3
		}
		if d < distance && (d < len(word)/2 || d == 3) {
			best, distance = w, d
		}
	}
	if distance > 3 || distance > 2 && (len(word) < 5 || len(best) < 5 || best[:5] != word[:5]) {
		return ""
	}
	return best
}
