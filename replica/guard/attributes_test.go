package guard_test

import (
	"strings"
	"testing"

	"askpg/replica/guard"
)

// x.name is a column where everything in the statement that x may be has one of the name; a call of what must not be
// called is refused in all other cases. In the world below orders and circle have a column pg_sleep, sleepy has none.
func TestGuard_Attributes(t *testing.T) {
	const column, call = "", "if there is no such column"
	for sql, want := range map[string]string{
		"select orders.pg_sleep from orders":                                                                                column,
		"select o.pg_sleep from orders o":                                                                                   column,
		"select o.pg_sleep, sum(o.id) over (order by o.pg_sleep) from public.orders as o":                                   column,
		"select o.pg_sleep from orders o join circle c on c.pg_sleep = o.pg_sleep":                                          column,
		"select o.pg_sleep from orders o tablesample system (10)":                                                           column,
		"select 1 from circle o where exists (select from orders o where o.pg_sleep > 1)":                                   column,
		"select s.pg_sleep from (select o.pg_sleep from orders o) s":                                                        column,
		"select s.pg_sleep from (select id as pg_sleep from orders union select 1) s":                                       column,
		"with s as (select orders.pg_sleep, 1 from orders) select s.pg_sleep from s":                                        column,
		"with s as (select o.pg_sleep from orders o) select x.pg_sleep from s x order by 1":                                 column,
		"with orders as (select id as pg_sleep from circle) select orders.pg_sleep from orders":                             column,
		"with recursive s as (select o.pg_sleep from orders o union all select s.pg_sleep from s) select s.pg_sleep from s": column,

		"select x.pg_sleep from sleepy x":                                                                                call,
		"select x.pg_sleep from orders o, sleepy x":                                                                      call,
		"select x.pg_sleep from nothing x":                                                                               call,
		"select x.pg_sleep from orders o":                                                                                call,
		"select x.pg_sleep from orders as x (id, a)":                                                                     call,
		"select x.pg_sleep from unnest(array[1]) x":                                                                      call,
		"select x.pg_sleep from unnest(array[1]) as x (pg_sleep)":                                                        call,
		"select x.pg_sleep from orders x, lateral (select x.pg_sleep from unnest(array[1]) x) y":                         call,
		"select (select unnest.pg_sleep from unnest(array[1])) from orders unnest":                                       call,
		"select 1 from orders x where exists (select x.pg_sleep from (select 1) x)":                                      call,
		"select 1 from orders x where exists (select x.pg_sleep from (values (1)) x)":                                    call,
		"select x.pg_sleep from (orders a join circle b using (id)) x":                                                   call,
		"select x.pg_sleep from orders a join circle b using (id) as x":                                                  call,
		"select x.pg_sleep from (select * from orders) x":                                                                call,
		"select x.pg_sleep from (select o.pg_sleep as a from orders o) x":                                                call,
		"select x.pg_sleep from (select o.pg_sleep from orders o) x (a)":                                                 call,
		"select x.pg_sleep from (select 1 union select o.pg_sleep from orders o) x":                                      call,
		"with x as (select 1) select x.pg_sleep from x":                                                                  call,
		"with x (a) as (select o.pg_sleep from orders o) select x.pg_sleep from x":                                       call,
		"with orders as (select 1) select orders.pg_sleep from orders":                                                   call,
		"select orders.pg_sleep from orders where exists (with orders as (select 1) select orders.pg_sleep from orders)": call,
		"with x as (select o.pg_sleep from orders o) select (with x as (select 1) select x.pg_sleep from x) from x":      call,
		"select x.pg_sleep from xmltable('/a' passing '<a/>' columns b int) x":                                           call,
		"select (x).pg_sleep from orders x":                                                                              call,
		"select (o.id).pg_sleep from orders o":                                                                           call,
		"select (select o.pg_sleep from orders o), (select o.tax from orders o)":                                         "tax",
		"select public.orders.pg_sleep from public.orders":                                                               call,
		"select o.pg_sleep, pg_sleep(o.id) from orders o":                                                                "holds the session",
	} {
		t.Run(sql, func(t *testing.T) {
			g, err := guard.New(guard.Policy{})
			if err != nil {
				t.Fatal(err)
			}
			v, err := g.Judge(t.Context(), sql, newWorld())
			if err == nil {
				err = v.Err()
			}
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %q", err, want)
			}
		})
	}
}
