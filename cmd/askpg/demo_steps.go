package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/internal/pgserver"
)

// demoStep is a statement that the demo types.
type demoStep struct {
	title     string
	statement string
	gold      []string // SQL, each of which returns the same rows; none for a question that is refused
}

// demoSteps are typed in one session.
var demoSteps = []demoStep{
	{"A number", "/* ask: How many orders were placed last month? */;", []string{
		`SELECT count(*) FROM orders WHERE ordered_at >= date_trunc('month', now()) - interval '1 month' AND ordered_at < date_trunc('month', now())`,
	}},
	{"A follow-up", "/* ask(more): and by channel? */;", []string{
		`SELECT channel, count(*) FROM orders WHERE ordered_at >= date_trunc('month', now()) - interval '1 month' AND ordered_at < date_trunc('month', now()) GROUP BY 1`,
	}},
	{"A ranking with its measure", "ASK $$Name and revenue of the top 5 products by revenue$$;", []string{
		`SELECT product, revenue FROM product_sales ORDER BY revenue DESC LIMIT 5`,
	}},
	{"A series", "ASK $$Revenue by month this year ordered by month$$;", []string{
		`SELECT month, revenue FROM monthly_sales WHERE month >= date_trunc('year', now()) ORDER BY month`,
		`SELECT date_trunc('month', ordered_at), sum(total) FROM orders WHERE ordered_at >= date_trunc('year', now()) AND ordered_at < date_trunc('year', now()) + interval '1 year' GROUP BY 1`,
	}},
	{"An answer in a join", `SELECT region, orders, customers, round(orders::numeric / customers, 1) AS each
FROM ask('Number of orders per region') AS r(region, orders)
JOIN (SELECT region, count(*) AS customers FROM customers GROUP BY region) AS c USING (region) ORDER BY each DESC;`, []string{
		`SELECT c.region, count(o.id), count(DISTINCT c.id), round(count(o.id)::numeric / count(DISTINCT c.id), 1) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY 1`,
	}},
	{"A question that the data does not answer", "ASK $$What's our churn rate?$$;", nil},
}

// demoCheck runs the demo's statements once more, through a driver. It compares the rows with those of the hand-written
// SQL on the primary, numbers by value. It returns what is not as expected.
func demoCheck(ctx context.Context, url string, primary *pgserver.Server) (wrong []error, err error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	direct, err := pgx.Connect(ctx, primary.URL(pgserver.Superuser, "shop"))
	if err != nil {
		return nil, err
	}
	defer direct.Close(context.WithoutCancel(ctx))
	for _, s := range demoSteps {
		got, err := demoRows(ctx, conn, s.statement)
		var refused *pgconn.PgError
		if len(s.gold) == 0 {
			if !errors.As(err, &refused) || refused.Code != ask.CodeNoCandidate || refused.Hint == "" {
				wrong = append(wrong, fmt.Errorf("%s\nis not refused, or without a hint: %s%w", s.statement, got, err))
			}
			continue
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s\n%w", s.statement, err))
			continue
		}
		var want []string
		for _, sql := range s.gold {
			rows, err := demoRows(ctx, direct, sql)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", sql, err)
			}
			want = append(want, rows)
		}
		if !slices.Contains(want, got) {
			wrong = append(wrong, fmt.Errorf("%s\ngot\n%s\nwant\n%s", s.statement, got, want[0]))
		}
	}
	return wrong, nil
}

// demoRows returns a result's rows, sorted, the cells of each sorted too: an
// answer may name its columns in another order.
func demoRows(ctx context.Context, conn *pgx.Conn, sql string) (string, error) {
	results, err := conn.PgConn().Exec(ctx, sql).ReadAll()
	if err != nil {
		return "", err
	}
	var lines []string
	for _, row := range results[0].Rows {
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i] = strings.TrimSuffix(string(v), " 00:00:00+00") // the first day of a month
			if f, err := strconv.ParseFloat(cells[i], 64); err == nil {
				cells[i] = strconv.FormatFloat(f, 'g', 6, 64)
			}
		}
		sort.Strings(cells)
		lines = append(lines, strings.Join(cells, " | "))
	}
	sort.Strings(lines)
	return strings.Join(lines, "\n"), nil
}
