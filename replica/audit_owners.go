package replica

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"askpg/replica/guard"
)

// ownersSQL lists the owners who are not trusted, with what they own: $1 is
// replica.trusted_owners.
const ownersSQL = `with ` + trustedSQL + `, owned (owner, kind, name) as (
	select c.relowner, 'relation', format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p', 'v', 'm', 'f')
	union all select p.proowner, 'function', format('%I.%I', n.nspname, p.proname) from pg_proc p join pg_namespace n on n.oid = p.pronamespace
	union all select t.typowner, 'type', format('%I.%I', n.nspname, t.typname) from pg_type t join pg_namespace n on n.oid = t.typnamespace
		where t.typelem = 0 and not exists (select from pg_class c where c.oid = t.typrelid and c.relkind <> 'c')
	union all select n.nspowner, 'schema', quote_ident(n.nspname) from pg_namespace n
)
select r.rolname, o.kind, count(*), (array_agg(o.name order by o.name))[1:5]::text
from owned o join pg_roles r on r.oid = o.owner where not exists (select from trusted t where t.oid = o.owner) group by 1, 2 order by 1, 2`

// relationsToAskSQL lists the relations of owners who are trusted, and how many others there are.
const relationsToAskSQL = `with ` + trustedSQL + ` select c.oid, format('%I.%I', n.nspname, c.relname), exists (select from trusted t where t.oid = c.relowner)
from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p', 'v', 'm') and c.oid >= 16384 and not c.relispartition order by 2`

// openSchemasSQL lists the schemas in which untrusted roles may create objects, and these roles.
const openSchemasSQL = `with ` + trustedSQL + ` select quote_ident(n.nspname), (select string_agg(distinct w.name, ', ') from (
		select coalesce(quote_ident(r.rolname), 'PUBLIC') from aclexplode(n.nspacl) a left join pg_roles r on r.oid = a.grantee
			where a.privilege_type = 'CREATE' and not exists (select from trusted t where t.oid = a.grantee)
		union all select quote_ident(r.rolname) from pg_roles r where r.oid = n.nspowner and not exists (select from trusted t where t.oid = n.nspowner)) as w (name))
from pg_namespace n where ` + openSQL + ` order by 1`

// maxAudited bounds the relations that are judged one by one.
const maxAudited = 500

// maxNamed bounds the relations that are named as refused for one reason.
const maxNamed = 10

// auditOwners says which owners are not trusted, what they own, and which
// relations of others nobody can ask about because of them.
func (t *tx) auditOwners(ctx context.Context, where string) ([]Finding, error) {
	var list []Finding
	var owners []string
	known := map[string]bool{}
	err := t.p.service(ctx, step{sql: openSchemasSQL, params: [][]byte{textArray(t.p.trusted)}, row: func(v [][]byte) error {
		list = append(list, Finding{Note: true, What: fmt.Sprintf("%s: names without a schema are not looked up in schema %s, where %s may create objects: REVOKE CREATE ON SCHEMA %s FROM %s", where, v[0], v[1], v[0], v[1])})
		return nil
	}}, step{sql: "select rolname from pg_roles where rolname = any ($1::text[])", params: [][]byte{textArray(t.p.trusted)}, row: func(v [][]byte) error {
		known[string(v[0])] = true
		return nil
	}})
	if err != nil {
		return nil, err
	}
	for _, name := range t.p.trusted {
		if !known[name] {
			list = append(list, Finding{What: where + ": replica.trusted_owners", Problem: fmt.Sprintf("there is no role %q", name), Fix: "correct its name"})
		}
	}
	kinds := map[string][]string{}
	err = t.p.service(ctx, step{sql: ownersSQL, params: [][]byte{textArray(t.p.trusted)}, row: func(v [][]byte) error {
		owner := string(v[0])
		if kinds[owner] == nil {
			owners = append(owners, owner)
		}
		names := strings.ReplaceAll(strings.Trim(string(v[3]), "{}"), ",", ", ")
		n, _ := strconv.Atoi(string(v[2]))
		if n > 5 {
			names += ", …"
		}
		plural := map[bool]string{true: "s"}[n != 1]
		kinds[owner] = append(kinds[owner], fmt.Sprintf("%d %s%s (%s)", n, v[1], plural, names))
		return nil
	}})
	if err != nil || len(owners) == 0 {
		return append(list, Finding{What: where + ": everything belongs to superusers, the database's owner and replica.trusted_owners"}), err
	}
	for _, owner := range owners {
		list = append(list, Finding{Note: true, What: fmt.Sprintf("%s: owner %q is not trusted, so that questions by the service login are not about what he owns, and those that depend on it are refused: %s. "+
			"If he may run code as every asker, add him to replica.trusted_owners", where, owner, strings.Join(kinds[owner], ", "))})
	}
	refused, err := t.auditRelations(ctx, where, owners)
	return append(list, refused...), err
}

// auditRelations says which relations of trusted owners nobody can ask about because of the owners of what they depend on.
func (t *tx) auditRelations(ctx context.Context, where string, owners []string) (list []Finding, err error) {
	type relation struct {
		oid  uint32
		name string
	}
	var trusted []relation
	all := 0
	err = t.p.service(ctx, step{sql: relationsToAskSQL, params: [][]byte{textArray(t.p.trusted)}, row: func(v [][]byte) error {
		all++
		if truth(v[2]) {
			trusted = append(trusted, relation{number(v[0]), string(v[1])})
		}
		return nil
	}})
	if err != nil {
		return list, err
	}
	l, err := t.lookup(ctx)
	if err != nil {
		return list, err
	}
	refused := 0
	var problems []string
	because := map[string][]string{} // the relations of each problem
	for _, r := range trusted[:min(len(trusted), maxAudited)] {
		found, err := l.Owners(ctx, nil, []guard.Object{{Class: guard.ClassRelation, OID: r.oid}})
		if err != nil {
			return list, err
		}
		if len(found) == 0 {
			continue
		}
		refused++
		why := found[0].String()
		if because[why] == nil {
			problems = append(problems, why)
		}
		because[why] = append(because[why], r.name)
	}
	for _, why := range problems {
		names := because[why]
		about := strings.Join(names[:min(len(names), maxNamed)], ", ")
		if n := len(names) - maxNamed; n > 0 {
			about += fmt.Sprintf(" and %d more", n)
		}
		list = append(list, Finding{Note: true, What: fmt.Sprintf("%s: questions by the service login about %s are refused: %s", where, about, why)})
	}
	if all > 0 && refused == len(trusted) {
		list = append(list, Finding{
			What: where + ": owners", Problem: "nobody can ask about any relation by the service login: each depends on an owner who is not trusted",
			Fix: fmt.Sprintf(`set replica.trusted_owners = ["%s"] if these roles may run code as every asker, or let askers log in themselves: auth.method = "scram"`, strings.Join(owners, `", "`)),
		})
	}
	return list, nil
}
