package replica_test

import (
	"testing"

	"askpg/internal/pgtest"
)

// BenchmarkSnapshot measures one candidate's way over the replica: judged,
// planned, run, connection cleaned.
func BenchmarkSnapshot(b *testing.B) {
	db := pgtest.NewDatabase(b, script)
	r := start(b, config(b, pgtest.Shared(b).Standby))
	snap := begin(b, r, session(db, "analyst"))
	const sql = "select c.city, count(*), sum(o.total) from customers c join orders o on o.customer_id = c.id where c.name like 'customer%' group by c.city order by 2 desc"
	ctx := deadline(b)
	b.Run("Check", func(b *testing.B) {
		for b.Loop() {
			if _, err := snap.Check(ctx, sql); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Run", func(b *testing.B) {
		for b.Loop() {
			if _, err := snap.Run(ctx, sql); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Begin", func(b *testing.B) {
		for b.Loop() {
			s, err := r.Begin(ctx, session(db, "analyst"))
			if err != nil {
				b.Fatal(err)
			}
			s.Close()
		}
	})
}
