package ask

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestReadStatement(t *testing.T) {
	for sql, want := range map[string]string{
		"select * from a join s.b using (c)": "a",
		"values (1)":                         "",
		"table a":                            "a",
		"with q as (select * from a) select * from q":                "a q",
		"select * from pg_temp.x, pg_temp_3.y, z":                    "z pg_temp_3.y",
		"select (select 1 from a) union select b from c where d.e":   "a c",
		"select 1; select 2":                                         "no",
		"":                                                           "no",
		"selct":                                                      "no",
		"insert into a select 1":                                     "no",
		"select * into b from a":                                     "no",
		"create table b as select * from a":                          "no",
		"create view b as select * from a":                           "no",
		"select * from a for update":                                 "no",
		"select * from (select * from a for share) b":                "no",
		"with w as (delete from a returning *) select * from w":      "no",
		"with w as (update a set b = 1 returning *) select * from w": "no",
		"with w as (insert into a values (1) returning *) table w":   "no",
		"explain select * from a":                                    "no",
		"explain analyze select * from a":                            "no",
		"declare c cursor for select * from a":                       "no",
		"copy (select * from a) to stdout":                           "no",
		"prepare p as select * from a":                               "no",
	} {
		r, ok := ReadStatement(sql)
		got := "no"
		if ok {
			slices.Sort(r.Names) // the tree is walked in no order
			got = strings.TrimSpace(fmt.Sprint(strings.Join(r.Names, " "), " ", r.Temporary))
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", sql, got, want)
		}
	}
}

// What is written anew for settings in which a backslash escapes, and what is
// not; replica.TestPortable has servers read it.
func TestPortable(t *testing.T) {
	for sql, want := range map[string]string{
		`SELECT 'a''b' -- c`:                              `SELECT 'a''b'`,
		`SELECT 'a\'`:                                     `SELECT E'a\\'`,
		`SELECT E'\'\\'`:                                  `SELECT E'''\\'`,
		`SELECT U&'\005c', $$\'$$`:                        `SELECT E'\\', E'\\'''`,
		`SELECT a AS "b\" FROM "c""d"`:                    `SELECT a AS "b\" FROM "c""d"`,
		"SELECT 1" + strings.Repeat(", 1", maxPortable/2): "E 0A000",
		"SELECT":   `SELECT`,
		"SELECT '": "E 42601",
	} {
		got, err := Portable(sql)
		if err != nil {
			got = "E " + CodeOf(err)
		}
		if got != want {
			t.Errorf("%.80s: got %q, %v, want %q", sql, got, err, want)
		}
	}
}

// A statement as deep as it may be is written anew, or refused, and does not
// end the process.
func TestPortable_Deep(t *testing.T) {
	for _, f := range []func(n int) string{
		func(n int) string { return "SELECT " + strings.Repeat("1+", n) + "1" },
		func(n int) string { return "SELECT " + strings.Repeat("(", n) + "1" + strings.Repeat(")", n) },
		func(n int) string { return "SELECT " + strings.Repeat("not ", n) + "a" },
		func(n int) string { return "SELECT " + strings.Repeat("abs(", n) + "1" + strings.Repeat(")", n) },
		func(n int) string { return "SELECT " + strings.Repeat("(select ", n) + "1" + strings.Repeat(")", n) },
		func(n int) string {
			return "SELECT * FROM " + strings.Repeat("(select * from ", n) + "t" + strings.Repeat(") x", n)
		},
		func(n int) string { return strings.Repeat("(SELECT 1 UNION ", n) + "SELECT 1" + strings.Repeat(")", n) },
		func(n int) string {
			return "SELECT " + strings.Repeat("case when a then ", n) + "1" + strings.Repeat(" end", n)
		},
	} {
		for n := 250; n < 2*maxPortable; n *= 5 {
			sql := f(n)
			if _, err := Portable(sql); err != nil && AsError(err) == nil {
				t.Errorf("%.30s…: %v", sql, err)
			}
		}
	}
}
