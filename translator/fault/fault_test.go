package fault_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/catalog"
	"askpg/translator/fault"
)

func TestOf(t *testing.T) {
	people := &catalog.Relation{Name: catalog.Name{Schema: "public", Name: "people"}}
	people.Columns = []*catalog.Column{{Relation: people, Name: "id", Type: "integer"}, {Relation: people, Name: "mood", Type: "feeling"},
		{Relation: people, Name: "note", Type: "text", Private: true}}
	s := &catalog.Snapshot{Relations: []*catalog.Relation{people}}
	for _, tt := range []struct {
		name, sql string
		early     bool
		pg        pgconn.PgError
		want      string // SQLSTATE, message, detail and hint
	}{
		{"a column", "select p.nam from people p", true,
			pgconn.PgError{Code: "42703", Message: "column p.nam does not exist", Hint: `Perhaps you meant to reference the column "p.note".`, Position: 8},
			"42703 column p.nam does not exist"},
		{"a relation", "select * from custommers", true, pgconn.PgError{Code: "42P01", Message: `relation "custommers" does not exist`, Position: 15},
			`42P01 relation "custommers" does not exist`},
		{"an operator", "select 1 from people where mood = id", true,
			pgconn.PgError{Code: "42883", Message: "operator does not exist: feeling = integer", Hint: "No operator matches the given name and argument types. You might need to add explicit type casts.", Position: 33},
			"42883 operator does not exist: feeling = integer|No operator matches the given name and argument types. You might need to add explicit type casts."},
		{"a function", "select sum(mood) from people", true, pgconn.PgError{Code: "42883", Message: "function sum(feeling) does not exist", Position: 8},
			"42883 function sum(feeling) does not exist"},
		{"grouping", "select id, count(*) from people", true,
			pgconn.PgError{Code: "42803", Message: `column "people.id" must appear in the GROUP BY clause or be used in an aggregate function`, Position: 8},
			`42803 column "people.id" must appear in the GROUP BY clause or be used in an aggregate function`},
		{"syntax", "select from from", true, pgconn.PgError{Code: "42601", Message: `syntax error at or near "from"`, Position: 13}, `42601 syntax error at or near "from"`},
		{"a literal of the statement", "select 'abc'::int", true, pgconn.PgError{Code: "22P02", Message: `invalid input syntax for type integer: "abc"`, Position: 8},
			`22P02 invalid input syntax for type integer: "abc"`},
		{"another language", "select p.nam from people p", true, pgconn.PgError{Code: "42703", Message: "Spalte p.nam existiert nicht", Position: 8},
			`42703 undefined column at "p.nam"`},
		{"a word from elsewhere", "select 1", true, pgconn.PgError{Code: "42P01", Message: `relation "zebra" does not exist`}, `42P01 relation "…" does not exist`},
		{"a private name", "select 1", true, pgconn.PgError{Code: "42703", Message: `column "note" does not exist`}, `42703 column "…" does not exist`},
		{"a message of no shape", "select 1", true, pgconn.PgError{Code: "42P01", Message: "zebra", Detail: "zebra", Hint: "zebra"}, "42P01 undefined table"},
		{"a value", "select note::int from people", false, pgconn.PgError{Code: "22P02", Message: `invalid input syntax for type integer: "people"`, Position: 8, Where: "people"},
			"22P02 a text is no value of the type that it is cast to or compared as"},
		{"a name made of a value", "select note::regclass from people", false, pgconn.PgError{Code: "42P01", Message: `relation "people" does not exist`}, "42P01 undefined table"},
		{"a right", "select amount from salaries", false, pgconn.PgError{Code: "42501", Message: "permission denied for table salaries"}, "42501 permission denied for table salaries"},
		{"a right to something else", "select amount from salaries", false, pgconn.PgError{Code: "42501", Message: "permission denied for table people"}, "42501 permission denied for table …"},
		{"a made-up SQLSTATE", "select f()", false, pgconn.PgError{Code: "84032", Message: "zebra"}, "38000 external routine exception"},
	} {
		e := &ask.Error{Code: tt.pg.Code, Message: tt.pg.Message, Detail: tt.pg.Detail, Hint: tt.pg.Hint, Position: int(tt.pg.Position), Early: tt.early}
		got := fault.Of(e.Because(&tt.pg), tt.sql, s)
		text := got.Code + " " + got.Message
		for _, more := range []string{got.Detail, got.Hint} {
			if more != "" {
				text += "|" + more
			}
		}
		if text != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, text, tt.want)
		}
		if errors.Unwrap(got) != nil {
			t.Errorf("%s: the server's error goes along", tt.name)
		}
	}
	own := ask.Errorf(ask.CodeRefused, "refused by the guard: function pg_sleep").WithHint("h")
	if got := fault.Of(own, "select pg_sleep(1)", s); got.Message != own.Message || got.Hint != "h" {
		t.Errorf("askpg's own words became %v", got)
	}
	if got := fault.Of(ask.Errorf("42703", "%s", strings.Repeat("x", 9)).Because(&pgconn.PgError{Code: "42703", Message: strings.Repeat("x", 1<<20)}), "", nil); len(got.Error()) > 100 {
		t.Errorf("a long message passes: %d bytes", len(got.Error()))
	}
}
