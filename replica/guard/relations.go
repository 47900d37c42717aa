package guard

import (
	"context"
	"fmt"
)

// relationRule judges a relation by the policy's lines; true if it may be read.
func (j *judgement) relationRule(name string) bool {
	if j.g.relations[name] {
		j.use("relation "+name, "named by the configuration")
		return true
	}
	u, ok := match(j.g.rules.relations, name)
	if !ok {
		return true
	}
	if !u.allow {
		j.problem(Problem{What: "relation " + name, Why: u.reason,
			Fix: fmt.Sprintf("An admin can name %q in replica.allow_relations.", name)})
		return false
	}
	j.use("relation "+name, u.reason)
	return true
}

// relations judges relations and, through the bodies of views and policies,
// all that they read.
func (j *judgement) relations(ctx context.Context, list []Relation) error {
	done := map[uint32]bool{}
	inside := false
	for len(list) > 0 {
		var next []uint32
		for _, r := range list {
			if r.OID == 0 || done[r.OID] {
				continue
			}
			done[r.OID] = true
			if len(done) > maxViews {
				j.problem(Problem{What: "relation " + r.Schema + "." + r.Name, Why: fmt.Sprintf("more than %d relations are behind this statement", maxViews)})
				return nil
			}
			next = append(next, j.relation(r, inside)...)
		}
		if len(next) == 0 {
			return nil
		}
		inside = true
		var err error
		if list, err = j.l.RelationsOf(ctx, next); err != nil {
			return err
		}
	}
	return nil
}

// relation judges one relation and returns those that its body reads.
func (j *judgement) relation(r Relation, inside bool) []uint32 {
	name := r.Schema + "." + r.Name
	what := "relation " + name
	if !j.relationRule(name) {
		return nil
	}
	if r.OID < firstUserOID {
		return nil // the server's own views are judged by name
	}
	if r.Foreign && !j.g.relations[name] {
		j.problem(Problem{What: what, Why: "a foreign table is read by another server, outside of this one's walls",
			Fix: fmt.Sprintf("An admin can name %q in replica.allow_relations.", name)})
		return nil
	}
	switch r.Kind {
	case 'r', 'p', 'v', 'm', 'f':
	default:
		j.problem(Problem{What: what, Why: fmt.Sprintf("kind %q is not read by questions", r.Kind)})
		return nil
	}
	if !inside {
		for _, oid := range r.TypeOIDs {
			if t, ok := j.l.TypeOf(oid); ok {
				j.types()[t.OID] = true
			}
		}
	}
	j.use(what, "the role's rights decide")
	var next []uint32
	at := inBody
	if r.Trusted {
		at = inTrustedBody
	}
	for _, body := range r.Bodies {
		j.tree(body, what, at, &next)
	}
	return next
}
