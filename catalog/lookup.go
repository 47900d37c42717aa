package catalog

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Bounds of a lookup that no setting changes.
const (
	lookupTexts  = 4  // texts of a question
	lookupHits   = 5  // values of a column for one text
	lookupNear   = 20 // best relations whose columns are asked
	lookupLength = 80 // bytes of a text
)

// Lookup asks columns that the index of values does not hold, or not all of,
// for the names and literals in a question: the columns of the relations that
// the question is most likely about, as the snapshot's role, within
// Config.LookupTime. What it finds is like what Values.Find finds; what cannot
// be asked in time is left out.
func (c *Catalog) Lookup(ctx context.Context, s *Snapshot, question string) []Hit {
	if !c.cfg.Lookup {
		return nil
	}
	texts := likelyValues(question, s.Values.Find(question))
	columns := c.lookupColumns(s, question)
	if len(texts) == 0 || len(columns) == 0 {
		return nil
	}
	began := time.Now()
	defer func() { c.m.lookup.Observe(time.Since(began).Seconds()) }()
	timed, cancel := context.WithTimeout(ctx, c.cfg.LookupTime.Duration())
	defer cancel()
	l := lookup{cfg: &c.cfg, until: began.Add(c.cfg.LookupTime.Duration()), question: question}
	err := c.src.As(timed, s.Database, s.Role, func(tx pgx.Tx) error { return l.run(timed, tx, columns, texts) })
	if err != nil && ctx.Err() == nil {
		c.log.Debug("large columns were not asked", "database", s.Database, "role", s.Role, "error", err)
	}
	return l.hits
}

// lookupColumns returns the large text columns of the relations that a
// question is most likely about, the likeliest first.
func (c *Catalog) lookupColumns(s *Snapshot, question string) []*Column {
	left := map[*Column]bool{}
	for _, o := range s.Values.Omitted() {
		p := o.Column.Profile
		if o.Column.Private || o.Column.Relation.Closed || o.Column.Class != Text || o.Column.Relation.Kind == ForeignTable || p != nil && p.Width > c.cfg.ValuesLength {
			continue
		}
		left[o.Column] = true
	}
	if len(left) == 0 {
		return nil
	}
	var out []*Column
	few := len(left) <= c.cfg.LookupColumns // then a question need not name their relation
	add := func(r *Relation) {
		for _, col := range r.Columns {
			if left[col] && len(out) < c.cfg.LookupColumns {
				delete(left, col)
				out = append(out, col)
			}
		}
	}
	for _, m := range s.Search(question, 4*lookupNear) {
		if left[m.Column] && len(out) < c.cfg.LookupColumns {
			delete(left, m.Column)
			out = append(out, m.Column)
		}
	}
	for _, m := range s.SearchRelations(question, lookupNear) {
		add(m.Relation)
	}
	for _, r := range s.Relations {
		if few {
			add(r)
		}
	}
	return out
}

// part is a piece of the question.
type part struct {
	start, end int
}

// quotedText is what a question puts in quotation marks.
var quotedText = regexp.MustCompile(`"([^"\n]+)"|“([^”\n]+)”|‘([^’\n]+)’|(?:^|[\s(])'([^'\n]+)'`)

// likelyValues returns the pieces of a question that are likely values: what
// is quoted, words written like names or codes that follow each other. What an
// exact hit covers is known already.
func likelyValues(question string, hits []Hit) []part {
	var out []part
	add := func(p part) {
		if p.end-p.start < 3 || p.end-p.start > lookupLength || len(out) == lookupTexts {
			return
		}
		for _, h := range hits {
			if h.Exact && h.Start <= p.start && p.end <= h.End {
				return
			}
		}
		for _, o := range out {
			if p.start < o.end && o.start < p.end {
				return
			}
		}
		out = append(out, p)
	}
	for _, m := range quotedText.FindAllStringSubmatchIndex(question, -1) {
		for g := 2; g < len(m); g += 2 {
			if m[g] >= 0 { // American punctuation stands within the marks
				add(part{m[g], m[g] + len(strings.TrimRight(question[m[g]:m[g+1]], ".,;:!? "))})
			}
		}
	}
	ts := tokens(question)
	shout := !hasLower(question)
	for i := 0; i < len(ts); i++ {
		if shout || i == 0 && !coded(question[ts[i].start:ts[i].end]) || !nameLike(question, ts[i]) || stopWords[ts[i].text] {
			continue
		}
		j := i
		for j+1 < len(ts) && nameLike(question, ts[j+1]) && oneText(question[ts[j].end:ts[j+1].start]) {
			j++
		}
		add(part{ts[i].start, ts[j].end})
		i = j
	}
	return out
}

// nameLike reports whether a word is written as a name or a code is.
func nameLike(question string, t token) bool {
	w := question[t.start:t.end]
	return w[0] >= 'A' && w[0] <= 'Z' || w[0] >= 0x80 && fold(w) != w || coded(w)
}

// coded reports whether a word has both letters and digits.
func coded(w string) bool {
	return strings.ContainsAny(w, "0123456789") && strings.IndexFunc(w, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }) >= 0
}

// oneText reports whether what is between two words leaves them one text.
func oneText(between string) bool {
	return between == " " || between == "-" || between == "." || between == "'" || between == "_" || between == "@" || between == "/"
}

// lookup is one question's.
type lookup struct {
	cfg      *Config
	until    time.Time
	question string
	trigram  map[*Column]bool
	schema   string // of pg_trgm, if it is there
	hits     []Hit
}

func (l *lookup) run(ctx context.Context, tx pgx.Tx, columns []*Column, texts []part) error {
	if err := l.indexes(ctx, tx, columns); err != nil {
		return err
	}
	// An index answers at once, a scan may use up the time.
	slices.SortStableFunc(columns, func(a, b *Column) int { return cmp.Compare(rank(l.trigram[b]), rank(l.trigram[a])) })
	for _, c := range columns {
		for _, p := range texts {
			if !l.trigram[c] && (c.Relation.Rows < 0 || c.Relation.Rows > float64(l.cfg.LookupRows)) {
				continue
			}
			if err := l.ask(ctx, tx, c, p); err != nil {
				if ctx.Err() != nil || tx.Conn().IsClosed() || time.Until(l.until) < time.Millisecond {
					return err
				}
			}
		}
	}
	return nil
}

func rank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// indexes finds the columns that pg_trgm indexes.
func (l *lookup) indexes(ctx context.Context, tx pgx.Tx, columns []*Column) error {
	l.trigram = map[*Column]bool{}
	at := map[object]*Column{}
	var oids []uint32
	for _, c := range columns {
		at[object{c.Relation.OID, c.Num}] = c
		oids = append(oids, c.Relation.OID)
	}
	rows, err := tx.Query(ctx, `select i.indrelid, i.indkey[0], n.nspname from pg_catalog.pg_index i
join pg_catalog.pg_opclass o on o.oid = i.indclass[0] join pg_catalog.pg_namespace n on n.oid = o.opcnamespace
where i.indrelid = any($1) and i.indisvalid and i.indpred is null and o.opcname in ('gin_trgm_ops', 'gist_trgm_ops')`, oids)
	if err != nil {
		return err
	}
	var in object
	var schema string
	_, err = pgx.ForEachRow(rows, []any{&in.oid, &in.num, &schema}, func() error {
		if c := at[in]; c != nil {
			l.trigram[c], l.schema = true, schema
		}
		return nil
	})
	return err
}

// ask looks for a text in a column: as it stands but for case, within a value,
// and where there is an index for it, in a similar one.
func (l *lookup) ask(ctx context.Context, tx pgx.Tx, c *Column, p part) error {
	text := l.question[p.start:p.end]
	col, from := quoteIdentifier(c.Name), c.Relation.sql()
	pattern := "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text) + "%"
	found, err := l.query(ctx, tx, c.Relation, !c.Relation.plain, fmt.Sprintf("select distinct v from (select %s::text as v from %s where %s ilike $1 limit %d) s where octet_length(v) <= %d limit %d",
		col, from, col, 20*lookupHits, l.cfg.ValuesLength, 20*lookupHits), pattern)
	if err != nil {
		return err
	}
	score := 0.9
	if len(found) == 0 && l.trigram[c] {
		schema := quoteIdentifier(l.schema)
		found, err = l.query(ctx, tx, c.Relation, true, fmt.Sprintf("select distinct on (d, v) v from (select %s::text as v, %s.similarity(%s, $1) as d from %s where %s operator(%s.%%) $1 order by 2 desc limit %d) s where octet_length(v) <= %d and d >= 0.4 order by d desc, v limit %d",
			col, schema, col, from, col, schema, 20*lookupHits, l.cfg.ValuesLength, lookupHits), text)
		score = 0.75
	}
	if err != nil {
		return err
	}
	want := key(tokens(text))
	slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(distance(a, want), distance(b, want)) })
	for _, v := range found[:min(len(found), lookupHits)] {
		h := Hit{Column: c, Value: v, Start: p.start, End: p.end, Score: score}
		if fold(v) == fold(text) {
			h.Exact, h.Score = true, 1
		}
		l.hits = append(l.hits, h)
	}
	return nil
}

// distance puts values that are a text before those that only hold it.
func distance(value, want string) int {
	if k := key(tokens(value)); k != want {
		return 1 + len(k)
	}
	return 0
}

// query runs a statement over a relation with the text as $1. judged says that the
// guard has to judge it whole, for it calls what is not the server's own.
func (l *lookup) query(ctx context.Context, tx pgx.Tx, r *Relation, judged bool, sql, arg string) ([]string, error) {
	left := time.Until(l.until)
	if left < time.Millisecond {
		return nil, context.DeadlineExceeded
	}
	var out []string
	err := within(ctx, tx, left, func(sp pgx.Tx) error {
		if guard, ok := tx.(guarded); ok && judged {
			if err := guard.Judge(ctx, strings.ReplaceAll(sql, "$1", "''::text")); err != nil {
				return err
			}
		} else if err := judge(ctx, tx, sql, r); err != nil {
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
