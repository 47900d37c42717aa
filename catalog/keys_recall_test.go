package catalog_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
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

// readKeys are keys of databases that declare none or not all, as a reader of
// the schema writes them down. They count where the values hold.
var readKeys = map[string]string{
	"defog/academic": `domain_conference.cid>conference.cid domain_journal.jid>journal.jid domain_keyword.kid>keyword.kid
publication_keyword.kid>keyword.kid publication.cid>conference.cid publication.jid>journal.jid`,
	"defog/restaurants": `location.city_name>geographic.city_name restaurant.city_name>geographic.city_name location.restaurant_id>restaurant.id`,
	"defog/atis": `airport.state_code>state.state_code airport.time_zone_code>time_zone.time_zone_code airport_service.city_code>city.city_code
airport_service.airport_code>airport.airport_code city.state_code>state.state_code city.time_zone_code>time_zone.time_zone_code
dual_carrier.main_airline>airline.airline_code dual_carrier.dual_airline>airline.airline_code equipment_sequence.aircraft_code>aircraft.aircraft_code
fare.from_airport>airport.airport_code fare.to_airport>airport.airport_code fare.fare_basis_code>fare_basis.fare_basis_code
fare.fare_airline>airline.airline_code fare.restriction_code>restriction.restriction_code fare_basis.booking_class>class_of_service.booking_class
fare_basis.class_type>compartment_class.class_type flight.from_airport>airport.airport_code flight.to_airport>airport.airport_code
flight.airline_code>airline.airline_code flight.aircraft_code_sequence>equipment_sequence.aircraft_code_sequence flight.meal_code>food_service.meal_code
flight_fare.flight_id>flight.flight_id flight_fare.fare_id>fare.fare_id flight_leg.flight_id>flight.flight_id flight_leg.leg_flight>flight.flight_id
flight_stop.flight_id>flight.flight_id flight_stop.stop_airport>airport.airport_code flight_stop.arrival_airline>airline.airline_code
flight_stop.departure_airline>airline.airline_code flight_stop.stop_days>days.days_code ground_service.city_code>city.city_code
ground_service.airport_code>airport.airport_code food_service.compartment>compartment_class.compartment`,
	"defog/geography":    stateKeys,
	"geoquery/geography": stateKeys,
}

const stateKeys = `border_info.state_name>state.state_name border_info.border>state.state_name city.state_name>state.state_name
highlow.state_name>state.state_name lake.state_name>state.state_name mountain.state_name>state.state_name river.traverse>state.state_name`

// TestImplied_Recall measures implied keys on the databases of the question
// sets in ASKPG_BENCH, with the foreign keys that they declare dropped: all
// rows, a tenth of them, and all databases together as schemas of one. A key that is found is right if it was declared,
// if declared keys lead from the one column to the other, if it is among
// readKeys, or if a gold query joins by it. Those that should be found are the
// declared ones, and those that goldKeys adds. Views declare no keys, so what
// is found of them does not count. ASKPG_HELD_OUT=1 measures the databases that
// are held out instead of the others; ASKPG_MISSES prints what is wrong and
// what is missing.
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
	url := pgtest.Shared(t).Primary.URL(pgtest.Superuser, database)
	if filepath.Base(file) != "shop.sql" {
		script, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pgtest.Exec(t, url, string(script)+"\n;set search_path = public; analyze;")
		pgtest.CatchUp(t)
		return
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	if err := sampleshop.Load(t.Context(), conn); err != nil {
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

// goldSet has keys by the pairs of columns that they join.
type goldSet struct {
	keys  map[string]keyColumns // that should be found
	right map[string]bool       // these, and all else that gold queries join by
}

func newGoldSet() *goldSet { return &goldSet{map[string]keyColumns{}, map[string]bool{}} }

func (g *goldSet) add(o *goldSet) {
	maps.Copy(g.keys, o.keys)
	maps.Copy(g.right, o.right)
}

// keyColumns are a key's relations and columns, quoted.
type keyColumns struct {
	from, to         string
	fromCols, toCols []string
}

func isView(r *catalog.Relation) bool {
	return r.Kind == catalog.View || r.Kind == catalog.MaterializedView
}

// pairs identifies a key, whatever its direction and wherever its relations move.
func pairs(a, b []*catalog.Column) string {
	list := make([]string, len(a))
	for i := range a {
		x, y := fmt.Sprint(a[i].ID()), fmt.Sprint(b[i].ID())
		list[i] = min(x, y) + "=" + max(x, y)
	}
	slices.Sort(list)
	return strings.Join(list, ",")
}

func (k keyColumns) String() string {
	return fmt.Sprintf("%s%v > %s%v", k.from, k.fromCols, k.to, k.toCols)
}

func quoted(k *catalog.ForeignKey) keyColumns {
	of := keyColumns{from: k.From.QuotedName(), to: k.To.QuotedName()}
	for i := range k.FromCols {
		of.fromCols = append(of.fromCols, pgx.Identifier{k.FromCols[i].Name}.Sanitize())
		of.toCols = append(of.toCols, pgx.Identifier{k.ToCols[i].Name}.Sanitize())
	}
	return of
}

// goldKeys are the declared keys, those that are read, and what the gold
// queries of two questions at least join by, if one of the columns tells rows
// apart and has the values of the other, and the keys there are do not make the
// columns the same already.
func goldKeys(t *testing.T, database string, questions []goldQuestion, read string) *goldSet {
	cfg := settings()
	cfg.ImpliedJoins, cfg.MinedJoins = false, false
	s := snapshot(t, newCatalog(t, cfg), database, pgtest.Superuser)
	g := newGoldSet()
	same := map[*catalog.Column]*catalog.Column{} // columns of the same values, as trees
	root := func(c *catalog.Column) *catalog.Column {
		for same[c] != nil {
			c = same[c]
		}
		return c
	}
	leads := map[*catalog.Column][]*catalog.Column{} // by a key
	add := func(k *catalog.ForeignKey) {
		id := pairs(k.FromCols, k.ToCols)
		g.keys[id], g.right[id] = quoted(k), true
		for i, c := range k.FromCols {
			leads[c] = append(leads[c], k.ToCols[i])
			if a, b := root(c), root(k.ToCols[i]); a != b {
				same[a] = b
			}
		}
	}
	for _, k := range s.ForeignKeys {
		add(k)
	}
	for _, pair := range strings.Fields(read) {
		from, to, _ := strings.Cut(pair, ">")
		k := &catalog.ForeignKey{FromCols: columns(t, s, from), ToCols: columns(t, s, to)}
		k.From, k.To = k.FromCols[0].Relation, k.ToCols[0].Relation
		if g.right[pairs(k.FromCols, k.ToCols)] = true; holdsIn(t, database, k.FromCols[0], k.ToCols[0]) {
			add(k)
		}
	}
	for c := range leads {
		reached := []*catalog.Column{c}
		for i := 0; i < len(reached); i++ {
			g.right[pairs(reached[:1], reached[i:i+1])] = true
			for _, next := range leads[reached[i]] {
				if !slices.Contains(reached, next) {
					reached = append(reached, next)
				}
			}
		}
	}
	asked := map[string]int{}
	joined := map[string]*catalog.ForeignKey{}
	for _, q := range questions {
		seen := map[string]bool{}
		for _, sql := range q.Gold {
			for _, j := range goldJoins(s, sql) {
				k := &catalog.ForeignKey{From: j[0].Relation, To: j[1].Relation, FromCols: j[:1], ToCols: j[1:]}
				id := pairs(k.FromCols, k.ToCols)
				if joined[id], g.right[id] = k, true; !seen[id] {
					seen[id] = true
					asked[id]++
				}
			}
		}
	}
	var ids []string
	for id := range joined {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		if asked[a] != asked[b] {
			return asked[b] - asked[a]
		}
		return strings.Compare(a, b)
	})
	for _, id := range ids {
		k := joined[id]
		if k.From == k.To || asked[id] < 2 || isView(k.From) || isView(k.To) {
			continue
		}
		for _, k := range []*catalog.ForeignKey{k, {From: k.To, To: k.From, FromCols: k.ToCols, ToCols: k.FromCols}} {
			if a, b := root(k.FromCols[0]), root(k.ToCols[0]); a != b && distinct(t, database, k.ToCols[0]) && holdsIn(t, database, k.FromCols[0], k.ToCols[0]) {
				same[a] = b
				g.keys[id] = quoted(k)
			}
		}
	}
	return g
}

func columns(t *testing.T, s *catalog.Snapshot, names string) (list []*catalog.Column) {
	t.Helper()
	for _, name := range strings.Split(names, ",") {
		relation, column, _ := strings.Cut(name, ".")
		c := s.Lookup("public", relation).Column(column)
		if c == nil {
			t.Fatalf("there is no %s", name)
		}
		list = append(list, c)
	}
	return list
}

// distinct reports whether a column tells the rows of its relation apart.
func distinct(t *testing.T, database string, c *catalog.Column) bool {
	t.Helper()
	return yes(t, database, fmt.Sprintf("select count(*) = count(distinct %s) from %s", pgx.Identifier{c.Name}.Sanitize(), c.Relation.QuotedName()))
}

// holdsIn reports whether nearly all values of a column are found in another.
func holdsIn(t *testing.T, database string, c, in *catalog.Column) bool {
	t.Helper()
	return yes(t, database, fmt.Sprintf("select count(*) filter (where v in (select %s from %s)) >= 0.95 * count(*) from (select distinct %s as v from %s) s where v is not null",
		pgx.Identifier{in.Name}.Sanitize(), in.Relation.QuotedName(), pgx.Identifier{c.Name}.Sanitize(), c.Relation.QuotedName()))
}

func yes(t *testing.T, database, sql string) (yes bool) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), pgtest.Shared(t).Primary.URL(pgtest.Superuser, database))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	if err := conn.QueryRow(t.Context(), sql).Scan(&yes); err != nil {
		t.Fatal(err)
	}
	return yes
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
