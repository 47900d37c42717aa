// Package grammar is the built-in engine: it turns a question in English into
// SQL from the catalog alone, without a model. Every word of content has to be
// accounted for by a reading, or the question is refused with the word named;
// what is left are the readings that cover all of it, cheapest first.
//
// The way there is that of the literature on such engines: words are mapped to
// relations, columns and values (PRECISE, Popescu et al. 2003), sets are
// joined over the graph of foreign keys (ATHENA, Saha et al. 2016), readings
// are enumerated and ranked rather than guessed (NaLIR, Li and Jagadish 2014).
package grammar

import (
	"math"
	"sort"
	"strings"
	"time"
	"unicode/utf8"

	"askpg/ask"
	"askpg/catalog"
)

// Options are what an interpretation depends on besides question and catalog.
type Options struct {
	Now        time.Time      // when the question was asked; the clock if zero
	Location   *time.Location // the session's time zone; that of Now if nil
	SearchPath []string       // schemas whose relations need no qualification; "public" if nil
	Max        int            // readings to return at most; 8 if 0
	Previous   string         // the question that this one follows up on, if it does
	Suggest    bool           // a refusal looks for questions that have an answer, which takes some time
}

// Interpretation is one reading of a question.
type Interpretation struct {
	SQL    string
	Score  float64 // 0..1, the likelihood that this is the reading meant
	Linked []ask.Link
	Near   bool // as likely as the best reading, and another one
}

const (
	defaultMax   = 8
	maxWords     = 120 // a longer text is no question that this grammar reads
	acceptedCost = 4.5
	// answeredCost is the cost up to which a best reading is an answer: beyond
	// it, it is more often wrong than is worth having.
	answeredCost = 2.0
	// nearCost is the difference of cost up to which two readings are as likely.
	nearCost = 0.06
)

// Interpret returns the readings of a question, best first. An error is an
// *ask.Error: ASK01 names the words that were not understood, 42501 a relation
// that the role may not read.
func Interpret(question, hint string, s *catalog.Snapshot, o Options) ([]Interpretation, error) {
	if o.SearchPath == nil {
		o.SearchPath = []string{"public"}
	}
	if o.Max == 0 {
		o.Max = defaultMax
	}
	if strings.TrimSpace(question) == "" || !utf8.ValidString(question) {
		return nil, ask.Errorf(ask.CodeNoCandidate, "the question is empty").WithHint("Ask for something that the tables hold, such as: how many orders are there?")
	}
	x := lexiconOf(s)
	if len(s.Relations) == 0 {
		return nil, ask.Errorf(ask.CodeNoCandidate, "there is no table that role %q may read in database %q", s.Role, s.Database)
	}
	if o.Previous != "" {
		previous := o.Previous
		o.Previous = ""
		whole, err := followUps(x, previous, question, o)
		if err != nil {
			return nil, err
		}
		question = whole[0]
		for _, q := range whole[1:] {
			if x.answers(question, o) {
				break
			}
			if x.answers(q, o) {
				question = q
			}
		}
	}
	p := newParser(x, question, o)
	if len(p.tokens) > maxWords {
		return nil, ask.Errorf(ask.CodeNoCandidate, "the question is too long for the built-in engine").WithDetail("It has %d words, %d are read.", len(p.tokens), maxWords)
	}
	if err := p.deniedError(); err != nil {
		return nil, err
	}
	if p.asksToAct() {
		return nil, ask.Errorf(ask.CodeRefused, "questions can only read, and this one asks for something to be done").
			WithDetail("%q does something.", p.tokens[0].text).
			WithHint("Ask for what the data says. What changes data is SQL, which goes to the server as it is.")
	}
	if err := p.unknownError(); err != nil {
		return nil, err
	}
	if len(p.tokens) == 1 && p.isFunction(0) {
		return nil, p.structureError()
	}
	readings := p.read()
	list := p.interpretations(readings)
	if len(list) == 0 || list[0].Score < score(answeredCost) {
		return nil, p.structureError()
	}
	if len(list) > o.Max {
		list = list[:o.Max]
	}
	return list, nil
}

// read returns the readings of the whole question.
func (p *parser) read() []candidate {
	sentences := p.sentences()
	if len(sentences) == 0 {
		return nil
	}
	list := p.statement(sentences[0][0], sentences[0][1])
	for _, s := range sentences[1:] {
		if p.onlyEmptyWords(s[0], s[1]) {
			continue
		}
		var next []candidate
		for _, c := range list {
			next = append(next, p.further(c, s[0], s[1])...)
		}
		list = cheapest(next, 24)
	}
	return list
}

func sortCandidates(list []candidate) {
	sort.SliceStable(list, func(i, j int) bool { return list[i].cost < list[j].cost })
}

// interpretations writes the SQL of readings, drops those that come to the
// same, and scores the rest.
func (p *parser) interpretations(readings []candidate) []Interpretation {
	var out []Interpretation
	var costs []float64
	var first []bool // the reading itself, and no variant of one
	seen := map[string]bool{}
	refused := math.Inf(1) // cost of the best reading that no answer is better than
	for _, c := range readings {
		if c.cost > acceptedCost {
			continue
		}
		for _, s := range p.summed(p.resolvePhrase(c.phrase)) {
			s.phrase = p.wholeRow(p.showReferenced(p.resolveExtreme(s.phrase)))
			if c.phrase.set != nil || len(c.phrase.ratio) > 0 {
				s.cost = 0
			}
			if c.phrase.isValue() {
				s.cost += 1.5
			}
			cost := c.cost + s.cost
			sql, err := render(p.lexicon, p.options.SearchPath, s.phrase, false, false)
			if why := p.doubtful(s.phrase); why != "" && err == nil {
				if cost < refused {
					refused, p.why = cost, why
				}
				continue
			}
			cost += p.timeDoubt(s.phrase.set, false) + p.stateDoubt(s.phrase)
			if err != nil || cost > acceptedCost {
				continue
			}
			for i, variant := range []func() (string, error){
				func() (string, error) { return sql, nil },
				func() (string, error) { return render(p.lexicon, p.options.SearchPath, s.phrase, true, false) },
				func() (string, error) { return render(p.lexicon, p.options.SearchPath, s.phrase, false, true) },
			} {
				sql, err := variant()
				if err != nil || seen[sql] {
					continue
				}
				seen[sql] = true
				out = append(out, Interpretation{SQL: sql, Linked: p.links(s.phrase)})
				costs, first = append(costs, cost+0.4*float64(i)), append(first, i == 0)
			}
		}
	}
	order := make([]int, len(out))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return costs[order[i]] < costs[order[j]] })
	if len(order) == 0 || costs[order[0]] >= refused {
		return nil // a worse reading is no answer either
	}
	p.why = ""
	sorted := make([]Interpretation, len(out))
	for i, k := range order {
		sorted[i] = out[k]
		sorted[i].Score = score(costs[k])
		sorted[i].Near = i > 0 && first[k] && costs[k]-costs[order[0]] < nearCost
	}
	return sorted
}

// score turns the cost of a reading into the likelihood that it is right: as
// many readings of that cost are, of questions to databases of many kinds.
func score(cost float64) float64 { return math.Round(1000*0.99*math.Exp(-max(0, cost)/12)) / 1000 }
