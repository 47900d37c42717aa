package prompt

import (
	"cmp"
	"math/rand/v2"
	"slices"

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
	slices.SortStableFunc(out, func(a, b *catalog.Relation) int { return a.Name.Compare(b.Name) })
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

// Rank returns the relations by their relevance for the question, most
// relevant first: as the catalog's search finds them, then those that join one
// that it finds.
func Rank(s *catalog.Snapshot, relations []*catalog.Relation, question string, hits []catalog.Hit) []*catalog.Relation {
	score := make(map[*catalog.Relation]float64, len(relations))
	for _, m := range s.SearchRelations(question, len(s.Relations)) {
		score[m.Relation] = m.Score
	}
	for _, h := range hits {
		if h.Column != nil {
			score[h.Column.Relation] += h.Score
		}
	}
	near := map[*catalog.Relation]float64{}
	for _, k := range s.ForeignKeys {
		near[k.From] = max(near[k.From], score[k.To]/4)
		near[k.To] = max(near[k.To], score[k.From]/4)
	}
	out := slices.Clone(relations)
	slices.SortStableFunc(out, func(a, b *catalog.Relation) int {
		return cmp.Compare(score[b]+near[b], score[a]+near[a])
	})
	return out
}
