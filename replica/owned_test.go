package replica_test

import (
	_ "embed"
	"io"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/catalog"
	"askpg/internal/pgtest"
	"askpg/replica"
)

//go:embed testdata/owned.sql
var ownedScript string

//go:embed testdata/owned.txt
var ownedText string

// owned is a statement that meets what the tenant left.
type owned struct{ class, path, sql string }

// owneds returns the statements for a server's version.
func owneds(t testing.TB, version int) []owned {
	t.Helper()
	var list []owned
	var path string
	for line := range strings.SplitSeq(ownedText, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		class, sql, ok := strings.Cut(line, "\t")
		if !ok {
			t.Fatalf("owned.txt: %q has no tab", line)
		}
		if class == "path" {
			path = sql
			continue
		}
		class, limit, limited := strings.Cut(class, " ")
		if limited {
			n, err := strconv.Atoi(limit)
			if err != nil {
				t.Fatalf("owned.txt: %q: %v", line, err)
			}
			if n > 0 && version < n || n < 0 && version > -n {
				continue
			}
		}
		list = append(list, owned{class, path, sql})
	}
	return list
}

var sectionLimit = regexp.MustCompile(`(?m)^-- (since|until) ([0-9]+)$`)

// ownedDatabase makes a database of owned.sql on the shared cluster.
func ownedDatabase(t testing.TB) (db string, version int) {
	t.Helper()
	c := pgtest.Shared(t)
	one(t, c.Primary, "select current_setting('server_version_num')::int / 10000", &version)
	db = pgtest.NewDatabase(t, "")
	for section := range strings.SplitSeq(ownedScript, "\n\n") {
		if m := sectionLimit.FindStringSubmatch(section); m != nil {
			n, _ := strconv.Atoi(m[2])
			if m[1] == "since" && version < n || m[1] == "until" && version > n {
				continue
			}
		}
		pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, db), section)
	}
	pgtest.CatchUp(t)
	return db, version
}

// TestOwned has every statement of owned.txt planned and run as a candidate is,
// in every mode: no code of the tenant's runs, and what has nothing to do with
// him does.
func TestOwned(t *testing.T) {
	db, version := ownedDatabase(t)
	c := pgtest.Shared(t)
	for _, mode := range ownedModes {
		t.Run(mode.name, func(t *testing.T) {
			r := mode.replica(t, c.Standby)
			rec := recordsOf(t, c.Standby)
			fates := map[string]int{}
			var snap *replica.Snapshot
			path := "none yet"
			for _, o := range owneds(t, version) {
				s := mode.session(db, o.path)
				if path != o.path {
					if snap != nil {
						snap.Close()
					}
					snap, path = begin(t, r, s), o.path
				}
				_, _, _, err := snap.Try(deadline(t), o.sql)
				if err == nil {
					err = drain(t, r, s, o.sql)
				}
				fate := ask.CodeOf(err)
				if ran := rec.take(); len(ran) > 0 {
					fate = "recorded"
					t.Errorf("RECORDED %s\t%s\t%s\t%s (%s)", o.class, o.path, o.sql, ran[0], ask.CodeOf(err))
				} else if err == nil {
					fate = "ran"
				} else if o.class == "harmless" && !(mode.own && fate == ask.CodeInsufficientRights) {
					// In a login of his own names mean what they mean in psql: an
					// overload of the tenant's in the path is refused, not passed over.
					t.Errorf("harmless: %s\n  got %v, %s", o.sql, err, ask.AsError(err).Detail)
				}
				fates[fate]++
				if os.Getenv("ASKPG_SHOW") != "" {
					t.Logf("%-9s %s\t%s: %v", fate, o.class, o.sql, err)
				}
			}
			snap.Close()
			t.Log(fates)
		})
	}
}

// drain runs a statement as the answer is run.
func drain(t testing.TB, r *replica.Replica, s ask.Session, sql string) error {
	rows, err := r.Open(deadline(t), s, sql, nil)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
	}
	return rows.Err()
}

// TestOwned_Control runs the statements without any wall: code of the tenant's
// does run then, in each class.
func TestOwned_Control(t *testing.T) {
	db, version := ownedDatabase(t)
	c := pgtest.Shared(t)
	rec := recordsOf(t, c.Standby)
	alive, all := map[string]int{}, map[string]int{}
	for _, o := range owneds(t, version) {
		all[o.class]++
		// A session of its own: what one has folded and cached does not run again.
		conn, err := pgx.Connect(deadline(t), c.Standby.URL("asker", db))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Exec(deadline(t), "select set_config('search_path', $1, false), set_config('statement_timeout', '5s', false)", o.path); err != nil {
			t.Fatal(err)
		}
		err = conn.PgConn().Exec(deadline(t), o.sql).Close()
		conn.Close(deadline(t))
		harmless := o.class == "harmless" || o.class == "natural" || o.class == "plain"
		switch ran := len(rec.take()) > 0; {
		case ran && harmless:
			t.Errorf("%s runs code of the tenant's: %s", o.class, o.sql)
		case ran:
			alive[o.class]++
		case os.Getenv("ASKPG_SHOW") != "":
			t.Logf("nothing ran: %s\t%s: %v", o.class, o.sql, err)
		}
		if err != nil && harmless {
			t.Errorf("%s: %v", o.sql, err)
		}
	}
	for class, n := range all {
		if alive[class] == 0 && class != "harmless" && class != "natural" && class != "plain" {
			t.Errorf("of %d statements of class %s none runs code of the tenant's", n, class)
		}
	}
	t.Log(alive, "of", all)
}

// TestOwned_Reading has askpg read the database for its catalog, and look names
// up for questions: no code of the tenant's runs, and the others' tables are there.
func TestOwned_Reading(t *testing.T) {
	db, version := ownedDatabase(t)
	c := pgtest.Shared(t)
	for _, mode := range ownedModes[:3] {
		t.Run(mode.name, func(t *testing.T) {
			r := mode.replica(t, c.Standby)
			rec := recordsOf(t, c.Standby)
			readCatalog(t, r, version, db, mode.asker)
			for _, line := range rec.take() {
				t.Errorf("RECORDED by the catalog's own reading as %s: %s", mode.asker, line)
			}
			r.Audit(deadline(t), db)
			if ran := rec.take(); len(ran) > 0 {
				t.Errorf("RECORDED by the audit: %s", ran[0])
			}
		})
	}
}

// readCatalog reads all that the catalog reads of a database, with time enough.
func readCatalog(t testing.TB, r *replica.Replica, version int, db, role string) {
	t.Helper()
	cfg := catalog.DefaultConfig()
	for _, d := range []*ask.Duration{&cfg.ImpliedTime, &cfg.SampleTime, &cfg.ValuesTime, &cfg.LookupTime} {
		*d = ask.Duration(10 * time.Second)
	}
	cfg.LookupColumns = 1000
	cat := catalog.New(cfg, r, slog.New(slog.NewTextHandler(io.Discard, nil)), nil)
	defer cat.Close()
	snap, err := cat.Snapshot(deadline(t), db, role)
	if version < 13 && ask.CodeOf(err) == ask.CodeInsufficientRights && strings.Contains(err.Error(), "tenant.pk:") {
		return // opening any table evaluates the tenant's partition keys there, so that nothing is read
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{"which items are called Zanzibar", `rows of t with x "Quagga"`, "w and we, mood 'Tuvalu', report of the Item 7"} {
		cat.Lookup(deadline(t), snap, q)
	}
	for _, rel := range snap.Relations {
		if rel.Schema == "shop" && rel.Name.Name == "items" {
			return
		}
	}
	t.Errorf("shop.items is not in the catalog of %s", role)
}

// TestPolicy_ValuesOfAnyType refuses each relation of the server whose columns hold values of a type that only they
// tell: what makes JSON of one runs the cast of its type, whoever owns that.
func TestPolicy_ValuesOfAnyType(t *testing.T) {
	database := pgtest.NewDatabase(t, script)
	pgtest.CatchUp(t)
	conn := connect(t, pgtest.Shared(t).Primary.URL(pgtest.Superuser, database))
	rows, err := conn.Query(deadline(t), `select distinct attrelid::regclass::text from pg_attribute a join pg_class c on c.oid = attrelid join pg_type t on t.oid = atttypid
		where c.relkind in ('r', 'v', 'm') and t.typname in ('anyarray', '_pg_statistic')`)
	if err != nil {
		t.Fatal(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || !slices.Contains(list, "pg_stats") || !slices.Contains(list, "pg_attribute") {
		t.Fatal(list, err)
	}
	r := start(t, config(t, pgtest.Shared(t).Standby))
	for _, name := range list {
		if err := drain(t, r, session(database, "analyst"), "select 1 from "+name); ask.CodeOf(err) != ask.CodeRefused {
			t.Errorf("%s: %v", name, err)
		}
	}
}
