package catalog

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
)

func (l *imageLoader) constraints(ctx context.Context, tx pgx.Tx) error {
	rows, err := tx.Query(ctx, sqlConstraints)
	if err != nil {
		return err
	}
	var c rawConstraint
	var kind string
	if _, err = pgx.ForEachRow(rows, []any{&c.oid, &c.xmin, &c.name, &kind, &c.relation, &c.cols, &c.foreign, &c.foreignCols}, func() error {
		c.kind = kind[0]
		l.image.constraints = append(l.image.constraints, c)
		c.cols, c.foreignCols = nil, nil
		return nil
	}); err != nil {
		return err
	}
	known := map[uint32]*rawConstraint{}
	if l.old != nil {
		for i := range l.old.constraints {
			known[l.old.constraints[i].oid] = &l.old.constraints[i]
		}
	}
	var wanted []uint32
	undefined := map[uint32]*rawConstraint{}
	for i := range l.image.constraints {
		c := &l.image.constraints[i]
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

func (l *imageLoader) uniques(ctx context.Context, tx pgx.Tx) error {
	rows, err := tx.Query(ctx, sqlUniques)
	if err != nil {
		return err
	}
	var u rawUnique
	_, err = pgx.ForEachRow(rows, []any{&u.relation, &u.cols, &u.primary}, func() error {
		l.image.uniques = append(l.image.uniques, u)
		u.cols = nil
		return nil
	})
	return err
}

// views reads the definitions of views that are new or changed, or that read
// from a relation that is.
func (l *imageLoader) views(ctx context.Context, tx pgx.Tx) error {
	l.image.views = map[uint32]rawView{}
	if l.old != nil {
		rows, err := tx.Query(ctx, sqlRewritten, l.old.mark.base)
		if err != nil {
			return err
		}
		var oid uint32
		if _, err := pgx.ForEachRow(rows, []any{&oid}, func() error {
			l.changed[oid] = true
			return nil
		}); err != nil {
			return err
		}
	}
	var wanted []uint32
	for i := range l.image.relations {
		rel := &l.image.relations[i]
		if rel.kind != View && rel.kind != MaterializedView {
			continue
		}
		if l.old != nil && !l.changed[rel.oid] {
			if v, ok := l.old.views[rel.oid]; ok && !slices.ContainsFunc(v.uses, func(oid uint32) bool { return l.changed[oid] }) {
				l.image.views[rel.oid] = v
				continue
			}
		}
		wanted = append(wanted, rel.oid)
	}
	if wanted == nil {
		return nil
	}
	definitions, err := lists(ctx, tx, sqlViews, wanted)
	if err != nil {
		return err
	}
	for oid, d := range definitions {
		l.image.views[oid] = rawView{definition: d[0]}
	}
	rows, err := tx.Query(ctx, sqlViewColumns, wanted)
	if err != nil {
		return err
	}
	var c rawViewColumn
	var relation uint32
	var num int32
	_, err = pgx.ForEachRow(rows, []any{&c.view, &relation, &num, &c.schema, &c.table, &c.name, &c.comment, &c.secured}, func() error {
		v := l.image.views[c.view]
		v.columns = append(v.columns, c)
		if len(v.uses) == 0 || v.uses[len(v.uses)-1] != relation {
			v.uses = append(v.uses, relation)
		}
		l.image.views[c.view] = v
		return nil
	})
	return err
}
