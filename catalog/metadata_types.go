package catalog

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
)

// types reads the types that columns have, what their values are made of, the
// base types of domains, the labels of enums and the checks of domains.
func (l *metadataReader) types(ctx context.Context, tx pgx.Tx) error {
	meta := l.metadata
	meta.typeNames = map[typeMod]string{}
	var oids []uint32
	var mods []int32
	for _, cols := range meta.columns {
		for i := range cols {
			t := cols[i].typ
			if _, ok := meta.typeNames[t]; !ok {
				meta.typeNames[t] = ""
				oids, mods = append(oids, t.oid), append(mods, t.mod)
			}
		}
	}
	var tm typeMod
	var name string
	if err := each(ctx, tx, sqlTypeNames, []any{&tm.oid, &tm.mod, &name}, func() {
		meta.typeNames[tm] = name
	}, oids, mods); err != nil {
		return err
	}

	meta.types = map[uint32]*rawType{}
	var oid uint32
	var t rawType
	var category, kind string
	if err := each(ctx, tx, sqlTypes, []any{&oid, &t.name, &category, &kind, &t.base, &t.notNull, &t.collation}, func() {
		t.category, t.kind = category[0], kind[0]
		c := t
		meta.types[oid] = &c
	}, oids); err != nil {
		return err
	}

	var p rawTypePart
	if err := each(ctx, tx, sqlTypeParts, []any{&p.whole, &p.part, &p.attribute.oid, &p.attribute.num, &p.of.Schema, &p.of.Name, &p.name}, func() {
		meta.typeParts = append(meta.typeParts, p)
	}, oids); err != nil {
		return err
	}

	var enums, domains []uint32
	for oid, t := range meta.types {
		switch t.kind {
		case 'e':
			enums = append(enums, oid)
		case 'd':
			domains = append(domains, oid)
		}
	}
	var err error
	if meta.enums, err = lists(ctx, tx, sqlEnums, enums); err != nil {
		return err
	}
	if meta.domainChecks, err = lists(ctx, tx, sqlDomainChecks, domains); err != nil {
		return err
	}
	if typesRenamed(l.old, meta) {
		return errRenamed
	}
	return nil
}

// typesRenamed reports whether the name of a type or an enum label has changed
// that a definition read with the old metadata may show.
func typesRenamed(old, meta *metadata) bool {
	for t, name := range old.typeNames {
		if now, ok := meta.typeNames[t]; ok && now != name {
			return true
		}
	}
	for oid, labels := range old.enums {
		if now, ok := meta.enums[oid]; ok {
			for _, label := range labels {
				if !slices.Contains(now, label) {
					return true
				}
			}
		}
	}
	return false
}

// lists runs a query for (oid, text) pairs and collects the texts of each oid.
func lists(ctx context.Context, tx pgx.Tx, sql string, oids []uint32) (map[uint32][]string, error) {
	m := map[uint32][]string{}
	if len(oids) == 0 {
		return m, nil
	}
	var oid uint32
	var s string
	return m, each(ctx, tx, sql, []any{&oid, &s}, func() {
		m[oid] = append(m[oid], s)
	}, oids)
}
