package catalog_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"askpg/catalog"
	"askpg/internal/pgtest"
)

// readKeys are keys of databases that declare none or not all, as a reader of
// the schema writes them down. They count where the values hold.
var readKeys = map[string]string{
	"defog/academic": `domain_conference.cid>conference.cid domain_journal.jid>journal.jid domain_keyword.kid>keyword.kid
publication_keyword.kid>keyword.kid publication.cid>conference.cid publication.jid>journal.jid
domain_journal.did>domain.did publication_keyword.pid>publication.pid`,
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

// goldKeys are the declared keys, those that are read, and what the gold queries of at least two questions join by. Of
// such a join one column tells rows apart and has the values of the other, and no other keys make the two columns the
// same already.
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
	for pair := range strings.FieldsSeq(read) {
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
	for name := range strings.SplitSeq(names, ",") {
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
