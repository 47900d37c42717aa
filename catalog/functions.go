package catalog

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
)

// Function is one that users made and that a query of the role may call. What
// is built in is PostgreSQL's, and members of extensions are the extension's
// business.
type Function struct {
	Name
	OID       uint32
	Kind      byte   // as pg_proc.prokind: f, or a for an aggregate, w for a window function
	Arguments string // as a declaration has them: "customer integer, since date DEFAULT now()"
	Result    string // "numeric", "SETOF orders", "TABLE(month date, total numeric)"
	Volatile  byte   // as pg_proc.provolatile: i, s or v
	Definer   bool   // it runs with its owner's rights
	Comment   string
}

// SearchFunctions returns the functions, at most limit, that have words of the
// text in their names or comments, those with the most first. A function
// without a word of the text in its name is not among them.
func (s *Snapshot) SearchFunctions(text string, limit int) []*Function {
	asked := map[string]bool{}
	for _, q := range queryTerms(text) {
		if q.weight >= 0.8 {
			asked[q.term] = true
		}
	}
	count := func(words []string) (n int) {
		seen := map[string]bool{}
		for _, w := range words {
			if w = stem(w); asked[w] && !seen[w] {
				seen[w] = true
				n++
			}
		}
		return n
	}
	type match struct {
		f     *Function
		score int
	}
	var found []match
	for i := range s.Functions {
		f := &s.Functions[i]
		if named := count(Words(f.Name.Name)); named > 0 {
			found = append(found, match{f, 3*named + count(Words(f.Comment))})
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return b.score - a.score })
	out := make([]*Function, 0, limit)
	for _, m := range found[:min(len(found), limit)] {
		out = append(out, m.f)
	}
	return out
}

// Collation is one that a column has beside the database's, or that users made.
type Collation struct {
	Name
	OID    uint32
	Locale string // "" where the provider needs none
	Loose  bool   // not deterministic: texts that differ in their bytes, such as in case, can be equal
}

func (l *imageLoader) functions(ctx context.Context, tx pgx.Tx) error {
	names, err := lists(ctx, tx, sqlFunctionNames, []uint32{firstUserOID})
	if err != nil {
		return err
	}
	l.image.functionNames = make(map[uint32]string, len(names))
	for oid, n := range names {
		l.image.functionNames[oid] = n[0]
		if l.old != nil {
			if was, ok := l.old.functionNames[oid]; ok && was != n[0] {
				return errRenamed
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	rows, err := tx.Query(ctx, sqlFunctions, uint32(firstUserOID))
	if err != nil {
		return err
	}
	var f rawFunction
	var kind, volatile string
	_, err = pgx.ForEachRow(rows, []any{&f.OID, &f.schema, &f.Schema, &f.Name.Name, &kind, &f.Arguments, &f.Result, &volatile, &f.Definer, &f.Comment, &f.callers}, func() error {
		f.Kind, f.Volatile = kind[0], volatile[0]
		l.image.functions = append(l.image.functions, f)
		f.callers = nil
		return nil
	})
	return err
}

func (l *imageLoader) collations(ctx context.Context, tx pgx.Tx) error {
	used := map[uint32]bool{}
	var oids []uint32
	for _, cols := range l.image.columns {
		for i := range cols {
			if oid := cols[i].collation; oid != 0 && !used[oid] {
				used[oid] = true
				oids = append(oids, oid)
			}
		}
	}
	rows, err := tx.Query(ctx, sqlCollations, oids, uint32(firstUserOID))
	if err != nil {
		return err
	}
	l.image.collations = map[uint32]rawCollation{}
	var c rawCollation
	_, err = pgx.ForEachRow(rows, []any{&c.OID, &c.schema, &c.Schema, &c.Name.Name, &c.Locale, &c.Loose}, func() error {
		l.image.collations[c.OID] = c
		return nil
	})
	if err == nil && l.old != nil {
		for oid, was := range l.old.collations {
			if now, ok := l.image.collations[oid]; ok && now.Name != was.Name {
				return errRenamed
			}
		}
	}
	return err
}

// firstUserOID is FirstNormalObjectId of PostgreSQL's access/transam.h: what
// initdb made is below.
const firstUserOID = 16384
