package main

import (
	"fmt"
	"reflect"
	"sort"
	"testing"

	"github.com/jackc/pgx/v5"

	"askpg/internal/pgtest"
	"askpg/internal/shop"
)

// TestPgx asks through pgx in each of its query modes, prepared and
// unprepared, and compares values and types with the gold SQL's on the primary.
func TestPgx(t *testing.T) {
	r := start(t, nil)
	ctx := testContext(t)
	through, direct := r.connect(t, shop.Analyst), connect(t, pgtest.Shared(t).Primary.URL(shop.Analyst, "shop"))
	read := func(conn *pgx.Conn, sql string, mode pgx.QueryExecMode) (types []uint32, values []string) {
		t.Helper()
		rows, err := conn.Query(ctx, sql, mode)
		if err != nil {
			t.Fatalf("%s, mode %v: %v", sql, mode, err)
		}
		defer rows.Close()
		for rows.Next() {
			v, err := rows.Values()
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, fmt.Sprintf("%#v", v))
		}
		if err := rows.Err(); err != nil {
			t.Fatalf("%s, mode %v: %v", sql, mode, err)
		}
		for _, f := range rows.FieldDescriptions() {
			types = append(types, f.DataTypeOID)
		}
		sort.Strings(values) // no order was asked for
		return types, values
	}
	for _, q := range []struct{ question, gold string }{
		{"how many customers do we have", "SELECT count(*) FROM customers"},
		{"what's the number of orders per status", "SELECT status, count(*) FROM orders GROUP BY status"},
		{"what's the average order total by region", "SELECT c.region, avg(o.total) FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.region"},
	} {
		for _, mode := range []pgx.QueryExecMode{
			pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe, pgx.QueryExecModeDescribeExec, pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol,
		} {
			wantTypes, want := read(direct, q.gold, mode)
			for range 2 {
				types, got := read(through, "-- ask: "+q.question, mode)
				if !reflect.DeepEqual(types, wantTypes) || !reflect.DeepEqual(got, want) {
					t.Errorf("%q, mode %v: got %v %v, want %v %v", q.question, mode, types, got, wantTypes, want)
				}
			}
		}
	}
}
