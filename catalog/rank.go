package catalog

import (
	"cmp"
	"slices"
)

const (
	considered = 12 // relations whose columns Search favours
	connected  = 5  // best relations whose joins are looked at
	longJoin   = 3  // joins between two of them, at most
)

// rank returns the best relations, with those that connect the very best right
// behind them, at most limit.
func (f *found) rank(limit int) []RelationMatch {
	wanted := limit
	if f.near != nil {
		wanted = max(limit, nearMany)
	}
	best := topK(slices.Clone(f.relations.touched), wanted, func(a, b int32) int {
		if c := cmp.Compare(f.relations.score[b], f.relations.score[a]); c != 0 {
			return c
		}
		return f.relation[a].Name.compare(f.relation[b].Name)
	})
	out := make([]RelationMatch, 0, len(best))
	for _, r := range best {
		out = append(out, RelationMatch{Relation: f.relation[r], Score: f.relations.score[r], Words: f.words(f.relations.marks[r])})
	}
	out = f.fuse(out, f.near)
	return f.connect(out[:min(len(out), limit)], limit)
}

// connect puts in the relations that join the best ones.
func (f *found) connect(ranked []RelationMatch, limit int) []RelationMatch {
	if len(ranked) < 2 || limit < 3 {
		return ranked
	}
	between := map[*Relation]float64{}
	for i := range ranked[:min(len(ranked), connected)] {
		for j := range ranked[:i] {
			a, b := &ranked[j], &ranked[i]
			if b.Score < 0.35*ranked[0].Score {
				continue
			}
			path, _ := f.snap.Path(a.Relation, b.Relation)
			if len(path) < 2 || len(path) > longJoin {
				continue
			}
			for _, step := range path[:len(path)-1] {
				between[step.End()] = max(between[step.End()], 0.8*min(a.Score, b.Score)/float64(len(path)-1))
			}
		}
	}
	at := map[*Relation]int{}
	for i := range ranked {
		at[ranked[i].Relation] = i
	}
	for r, score := range between {
		if i, ok := at[r]; ok {
			ranked[i].Score += score / 2
		} else {
			ranked = append(ranked, RelationMatch{Relation: r, Score: score, Joins: true})
		}
	}
	slices.SortFunc(ranked, func(a, b RelationMatch) int {
		if c := cmp.Compare(b.Score, a.Score); c != 0 {
			return c
		}
		return a.Relation.Name.compare(b.Relation.Name)
	})
	return ranked[:min(len(ranked), limit)]
}
