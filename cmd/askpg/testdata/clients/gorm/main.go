// Command gorm asks through gorm, over pgx, and compares what it gets with what the SQL gives on the server. Prints one line for each check. It is a
// module of its own, so that askpg does not depend on gorm.
//
// usage: gorm ASKPG_PORT SERVER_PORT
package main

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

const (
	count    = "how many customers in Germany"
	countSQL = "SELECT count(*) FROM customers WHERE country = 'Germany'"
	names    = "customers in Germany"
	namesSQL = "SELECT name FROM customers WHERE country = 'Germany' ORDER BY 1 LIMIT 2 OFFSET 1"
	wrong    = "how many florps"
)

var failed bool

func check(name string, got, want any) {
	if reflect.DeepEqual(got, want) {
		fmt.Println("ok", name)
		return
	}
	failed = true
	fmt.Printf("FAILED %s: %.300v want %.300v\n", name, got, want)
}

func must[T any](v T, err error) T {
	if err != nil {
		fmt.Println("FAILED", err)
		os.Exit(1)
	}
	return v
}

// open connects; simple has gorm prefer the simple protocol, in which pgx writes values into the text.
func open(port string, simple bool, notices *[]string, settings string) *gorm.DB {
	c := must(pgx.ParseConfig("host=127.0.0.1 user=analyst dbname=shop sslmode=disable port=" + port + settings))
	if simple {
		c.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	}
	c.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { *notices = append(*notices, n.Message) }
	return must(gorm.Open(postgres.New(postgres.Config{Conn: stdlib.OpenDB(*c), PreferSimpleProtocol: simple}), &gorm.Config{Logger: logger.Discard}))
}

func scan[T any](db *gorm.DB) (v T, err error) {
	return v, db.Scan(&v).Error
}

func main() {
	var notices []string
	direct := open(os.Args[2], false, &notices, "")
	want := must(scan[int64](direct.Raw(countSQL)))
	paged := must(scan[[]string](direct.Raw(namesSQL)))
	for _, simple := range []bool{false, true} {
		notices = nil
		db := open(os.Args[1], simple, &notices, "")
		how := map[bool]string{false: "extended, ", true: "simple, "}[simple]
		for _, form := range []string{"-- ask: " + count, "/* ask: " + count + " */", "ASK '" + count + "'", "SELECT * FROM ask('" + count + "') AS r"} {
			check(how+form, must(scan[int64](db.Raw(form))), want)
		}
		check(how+"NOTICE", strings.Contains(strings.Join(notices, "\n"), "confidence"), true)
		for _, from := range []string{"ask('" + names + "') AS r", "(-- ask: " + names + "\n) AS r"} {
			var got []string
			check(how+"Table, paged", db.Table(from).Order("name").Limit(2).Offset(1).Pluck("name", &got).Error, nil)
			check(how+"its rows", got, paged)
			var n int64
			check(how+"Count", db.Table(from).Count(&n).Error, nil)
			check(how+"counted", n, want)
		}
		check(how+"its SQL", must(scan[string](db.Raw("SELECT sql FROM ask('"+count+"', 'sql') AS r"))), countSQL)
		values := func(db *gorm.DB) map[string]*gorm.DB {
			return map[string]*gorm.DB{
				"value":          db.Raw("ASK how many customers in ?", "Germany"),
				"named value":    db.Raw("ASK how many customers in @country", map[string]any{"country": "Germany"}),
				"question bound": db.Raw("SELECT * FROM ask(?) AS r", count),
			}
		}
		for name, query := range values(db) {
			if got, err := scan[int64](query); simple {
				check(how+name, got, must(want, err))
			} else { // pgx describes the statement before it binds
				check(how+name, code(err), "0A000 false")
			}
		}
		check(how+"error", code(db.Raw("-- ask: "+wrong).Scan(new(int)).Error), "ASK01 true")
		check(how+"the transaction goes on", db.Transaction(func(tx *gorm.DB) error {
			check(how+"error in it", code(tx.Raw("-- ask: "+wrong).Scan(new(int)).Error), "ASK01 true")
			check(how+"statement in it", must(scan[int64](tx.Raw("SELECT count(*) FROM customers WHERE country = ?", "Germany"))), want)
			return nil
		}), nil)
		if simple {
			continue
		}
		for name, query := range values(open(os.Args[1], false, &notices, " options='-c askpg.describe=jsonb'")) {
			check("jsonb, "+name, must(scan[string](query)), fmt.Sprintf(`{"count": %d}`, want))
		}
	}
	if failed {
		os.Exit(1)
	}
}

// code returns an error's SQLSTATE, and whether it is whole: it says what was not understood, and what to do.
func code(err error) string {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return fmt.Sprint(err)
	}
	return fmt.Sprint(e.Code, " ", strings.Contains(e.Message, "florps") && strings.Contains(e.Hint, "askpg.last"))
}
