package joins

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/catalog/schema"
)

// FindImplied adds the implied keys: those of which the columns hold values of
// their target, where names or the values themselves say that this is no
// chance. Where nothing else joins two relations it adds guesses.
//
// verdicts says of keys what was found out when an earlier snapshot was made,
// and gets what is found out now. The columns of the relations in searched have
// their keys already. A key of unchanged relations that there was no time for
// is decided by names again, until everything is read anew.
func (f *Finder) FindImplied(ctx context.Context, tx pgx.Tx, verdicts Verdicts, searched, unchanged map[*schema.Relation]bool) error {
	s := search{Finder: f, tx: tx, verdicts: verdicts, unchanged: unchanged, until: time.Now().Add(f.Limit)}
	f.Keys = slices.DeleteFunc(f.Keys, func(k *schema.ForeignKey) bool {
		if k.Guess { // taken over: something else may join its relations now
			s.guesses = append(s.guesses, k)
		}
		return k.Guess
	})
	if s.g = newGuesser(f.Relations, f.Keys, searched); s.g == nil {
		s.addGuesses()
		return nil
	}
	for _, step := range []func(context.Context) error{s.byNames, s.composites, s.byValues} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	s.addGuesses()
	return nil
}

// search is one search for implied keys.
type search struct {
	*Finder
	g         *guesser
	tx        pgx.Tx
	verdicts  Verdicts
	unchanged map[*schema.Relation]bool
	until     time.Time
	guesses   []*schema.ForeignKey
}

// verdict says what the values say of a guess; known is false where they
// cannot be read, or were not in time.
func (s *search) verdict(ctx context.Context, g *guess) (v Verdict, known bool, err error) {
	id := g.key().Identity()
	if v, known := s.verdicts[id]; known {
		return v, true, nil
	}
	left := time.Until(s.until)
	if s.unchanged[g.from[0].Relation] && s.unchanged[g.to[0].Relation] || !g.readable() || left < time.Millisecond {
		return v, false, nil
	}
	if v, err = g.look(ctx, s.tx, left); err != nil {
		if ctx.Err() != nil || s.tx.Conn().IsClosed() {
			return v, false, err
		}
		return v, false, nil
	}
	s.verdicts[id] = v
	return v, true, nil
}

func (s *search) add(g *guess, v Verdict) bool {
	k := g.key()
	if v.values > 0 {
		k.Evidence = v.String()
	}
	if s.avoided(k) {
		return false
	}
	s.Keys = append(s.Keys, k)
	s.g.join(k)
	return true
}

func (s *search) guess(g *guess, v Verdict) {
	k := g.key()
	if k.Guess, k.Evidence = true, v.String(); !s.avoided(k) {
		s.guesses = append(s.guesses, k)
	}
}

// byNames adds the keys that names speak for and values do not contradict.
func (s *search) byNames(ctx context.Context) error {
	for _, r := range s.Relations {
		if s.g.searched[r] {
			continue
		}
		for _, c := range r.Columns {
			if !s.g.refers(c) {
				continue
			}
			if err := s.byName(ctx, c); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *search) byName(ctx context.Context, c *schema.Column) error {
	var people []guess // of whom only one may hold the values
	var verdict Verdict
	targets := s.g.targets(c)
	for _, g := range targets {
		v, known, err := s.verdict(ctx, &g)
		if err != nil {
			return err
		}
		switch {
		case !known || v.values == 0:
			if g.strong() && s.add(&g, v) {
				return nil
			}
		case !v.holds():
		case g.names == byRole:
			people, verdict = append(people, g), v
		case v.telling(), g.near() && (g.names >= named || isPrimaryKey(g.to[0])), len(targets) == 1 && g.names == exact && isPrimaryKey(g.to[0]):
			if s.add(&g, v) {
				return nil
			}
		case g.near():
			s.guess(&g, v)
		}
	}
	if len(people) == 1 {
		s.add(&people[0], verdict)
	}
	return nil
}

// addGuesses adds the guesses between relations that nothing else joins, not
// even over others, one for each two.
func (s *search) addGuesses() {
	next := map[*schema.Relation]*schema.Relation{} // of the same part, towards the one that stands for it
	part := func(r *schema.Relation) *schema.Relation {
		for next[r] != nil {
			r = next[r]
		}
		return r
	}
	join := func(k *schema.ForeignKey) bool {
		a, b := part(k.From), part(k.To)
		if a != b {
			next[a] = b
		}
		return a != b
	}
	for _, k := range s.Keys {
		join(k)
	}
	for _, k := range s.guesses {
		if join(k) {
			s.Keys = append(s.Keys, k)
		}
	}
}
