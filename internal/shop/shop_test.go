package shop_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/internal/pgtest"
	"askpg/internal/shop"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// loaded is a database with the shop.
type loaded struct {
	ctx  context.Context // of the test that has loaded it
	db   string
	conn *pgx.Conn // of the superuser
}

func load(t *testing.T) loaded {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	t.Cleanup(cancel)
	db := pgtest.NewDatabase(t, "")
	conn := connect(t, ctx, pgtest.Superuser, db)
	if err := shop.Load(ctx, conn); err != nil {
		t.Fatal(err)
	}
	return loaded{ctx, db, conn}
}

func connect(t *testing.T, ctx context.Context, role, db string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(ctx, pgtest.Shared(t).Primary.URL(role, db))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.WithoutCancel(ctx)) })
	return conn
}

func number(t *testing.T, ctx context.Context, conn *pgx.Conn, sql string) int {
	t.Helper()
	var n int
	if err := conn.QueryRow(ctx, sql).Scan(&n); err != nil {
		t.Fatalf("%v\nin: %s", err, sql)
	}
	return n
}

// TestLoad looks at one shop in every way; none of them changes it.
func TestLoad(t *testing.T) {
	l := load(t)
	for name, test := range map[string]func(*testing.T, loaded){
		"Size": testSize, "Consistent": testConsistent, "Same": testSame, "Rights": testRights, "Gold": testGold, "NotEmpty": testNotEmpty,
	} {
		t.Run(name, func(t *testing.T) { test(t, l) })
	}
}

func testSize(t *testing.T, l loaded) {
	ctx, conn := l.ctx, l.conn
	tables := number(t, ctx, conn, `select count(*) from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`)
	if tables < 10 {
		t.Fatalf("%d tables, want at least 10", tables)
	}
	rows := number(t, ctx, conn, `select sum((xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %s', oid::regclass), true, true, '')))[1]::text::int)
from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`)
	if rows < 100_000 {
		t.Fatalf("%d rows, want at least 100,000", rows)
	}
	for kind, what := range map[string]string{"p": "partitioned table", "v": "view", "m": "materialised view"} {
		if number(t, ctx, conn, "select count(*) from pg_class where relnamespace = 'public'::regnamespace and relkind = '"+kind+"'") == 0 {
			t.Errorf("no %s", what)
		}
	}
}

// What is written must hang together as it would in a real shop.
func testConsistent(t *testing.T, l loaded) {
	ctx, conn := l.ctx, l.conn
	for what, sql := range map[string]string{
		"orders before the customer signed up":             `select count(*) from orders o join customers c on c.id = o.customer_id where o.ordered_at < c.signed_up_on`,
		"orders without items":                             `select count(*) from orders o where not exists (select from order_items i where i.order_id = o.id)`,
		"orders in the future":                             `select count(*) from orders where ordered_at > now()`,
		"totals unlike their items":                        `select count(*) from orders o where abs(total - (select sum(trunc(quantity * unit_price * (1 - discount), 2)) from order_items i where i.order_id = o.id)) not in (0, 4.90)`,
		"paid orders whose payments differ from the total": `select count(*) from orders o where status not in ('pending', 'cancelled') and total <> (select sum(amount) from payments p where p.order_id = o.id)`,
		"payments of unpaid orders":                        `select count(*) from orders o join payments p on p.order_id = o.id where status in ('pending', 'cancelled')`,
		"delivered parcels of orders that are not":         `select count(*) from orders o join shipments s on s.order_id = o.id where (s.delivered_at is not null) <> (status in ('delivered', 'returned'))`,
		"returns of orders that are not returned":          `select count(*) from orders o where (status = 'returned') <> exists (select from returns r where r.order_id = o.id)`,
		"another's address":                                `select count(*) from orders o join addresses a on a.id = o.address_id where a.customer_id <> o.customer_id`,
		"customers of the same name":                       `select count(*) - count(distinct name) from customers`,
	} {
		if n := number(t, ctx, conn, sql); n != 0 {
			t.Errorf("%s: %d", what, n)
		}
	}
	for what, sql := range map[string]string{
		"orders today":                           `select count(*) from orders where ordered_at >= current_date`,
		"orders of every status":                 `select (count(distinct status) = 6)::int from orders`,
		"customers without orders":               `select count(*) from customers c where not exists (select from orders o where o.customer_id = c.id)`,
		"products never ordered":                 `select count(*) from products p where not exists (select from order_items i where i.product_id = p.id)`,
		"payments outside the default partition": `select (count(*) = 0)::int from payments_other`,
	} {
		if n := number(t, ctx, conn, sql); n == 0 {
			t.Errorf("%s: none", what)
		}
	}
}

func testSame(t *testing.T, l loaded) {
	const sum = `select sum(hashtext(i::text)::bigint) from order_items i`
	again := load(t)
	if x, y := number(t, l.ctx, l.conn, sum), number(t, again.ctx, again.conn, sum); x != y {
		t.Fatalf("two loads differ: %d and %d", x, y)
	}
}

func testRights(t *testing.T, l loaded) {
	ctx, db := l.ctx, l.db
	analyst, support := connect(t, ctx, shop.Analyst, db), connect(t, ctx, shop.Support, db)
	for _, test := range []struct {
		role string
		conn *pgx.Conn
		sql  string
		want string // SQLSTATE
	}{
		{"analyst", analyst, "select email from customers", "42501"},
		{"analyst", analyst, "select birth_date from customers", "42501"},
		{"analyst", analyst, "select sum(amount) from payments", ""},
		{"analyst", analyst, "select * from product_sales limit 1", ""},
		{"support", support, "select email from customers", ""},
		{"support", support, "select count(*) from payments", "42501"},
		{"support", support, "select salary from staff", "42501"},
		{"support", support, "select cost from products", "42501"},
		{"support", support, "select * from monthly_sales", "42501"},
		{"service", connect(t, ctx, shop.Service, db), "select count(*) from orders", "42501"},
	} {
		_, err := test.conn.Exec(ctx, test.sql)
		var pgErr *pgconn.PgError
		got := ""
		if errors.As(err, &pgErr) {
			got = pgErr.Code
		}
		if got != test.want {
			t.Errorf("%s: %s: got %q (%v), want %q", test.role, test.sql, got, err, test.want)
		}
	}
	if n := number(t, ctx, support, "select count(distinct region) from customers where id in (select customer_id from orders)"); n != 1 {
		t.Errorf("support sees customers of %d regions, want 1", n)
	}
	if n := number(t, ctx, support, "select count(*) from addresses where country not in ('Sweden', 'Denmark')"); n != 0 {
		t.Errorf("support sees %d addresses outside its region", n)
	}
	if n := number(t, ctx, analyst, "select count(distinct region) from customers"); n != 5 {
		t.Errorf("analyst sees customers of %d regions, want 5", n)
	}
	service := connect(t, ctx, shop.Service, db)
	for _, role := range []string{shop.Analyst, shop.Support} {
		if _, err := service.Exec(ctx, "set role "+role); err != nil {
			t.Errorf("the service login cannot become %s: %v", role, err)
		}
	}
}

func testGold(t *testing.T, l loaded) {
	ctx, db := l.ctx, l.db
	conn := connect(t, ctx, shop.Analyst, db)
	for _, q := range shop.Questions {
		for _, sql := range append([]string{q.Gold}, q.Also...) {
			rows, err := conn.Query(ctx, sql)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for rows.Next() {
				n++
			}
			if err := rows.Err(); err != nil || n == 0 {
				t.Errorf("%s: %d rows, %v", q.Text, n, err)
			}
		}
	}
	// The largest buyers differ, so that the top five are five.
	if ties := number(t, ctx, conn, `with n as (select count(*) as n from orders group by customer_id order by 1 desc limit 6) select 6 - count(distinct n) from n`); ties != 0 {
		t.Errorf("%d ties among the six largest buyers", ties)
	}
}

func testNotEmpty(t *testing.T, l loaded) {
	ctx, conn := l.ctx, l.conn
	err := shop.Load(ctx, conn)
	if err == nil || !strings.Contains(err.Error(), "already exists") {
		t.Fatalf("loading twice: got %v, want an error that says what already exists", err)
	}
	if number(t, ctx, conn, "select count(*) from customers") == 0 {
		t.Fatal("the connection cannot be used after a failed load")
	}
}
