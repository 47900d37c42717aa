package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/catalog/guarded"
	"askpg/catalog/schema"
	"askpg/catalog/words"
)

// Bounds of a lookup that no setting changes.
const (
	lookupTexts     = 4  // texts of a question
	lookupHits      = 5  // values of a column for one text
	lookupRelations = 20 // best relations whose columns are asked
	lookupLength    = 80 // bytes of a text
)

// LookupLimits bound a Lookup.
type LookupLimits struct {
	Columns int           // asked for one question
	Rows    float64       // without a pg_trgm index a column of a larger relation is not asked
	Length  int           // bytes; longer values are not looked for
	Time    time.Duration // of asking
}

// Lookup asks columns for the names and literals in a question. The index of
// values does not hold the columns, or not all of them. They are of the
// relations that the question is most likely about. What it finds is like
// what Values.Find finds.
type Lookup struct {
	limits   LookupLimits
	question string
	texts    []span
	columns  []*schema.Column
	until    time.Time
	trigram  map[*schema.Column]bool // columns that pg_trgm indexes
	schema   string                  // of pg_trgm, if it is there
	hits     []Hit
}

// NewLookup returns the lookup for a question, nil if there is nothing to ask.
func (x *Index) NewLookup(question string, limits LookupLimits) *Lookup {
	l := &Lookup{limits: limits, question: question, texts: likelyValues(question, x.Values.Find(question))}
	if len(l.texts) > 0 {
		l.columns = x.lookupColumns(question, limits)
	}
	if len(l.columns) == 0 {
		return nil
	}
	return l
}

// lookupColumns returns the large text columns of the relations that a
// question is most likely about, the likeliest first.
func (x *Index) lookupColumns(question string, limits LookupLimits) []*schema.Column {
	left := map[*schema.Column]bool{}
	for _, o := range x.Values.Omitted() {
		left[o.Column] = mayAsk(o.Column, limits)
	}
	var out []*schema.Column
	add := func(columns ...*schema.Column) {
		for _, c := range columns {
			if left[c] && len(out) < limits.Columns {
				left[c] = false
				out = append(out, c)
			}
		}
	}
	n := 0
	for _, may := range left {
		if may {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	add(x.FindColumns(question, 4*lookupRelations)...)
	for _, m := range x.FindRelations(question, lookupRelations) {
		add(m.Relation.Columns...)
	}
	if n <= limits.Columns { // then a question need not name their relation
		for _, r := range x.Relations {
			add(r.Columns...)
		}
	}
	return out
}

// mayAsk reports whether a column may be asked for values.
func mayAsk(c *schema.Column, limits LookupLimits) bool {
	return !c.Private && !c.Relation.Closed && c.Class == schema.Text && c.Relation.Kind != schema.ForeignTable &&
		(c.Profile == nil || c.Profile.Width <= limits.Length)
}

// Run asks the columns, in a transaction of the role, and returns what it has
// found. It does so also with an error, which it returns when time ran out or
// the connection broke.
func (l *Lookup) Run(ctx context.Context, tx pgx.Tx) ([]Hit, error) {
	l.until = time.Now().Add(l.limits.Time)
	if err := l.findIndexes(ctx, tx); err != nil {
		return nil, err
	}
	// An index answers at once, a scan may use up the time.
	var columns []*schema.Column
	for _, indexed := range []bool{true, false} {
		for _, c := range l.columns {
			if l.trigram[c] == indexed && (indexed || c.Relation.Rows >= 0 && c.Relation.Rows <= l.limits.Rows) {
				columns = append(columns, c)
			}
		}
	}
	for _, c := range columns {
		for _, text := range l.texts {
			if err := l.ask(ctx, tx, c, text); err != nil {
				if ctx.Err() != nil || tx.Conn().IsClosed() || time.Until(l.until) < time.Millisecond {
					return l.hits, err
				}
			}
		}
	}
	return l.hits, nil
}

// findIndexes finds the columns that pg_trgm indexes.
func (l *Lookup) findIndexes(ctx context.Context, tx pgx.Tx) error {
	l.trigram = map[*schema.Column]bool{}
	columns := map[schema.ColumnID]*schema.Column{}
	var oids []uint32
	for _, c := range l.columns {
		columns[c.ID()] = c
		oids = append(oids, c.Relation.OID)
	}
	rows, err := tx.Query(ctx, `select i.indrelid, i.indkey[0], n.nspname from pg_catalog.pg_index i
join pg_catalog.pg_opclass o on o.oid = i.indclass[0] join pg_catalog.pg_namespace n on n.oid = o.opcnamespace
where i.indrelid = any($1) and i.indisvalid and i.indpred is null and o.opcname in ('gin_trgm_ops', 'gist_trgm_ops')`, oids)
	if err != nil {
		return err
	}
	var id schema.ColumnID
	var extension string
	_, err = pgx.ForEachRow(rows, []any{&id.OID, &id.Num, &extension}, func() error {
		if c := columns[id]; c != nil {
			l.trigram[c], l.schema = true, extension
		}
		return nil
	})
	return err
}

// Scores of values that a lookup finds.
const (
	withinScore  = 0.9  // the value holds the text
	similarScore = 0.75 // by pg_trgm
)

// ask looks for a text in a column: as it stands but for case, within a value,
// and where there is an index for it, in a similar one.
func (l *Lookup) ask(ctx context.Context, tx pgx.Tx, c *schema.Column, at span) error {
	text := l.question[at.start:at.end]
	col, from := schema.Quote(c.Name), c.Relation.QuotedName()
	pattern := "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text) + "%"
	found, err := l.query(ctx, tx, c.Relation, !c.Relation.Plain, fmt.Sprintf("select distinct v from (select %s::text as v from %s where %s ilike $1 limit %d) s where octet_length(v) <= %d limit %d",
		col, from, col, 20*lookupHits, l.limits.Length, 20*lookupHits), pattern)
	if err != nil {
		return err
	}
	score := withinScore
	if len(found) == 0 && l.trigram[c] {
		extension := schema.Quote(l.schema)
		found, err = l.query(ctx, tx, c.Relation, true, fmt.Sprintf("select distinct on (d, v) v from (select %s::text as v, %s.similarity(%s, $1) as d from %s where %s operator(%s.%%) $1 order by 2 desc limit %d) s where octet_length(v) <= %d and d >= 0.4 order by d desc, v limit %d",
			col, extension, col, from, col, extension, 20*lookupHits, l.limits.Length, lookupHits), text)
		score = similarScore
	}
	if err != nil {
		return err
	}
	key := words.Key(words.Tokens(text))
	slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(excess(a, key), excess(b, key)) })
	for _, v := range found[:min(len(found), lookupHits)] {
		h := Hit{Column: c, Value: v, Start: at.start, End: at.end, Score: score}
		if words.Normalize(v) == words.Normalize(text) {
			h.Exact, h.Score = true, 1
		}
		l.hits = append(l.hits, h)
	}
	return nil
}

// excess orders values: 0 for one with the key, the length for others.
func excess(value, key string) int {
	if k := words.Key(words.Tokens(value)); k != key {
		return 1 + len(k)
	}
	return 0
}

// query runs a statement over a relation with the text as $1. whole says that
// the guard has to judge the statement itself, for it calls what is not the
// server's own.
func (l *Lookup) query(ctx context.Context, tx pgx.Tx, r *schema.Relation, whole bool, sql, arg string) ([]string, error) {
	left := time.Until(l.until)
	if left < time.Millisecond {
		return nil, context.DeadlineExceeded
	}
	var out []string
	err := guarded.Within(ctx, tx, left, func(sp pgx.Tx) error {
		judge := func() error { return guarded.Judge(ctx, tx, sql, r) }
		if whole {
			judge = func() error { return guarded.JudgeWhole(ctx, tx, sql) }
		}
		if err := judge(); err != nil {
			return err
		}
		rows, err := sp.Query(ctx, sql, pgx.QueryExecModeExec, arg)
		if err != nil {
			return err
		}
		out, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	return out, err
}
