// Package shop makes the sample shop of the demo and the tests: thirteen tables, a view, a materialised view and about
// 175,000 rows. The rows are the same on every load but for their dates, which are relative to the day. The roles
// analyst, support and askpg have their rights.
package shop

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// The roles of the shop. They have no password.
const (
	Analyst = "analyst" // reads everything but e-mail addresses, telephone numbers and birth dates; BYPASSRLS
	Support = "support" // reads no payments, suppliers, costs or salaries, and of customers and orders only the region North
	Service = "askpg"   // the service login: NOINHERIT, a member of both
)

// question is a question with its answer.
type question struct {
	Text string
	Gold string   // SQL that answers it
	Also []string // further SQL that is as right
}

// Questions are questions that people ask first.
var Questions = []question{
	{
		Text: "How many orders were placed last month?",
		Gold: `SELECT count(*) FROM orders
WHERE ordered_at >= date_trunc('month', now()) - interval '1 month' AND ordered_at < date_trunc('month', now())`,
	},
	{
		Text: "What's the average order total by region?",
		Gold: `SELECT c.region, avg(o.total) FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.region`,
	},
	{
		Text: "Top 5 customers by number of orders",
		Gold: `SELECT c.name FROM orders o JOIN customers c ON c.id = o.customer_id
GROUP BY c.id, c.name ORDER BY count(*) DESC LIMIT 5`,
		Also: []string{`SELECT c.name, count(*) FROM orders o JOIN customers c ON c.id = o.customer_id
GROUP BY c.id, c.name ORDER BY count(*) DESC LIMIT 5`},
	},
}

var (
	//go:embed roles.sql
	rolesSQL string
	//go:embed schema.sql
	schemaSQL string
	//go:embed finish.sql
	finishSQL string
)

// Load creates the shop in the schema public of the connected database, which
// must be empty, and the roles where they are missing. The connection must be
// a superuser's.
func Load(ctx context.Context, conn *pgx.Conn) (err error) {
	if err := run(ctx, conn, "roles", rolesSQL); err != nil {
		return err
	}
	var now time.Time
	if err := conn.QueryRow(ctx, "SELECT localtimestamp(0)").Scan(&now); err != nil {
		return fmt.Errorf("shop: reading the server's time: %w", err)
	}
	tables := generate(now)
	defer func() {
		if err != nil {
			_, _ = conn.Exec(context.WithoutCancel(ctx), "ROLLBACK")
		}
	}()
	if err := run(ctx, conn, "schema", "BEGIN;"+schemaSQL+partitions(now)); err != nil {
		return err
	}
	for _, t := range tables {
		if _, err := conn.PgConn().CopyFrom(ctx, &t.rows, "COPY "+t.name+" FROM STDIN"); err != nil {
			return fmt.Errorf("shop: filling %s: %w", t.name, err)
		}
	}
	if err := run(ctx, conn, "views and rights", finishSQL+"COMMIT;"); err != nil {
		return err
	}
	return run(ctx, conn, "statistics", "ANALYZE")
}

func run(ctx context.Context, conn *pgx.Conn, what, script string) error {
	if _, err := conn.PgConn().Exec(ctx, script).ReadAll(); err != nil {
		return fmt.Errorf("shop: creating the %s: %w", what, err)
	}
	return nil
}

// partitions returns the statements that create one partition of payments for
// each year of the shop's life.
func partitions(now time.Time) string {
	var s string
	for year := now.AddDate(0, 0, -lifeDays).Year(); year <= now.Year()+1; year++ {
		s += fmt.Sprintf("CREATE TABLE payments_%d PARTITION OF payments FOR VALUES FROM ('%d-01-01') TO ('%d-01-01');\n", year, year, year+1)
	}
	return s + "CREATE TABLE payments_other PARTITION OF payments DEFAULT;\n"
}
