package replica

import (
	"context"
	"fmt"
	"syscall"
	"testing"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/replica/guard"
)

// remembered are relations that were read once: the benchmark is of the guard
// and not of the network.
type remembered struct {
	*lookup
	relations []guard.Relation
}

func (l remembered) Relations(context.Context, []guard.Name) ([]guard.Relation, error) {
	return l.relations, nil
}

// unseen numbers the statements of the benchmark, over all its runs.
var unseen int

// BenchmarkGuard is what the guard costs for a statement of 2 kB: the judgement
// of its text by name, and that of the tree of the server's analysis, with the
// functions, operators, types and casts of a real database. The names of
// relations, which a round trip to the server resolves, were looked up before.
// A first statement is one that was not seen before; again is one that was
// planned and is run now. cpu-ns/op is the process's own CPU time, which a loaded
// machine does not lengthen as it does ns/op.
func BenchmarkGuard(b *testing.B) {
	db := pgtest.NewDatabase(b, `
		do $$ begin create role askpg login noinherit; exception when duplicate_object then null; end $$;
		do $$ begin create role analyst; exception when duplicate_object then null; end $$;
		grant analyst to askpg;
		alter role askpg set log_min_messages = 'fatal';
		create table customers (id int primary key, name text, city text);
		create table orders (id int primary key, customer_id int, total numeric, at timestamptz);
		grant select on customers, orders to analyst;`)
	cfg := DefaultConfig()
	cfg.URL = pgtest.Shared(b).Standby.URL("askpg", "postgres")
	r, err := New(cfg, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(r.Close)
	pgtest.CatchUp(b)
	ctx := context.Background()
	snap, err := r.Begin(ctx, ask.Session{Database: db, Role: "analyst", Settings: map[string]string{"search_path": "public"}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(snap.Close)
	for _, s := range []struct{ name, sql string }{
		// Nothing but short conditions: as many nodes as 2 kB can have.
		{"dense", fill("select c.city, upper(c.name) from customers c where true", " and (c.name = 'some value' or c.id + 1 = 2)")},
		// What models write: joins, aggregates, dates, CASE.
		{"usual", fill("select c.city, date_trunc('month', o.at) as month, count(*) as orders, round(sum(o.total), 2) as revenue, rank() over (partition by c.city order by sum(o.total) desc)"+
			" from customers c join orders o on o.customer_id = c.id where o.at >= date '2024-01-01' and o.at < now() and lower(c.name) like '%a%' group by 1, 2 having count(*) > 1",
			" union all select c.city, o.at, count(distinct o.id), coalesce(sum(case when o.total > 100 then o.total else 0 end), 0), 1 from customers c left join orders o on o.customer_id = c.id where c.city in ('Bonn', 'Kiel') group by c.city, o.at")},
	} {
		var l remembered
		var tree string
		err := snap.with(ctx, "judge", func(ctx context.Context, t *tx) (err error) {
			if l.lookup, err = t.lookup(ctx); err != nil {
				return err
			}
			if tree, err = t.analyse(ctx, s.sql, statementName); err != nil {
				return err
			}
			names := []guard.Name{{Name: "customers"}, {Name: "orders"}}
			if s.name == "dense" {
				names = names[:1]
			}
			l.relations, err = l.lookup.Relations(ctx, names)
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
		judge := func(b *testing.B, sql string) {
			v, err := r.guard.Judge(ctx, sql, l)
			if err == nil && v.Allowed() {
				v, err = r.guard.JudgeTree(ctx, tree, l)
			}
			if err != nil || !v.Allowed() {
				b.Fatal(err, v)
			}
		}
		b.Run("first/"+s.name, func(b *testing.B) {
			b.ReportAllocs()
			start := cpuTime()
			n := 0
			for b.Loop() {
				n++
				unseen++
				judge(b, fmt.Sprintf("%s -- %d", s.sql, unseen))
			}
			b.ReportMetric((cpuTime()-start)/float64(n), "cpu-ns/op")
			b.ReportMetric(float64(len(s.sql)), "bytes")
			b.ReportMetric(float64(len(tree)), "tree-bytes")
		})
		b.Run("again/"+s.name, func(b *testing.B) {
			b.ReportAllocs()
			start := cpuTime()
			n := 0
			for b.Loop() {
				n++
				judge(b, s.sql)
			}
			b.ReportMetric((cpuTime()-start)/float64(n), "cpu-ns/op")
		})
	}
}

// fill appends to a statement until it has 2 kB.
func fill(sql, more string) string {
	for len(sql) < 2000 {
		sql += more
	}
	return sql
}

// cpuTime is the CPU time that this process has used, in nanoseconds.
func cpuTime() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano() + u.Stime.Nano())
}
