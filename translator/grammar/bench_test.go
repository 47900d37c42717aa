package grammar_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/catalog"
	"askpg/eval"
	"askpg/internal/pgtest"
	"askpg/translator/grammar"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// source reads a server as a role, as the catalog wants it.
type source struct{ server func(database string) string }

func (s source) As(ctx context.Context, database, role string, fn func(pgx.Tx) error) error {
	conn, err := pgx.Connect(ctx, s.server(database))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "select set_config('search_path', 'pg_catalog', true), set_config('role', $1, true)", role); err != nil {
			return err
		}
		return fn(tx)
	})
}

func snapshot(tb testing.TB, server func(database string) string, database, role string) *catalog.Snapshot {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := catalog.New(catalog.DefaultConfig(), source{server}, slog.New(slog.NewTextHandler(io.Discard, nil)), prometheus.NewRegistry())
	tb.Cleanup(c.Close)
	s, err := c.Snapshot(ctx, database, role)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// tally counts what became of the questions of a set.
type tally struct {
	questions, answered, right, anyRight, refusable, refused int
	times                                                    []time.Duration
}

// floors are what the engine must not fall below: accuracy over all
// questions, precision over those answered, refusals of what the data can't
// answer. A set that is not named has to reach general. Golds of spider keep one of
// the rows that tie, where the engine shows them all.
var (
	general = floor{0.30, 0.75, 0.90}
	floors  = map[string]floor{
		"spider": {0.58, 0.88, 0}, "geoquery": {0.69, 0.94, 0}, "defog": {0.37, 0.95, 0.95}, "shop": {0.94, 0.97, 0.97},
	}
)

type floor struct{ accuracy, precision, refused float64 }

// TestBench holds the engine to its floors on the question sets of the folder
// that ASKPG_BENCH names. It prints the figures, and what became of each
// question to the file that ASKPG_BENCH_OUT names.
func TestBench(t *testing.T) {
	dir := os.Getenv("ASKPG_BENCH")
	if dir == "" {
		t.Skip("ASKPG_BENCH does not name a folder of question sets")
	}
	var out io.Writer = io.Discard
	if name := os.Getenv("ASKPG_BENCH_OUT"); name != "" {
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		out = f
	}
	sets, err := filepath.Glob(filepath.Join(dir, "*", "questions.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("ASKPG_BENCH_URL") != "" {
		sets = append(sets, "../../eval/testdata/shop/questions.jsonl")
	}
	for _, file := range sets {
		set, err := eval.Load(filepath.Dir(file))
		if err != nil {
			t.Fatal(err)
		}
		benchSet(t, set, out)
	}
}

func benchSet(t *testing.T, set *eval.Set, out io.Writer) {
	var total tally
	per := map[string]*tally{}
	for _, db := range set.Databases {
		server, name := loadBench(t, set, db)
		snap := snapshot(t, server, name, pgtest.Superuser)
		conn, err := pgx.Connect(context.Background(), server(name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Exec(context.Background(), "set statement_timeout = '3s'"); err != nil {
			t.Fatal(err)
		}
		per[db] = &tally{}
		roles := map[string]*catalog.Snapshot{"": snap}
		for _, q := range set.Questions {
			if q.Database != db {
				continue
			}
			if roles[q.Role] == nil {
				roles[q.Role] = snapshot(t, server, name, q.Role)
			}
			benchQuestion(t, conn, roles[q.Role], q, per[db], out)
		}
		conn.Close(context.Background())
		total.add(per[db])
	}
	for _, db := range set.Databases {
		t.Logf("  %-16s %s", db, per[db])
	}
	t.Logf("%-18s %s", set.Name, &total)
	f, ok := floors[set.Name]
	if !ok {
		f = general
	}
	accuracy, precision := float64(total.right)/float64(max(1, total.questions)), float64(total.right)/float64(max(1, total.answered))
	refused := float64(total.refused) / float64(max(1, total.refusable))
	if accuracy < f.accuracy || precision < f.precision || total.refusable > 0 && refused < f.refused {
		t.Errorf("%s: accuracy %.3f, precision %.3f, refused %.3f; the floors are %v", set.Name, accuracy, precision, refused, f)
	}
}

func (a *tally) add(b *tally) {
	a.questions += b.questions
	a.answered += b.answered
	a.right += b.right
	a.anyRight += b.anyRight
	a.refusable += b.refusable
	a.refused += b.refused
	a.times = append(a.times, b.times...)
}

func (a *tally) String() string {
	sort.Slice(a.times, func(i, j int) bool { return a.times[i] < a.times[j] })
	median := a.times[len(a.times)/2]
	s := fmt.Sprintf("EX %.3f precision %.3f (%d of %d answered, %d right, %d with any reading right) median %v p95 %v",
		float64(a.right)/float64(max(1, a.questions)), float64(a.right)/float64(max(1, a.answered)), a.answered, a.questions, a.right, a.anyRight,
		median.Round(10*time.Microsecond), a.times[len(a.times)*95/100].Round(10*time.Microsecond))
	if a.refusable > 0 {
		s += fmt.Sprintf("; refused %d of %d", a.refused, a.refusable)
	}
	return s
}

func benchQuestion(t *testing.T, conn *pgx.Conn, snap *catalog.Snapshot, q eval.Question, sum *tally, out io.Writer) {
	begin := time.Now()
	list, err := grammar.Interpret(q.Text, "", snap, grammar.Options{})
	sum.times = append(sum.times, time.Since(begin))
	record := map[string]any{"id": q.ID, "db": q.Database, "question": q.Text, "gold": q.Gold, "ordered": q.Ordered, "ms": float64(time.Since(begin).Microseconds()) / 1000}
	verdict := "refused"
	if err != nil {
		var ae *ask.Error
		if !errors.As(err, &ae) {
			t.Fatal(err)
		}
		record["error"] = ae.Detail
	}
	if q.Unanswerable {
		sum.refusable++
		if err != nil {
			sum.refused++
			verdict = "rightly refused"
		} else {
			verdict = "should refuse"
			record["sql"], record["score"] = list[0].SQL, list[0].Score
		}
	} else {
		sum.questions++
		if err == nil {
			verdict = judge(t, conn, q, list, sum, record)
		}
	}
	record["verdict"] = verdict
	line, _ := json.Marshal(record)
	fmt.Fprintln(out, string(line))
}

func judge(t *testing.T, conn *pgx.Conn, q eval.Question, list []grammar.Interpretation, sum *tally, record map[string]any) string {
	sum.answered++
	var golds []*ask.Result
	for _, g := range q.Gold {
		r, err := run(conn, g)
		if err != nil {
			t.Fatalf("%s: gold: %v", q.ID, err)
		}
		golds = append(golds, r)
	}
	record["sql"], record["score"] = list[0].SQL, list[0].Score
	if len(list) > 1 {
		record["next"], record["nextsql"] = list[1].Score, list[1].SQL
	}
	if ambiguous(conn, list) {
		sum.answered--
		return "ambiguous"
	}
	verdict, any := "wrong", -1
	for i, in := range list {
		r, err := run(conn, in.SQL)
		if err != nil {
			if i == 0 {
				record["error"] = err.Error()
			}
			continue
		}
		m := eval.CompareAny(golds, r, q.Ordered)
		if i == 0 {
			record["rows"], record["goldrows"], record["contained"] = len(r.Rows), len(golds[0].Rows), m.Contained
		}
		if m.Perm && any < 0 {
			any = i
			record["right"] = i
			record["rightsql"] = in.SQL
		}
	}
	if any >= 0 {
		sum.anyRight++
	}
	if any == 0 {
		verdict = "right"
		sum.right++
	}
	return verdict
}

// ambiguous reports whether the best reading has another as likely, with other
// rows. The translator refuses these.
func ambiguous(conn *pgx.Conn, list []grammar.Interpretation) bool {
	best, err := run(conn, list[0].SQL)
	if err != nil {
		return false
	}
	for _, in := range list[1:min(3, len(list))] {
		if r, err := run(conn, in.SQL); in.Near && err == nil && !eval.Compare(best, r, false).Perm {
			return true
		}
	}
	return false
}

// sameRows reports whether the rows of a query are the gold's. Rows that only a number tells apart are shown whole, and the gold may have
// the number alone.
func sameRows(conn *pgx.Conn, want *ask.Result, sql string, got *ask.Result, ordered bool) bool {
	if len(want.Columns) == 1 && isWholeRow(conn, sql, got) {
		keys := &ask.Result{Columns: got.Columns[:1], Complete: got.Complete}
		for _, row := range got.Rows {
			keys.Rows = append(keys.Rows, row[:1])
		}
		got = keys
	}
	return eval.Compare(want, got, ordered).Perm
}

// isWholeRow reports whether a query shows as many columns as the first relation that it names has.
func isWholeRow(conn *pgx.Conn, sql string, got *ask.Result) bool {
	_, from, _ := strings.Cut(sql, " FROM ")
	relation, _, _ := strings.Cut(from, " ")
	whole, err := run(conn, "SELECT * FROM "+relation+" LIMIT 0")
	return err == nil && len(whole.Columns) > 1 && len(whole.Columns) == len(got.Columns)
}

func run(conn *pgx.Conn, sql string) (*ask.Result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	rr := conn.PgConn().ExecParams(ctx, sql, nil, nil, nil, nil)
	res := &ask.Result{Complete: true}
	for rr.NextRow() {
		row := make([][]byte, len(rr.Values()))
		for i, v := range rr.Values() {
			if v != nil {
				row[i] = append([]byte{}, v...)
			}
		}
		res.Rows = append(res.Rows, row)
	}
	for _, f := range rr.FieldDescriptions() {
		res.Columns = append(res.Columns, ask.Column{Name: f.Name, TypeOID: f.DataTypeOID})
	}
	_, err := rr.Close()
	var pe *pgconn.PgError
	if errors.As(err, &pe) {
		return nil, pe
	}
	return res, err
}

// loadBench gives a database of a set: on the server that ASKPG_BENCH_URL
// names if it is there already, or else fresh on the shared cluster.
func loadBench(t *testing.T, set *eval.Set, db string) (func(string) string, string) {
	if url := os.Getenv("ASKPG_BENCH_URL"); url != "" {
		return func(name string) string { return strings.Replace(url, "DB", name, 1) }, set.Name + "_" + db
	}
	script, err := os.ReadFile(filepath.Join(set.Dir, "databases", db+".sql"))
	if err != nil {
		t.Fatal(err)
	}
	name := pgtest.NewDatabase(t, string(script))
	server := func(name string) string { return pgtest.Shared(t).Primary.URL(pgtest.Superuser, name) }
	pgtest.Exec(t, server(name), "analyze")
	return server, name
}
