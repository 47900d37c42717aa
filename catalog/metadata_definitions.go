package catalog

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/ask/analysed"
	"askpg/catalog/guarded"
)

func (l *metadataReader) constraints(ctx context.Context, tx pgx.Tx) error {
	var c rawConstraint
	var kind string
	if err := each(ctx, tx, sqlConstraints, []any{&c.oid, &c.xmin, &c.name, &kind, &c.relation, &c.cols, &c.foreign, &c.foreignCols}, func() {
		c.kind = kind[0]
		l.metadata.constraints = append(l.metadata.constraints, c)
		c.cols, c.foreignCols = nil, nil
	}); err != nil {
		return err
	}
	known := map[uint32]*rawConstraint{}
	for i := range l.old.constraints {
		known[l.old.constraints[i].oid] = &l.old.constraints[i]
	}
	var wanted []uint32
	undefined := map[uint32]*rawConstraint{}
	for i := range l.metadata.constraints {
		c := &l.metadata.constraints[i]
		if c.kind != 'c' {
			continue
		}
		if o := known[c.oid]; o != nil && o.xmin == c.xmin && !l.changed[c.relation] {
			c.definition = o.definition
			continue
		}
		wanted = append(wanted, c.oid)
		undefined[c.oid] = c
	}
	definitions, err := lists(ctx, tx, sqlCheckDefinitions, wanted)
	for oid, c := range undefined {
		if d := definitions[oid]; d != nil {
			c.definition = d[0]
		}
	}
	return err
}

func (l *metadataReader) uniques(ctx context.Context, tx pgx.Tx) error {
	var u rawUnique
	return each(ctx, tx, sqlUniques, []any{&u.relation, &u.cols, &u.primary}, func() {
		l.metadata.uniques = append(l.metadata.uniques, u)
		u.cols = nil
	})
}

// views reads the definitions of views that are new or changed, or that read
// from a relation that is.
func (l *metadataReader) views(ctx context.Context, tx pgx.Tx) error {
	l.metadata.views = map[uint32]rawView{}
	if l.old.baseline != nil {
		var oid uint32
		if err := each(ctx, tx, sqlRewritten, []any{&oid}, func() { l.changed[oid] = true }, l.old.baseline.oldestXID); err != nil {
			return err
		}
	}
	var wanted []uint32
	for i := range l.metadata.relations {
		rel := &l.metadata.relations[i]
		if rel.kind != View && rel.kind != MaterializedView {
			continue
		}
		if v, ok := l.unchangedView(rel.oid); ok {
			l.metadata.views[rel.oid] = v
		} else {
			wanted = append(wanted, rel.oid)
		}
	}
	if wanted == nil {
		return nil
	}
	return l.readViews(ctx, tx, wanted)
}

// unchangedView returns the definition of a view that has not changed, nor any
// relation that it reads.
func (l *metadataReader) unchangedView(oid uint32) (rawView, bool) {
	v, ok := l.old.views[oid]
	return v, ok && !l.changed[oid] && v.reads != nil && !l.anyChanged(v.reads)
}

// The definitions of views are read for viewTime, in pieces of manyViews.
const (
	viewTime  = 10 * time.Second
	manyViews = 200
)

// readViews reads the definitions of views, and what their queries read. Of a view whose definition
// is too large, or that is left when the time is up, nothing is known. None of its values is shown,
// and it is not read again before it changes.
func (l *metadataReader) readViews(ctx context.Context, tx pgx.Tx, views []uint32) error {
	for _, v := range views {
		l.metadata.views[v] = rawView{reads: map[uint32][]int16{}}
	}
	var oid uint32
	var known []uint32
	if err := each(ctx, tx, sqlViewSizes, []any{&oid}, func() { known = append(known, oid) }, views); err != nil {
		return err
	}
	began := time.Now()
	for piece := range slices.Chunk(known, manyViews) {
		left := viewTime - time.Since(began)
		if left <= 0 {
			return nil
		}
		err := guarded.Within(ctx, tx, left, func(tx pgx.Tx) error { return l.readDefinitions(ctx, tx, piece) })
		var pg *pgconn.PgError
		if errors.As(err, &pg) && pg.Code == ask.CodeQueryCanceled && ctx.Err() == nil {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (l *metadataReader) readDefinitions(ctx context.Context, tx pgx.Tx, views []uint32) error {
	definitions, err := lists(ctx, tx, sqlViews, views)
	if err != nil {
		return err
	}
	queries := map[uint32]*analysed.Query{}
	var oid uint32
	var tree string
	if err := each(ctx, tx, sqlViewTrees, []any{&oid, &tree}, func() {
		if q, err := analysed.Read(tree); err == nil {
			queries[oid] = q
		}
	}, views); err != nil {
		return err
	}
	pure, err := pureQueries(ctx, tx, queries)
	if err != nil {
		return err
	}
	for oid, d := range definitions {
		v := rawView{definition: d[0]}
		if q := queries[oid]; q != nil {
			v.reads, v.pure, v.asks = q.Columns, pure[oid], q.Asks
		}
		l.metadata.views[oid] = v
	}
	return nil
}

// anyChanged reports whether one of the relations is no longer as it was.
func (l *metadataReader) anyChanged(relations map[uint32][]int16) bool {
	for oid := range relations {
		if l.changed[oid] {
			return true
		}
	}
	return false
}

// pureQueries returns the queries that call only what is known to read nothing
// and not to depend on who is asking.
func pureQueries(ctx context.Context, tx pgx.Tx, queries map[uint32]*analysed.Query) (map[uint32]bool, error) {
	var operators, functions []uint32
	for _, q := range queries {
		operators, functions = append(operators, q.Operators...), append(functions, q.Functions...)
	}
	of := map[uint32]uint32{}
	var oid, function uint32
	if err := each(ctx, tx, sqlOperators, []any{&oid, &function}, func() {
		of[oid] = function
		functions = append(functions, function)
	}, operators); err != nil {
		return nil, err
	}
	harmless := map[uint32]bool{}
	var schema, name, volatile string
	var extension bool
	if err := each(ctx, tx, sqlCalled, []any{&oid, &schema, &name, &volatile, &extension}, func() {
		harmless[oid] = analysed.Pure(oid, schema, name, volatile[0], extension)
	}, functions); err != nil {
		return nil, err
	}
	pure := map[uint32]bool{}
	for view, q := range queries {
		pure[view] = !slices.ContainsFunc(q.Functions, func(f uint32) bool { return !harmless[f] }) &&
			!slices.ContainsFunc(q.Operators, func(o uint32) bool { return !harmless[of[o]] })
	}
	return pure, nil
}
