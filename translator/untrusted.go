package translator

import (
	"fmt"
	"slices"
	"strings"

	"askpg/ask"
	"askpg/catalog"
	"askpg/catalog/words"
)

// nothingToRead is the error of a question for which there is no table.
func nothingToRead(snap *catalog.Snapshot, s *ask.Session) *ask.Error {
	e := ask.Errorf(ask.CodeNoCandidate, "role %q can read no table of database %q", s.Role, s.Database)
	if n := len(snap.Untrusted); n > 0 && s.Login == nil {
		return e.WithDetail("Left out are %d relations, such as %s, since their owners are not trusted.", n, quotedName(snap.Untrusted[0])).
			WithHint("An admin can name an owner in replica.trusted_owners. `askpg check` says who owns what, and what that means.")
	}
	return e.WithHint("Create tables, or grant SELECT on them to the role.")
}

// sayUntrusted adds to a refusal that a relation of the name that the question uses was left out, since its owner is not trusted.
func (s *state) sayUntrusted(refusal error) error {
	e := ask.AsError(refusal)
	if e == nil || s.q.Session.Login != nil {
		return refusal
	}
	for _, n := range s.snap.Untrusted {
		if !bearsName(n.Name, s.q.Text) || slices.ContainsFunc(s.snap.Relations, func(r *catalog.Relation) bool { return r.Name.Name == n.Name }) {
			continue
		}
		e = e.Copied()
		e.Detail = strings.TrimSpace(e.Detail + fmt.Sprintf(" Relation %s was left out, since its owner is not trusted (replica.trusted_owners).", quotedName(n)))
		return e
	}
	return refusal
}

// bearsName reports whether all words of a name stand in a text, in the singular or the plural.
func bearsName(name, text string) bool {
	has := map[string]bool{}
	for _, w := range words.Tokens(text) {
		has[words.Stem(w.Text)] = true
	}
	parts := words.Split(name)
	for _, w := range parts {
		if !has[words.Stem(w)] {
			return false
		}
	}
	return len(parts) > 0
}

func quotedName(n catalog.Name) string { return fmt.Sprintf("%q.%q", n.Schema, n.Name) }
