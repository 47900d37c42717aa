package catalog

import (
	"slices"

	"askpg/ask"
	"askpg/catalog/schema"
)

// For returns what a question of the session may be about. Where a login of the asker's own runs
// it, that is the snapshot itself. Elsewhere the relations of owners who are not trusted are left
// out, also those that the role may not read: the service login reads none of them. So whoever may
// create tables does not change what the words of others mean.
func (s *Snapshot) For(session *ask.Session) *Snapshot {
	if session.Login != nil || len(s.Untrusted) == 0 {
		return s
	}
	s.narrowed.Do(func() { s.trusted = s.ofTrusted() })
	return s.trusted
}

// ofTrusted makes the snapshot without the relations of owners who are not trusted.
func (s *Snapshot) ofTrusted() *Snapshot {
	s.index()
	left := make(map[Name]bool, len(s.Untrusted))
	for _, n := range s.Untrusted {
		left[n] = true
	}
	out := func(r *Relation) bool { return left[r.Name] }
	named := func(n Name) bool { return left[n] }
	measures := func(list []*Measure) []*Measure {
		return slices.DeleteFunc(slices.Clone(list), func(m *Measure) bool { return slices.ContainsFunc(m.Relations, out) })
	}
	t := s.copied()
	t.Relations = slices.DeleteFunc(slices.Clone(s.Relations), out)
	t.ForeignKeys = slices.DeleteFunc(slices.Clone(s.ForeignKeys), func(k *ForeignKey) bool { return out(k.From) || out(k.To) })
	t.Denied, t.Unusable = slices.DeleteFunc(slices.Clone(s.Denied), named), slices.DeleteFunc(slices.Clone(s.Unusable), named)
	t.Measures, t.Terms = measures(s.Measures), measures(s.Terms)
	t.Queries = slices.DeleteFunc(slices.Clone(s.Queries), func(q *schema.Query) bool { return slices.ContainsFunc(q.Relations, out) })
	return t
}
