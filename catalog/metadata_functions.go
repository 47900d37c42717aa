package catalog

import (
	"cmp"
	"context"

	"github.com/jackc/pgx/v5"
)

func (l *metadataReader) functions(ctx context.Context, tx pgx.Tx) error {
	names, err := lists(ctx, tx, sqlFunctionNames, []uint32{firstUserOID})
	if err != nil {
		return err
	}
	l.metadata.functionNames = make(map[uint32]string, len(names))
	for oid, n := range names {
		l.metadata.functionNames[oid] = n[0]
		if was, ok := l.old.functionNames[oid]; ok && was != n[0] {
			return errRenamed
		}
	}
	if len(names) == 0 {
		return nil
	}
	var f rawFunction
	var kind, volatile string
	return each(ctx, tx, sqlFunctions, []any{&f.OID, &f.schema, &f.Schema, &f.Name.Name, &kind, &f.Arguments, &f.Result, &volatile, &f.Definer, &f.Comment, &f.callers}, func() {
		f.Kind, f.Volatile = kind[0], volatile[0]
		l.metadata.functions = append(l.metadata.functions, f)
		f.callers = nil
	}, uint32(firstUserOID))
}

func (l *metadataReader) collations(ctx context.Context, tx pgx.Tx) error {
	used := map[uint32]bool{}
	var oids []uint32
	for _, cols := range l.metadata.columns {
		for i := range cols {
			if oid := cols[i].collation; oid != 0 && !used[oid] {
				used[oid] = true
				oids = append(oids, oid)
			}
		}
	}
	l.metadata.collations = map[uint32]rawCollation{}
	var c rawCollation
	err := each(ctx, tx, sqlCollations, []any{&c.OID, &c.schema, &c.Schema, &c.Name.Name, &c.Locale, &c.Loose}, func() {
		l.metadata.collations[c.OID] = c
	}, oids, uint32(firstUserOID))
	for oid, was := range l.old.collations {
		if now, ok := l.metadata.collations[oid]; ok && now.Name != was.Name {
			return cmp.Or(err, errRenamed)
		}
	}
	return err
}

// firstUserOID is FirstNormalObjectId of PostgreSQL's access/transam.h: what
// initdb made is below.
const firstUserOID = 16384
