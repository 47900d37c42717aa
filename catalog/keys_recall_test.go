package catalog_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/catalog"
	"askpg/internal/pgtest"
	sampleshop "askpg/internal/shop"
)

// heldOut are the databases that implied keys were not developed on.
var heldOut = map[string]bool{
	"defog/academic": true, "defog/restaurants": true, "spider/course_teach": true, "spider/flight_2": true,
	"everyday_logistics/parcel_logistics": true,
}

// TestImplied_Recall measures implied keys on the databases of the question sets in ASKPG_BENCH, with the foreign keys
// that they declare dropped: all rows, a tenth of them, and all databases together as schemas of one. A key that is
// found is right if it was declared, or if declared keys lead from the one column to the other. It is also right if it
// is among readKeys, or if a gold query joins by it. Those that should be found are the declared ones, and those that
// goldKeys adds. Views declare no keys, so what is found of them does not count. ASKPG_HELD_OUT=1 measures the databases
// that are held out instead of the others; ASKPG_MISSES prints what is wrong and what is missing.
func TestImplied_Recall(t *testing.T) {
	sum := map[string]*keyTally{}
	warehouse, all := pgtest.NewDatabase(t, ""), newGoldSet()
	for _, file := range questionSets(t) {
		set := filepath.Base(filepath.Dir(file))
		byDB := map[string][]goldQuestion{}
		var order []string
		for _, q := range readQuestions(t, file) {
			if byDB[q.DB] == nil {
				order = append(order, q.DB)
			}
			byDB[q.DB] = append(byDB[q.DB], q)
		}
		for _, db := range order {
			name := set + "/" + db
			if heldOut[name] != (os.Getenv("ASKPG_HELD_OUT") != "") {
				continue
			}
			script := filepath.Join(filepath.Dir(file), "databases", db+".sql")
			database := pgtest.NewDatabase(t, "")
			loadRows(t, database, script)
			measureKeys(t, name, database, goldKeys(t, database, byDB[db], readKeys[name]), sum)
			loadRows(t, warehouse, script)
			all.add(goldKeys(t, warehouse, byDB[db], readKeys[name]))
			pgtest.Exec(t, pgtest.Shared(t).Primary.URL(pgtest.Superuser, warehouse), fmt.Sprintf("alter schema public rename to %s; create schema public", pgx.Identifier{name}.Sanitize()))
		}
	}
	dropKeys(t, warehouse, all, false)
	sum["together"] = all.measure(t, "together", snapshot(t, newCatalog(t, patient()), warehouse, pgtest.Superuser))
	for _, rows := range []string{"whole", "tenth", "together"} {
		t.Logf("%-32s %s: %v", "all", rows, sum[rows])
	}
}

// patient is a configuration by which the load of the machine does not decide.
func patient() catalog.Config {
	cfg := settings()
	cfg.ImpliedTime = ask.Duration(time.Minute)
	return cfg
}

// TestImplied_Keys finds the keys of small schemas that declare none: their
// files say which there are.
func TestImplied_Keys(t *testing.T) {
	files, err := filepath.Glob("testdata/keys/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("no schemas: %v", err)
	}
	sum := map[string]*keyTally{}
	for _, file := range files {
		script, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var keys strings.Builder
		for line := range strings.Lines(string(script)) {
			if list, ok := strings.CutPrefix(line, "-- keys: "); ok {
				keys.WriteString(" " + list)
			}
		}
		database := pgtest.NewDatabase(t, string(script)+";analyze;")
		measureKeys(t, strings.TrimSuffix(filepath.Base(file), ".sql"), database, goldKeys(t, database, nil, keys.String()), sum)
	}
	for rows, k := range sum {
		t.Logf("%-32s %s: %v", "all", rows, k)
		if k.right < k.found || float64(k.hit) < 0.95*float64(k.gold) {
			t.Errorf("%s: %v", rows, k)
		}
	}
}

// measureKeys measures a database with all rows, and with a tenth of them.
func measureKeys(t *testing.T, name, database string, gold *goldSet, sum map[string]*keyTally) {
	for _, rows := range []string{"whole", "tenth"} {
		dropKeys(t, database, gold, rows == "tenth")
		got := gold.measure(t, name+" "+rows, snapshot(t, newCatalog(t, patient()), database, pgtest.Superuser))
		t.Logf("%-32s %s: %v", name, rows, got)
		if sum[rows] == nil {
			sum[rows] = &keyTally{}
		}
		sum[rows].add(got)
	}
}

// loadRows loads a database of a set. That of the sample shop is made here.
func loadRows(t *testing.T, database, file string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, pgtest.Shared(t).Primary.URL(pgtest.Superuser, database))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if filepath.Base(file) == "shop.sql" {
		err = sampleshop.Load(ctx, conn)
	} else {
		var script []byte
		if script, err = os.ReadFile(file); err == nil {
			_, err = conn.PgConn().Exec(ctx, string(script)+"\n;set search_path = public; analyze;").ReadAll()
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	pgtest.CatchUp(t)
}

// keyTally counts keys: those that should be found, those that were and were
// right, and guesses apart.
type keyTally struct{ gold, found, right, hit, guesses, rightGuesses int }

func (k *keyTally) add(o *keyTally) {
	k.gold, k.found, k.right, k.hit = k.gold+o.gold, k.found+o.found, k.right+o.right, k.hit+o.hit
	k.guesses, k.rightGuesses = k.guesses+o.guesses, k.rightGuesses+o.rightGuesses
}

func (k *keyTally) String() string {
	share := func(n, of int) float64 {
		if of == 0 {
			return 1
		}
		return float64(n) / float64(of)
	}
	return fmt.Sprintf("%3d keys, %3d found: precision %.3f, recall %.3f; %d of %d guesses right", k.gold, k.found,
		share(k.right, k.found), share(k.hit, k.gold), k.rightGuesses, k.guesses)
}

// dropKeys drops the declared keys and, if tenth is set, all but a tenth of the
// rows and those that they refer to, as in an extract for tests.
func dropKeys(t *testing.T, database string, g *goldSet, tenth bool) {
	t.Helper()
	var s strings.Builder
	s.WriteString(`do $$ declare k record; begin
for k in select conrelid::regclass t, conname from pg_constraint where contype = 'f' and conparentid = 0 loop
	execute format('alter table %s drop constraint %I', k.t, k.conname);
end loop; end $$;`)
	if tenth {
		s.WriteString(`create temp table kept (t oid, r tid, primary key (t, r));
do $$ declare k record; begin for k in select c.oid, c.oid::regclass t from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^pg_|^information_schema$' loop
	execute format('insert into kept select tableoid, ctid from (select tableoid, ctid, row_number() over (order by md5(ctid::text || tableoid)) n, count(*) over () c from %s) s where n <= greatest(1, c / 10)', k.t);
end loop; end $$;
do $$ declare n bigint; more bigint := 1; begin while more > 0 loop more := 0;
`)
		for _, k := range g.keys {
			on := make([]string, len(k.fromCols))
			for i := range on {
				on[i] = "f." + k.fromCols[i] + " = p." + k.toCols[i]
			}
			fmt.Fprintf(&s, `insert into kept select distinct p.tableoid, p.ctid from %s f join kept k on k.t = f.tableoid and k.r = f.ctid join %s p on %s on conflict do nothing;
get diagnostics n = row_count; more := more + n;
`, k.from, k.to, strings.Join(on, " and "))
		}
		s.WriteString(`end loop; end $$;
do $$ declare k record; begin for k in select c.oid, c.oid::regclass t from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^pg_|^information_schema$' loop
	execute format('delete from %s x where not exists (select from kept k where k.t = x.tableoid and k.r = x.ctid)', k.t);
end loop; end $$;
do $$ declare k record; begin for k in select oid::regclass t from pg_class where relkind = 'm' loop execute format('refresh materialized view %s', k.t); end loop; end $$;`)
	}
	primary(t, database, s.String()+"set search_path = public; analyze;")
}

// measure compares the implied keys of a snapshot with the set.
func (g *goldSet) measure(t *testing.T, name string, s *catalog.Snapshot) *keyTally {
	k := &keyTally{gold: len(g.keys)}
	missing := map[string]bool{}
	for id := range g.keys {
		missing[id] = true
	}
	for _, key := range s.ForeignKeys {
		if isView(key.From) {
			continue
		}
		id := pairs(key.FromCols, key.ToCols)
		right, text := g.right[id], quoted(key)
		if key.Guess {
			if k.guesses++; right {
				k.rightGuesses++
			} else if os.Getenv("ASKPG_MISSES") != "" {
				t.Logf("%s: wrong guess: %v", name, text)
			}
			continue
		}
		k.found++
		if right {
			k.right++
		}
		if missing[id] {
			k.hit++
			delete(missing, id)
		}
		if !right && os.Getenv("ASKPG_MISSES") != "" {
			t.Logf("%s: wrong: %v", name, text)
		}
	}
	if os.Getenv("ASKPG_MISSES") != "" {
		for id := range missing {
			t.Logf("%s: missing: %v", name, g.keys[id])
		}
	}
	return k
}
