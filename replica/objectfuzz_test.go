package replica_test

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/internal/pgtest"
)

// The object fuzz has an untrusted role make random objects, of every kind that
// can hold code of his, and random statements over them planned and run as
// candidates are. None of the code may run, by a question or by what askpg reads
// itself. ASKPG_FUZZ_OBJECTS is the number of statements, ASKPG_FUZZ_SEED the
// first world's seed.
const (
	fuzzStatements = 500 // unless ASKPG_FUZZ_OBJECTS says otherwise
	fuzzWorldSize  = 250 // statements over the same objects
	fuzzObjects    = 90  // that are tried to be made for them
	fuzzShown      = 40  // findings that are written out
	fuzzProgress   = 20  // worlds after which the figures so far are written
)

// fuzzPaths are search paths of askers' sessions.
var fuzzPaths = []string{`"$user", public`, "tenant, public", "public, pg_catalog", "shop, club", `asker, "tenant", pg_temp`}

// fuzzHarmless are statements that have to run whatever the tenant makes, in a
// session on whose path he may not create.
var fuzzHarmless = []string{
	"select count(*), max(price) from items where id < 20",
	"select name || '!', round(price, 1), upper(name) from items order by id limit 2",
	"select row_to_json(p) from places p",
	"select a.id from items a join items b using (id) where a.name = 'item 1'",
	"select date_trunc('month', at), sum(price) over (order by id) from shop.items",
	"select level, temp from stock where left_ > 1",
}

func number(t testing.TB, name string, otherwise int) int {
	t.Helper()
	if s := os.Getenv(name); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return n
	}
	return otherwise
}

func TestObjectFuzz(t *testing.T) {
	db, version := ownedDatabase(t)
	c := pgtest.Shared(t)
	super, tenant := connect(t, c.Primary.URL(pgtest.Superuser, db)), connect(t, c.Primary.URL("tenant", db))
	direct := connect(t, c.Standby.URL("asker", db))
	count, seed := number(t, "ASKPG_FUZZ_OBJECTS", fuzzStatements), number(t, "ASKPG_FUZZ_SEED", 1)
	rec := recordsOf(t, c.Standby)
	var total fuzzFigures
	began := time.Now()
	for world := 0; total.statements < count; world++ {
		w := &fuzzWorld{Rand: rand.New(rand.NewPCG(uint64(seed+world), 0))}
		total.objects += w.remake(t, super, tenant, fuzzObjects)
		total.worlds++
		pgtest.CatchUp(t)
		mode := ownedModes[world%len(ownedModes)]
		r := mode.replica(t, c.Standby)
		if world%8 == 0 {
			readCatalog(t, r, version, db, mode.asker)
			total.found(t, w, rec, "the catalog's own reading", mode, seed+world, nil)
		}
		var statements []string
		for i := 0; i < fuzzWorldSize && total.statements < count; {
			path := pick(w, fuzzPaths)
			s := mode.session(db, path)
			snap, err := r.Begin(deadline(t), s)
			if err != nil {
				t.Fatal(err)
			}
			for j := 0; j < fuzzWorldSize/5 && total.statements < count; j++ {
				sql := w.query(2)
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				_, _, _, err := snap.Try(ctx, sql)
				cancel()
				i++
				total.add(err)
				total.found(t, w, rec, sql, mode, seed+world, err)
				statements = append(statements, sql)
			}
			snap.Close()
		}
		snap := begin(t, r, mode.session(db, "shop"))
		for _, sql := range fuzzHarmless {
			if _, _, _, err := snap.Try(deadline(t), sql); err != nil {
				t.Errorf("seed %d, %s: harmless: %s\n  got %v", seed+world, mode.name, sql, err)
			}
		}
		snap.Close()
		total.found(t, w, rec, "harmless statements", mode, seed+world, nil)
		r.Close()
		// A share of the same statements without walls, to see that they are worth refusing.
		_, _ = direct.Exec(deadline(t), "set statement_timeout = '2s'")
		for i, sql := range statements {
			if i%10 != 0 {
				continue
			}
			if err := direct.PgConn().Exec(deadline(t), sql).Close(); err == nil {
				total.controlRan++
			}
			if direct.IsClosed() {
				t.Fatalf("the server ended the session at: %s", sql)
			}
			if len(rec.take()) > 0 {
				total.controlRecorded++
			}
			total.control++
		}
		if total.worlds%fuzzProgress == 0 {
			t.Logf("so far %d statements, %d refused, %d ran, %d the server's errors, %d recorded", total.statements, total.refused, total.ran, total.errors, total.recorded)
		}
	}
	took := time.Since(began)
	t.Logf("PostgreSQL %d, seeds %d to %d: %d statements over %d objects in %d worlds: %d refused, %d ran, %d the server's errors, %d recorded; %.0f a second",
		version, seed, seed+total.worlds-1, total.statements, total.objects, total.worlds, total.refused, total.ran, total.errors, total.recorded, float64(total.statements)/took.Seconds())
	t.Logf("without walls: of %d statements %d ran to their end and %d ran code of the tenant's", total.control, total.controlRan, total.controlRecorded)
	if total.controlRecorded*20 < total.control {
		t.Errorf("of %d statements without walls only %d run code of the tenant's: the fuzz shows nothing", total.control, total.controlRecorded)
	}
	if total.ran == 0 {
		t.Error("no statement ran: the fuzz shows nothing")
	}
}

// fuzzFigures count what became of the statements.
type fuzzFigures struct {
	worlds, objects, statements, refused, ran, errors, recorded int
	control, controlRan, controlRecorded                        int
}

func (f *fuzzFigures) add(err error) {
	f.statements++
	switch ask.CodeOf(err) {
	case "":
		f.ran++
	case ask.CodeRefused, ask.CodeInsufficientRights:
		f.refused++
	default:
		f.errors++
	}
}

// found reports what was recorded since the last look, with the object that did it.
func (f *fuzzFigures) found(t *testing.T, w *fuzzWorld, rec *records, what string, mode ownedMode, seed int, err error) {
	t.Helper()
	ran := rec.take()
	if len(ran) == 0 {
		return
	}
	f.recorded++
	if f.recorded > fuzzShown {
		t.Fail()
		return
	}
	object, _, _ := strings.Cut(ran[0], " ")
	t.Errorf("RECORDED seed %d, %s: %s\n  %s, by %s (%s)", seed, mode.name, what, ran[0], w.made[object], ask.CodeOf(err))
}

func connect(t testing.TB, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(deadline(t), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}
