package prompt

import (
	"askpg/catalog"
	"askpg/translator/token"
)

// fullShare is the share of the budget that the foremost relations may take up
// in full before others come in.
const fullShare = 0.4

// misfits is how many relations in a row may be too large for what is left of
// the budget before it is taken to be full.
const misfits = 40

// fill takes relations in the order of their relevance: the foremost in full,
// those that follow in brief, and when no other fits, again the foremost in
// full while there is room.
func (in *Input) fill(w renderer, relations []*catalog.Relation, budget int, texts map[*catalog.Relation]string) []*catalog.Relation {
	clear(texts)
	f := filling{w: w, texts: texts, room: budget - token.Count(w.head()) - token.Count(w.keys(nil)),
		keys: map[*catalog.Relation][]*catalog.ForeignKey{}}
	for _, k := range in.Snapshot.ForeignKeys {
		f.keys[k.From] = append(f.keys[k.From], k)
		if k.To != k.From {
			f.keys[k.To] = append(f.keys[k.To], k)
		}
	}
	foremost := int(fullShare * float64(f.room))
	missed := 0
	for _, r := range Rank(in.Snapshot, relations, in.Question+" "+in.Hint, in.Hits) {
		switch before := f.room; {
		case foremost > 0 && f.take(r, full, foremost):
			foremost -= before - f.room
		case f.take(r, brief, f.room):
			foremost = 0
			missed = 0
		default:
			missed++
		}
		if missed == misfits {
			break
		}
	}
	for _, r := range f.chosen {
		t := w.relation(r, full)
		if more := token.Count(t) - token.Count(texts[r]); more <= f.room {
			texts[r] = t
			f.room -= more
		}
	}
	return f.chosen
}

// filling is a schema that is being put together.
type filling struct {
	w      renderer
	texts  map[*catalog.Relation]string
	chosen []*catalog.Relation
	keys   map[*catalog.Relation][]*catalog.ForeignKey // at both ends
	listed bool                                        // a key is, and so the heading of their list
	room   int                                         // tokens left
}

// take puts a relation in, with its keys to those that are in, if that takes
// no more than limit tokens.
func (f *filling) take(r *catalog.Relation, d detail, limit int) bool {
	t := f.w.relation(r, d)
	cost := token.Count(t)
	if cost > min(limit, f.room) {
		return false
	}
	listed := f.listed
	for _, k := range f.keys[r] {
		other := k.From
		if other == r {
			other = k.To
		}
		if f.texts[other] == "" && other != r {
			continue
		}
		one := token.Count(f.w.keys([]*catalog.ForeignKey{k}))
		line := token.Count(f.w.keys([]*catalog.ForeignKey{k, k})) - one
		cost += line
		if !listed && line > 0 {
			listed = true
			cost += max(0, one-line-token.Count(f.w.keys(nil)))
		}
	}
	if cost > min(limit, f.room) {
		return false
	}
	f.room -= cost
	f.listed = listed
	f.texts[r] = t
	f.chosen = append(f.chosen, r)
	return true
}
