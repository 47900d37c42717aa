package replica

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"askpg/ask"
	"askpg/replica/guard"
)

//go:embed closure.sql
var closureText string

// closureSQL finds the owners of all that stands behind the names of a
// statement (PostgreSQL documentation, "pg_depend"). A service login can become
// every asker, and nothing keeps code that runs in its session from doing so:
// SET ROLE cannot be made final. So nothing runs there that an untrusted role
// could have put code into.
var closureSQL = "with recursive " + trustedSQL + ",\nschemas (oid, open) as materialized (select n.oid, " + openSQL + " from pg_namespace n),\n" + closureText

// Owners implements guard.Lookup. Objects that stood behind the mentions of the
// call before, which had no problem, are not judged again.
func (l *lookup) Owners(ctx context.Context, mentions []guard.Mention, objects []guard.Object) ([]guard.Problem, error) {
	var kinds, schemas, names, classes, oids []string
	for _, m := range mentions {
		kinds, schemas, names = append(kinds, string(m.Kind)), append(schemas, m.Name.Schema), append(names, m.Name.Name)
	}
	if mentions != nil { // text search uses the default without its being named
		for _, oid := range l.search {
			objects = append(objects, guard.Object{Class: guard.ClassConfig, OID: oid})
		}
	}
	for _, o := range objects {
		if !l.members[o] {
			classes, oids = append(classes, strconv.Itoa(int(o.Class))), append(oids, strconv.Itoa(int(o.OID)))
		}
	}
	l.members = nil
	if len(kinds)+len(oids) == 0 {
		return nil, nil
	}
	relay, exact := yes, no
	if l.user && !l.moves {
		relay = no
	}
	if l.exact {
		exact = yes
	}
	var problems []guard.Problem
	members := map[guard.Object]bool{}
	params := [][]byte{textArray(l.pool.trusted), textArray(l.path), textArray(kinds), textArray(schemas), textArray(names), textArray(classes), textArray(oids), relay, exact, textArray(l.pool.named)}
	err := l.pool.service(ctx, step{stored: "closure", params: params, row: func(v [][]byte) error {
		members[guard.Object{Class: number(v[0]), OID: number(v[1])}] = true
		if v[2] != nil {
			problems = append(problems, ownerProblem(string(v[2]), string(v[3]), string(v[4]), l.user))
		}
		return nil
	}})
	if err == nil && len(problems) == 0 && mentions != nil {
		l.members = members
	}
	// What people know by name comes first: tables and views before their indexes and types.
	slices.SortStableFunc(problems, func(a, b guard.Problem) int { return cmp.Compare(rank(a.What), rank(b.What)) })
	return problems[:min(len(problems), maxProblems)], err
}

// maxProblems bounds the objects that a refusal names.
const maxProblems = 3

func rank(object string) int {
	for i, kind := range []string{"table ", "view ", "materialized view ", "foreign table ", "function ", "type ", "operator "} {
		if strings.HasPrefix(object, kind) {
			return i
		}
	}
	return 100
}

// ownerProblem explains one row of closureSQL to an asker and an admin. own says that the
// session is a login of the asker's own.
func ownerProblem(object, owner, kind string, own bool) guard.Problem {
	p := guard.Problem{What: object, Code: ask.CodeInsufficientRights}
	trust := fmt.Sprintf("An admin can add %q to replica.trusted_owners and restart askpg, if that role may run code as every asker", owner)
	if own {
		trust += "."
	} else {
		trust += "; or let askers log in to the replica themselves (auth.method = \"scram\")."
	}
	switch kind {
	case "open":
		p.Why = "it is called by the name of its schema, and roles that are not trusted may create objects there, which the call could come to mean"
		p.Fix = "On the primary: REVOKE CREATE ON SCHEMA … FROM the roles that have it (PUBLIC has it on schema public before PostgreSQL 15)."
	case "missing":
		p.Code, p.Why = ask.CodeUndefinedObject, "it does not exist, and roles that are not trusted may create it"
	case "late":
		p.Why = "the names in its body are looked up when it runs, and roles that are not trusted have objects in this database that it could find"
		if owner != "" {
			p.Why = "the names in its body are looked up when it runs, and roles that are not trusted may create objects in schema " + owner
		}
		p.Fix = "An admin who has read it can name it in replica.allow_functions. A function in SQL whose body is written as BEGIN ATOMIC (PostgreSQL 14) needs no such word."
	default:
		if owner == "" {
			p.Why = "it is gone, or nothing is known of its owner"
			break
		}
		p.Why = fmt.Sprintf("the statement depends on it, and its owner %q is not trusted", owner)
		p.Fix = trust
	}
	return p
}
