package guard

import (
	"context"
	"fmt"
)

// relationName is a relation as people read of it.
type relationName Name

func (n relationName) String() string { return "relation " + Name(n).String() }

// relationRule judges a relation by the policy's lines; true if it may be read.
func (j *judgement) relationRule(n Name) bool {
	if j.g.relations[n] {
		j.use(relationName(n), "named by the configuration")
		return true
	}
	u, ok := j.g.rules.relations.find(n.Schema, n.Name)
	if !ok {
		return true
	}
	if !u.allow {
		j.problem(Problem{What: relationName(n).String(), Why: u.reason,
			Fix: fmt.Sprintf("An admin can name %q in replica.allow_relations.", n)})
		return false
	}
	j.use(relationName(n), u.reason)
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
	name := Name{r.Schema, r.Name}
	what := relationName(name).String()
	if !j.relationRule(name) {
		return nil
	}
	if j.g.anywhere && (r.OID < firstUserOID || r.Foreign) {
		j.problem(Problem{What: what, Why: whereItRuns})
		return nil
	}
	if r.OID < firstUserOID {
		return nil // the server's own views are judged by name
	}
	if r.Foreign && !j.g.relations[name] {
		j.problem(Problem{What: what, Why: "a foreign table is read from another server, which askpg's limits do not reach",
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
			if t := j.l.TypeOf(oid); t != nil {
				j.types[t.OID] = true
			}
		}
	}
	j.use(relationName(name), "the role's rights decide")
	var next []uint32
	at := inBody
	if r.Trusted {
		at = inTrustedBody
	}
	if r.Body != "" {
		j.refs(scanTree(r.Body), what, at, &next)
	}
	return next
}
