package catalog

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"askpg/catalog/guarded"
	"askpg/catalog/schema"
)

// rights are what a role may do: whose privileges it has.
type rights struct {
	oid     uint32          // of the role that was asked for
	as      string          // whose rights they are; empty for the role's own
	all     bool            // superuser
	data    bool            // member of pg_read_all_data
	roles   map[uint32]bool // whose privileges it has: itself, what it inherits, and PUBLIC as 0
	secured map[uint32]bool // relations whose row security acts on it
	trusted []uint32        // owners whose relations are not left out; nil for all
}

// sqlRights: PostgreSQL itself says whose privileges the role has, whatever
// its version's rules of inheritance are.
const sqlRights = `
select (select r.oid from pg_roles r where r.rolname = $1), case when u.rolname <> $1 then u.rolname else '' end, u.rolsuper,
       exists (select from pg_roles r where r.rolname = 'pg_read_all_data' and r.oid < 16384 and pg_has_role(r.oid, 'USAGE')),
       case when u.rolsuper then '{}' else array(select r.oid from pg_roles r where pg_has_role(r.oid, 'USAGE')) end,
       array(select c.oid from pg_class c where c.relrowsecurity and coalesce(row_security_active(c.oid), true))
from pg_roles u where u.rolname = current_user`

// readRights reads those of the transaction's role, which is the one asked for or, for a superuser, another.
func readRights(ctx context.Context, tx pgx.Tx, o owner) (*rights, error) {
	var roles, secured []uint32
	r := &rights{roles: map[uint32]bool{0: true}, secured: map[uint32]bool{}}
	if err := tx.QueryRow(ctx, sqlRights, o.role).Scan(&r.oid, &r.as, &r.all, &r.data, &roles, &secured); err != nil {
		return nil, fmt.Errorf("reading the role's rights: %w", err)
	}
	for _, oid := range roles {
		r.roles[oid] = true
	}
	for _, oid := range secured {
		r.secured[oid] = true
	}
	if guard, ok := tx.(guarded.Guard); ok && !o.all {
		var err error
		if r.trusted, err = guard.TrustedOwners(ctx); err != nil {
			return nil, fmt.Errorf("reading whose objects are trusted: %w", err)
		}
	}
	return r, nil
}

// any reports whether the role has a privilege that was granted to these.
func (r *rights) any(grantees []uint32) bool {
	return r.all || slices.ContainsFunc(grantees, func(oid uint32) bool { return r.roles[oid] })
}

// raw is the metadata as one role may read it. build makes a Snapshot of it.
type raw struct {
	*metadata
	relations   []rawRelation
	columns     map[uint32][]rawColumn // of the relations that get into the snapshot
	constraints []rawConstraint
	uniques     []rawUnique
	functions   []Function
	collations  []schema.Collation
}

// project leaves out of the metadata what the role may not read. Of relations
// that it may not read it keeps the names.
func project(meta *metadata, may *rights) *raw {
	r := &raw{metadata: meta, relations: slices.Clone(meta.relations), columns: make(map[uint32][]rawColumn, len(meta.columns))}
	usable := make(map[uint32]bool, len(meta.schemas))
	for oid, s := range meta.schemas {
		usable[oid] = may.data || may.any(s.readers)
	}
	wanted := make(map[uint32]bool, len(r.relations))
	for i := range r.relations {
		rel := &r.relations[i]
		r.judge(rel, may, usable[rel.schemaOID])
		if rel.readable && rel.usable(meta.recovery) {
			wanted[rel.oid] = true
			r.columns[rel.oid] = may.columns(rel, meta.columns[rel.oid])
		}
	}
	for _, c := range meta.constraints {
		if wanted[c.relation] {
			r.constraints = append(r.constraints, c)
		}
	}
	for _, u := range meta.uniques {
		if wanted[u.relation] {
			r.uniques = append(r.uniques, u)
		}
	}
	for i := range meta.functions {
		if f := &meta.functions[i]; usable[f.schema] && may.any(f.callers) {
			r.functions = append(r.functions, f.Function)
		}
	}
	for _, c := range meta.collations {
		if c.OID >= firstUserOID && usable[c.schema] {
			r.collations = append(r.collations, c.Collation)
		}
	}
	slices.SortFunc(r.collations, func(a, b schema.Collation) int { return a.Name.Compare(b.Name) })
	return r
}

// judge says what the role may do with a relation, in a schema that it may use
// or not.
func (r *raw) judge(rel *rawRelation, may *rights, schemaUsable bool) {
	rel.all = may.data || may.any(rel.readers)
	rel.rowSecure = may.secured[rel.oid]
	rel.trusted = may.trusted == nil || slices.Contains(may.trusted, rel.owner)
	rel.readable = schemaUsable &&
		(rel.all || slices.ContainsFunc(r.metadata.columns[rel.oid], func(c rawColumn) bool { return may.any(c.readers) }))
}

// columns returns those of a relation's columns that the role may read.
func (r *rights) columns(rel *rawRelation, columns []rawColumn) []rawColumn {
	if rel.all {
		return columns
	}
	var out []rawColumn
	for _, c := range columns {
		if r.any(c.readers) {
			out = append(out, c)
		}
	}
	return out
}
