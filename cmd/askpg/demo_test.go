package main

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
)

// demoGolds are SQL for each of demoSteps, each of which returns the same rows; none for the question that is refused.
var demoGolds = [][]string{
	{`SELECT count(*) FROM orders WHERE ordered_at >= date_trunc('month', now()) - interval '1 month' AND ordered_at < date_trunc('month', now())`},
	{`SELECT channel, count(*) FROM orders WHERE ordered_at >= date_trunc('month', now()) - interval '1 month' AND ordered_at < date_trunc('month', now()) GROUP BY 1`},
	{`SELECT product, revenue FROM product_sales ORDER BY revenue DESC LIMIT 5`},
	{
		`SELECT month, revenue FROM monthly_sales WHERE month >= date_trunc('year', now()) ORDER BY month`,
		`SELECT date_trunc('month', ordered_at), sum(total) FROM orders WHERE ordered_at >= date_trunc('year', now()) AND ordered_at < date_trunc('year', now()) + interval '1 year' GROUP BY 1`,
	},
	{`SELECT c.region, count(o.id), count(DISTINCT c.id), round(count(o.id)::numeric / count(DISTINCT c.id), 1) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY 1`},
	nil,
}

// TestDemo_Answers has the demo's statements answered by the built-in engine with the rows of hand-written SQL on the
// primary, numbers by value.
func TestDemo_Answers(t *testing.T) {
	ctx := testContext(t)
	conn := start(t, nil).connect(t, shop.Analyst)
	direct := connect(t, pgtest.Shared(t).Primary.URL(pgtest.Superuser, "shop"))
	for i, step := range demoSteps {
		got, err := demoRows(ctx, conn, step.statement)
		if demoGolds[i] == nil {
			if refused, ok := errors.AsType[*pgconn.PgError](err); !ok || refused.Code != ask.CodeNoCandidate || refused.Hint == "" {
				t.Errorf("%s\nis not refused, or without a hint: %s%v", step.statement, got, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s\n%v", step.statement, err)
			continue
		}
		var want []string
		for _, sql := range demoGolds[i] {
			rows, err := demoRows(ctx, direct, sql)
			if err != nil {
				t.Fatal(sql, err)
			}
			want = append(want, rows)
		}
		if !slices.Contains(want, got) {
			t.Errorf("%s\ngot\n%s\nwant\n%s", step.statement, got, want[0])
		}
	}
}

// TestDemo_Hangup closes the terminal of a demo: the demo and its servers end, and nothing of them is left.
func TestDemo_Hangup(t *testing.T) {
	pgtest.Shared(t) // skips the test where no server can be had
	cmd := askpgCommand(t, "demo")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	folder, lines := "", bufio.NewScanner(out)
	for lines.Text() != "Ctrl-C ends it all." {
		if !lines.Scan() {
			t.Fatal("the demo does not stay up")
		}
		if log, ok := strings.CutPrefix(lines.Text(), "Log:"); ok {
			folder = filepath.Dir(strings.TrimSpace(log))
		}
	}
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the demo did not end by itself: %v", err)
	}
	if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of the servers is left: %v", err)
	}
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
