package prompt

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/kljensen/snowball/english"

	"askpg/catalog"
)

// Order is the order in which a prompt names relations and columns. Models
// favour what comes early, so orders that differ make samples that differ
// (Lee et al. 2024, section 3.1.1).
type Order struct {
	Reverse bool
	Shuffle uint64 // seed; 0 keeps the catalog's order
	Columns bool   // shuffle the columns too
}

func (in *Input) ordered(relations []*catalog.Relation) []*catalog.Relation {
	out := slices.Clone(relations)
	slices.SortStableFunc(out, func(a, b *catalog.Relation) int {
		if c := strings.Compare(a.Schema, b.Schema); c != 0 {
			return c
		}
		return strings.Compare(a.Name.Name, b.Name.Name)
	})
	if in.Order.Shuffle != 0 {
		r := rand.New(rand.NewPCG(in.Order.Shuffle, 1))
		r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	}
	if in.Order.Reverse {
		slices.Reverse(out)
	}
	return out
}

func (o Order) shuffleColumns(cols []*catalog.Column) {
	r := rand.New(rand.NewPCG(o.Shuffle, 2))
	r.Shuffle(len(cols), func(i, j int) { cols[i], cols[j] = cols[j], cols[i] })
}

// maxFound bounds what the catalog's search puts first.
const maxFound = 60

// Rank returns the relations by their relevance for the question, most
// relevant first: words shared with names and comments, rare ones counting more, values
// that the question mentions, and nearness by foreign keys to what matches.
func Rank(s *catalog.Snapshot, relations []*catalog.Relation, question string, hits []catalog.Hit) []*catalog.Relation {
	want := map[string]bool{}
	for _, w := range words(question) {
		want[w] = true
	}
	found := make([]map[string]float64, len(relations)) // word → weight of the place
	spread := map[string]int{}
	for i, r := range relations {
		found[i] = map[string]float64{}
		note := func(text string, weight float64) {
			for _, w := range words(text) {
				if want[w] {
					found[i][w] = max(found[i][w], weight)
				}
			}
		}
		note(r.Name.Name, 3)
		note(r.Comment, 1)
		for _, c := range r.Columns {
			if !c.Private {
				note(c.Name, 1.5)
				note(c.Comment, 0.7)
			}
		}
		for w := range found[i] {
			spread[w]++
		}
	}
	score := make(map[*catalog.Relation]float64, len(relations))
	for i, r := range relations {
		for w, weight := range found[i] {
			score[r] += weight / float64(1+spread[w])
		}
	}
	for _, h := range hits {
		if h.Column != nil {
			score[h.Column.Relation] += 1
		}
	}
	own := make(map[*catalog.Relation]float64, len(score))
	for r, v := range score {
		own[r] = v
	}
	for _, k := range s.ForeignKeys {
		score[k.From] += own[k.To] / 4
		score[k.To] += own[k.From] / 4
	}
	// What the catalog's search finds comes first, the joins between included.
	matches := s.SearchRelations(question, maxFound)
	for i, m := range matches {
		score[m.Relation] += float64(10 + len(matches) - i)
	}
	out := slices.Clone(relations)
	slices.SortStableFunc(out, func(a, b *catalog.Relation) int {
		switch {
		case score[a] > score[b]:
			return -1
		case score[a] < score[b]:
			return 1
		}
		return 0
	})
	return out
}

// words splits a text or a name into stemmed words.
func words(s string) []string {
	out := catalog.Words(s)
	for i, w := range out {
		out[i] = english.Stem(w, false)
	}
	return out
}
