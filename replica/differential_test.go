package replica

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/replica/guard"
)

//go:embed testdata/hostile.txt
var corpus string

//go:embed testdata/hostile.sql
var corpusScript string

// TestDifferential runs what the guard lets through where it could do the most
// harm, as a superuser in a read-write session on the primary, and compares
// everything before and after: transaction ids, tables, catalogs, sequences,
// settings, locks, large objects, files, prepared statements, cursors.
//
// Statements are calls of every function there is, and mutations of the
// hostile corpus and, with ASKPG_REGRESS naming PostgreSQL's src/test/regress,
// of PostgreSQL's own regression tests. ASKPG_FUZZ is how many.
func TestDifferential(t *testing.T) {
	total := 2500
	if n, err := strconv.Atoi(os.Getenv("ASKPG_FUZZ")); err == nil {
		total = n
	}
	seed := uint64(time.Now().UnixNano())
	if n, err := strconv.ParseUint(os.Getenv("ASKPG_SEED"), 10, 64); err == nil {
		seed = n
	}
	t.Logf("seed %d", seed)
	d := newDifferential(t, rand.New(rand.NewPCG(seed, 1)))
	before := d.state()
	var batch []string
	passed, ran := 0, 0
	for i := range total {
		sql := d.next(i)
		ok, err := d.judge(sql)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		if !ok {
			continue
		}
		passed++
		batch = append(batch, sql)
		if d.run(sql) {
			ran++
		}
		if len(batch) == 200 {
			d.quick(batch)
			batch = batch[:0]
		}
		if i%20_000 == 0 && i > 0 {
			t.Logf("%d statements, %d passed, %d of them ran to their end", i, passed, ran)
		}
	}
	d.quick(batch)
	after := d.state()
	for what, was := range before {
		if now := after[what]; now != was {
			t.Errorf("%s changed:\n  before %.2000s\n  after  %.2000s", what, was, now)
		}
	}
	t.Logf("%d statements, %d passed the guard, %d of them ran to their end without an error or the timeout; nothing changed", total, passed, ran)
	if passed == 0 || ran == 0 {
		t.Fatal("nothing was tested")
	}
}

type differential struct {
	t     *testing.T
	rnd   *rand.Rand
	c     *pgx.Conn // runs statements
	look  *pgx.Conn // looks at what they did
	dir   string    // the server's data directory
	r     *Replica
	l     *cachedLookup
	tree  string
	seeds []string
	good  []string // seeds that the guard lets through as they are
	calls []string // of every function
	names []string // of functions
	ops   []string
	words []string // tokens to put in
	base  string   // what quick compares
}

func newDifferential(t *testing.T, rnd *rand.Rand) *differential {
	// A server of its own, where nothing else writes: autovacuum does.
	cluster := pgtest.NewCluster(t, pgtest.Options{NoStandby: true, Settings: map[string]string{"autovacuum": "off"}})
	server, db := cluster.Primary, "fuzz"
	pgtest.Exec(t, server.URL(pgtest.Superuser, "postgres"), "create database fuzz")
	pgtest.Exec(t, server.URL(pgtest.Superuser, db), "create role askpg login noinherit;"+corpusScript+
		"create table log2 (a int primary key, b text); insert into log2 select i, 'row ' || i from generate_series(1, 100) i; insert into log values ('a')")
	d := &differential{t: t, rnd: rnd, dir: server.Dir}
	regress := os.Getenv("ASKPG_REGRESS")
	if regress != "" {
		cmd := exec.Command(server.Program("psql"), "-q", "-d", server.URL(pgtest.Superuser, db), "-f", filepath.Join(regress, "sql", "test_setup.sql"))
		cmd.Env = append(os.Environ(), "PG_ABS_SRCDIR="+regress, "PG_LIBDIR=/nowhere", "PG_DLSUFFIX=.so")
		_, _ = cmd.CombinedOutput() // what needs the tests' C library fails
	}
	cfg := DefaultConfig()
	cfg.URL, cfg.AllowPrimary = server.URL("askpg", "postgres"), true
	var err error
	if d.r, err = New(cfg, nil, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.r.Close)
	p, err := d.r.hosts[0].pool(db)
	if err != nil {
		t.Fatal(err)
	}
	f, err := loadFacts(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	d.l = &cachedLookup{lookup: &lookup{facts: f, pool: p, path: []string{"pg_catalog", "public", "evil"}, seen: map[uint32]guard.Relation{}}, names: map[guard.Name]guard.Relation{}}
	connect := func() *pgx.Conn {
		cc, err := pgx.ParseConfig(server.URL(pgtest.Superuser, db))
		if err != nil {
			t.Fatal(err)
		}
		cc.RuntimeParams["search_path"] = "public, evil"
		cc.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) {
			if n.SeverityUnlocalized == "LOG" && d.tree == "" {
				d.tree = strings.TrimSpace(n.Detail)
			}
		}
		c, err := pgx.ConnectConfig(context.Background(), cc)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close(context.Background()) })
		return c
	}
	d.c, d.look = connect(), connect()
	d.exec("set log_min_messages = 'panic'; set client_min_messages = 'log'; set statement_timeout = '150ms'; set work_mem = '1MB'; set temp_file_limit = '64MB'; set max_parallel_workers_per_gather = 0; set debug_print_parse = on; set debug_pretty_print = off")
	d.exec("load 'pg_trgm'; load 'plpgsql'; load 'dblink'; load 'postgres_fdw'; load 'pgcrypto'; load 'unaccent'; load 'ltree'; load '_int'; load 'hstore'; load 'citext'") // libraries bring settings
	d.gather(regress)
	for _, sql := range d.seeds {
		if ok, err := d.judge(sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		} else if ok {
			d.good = append(d.good, sql)
		}
	}
	d.base = d.quickState()
	return d
}

func (d *differential) exec(sql string) {
	d.t.Helper()
	if _, err := d.c.PgConn().Exec(context.Background(), sql).ReadAll(); err != nil {
		d.t.Fatal(err)
	}
}

// gather reads the seeds and the words that mutations put in.
func (d *differential) gather(regress string) {
	for line := range strings.SplitSeq(corpus, "\n") {
		if class, sql, ok := strings.Cut(line, "\t"); ok && class != "bomb" {
			d.seeds = append(d.seeds, strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\\`, `\`).Replace(sql))
		}
	}
	files, _ := filepath.Glob(filepath.Join(regress, "sql", "*.sql"))
	if regress != "" && len(files) == 0 {
		d.t.Fatalf("no regression tests in %s", regress)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			d.t.Fatal(err)
		}
		var lines []string
		for line := range strings.SplitSeq(string(text), "\n") {
			if !strings.HasPrefix(line, `\`) {
				lines = append(lines, line)
			}
		}
		for sql := range strings.SplitSeq(strings.Join(lines, "\n"), ";\n") {
			if sql = strings.TrimSpace(sql); len(sql) > 0 && len(sql) < 4000 {
				d.seeds = append(d.seeds, sql)
			}
		}
	}
	rows, err := d.look.Query(context.Background(), `select quote_ident(n.nspname) || '.' || quote_ident(p.proname),
		(select coalesce(string_agg(case when t.typtype = 'p' then '''1''::text' when t.typcategory = 'N' then '1' when t.typcategory = 'S' then '''a''' when t.typcategory = 'A' then '''{}''' || '::' || format_type(t.oid, null)
			when t.typcategory = 'D' then 'now()' when t.typcategory = 'B' then 'true' when t.typcategory = 'T' then '''1 s''::interval' else '''1''::' || format_type(t.oid, null) end, ', ' order by o), '')
		from unnest(p.proargtypes) with ordinality a (oid, o) join pg_type t on t.oid = a.oid), p.prokind from pg_proc p join pg_namespace n on n.oid = p.pronamespace order by 1, 2`)
	if err != nil {
		d.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name, args string
		var kind byte
		var k rune
		if err := rows.Scan(&name, &args, &k); err != nil {
			d.t.Fatal(err)
		}
		kind = byte(k)
		d.names = append(d.names, name, strings.TrimPrefix(name, "pg_catalog."))
		call := name + "(" + args + ")"
		if kind == 'w' {
			d.calls = append(d.calls, "select "+call+" over (order by a) from log2")
			continue
		}
		d.calls = append(d.calls, "select "+call, "select * from "+call+" as x", "select a from log2 where ("+call+") is not null limit 3",
			"select "+strings.ReplaceAll(strings.ReplaceAll(call, "'1'", "'log2'"), "'a'", "'log2'"), "select "+strings.ReplaceAll(call, "1", "a")+" from log2 limit 5")
	}
	for _, o := range d.l.operators {
		d.ops = append(d.ops, o.Name)
	}
	d.words = []string{"select", "from", "where", "with", "(", ")", ",", "union", "all", "distinct", "lateral", "as", "x", "log", "log2", "secrets", "public", "pg_catalog", "evil", "*", "null", "true", "1", "'a'", "array[", "]",
		"::", "regclass", "text", "returning", "into", "for update", "delete", "insert", "update", "values", "limit", "order by", "group by", "cast(", "row(", "case when", "end", "then", ";", "--", "/*", "*/", ".", "$1", "E'\\''", "$$", "over ()", "filter (where true)", "within group (order by 1)", "tablesample system (1)", "rows from (", "with ordinality", "natural join", "using (a)", "collate \"C\"", "operator(pg_catalog.+)", "is document", "at time zone 'UTC'", "recursive"}
}

// next returns the i-th statement: first every call, then mutations.
func (d *differential) next(i int) string {
	if i < len(d.calls) && (len(d.seeds) > 2000 || i%2 == 0) {
		if len(d.seeds) > 2000 { // a long run: all of them
			return d.calls[i]
		}
		return d.calls[d.rnd.IntN(len(d.calls))]
	}
	sql := d.other()
	for range 1 + d.rnd.IntN(3) {
		sql = d.mutate(sql)
	}
	return sql
}

func pick[T any](rnd *rand.Rand, list []T) T { return list[rnd.IntN(len(list))] }

// other is a statement to take a part of, one in five of which does not pass.
func (d *differential) other() string {
	if len(d.good) > 0 && d.rnd.IntN(5) > 0 {
		return pick(d.rnd, d.good)
	}
	return pick(d.rnd, d.seeds)
}

func (d *differential) mutate(sql string) string {
	bare := strings.TrimRight(strings.TrimSpace(sql), "; \n")
	switch d.rnd.IntN(12) {
	case 0:
		return "select * from (" + bare + ") q"
	case 1:
		return "with q as (" + bare + ") select * from q, log2"
	case 2:
		return "select exists (" + bare + "), array(" + bare + ")"
	case 3:
		return "select " + pick(d.rnd, d.names) + "((" + bare + "))"
	case 4:
		return bare + pick(d.rnd, []string{" union all ", " except ", "; ", " intersect "}) + d.other()
	case 5:
		call := strings.TrimPrefix(pick(d.rnd, d.calls), "select ")
		return "select (" + bare + "), " + call
	}
	scan, err := pg_query.Scan(sql)
	if err != nil || len(scan.Tokens) == 0 {
		return sql + " " + pick(d.rnd, d.words)
	}
	k := d.rnd.IntN(len(scan.Tokens))
	tok := scan.Tokens[k]
	with := pick(d.rnd, d.words)
	switch d.rnd.IntN(6) {
	case 0: // a function for a function
		for n := range scan.Tokens {
			j := (k + n) % len(scan.Tokens)
			if j+1 < len(scan.Tokens) && sql[scan.Tokens[j+1].Start] == '(' && scan.Tokens[j].Token == pg_query.Token_IDENT {
				tok, with = scan.Tokens[j], pick(d.rnd, d.names)
				break
			}
		}
	case 1:
		with = pick(d.rnd, d.ops)
	case 2: // a token of another statement
		other := d.other()
		if s, err := pg_query.Scan(other); err == nil && len(s.Tokens) > 0 {
			from := d.rnd.IntN(len(s.Tokens))
			to := min(len(s.Tokens)-1, from+d.rnd.IntN(6))
			with = other[s.Tokens[from].Start:s.Tokens[to].End]
		}
	case 3:
		with = sql[tok.Start:tok.End] + " " + with
	case 4:
		with = ""
	}
	return sql[:tok.Start] + " " + with + " " + sql[tok.End:]
}

// judge judges as a question does, with the server's analysis.
func (d *differential) judge(sql string) (bool, error) {
	v, err := d.r.guard.Judge(context.Background(), sql, d.l)
	if ask.AsError(err) != nil {
		return false, nil
	}
	if err != nil || len(v.Problems) > 0 {
		return false, err
	}
	d.tree = ""
	if _, err = d.c.PgConn().Prepare(context.Background(), "", sql, nil); err != nil {
		return false, nil // the server does not understand it
	}
	if v, err = d.r.guard.JudgeTree(context.Background(), d.tree, d.l); err != nil {
		return false, err
	}
	return v.Allowed(), nil
}

// run runs the statement that was judged last; true if it ran to its end.
func (d *differential) run(sql string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	rr := d.c.PgConn().ExecPrepared(ctx, "", nil, nil, nil)
	for n := 0; rr.NextRow(); n++ {
	}
	_, err := rr.Close()
	var pg *pgconn.PgError
	if err != nil && !errors.As(err, &pg) {
		d.t.Fatalf("the server went away at: %s\n%v", sql, err)
	}
	return err == nil
}

// quickState is what a batch must not change: no transaction id was given out,
// so that no transaction wrote; and the session is as it was.
func (d *differential) quickState() string {
	d.t.Helper()
	var xmax string
	if err := d.look.QueryRow(context.Background(), "select pg_snapshot_xmax(pg_current_snapshot())::text").Scan(&xmax); err != nil {
		d.t.Fatal(err)
	}
	var session string
	err := d.c.QueryRow(context.Background(), `select concat_ws(' ', current_user, session_user,
		(select md5(string_agg(concat(name, '=', setting), ',' order by name)) from pg_settings),
		(select count(*) from pg_locks where pid = pg_backend_pid() and locktype not in ('relation', 'virtualxid')), (select count(*) from pg_cursors), (select count(*) from pg_prepared_statements),
		(select count(*) from pg_listening_channels()), (select count(*) from pg_stat_activity where backend_type = 'client backend' and datname = current_database()))`, pgx.QueryExecModeExec).Scan(&session)
	if err != nil {
		d.t.Fatal(err)
	}
	return "next transaction " + xmax + ", session " + session
}

func (d *differential) quick(batch []string) {
	d.t.Helper()
	if now := d.quickState(); now != d.base {
		d.t.Errorf("something changed: before %s\nafter %s\nby one of:\n%s", d.base, now, strings.Join(batch, ";\n"))
		d.base = now
	}
}

// state is everything that could have changed.
func (d *differential) state() map[string]string {
	ctx := context.Background()
	m := map[string]string{"session": d.quickState()}
	rows, err := d.look.Query(ctx, `select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.relkind in ('r', 'm') and n.nspname !~ '^pg_toast' and c.relname not in ('pg_statistic', 'pg_class') and not c.relisshared order by 1`)
	if err != nil {
		d.t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		d.t.Fatal(err)
	}
	for _, table := range append(tables, "pg_authid", "pg_database", "pg_auth_members", "pg_db_role_setting", "pg_largeobject") {
		var sum string
		if err := d.look.QueryRow(ctx, "select concat(count(*), ' ', md5(string_agg(md5(x::text), '' order by md5(x::text)))) from "+table+" x").Scan(&sum); err != nil {
			d.t.Fatalf("%s: %v", table, err)
		}
		m["table "+table] = sum
	}
	var sequences string
	if err := d.look.QueryRow(ctx, "select string_agg(concat(sequencename, ' ', last_value), ',' order by sequencename) from pg_sequences").Scan(&sequences); err != nil {
		d.t.Fatal(err)
	}
	m["sequences"] = sequences
	var classes string
	if err := d.look.QueryRow(ctx, "select md5(string_agg(concat_ws(',', oid, relname, relkind, relowner, relacl, relfilenode), ';' order by oid)) from pg_class").Scan(&classes); err != nil {
		d.t.Fatal(err)
	}
	m["table pg_class"] = classes
	var files bytes.Buffer
	_ = filepath.WalkDir(d.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			switch e.Name() {
			case "pg_wal", "pg_stat", "pg_stat_tmp", "pg_xact", "pg_subtrans", "pgsql_tmp", "pg_multixact", "pg_logical":
				return fs.SkipDir
			}
			return nil
		}
		rel, _ := filepath.Rel(d.dir, path)
		switch {
		case strings.HasSuffix(rel, ".conf"):
			text, _ := os.ReadFile(path)
			fmt.Fprintf(&files, "%s %x\n", rel, sha256.Sum256(text))
		case !strings.Contains(rel, "_fsm") && !strings.Contains(rel, "_vm") && !strings.Contains(rel, "pg_internal.init"):
			fmt.Fprintln(&files, rel)
		}
		return nil
	})
	m["files"] = files.String()
	return m
}

// cachedLookup remembers relations: nothing changes them here.
type cachedLookup struct {
	*lookup
	names map[guard.Name]guard.Relation
}

func (c *cachedLookup) Relations(ctx context.Context, names []guard.Name) ([]guard.Relation, error) {
	var ask []guard.Name
	for _, n := range names {
		if _, ok := c.names[n]; !ok {
			ask = append(ask, n)
		}
	}
	found, err := c.lookup.Relations(ctx, ask)
	if err != nil {
		return nil, err
	}
	for i, n := range ask {
		c.names[n] = found[i]
	}
	list := make([]guard.Relation, len(names))
	for i, n := range names {
		list[i] = c.names[n]
	}
	return list, nil
}
