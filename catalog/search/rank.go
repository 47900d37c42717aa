package search

import (
	"cmp"
	"slices"

	"askpg/catalog/schema"
)

const (
	boostedRelations = 12 // relations whose columns FindColumns favours
	connected        = 5  // best relations between which joins are looked for
	maxConnecting    = 3  // joins between two of them
)

// rank returns the best relations, with those that connect the very best right
// behind them, at most limit.
func (s *search) rank(limit int) []RelationMatch {
	wanted := limit
	if s.byMeaning != nil {
		wanted = max(limit, maxNearest)
	}
	best := topK(slices.Clone(s.relations.docs), wanted, func(a, b int32) int {
		if c := cmp.Compare(s.relations.score[b], s.relations.score[a]); c != 0 {
			return c
		}
		return s.relation[a].Name.Compare(s.relation[b].Name)
	})
	out := make([]RelationMatch, 0, len(best))
	for _, r := range best {
		out = append(out, RelationMatch{s.relation[r], s.relations.score[r]})
	}
	out = s.fuse(out)
	return s.connect(out[:min(len(out), limit)], limit)
}

// connect puts in the relations that join the best ones.
func (s *search) connect(ranked []RelationMatch, limit int) []RelationMatch {
	if len(ranked) < 2 || limit < 3 {
		return ranked
	}
	at := map[*schema.Relation]int{}
	for i := range ranked {
		at[ranked[i].Relation] = i
	}
	for r, score := range s.between(ranked) {
		if i, ok := at[r]; ok {
			ranked[i].Score += score / 2
		} else {
			ranked = append(ranked, RelationMatch{r, score})
		}
	}
	slices.SortFunc(ranked, byScore)
	return ranked[:min(len(ranked), limit)]
}

// between returns the relations on the join paths between the best ones, with
// their scores.
func (s *search) between(ranked []RelationMatch) map[*schema.Relation]float64 {
	out := map[*schema.Relation]float64{}
	for i := range ranked[:min(len(ranked), connected)] {
		for j := range ranked[:i] {
			a, b := &ranked[j], &ranked[i]
			if b.Score < 0.35*ranked[0].Score {
				continue
			}
			path, _ := s.Graph.Path(a.Relation, b.Relation)
			if len(path) < 2 || len(path) > maxConnecting {
				continue
			}
			for _, step := range path[:len(path)-1] {
				out[step.End()] = max(out[step.End()], 0.8*min(a.Score, b.Score)/float64(len(path)-1))
			}
		}
	}
	return out
}

// rrfK is the constant of reciprocal rank fusion (Cormack, Clarke and Büttcher,
// "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning
// Methods", SIGIR 2009).
const rrfK = 60

// fuse orders relations by their ranks among those found by words and among
// those found by meaning. A score stays that of its rank, so that the first
// relation has the best.
func (s *search) fuse(byWords []RelationMatch) []RelationMatch {
	if len(s.byMeaning) == 0 {
		return byWords
	}
	at := map[*schema.Relation]int{}
	var all []RelationMatch
	for i, m := range byWords {
		at[m.Relation] = i
		all = append(all, RelationMatch{m.Relation, 1 / float64(rrfK+i+1)})
	}
	for i, r := range s.byMeaning {
		if n, ok := s.numbers[r]; !ok || !s.current[n] {
			continue
		}
		k, ok := at[r]
		if !ok {
			k = len(all)
			all = append(all, RelationMatch{Relation: r})
		}
		all[k].Score += 1 / float64(rrfK+i+1)
	}
	slices.SortStableFunc(all, byScore)
	for i := range all {
		switch {
		case i < len(byWords):
			all[i].Score = byWords[i].Score
		case i > 0:
			all[i].Score = all[i-1].Score * 0.95
		default:
			all[i].Score = 1
		}
	}
	return all
}

// byScore orders relations, the likeliest first.
func byScore(a, b RelationMatch) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), a.Relation.Name.Compare(b.Relation.Name))
}
