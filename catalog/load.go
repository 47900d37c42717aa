package catalog

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// raw is what the catalog queries return, before it is made into a Snapshot.
type raw struct {
	serverVersion int
	recovery      bool
	extensions    []string
	relations     []rawRelation
	inherits      []rawInherits
	columns       []rawColumn
	types         map[uint32]*rawType
	typeNames     map[typeMod]string
	enums         map[uint32][]string
	domainChecks  map[uint32][]string
	constraints   []rawConstraint
	uniques       []rawUnique
	comments      map[object]string
	views         map[uint32]string
	viewColumns   []rawViewColumn
}

// object is a relation (num 0) or one of its columns.
type object struct {
	oid uint32
	num int16
}

type typeMod struct {
	oid uint32
	mod int32
}

type rawRelation struct {
	oid                            uint32
	schema, name                   string
	kind                           Kind
	rows                           float64
	pages                          int32
	partition, all, readable       bool
	rowSecure, populated, unlogged bool
}

type rawInherits struct{ child, parent uint32 }

type rawColumn struct {
	object
	name      string
	typ       typeMod
	notNull   bool
	local     bool
	generated bool
	identity  bool
}

type rawType struct {
	category, kind byte
	base           uint32
	name           string
	notNull        bool
}

type rawConstraint struct {
	oid         uint32
	name        string
	kind        byte
	relation    uint32
	cols        []int16
	foreign     uint32
	foreignCols []int16
	definition  string
}

type rawUnique struct {
	relation uint32
	cols     []int16
	primary  bool
}

// rawViewColumn is a column that a view reads: of the view's dependencies
// only the fact that it is used is known, not where it goes.
type rawViewColumn struct {
	view    uint32
	of      object
	schema  string
	table   string
	name    string
	comment string
	secured bool
}

// load reads all but statistics about the relations that the role may read. The
// transaction is the role's own, with search_path pinned to pg_catalog.
func load(ctx context.Context, tx pgx.Tx, cfg *Config) (*raw, error) {
	r := &raw{}
	// Bounds and common values are compared as text.
	if _, err := tx.Exec(ctx, sqlStyle); err != nil {
		return nil, fmt.Errorf("setting the date style: %w", err)
	}
	if err := tx.QueryRow(ctx, sqlServer).Scan(&r.serverVersion, &r.recovery, &r.extensions); err != nil {
		return nil, fmt.Errorf("reading the server's version: %w", err)
	}
	if err := r.loadRelations(ctx, tx); err != nil {
		return nil, fmt.Errorf("reading pg_class: %w", err)
	}
	oids, all := r.wanted()
	steps := []struct {
		what string
		f    func(context.Context, pgx.Tx, *Config, []uint32, []bool) error
	}{
		{"pg_attribute", r.loadColumns},
		{"pg_type", r.loadTypes},
		{"pg_constraint", r.loadConstraints},
		{"pg_index", r.loadUniques},
		{"pg_description", r.loadComments},
		{"pg_rewrite", r.loadViews},
	}
	for _, s := range steps {
		if err := s.f(ctx, tx, cfg, oids, all); err != nil {
			return nil, fmt.Errorf("reading %s: %w", s.what, err)
		}
	}
	return r, nil
}

// wanted returns the relations that get into the snapshot, and of each
// whether the role may read all its columns.
func (r *raw) wanted() (oids []uint32, all []bool) {
	for i := range r.relations {
		if rel := &r.relations[i]; rel.readable && rel.usable(r.recovery) {
			oids, all = append(oids, rel.oid), append(all, rel.all)
		}
	}
	return oids, all
}

// usable reports whether a query on this server could read the relation at
// all: a standby has no unlogged data, and an unpopulated materialised view
// has none anywhere.
func (rel *rawRelation) usable(recovery bool) bool {
	return rel.populated && !(rel.unlogged && recovery)
}

func (r *raw) loadRelations(ctx context.Context, tx pgx.Tx) error {
	rows, err := tx.Query(ctx, sqlRelations)
	if err != nil {
		return err
	}
	var rel rawRelation
	var kind string
	_, err = pgx.ForEachRow(rows, []any{&rel.oid, &rel.schema, &rel.name, &kind, &rel.rows, &rel.pages,
		&rel.partition, &rel.all, &rel.readable, &rel.rowSecure, &rel.populated, &rel.unlogged}, func() error {
		rel.kind = Kind(kind[0])
		r.relations = append(r.relations, rel)
		return nil
	})
	if err != nil {
		return err
	}
	rows, err = tx.Query(ctx, sqlInherits)
	if err != nil {
		return err
	}
	var in rawInherits
	_, err = pgx.ForEachRow(rows, []any{&in.child, &in.parent}, func() error {
		r.inherits = append(r.inherits, in)
		return nil
	})
	return err
}

func (r *raw) loadColumns(ctx context.Context, tx pgx.Tx, _ *Config, oids []uint32, all []bool) error {
	rows, err := tx.Query(ctx, sqlColumns, oids, all)
	if err != nil {
		return err
	}
	names := map[string]string{} // most column names occur many times
	var c rawColumn
	_, err = pgx.ForEachRow(rows, []any{&c.oid, &c.num, &c.name, &c.typ.oid, &c.typ.mod, &c.notNull, &c.local, &c.generated, &c.identity}, func() error {
		if s, ok := names[c.name]; ok {
			c.name = s
		} else {
			names[c.name] = c.name
		}
		r.columns = append(r.columns, c)
		return nil
	})
	return err
}

// loadTypes reads the types that columns have, the base types of domains, the
// labels of enums and the checks of domains.
func (r *raw) loadTypes(ctx context.Context, tx pgx.Tx, _ *Config, _ []uint32, _ []bool) error {
	r.typeNames = map[typeMod]string{}
	var oids []uint32
	var mods []int32
	for i := range r.columns {
		t := r.columns[i].typ
		if _, ok := r.typeNames[t]; !ok {
			r.typeNames[t] = ""
			oids, mods = append(oids, t.oid), append(mods, t.mod)
		}
	}
	rows, err := tx.Query(ctx, sqlTypeNames, oids, mods)
	if err != nil {
		return err
	}
	var tm typeMod
	var name string
	if _, err = pgx.ForEachRow(rows, []any{&tm.oid, &tm.mod, &name}, func() error {
		r.typeNames[tm] = name
		return nil
	}); err != nil {
		return err
	}

	r.types = map[uint32]*rawType{}
	rows, err = tx.Query(ctx, sqlTypes, oids)
	if err != nil {
		return err
	}
	var oid uint32
	var t rawType
	var category, kind string
	if _, err = pgx.ForEachRow(rows, []any{&oid, &t.name, &category, &kind, &t.base, &t.notNull}, func() error {
		t.category, t.kind = category[0], kind[0]
		c := t
		r.types[oid] = &c
		return nil
	}); err != nil {
		return err
	}

	var enums, domains []uint32
	for oid, t := range r.types {
		switch t.kind {
		case 'e':
			enums = append(enums, oid)
		case 'd':
			domains = append(domains, oid)
		}
	}
	if r.enums, err = lists(ctx, tx, sqlEnums, enums); err != nil {
		return err
	}
	r.domainChecks, err = lists(ctx, tx, sqlDomainChecks, domains)
	return err
}

// lists runs a query for (oid, text) pairs and collects the texts of each oid.
func lists(ctx context.Context, tx pgx.Tx, sql string, oids []uint32) (map[uint32][]string, error) {
	m := map[uint32][]string{}
	if len(oids) == 0 {
		return m, nil
	}
	rows, err := tx.Query(ctx, sql, oids)
	if err != nil {
		return nil, err
	}
	var oid uint32
	var s string
	_, err = pgx.ForEachRow(rows, []any{&oid, &s}, func() error {
		m[oid] = append(m[oid], s)
		return nil
	})
	return m, err
}

func (r *raw) loadConstraints(ctx context.Context, tx pgx.Tx, _ *Config, oids []uint32, _ []bool) error {
	rows, err := tx.Query(ctx, sqlConstraints, oids)
	if err != nil {
		return err
	}
	var c rawConstraint
	var kind string
	_, err = pgx.ForEachRow(rows, []any{&c.oid, &c.name, &kind, &c.relation, &c.cols, &c.foreign, &c.foreignCols, &c.definition}, func() error {
		c.kind = kind[0]
		r.constraints = append(r.constraints, c)
		c.cols, c.foreignCols = nil, nil
		return nil
	})
	return err
}

func (r *raw) loadUniques(ctx context.Context, tx pgx.Tx, _ *Config, oids []uint32, _ []bool) error {
	rows, err := tx.Query(ctx, sqlUniques, oids)
	if err != nil {
		return err
	}
	var u rawUnique
	_, err = pgx.ForEachRow(rows, []any{&u.relation, &u.cols, &u.primary}, func() error {
		r.uniques = append(r.uniques, u)
		u.cols = nil
		return nil
	})
	return err
}

func (r *raw) loadComments(ctx context.Context, tx pgx.Tx, _ *Config, oids []uint32, _ []bool) error {
	rows, err := tx.Query(ctx, sqlComments, oids)
	if err != nil {
		return err
	}
	r.comments = map[object]string{}
	var o object
	var text string
	_, err = pgx.ForEachRow(rows, []any{&o.oid, &o.num, &text}, func() error {
		r.comments[o] = text
		return nil
	})
	return err
}

func (r *raw) loadViews(ctx context.Context, tx pgx.Tx, _ *Config, _ []uint32, _ []bool) error {
	var views []uint32
	for i := range r.relations {
		if rel := &r.relations[i]; rel.readable && (rel.kind == View || rel.kind == MaterializedView) {
			views = append(views, rel.oid)
		}
	}
	r.views = map[uint32]string{}
	if len(views) == 0 {
		return nil
	}
	rows, err := tx.Query(ctx, sqlViews, views)
	if err != nil {
		return err
	}
	var oid uint32
	var text string
	if _, err = pgx.ForEachRow(rows, []any{&oid, &text}, func() error {
		r.views[oid] = text
		return nil
	}); err != nil {
		return err
	}
	rows, err = tx.Query(ctx, sqlViewColumns, views)
	if err != nil {
		return err
	}
	var v rawViewColumn
	_, err = pgx.ForEachRow(rows, []any{&v.view, &v.of.oid, &v.of.num, &v.schema, &v.table, &v.name, &v.comment, &v.secured}, func() error {
		r.viewColumns = append(r.viewColumns, v)
		return nil
	})
	return err
}
