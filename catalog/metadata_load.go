package catalog

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// errRenamed means that metadata cannot be read on top of earlier metadata:
// definitions of views and checks, which are not read again, may name what has
// another name now.
var errRenamed = errors.New("something that definitions name was renamed")

// loadMetadata reads what the system catalogs say. From old metadata of the same
// database it takes over the columns and definitions that have not changed; with
// nil it reads everything. The result is the same either way.
func loadMetadata(ctx context.Context, tx pgx.Tx, old *metadata) (*metadata, error) {
	meta, err := readMetadata(ctx, tx, cmp.Or(old, &metadata{}))
	if errors.Is(err, errRenamed) {
		return readMetadata(ctx, tx, &metadata{})
	}
	return meta, err
}

func readMetadata(ctx context.Context, tx pgx.Tx, old *metadata) (*metadata, error) {
	meta := &metadata{read: cmp.Or(old.read, time.Now()), privateOnce: new(sync.Once)}
	var err error
	if err := tx.QueryRow(ctx, sqlServer).Scan(&meta.serverVersion, &meta.recovery, &meta.extensions); err != nil {
		return nil, fmt.Errorf("reading the server's version: %w", err)
	}
	// The baseline is read first: the next check notices a change after it.
	if meta.baseline, err = readBaseline(ctx, tx, meta.serverVersion); err != nil {
		return nil, fmt.Errorf("reading the version: %w", err)
	}
	l := &metadataReader{metadata: meta, old: old, changed: map[uint32]bool{}}
	for _, s := range []struct {
		what string
		f    func(context.Context, pgx.Tx) error
	}{
		{"pg_namespace", l.schemas},
		{"pg_class", l.relations},
		{"pg_inherits", l.inherits},
		{"pg_description", l.comments},
		{"pg_attribute", l.columns},
		{"pg_proc", l.functions},
		{"pg_collation", l.collations},
		{"pg_type", l.types},
		{"pg_constraint", l.constraints},
		{"pg_index", l.uniques},
		{"pg_rewrite", l.views},
	} {
		if err := s.f(ctx, tx); err != nil {
			return nil, fmt.Errorf("reading %s: %w", s.what, err)
		}
	}
	return meta, nil
}

// metadataReader reads metadata.
type metadataReader struct {
	*metadata
	old     *metadata       // empty to take over nothing
	changed map[uint32]bool // relations of old that are no longer as they were: in name, rights, columns or comments
}

// each runs a query with args, scans its rows one by one into these variables and calls f after each.
func each(ctx context.Context, tx pgx.Tx, sql string, into []any, f func(), args ...any) error {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return err
	}
	_, err = pgx.ForEachRow(rows, into, func() error {
		f()
		return nil
	})
	return err
}

func (l *metadataReader) schemas(ctx context.Context, tx pgx.Tx) error {
	l.metadata.schemas = map[uint32]rawSchema{}
	var oid uint32
	var s rawSchema
	err := each(ctx, tx, sqlSchemas, []any{&oid, &s.name, &s.readers}, func() {
		l.metadata.schemas[oid] = s
		s.readers = nil
	})
	for oid, s := range l.old.schemas {
		if now, ok := l.metadata.schemas[oid]; ok && now.name != s.name {
			return cmp.Or(err, errRenamed)
		}
	}
	return err
}

func (l *metadataReader) relations(ctx context.Context, tx pgx.Tx) error {
	var rel rawRelation
	var kind string
	err := each(ctx, tx, sqlRelations, []any{&rel.oid, &rel.xmin, &rel.schemaOID, &rel.owner, &rel.name, &kind, &rel.rows, &rel.pages,
		&rel.partition, &rel.populated, &rel.unlogged, &rel.readers, &rel.secured}, func() {
		rel.kind, rel.schema = Kind(kind[0]), l.metadata.schemas[rel.schemaOID].name
		l.metadata.relations = append(l.metadata.relations, rel)
		rel.readers = nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(l.metadata.relations, func(a, b rawRelation) int {
		return cmp.Or(cmp.Compare(a.schema, b.schema), cmp.Compare(a.name, b.name))
	})
	now := make(map[uint32]uint32, len(l.metadata.relations))
	for i := range l.metadata.relations {
		now[l.metadata.relations[i].oid] = l.metadata.relations[i].xmin
	}
	for i := range l.old.relations {
		r := &l.old.relations[i]
		if xmin, ok := now[r.oid]; !ok || xmin != r.xmin {
			l.changed[r.oid] = true
		}
	}
	return nil
}

func (l *metadataReader) inherits(ctx context.Context, tx pgx.Tx) error {
	var in rawInherits
	return each(ctx, tx, sqlInherits, []any{&in.child, &in.parent}, func() {
		l.metadata.inherits = append(l.metadata.inherits, in)
	})
}

func (l *metadataReader) comments(ctx context.Context, tx pgx.Tx) error {
	l.metadata.comments = map[object]string{}
	var o object
	var text string
	err := each(ctx, tx, sqlComments, []any{&o.oid, &o.num, &text}, func() {
		l.metadata.comments[o] = text
	})
	// A view knows the comments of what it reads.
	for o, text := range l.old.comments {
		if l.metadata.comments[o] != text {
			l.changed[o.oid] = true
		}
	}
	for o := range l.metadata.comments {
		if _, ok := l.old.comments[o]; !ok {
			l.changed[o.oid] = true
		}
	}
	return err
}

// columns reads those of new and of changed relations; of the others it takes
// over what there is.
func (l *metadataReader) columns(ctx context.Context, tx pgx.Tx) error {
	l.metadata.columns = make(map[uint32][]rawColumn, len(l.metadata.relations))
	altered := map[uint32]bool{}
	if l.old.baseline != nil {
		var oid uint32
		if err := each(ctx, tx, sqlAltered, []any{&oid}, func() {
			altered[oid], l.changed[oid] = true, true
		}, l.old.baseline.oldestXID); err != nil {
			return err
		}
	}
	var wanted []uint32
	for i := range l.metadata.relations {
		oid := l.metadata.relations[i].oid
		if cols, ok := l.old.columns[oid]; ok && !altered[oid] {
			l.metadata.columns[oid] = cols
			continue
		}
		l.metadata.columns[oid] = nil
		wanted = append(wanted, oid)
	}
	if wanted == nil {
		return nil
	}
	rows, err := tx.Query(ctx, sqlColumns, pgx.QueryResultFormats{pgx.BinaryFormatCode}, wanted)
	if err != nil {
		return err
	}
	defer rows.Close()
	// Half of the time of reading a large catalog would go into the decoding of
	// these rows by pgx's general means.
	names := map[string]string{} // most column names occur many times
	for rows.Next() {
		v := rows.RawValues()
		name, ok := names[string(v[2])]
		if !ok {
			name = string(v[2])
			names[name] = name
		}
		c := rawColumn{
			object: object{binary.BigEndian.Uint32(v[0]), int16(binary.BigEndian.Uint16(v[1]))}, name: name,
			typ: typeMod{binary.BigEndian.Uint32(v[3]), int32(binary.BigEndian.Uint32(v[4]))}, collation: binary.BigEndian.Uint32(v[10]),
			notNull: v[5][0] != 0, local: v[6][0] != 0, generated: v[7][0] != 0, identity: v[8][0] != 0,
		}
		if v[9] != nil {
			if err := tx.Conn().TypeMap().Scan(rows.FieldDescriptions()[9].DataTypeOID, pgx.BinaryFormatCode, v[9], &c.readers); err != nil {
				return err
			}
		}
		l.metadata.columns[c.oid] = append(l.metadata.columns[c.oid], c)
	}
	for _, oid := range wanted {
		slices.SortFunc(l.metadata.columns[oid], func(a, b rawColumn) int { return int(a.num) - int(b.num) })
	}
	return rows.Err()
}
