package translator

import (
	"slices"
	"strings"

	"askpg/catalog"
	"askpg/translator/refs"
)

// around returns the relations that the question is likely about: those that the
// catalog finds for it and for what it follows up on, those whose values it mentions, and those
// that earlier SQL of the conversation reads. It returns nil, for all of them, once a model
// missed something.
func (s *state) around() []*catalog.Relation {
	if s.t.cfg.NarrowFrom == 0 {
		return nil
	}
	s.mu.Lock()
	lacks := len(s.missing) > 0
	s.mu.Unlock()
	if lacks {
		return nil
	}
	s.nearby.Do(func() {
		text := []string{s.q.Text, s.q.Hint}
		var read []*catalog.Relation
		for _, h := range s.q.History {
			text = append(text, h.Question)
			read = append(read, refs.Of(h.SQL, s.snap, s.set.searchPath).Relations...)
		}
		s.near = s.snap.Around(strings.Join(text, " "), s.t.cfg.NarrowTables)
		if len(s.near) == 0 {
			return // nothing says what matters
		}
		for _, r := range read {
			if !slices.Contains(s.near, r) {
				s.near = append(s.near, r)
			}
		}
	})
	return s.near
}
