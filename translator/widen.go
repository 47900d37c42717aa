package translator

import (
	"context"
	"slices"

	"askpg/ask"
	"askpg/translator/llm"
)

// widen asks once more where models say that the data cannot answer, but were not shown all
// that they may need. The prompt then describes what they miss, looked for by their own words, and names all other
// relations that the window has room for. If the model answers with SQL, what was said before is no vote, and
// further samples see the wider schema too; else the refusal stands.
func widen(ctx context.Context, s *state) error {
	models := s.t.up(llm.RoleGenerate)
	if !s.refusalsStand() || !s.missesMore() || len(models) == 0 || s.callsLeft() == 0 || s.overBudget() || s.outOfTime(ctx) {
		return nil
	}
	ask.Progress(ctx, "looking in the rest of the schema for what is missing")
	n := s.modelSamples()
	m := models[n%len(models)]
	spec, err := s.spec(m, variantOf(m, 0), 2)
	if err != nil {
		s.notice(err.Error())
		return nil
	}
	s.mu.Lock()
	s.doubted, s.missing = s.missing, nil
	s.mu.Unlock()
	if err := s.wave(ctx, []*sampleSpec{spec}); err != nil {
		return err
	}
	answered := s.lastOf(spec) != nil
	s.mu.Lock()
	defer s.mu.Unlock()
	if answered && len(s.missing) == 0 {
		s.silent += len(s.doubted)
	} else {
		s.doubted, s.missing = nil, append(s.doubted, s.missing...)
	}
	return nil
}

// refusalsStand says whether the question would end because models say that the data lacks what
// it needs.
func (s *state) refusalsStand() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.missing) > 0 && 2*len(s.missing) > s.sampled-s.silent && !acts(s.missing)
}

// missesMore says whether there is more than what the models were shown. Of some relations not even the name was told. One
// that was told by name alone counts if a model misses it by name, or by words that the catalog's search finds it by. Where some
// models do not refuse, one that is missed by name and was not described in full is enough.
func (s *state) missesMore() bool {
	if s.narrowed {
		return true
	}
	s.mu.Lock()
	missing, known := slices.Concat(s.doubted, s.missing), s.described
	if len(s.missing) == s.sampled-s.silent {
		known = s.listed
	}
	s.mu.Unlock()
	for _, m := range missing {
		if found := s.snap.SearchRelations(m, 1); len(found) > 0 && !s.listed[found[0].Relation] {
			return true
		}
		for _, word := range relationWord.FindAllString(m, maxMissingWords) {
			if r := s.relationNamed(word); r != nil && !known[r] {
				return true
			}
		}
	}
	return false
}
