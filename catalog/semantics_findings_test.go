package catalog_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"askpg/catalog"
	"askpg/internal/pgtest"
)

// All that is wrong with a semantics file is found at once, each with its line.
func TestCheckSemantics_Lines(t *testing.T) {
	err := catalog.CheckSemantics(`# ours
[[table]]
name = "orders"
agreed = "today by ann"

[[measure]]
name = "m"
table = "orders"
expression = "sum("
[[query]]
names = ["q"]
agreed = "today by ann"
sql = '''
select 1
'''
[[query]]
names = ["p"]
sql = "delete from a"
[[tables]]
name = "a"
`)
	if err == nil {
		t.Fatal("it is accepted")
	}
	for _, want := range []string{"line 2: table orders: agreed is set and filter is not", "line 6: measure m: expression: ", "line 12: unknown key query.agreed\n", "line 16: query 2 ", "line 19: unknown key tables\n"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("lacks %q", want)
		}
	}
	if n := strings.Count(err.Error(), "line "); n != 5 || t.Failed() {
		t.Errorf("%d findings:\n%v", n, err)
	}
	if err := catalog.CheckSemantics("measure = [{name = 'm', table = 'a', expression = 'sum('}]"); err == nil || strings.Contains(err.Error(), "line") {
		t.Errorf("an entry without a head: %v", err)
	}
}

// What PostgreSQL or nobody could tell apart does not fit a database.
func TestCatalog_SemanticsFit(t *testing.T) {
	database := pgtest.NewDatabase(t, `create type mood as enum ('glad', 'sad'); create table people (id int primary key, feels mood, likes mood, felt mood[], name text);
create table visits (id int primary key, person int references people, held date)`)
	cfg := settings()
	cfg.Semantics = filepath.Join(t.TempDir(), "semantics.toml")
	const measure = "[[measure]]\nname = 'gladness'\ntable = 'people'\nexpression = 'count(*)'\nfilter = "
	for text, want := range map[string]string{
		measure + `"feels = 'glad'"`:                              "",
		measure + `"feels = 'nosuchlabel'"`:                       `line 1: measure gladness: filter: column "feels" has no value "nosuchlabel", but glad, sad`,
		measure + `"feels in ('glad', 'bad')"`:                    `line 1: measure gladness: filter: column "feels" has no value "bad", but glad, sad`,
		measure + `"'bad'::mood <> people.feels"`:                 `line 1: measure gladness: filter: column "feels" has no value "bad", but glad, sad`,
		measure + `"feels::text <> '' and felt <> '{}'"`:          "",
		measure + `"name = 'bad' and feels::text like 'b%'"`:      "",
		measure + "\"feels = 'glad'\"\n" + measure + "\"id > 0\"": `line 6: measure gladness: an earlier one has the name "gladness" already, and only the earlier one counts`,
		measure + "\"id > 0\"\nsynonyms = ['joy']\n" + strings.Replace(measure, "gladness", "Joy", 1) + "\"id > 1\"":                   `line 7: measure Joy: an earlier one has the name "Joy" already, and only the earlier one counts`,
		"[[term]]\nname = 'year'\ntable = 'visits'\nexpression = 'held'\n[[term]]\nname = 'year'\ntable = 'people'\nexpression = 'id'": "",
		"[[term]]\nname = 'year'\ntable = 'visits'\nexpression = 'held'\n[[term]]\nname = 'year'\ntable = 'visits'\nexpression = 'id'": `line 5: term year: an earlier one has the name "year" already, and only the earlier one counts`,
		"\n[[table]]\nname = 'visits'\nfilter = \"people.feels = 'glad'\"":                                                             `line 2: table visits: filter: it reads table "people", and a table's filter is over its own columns; a measure or a term may read others`,
	} {
		writeFile(t, cfg.Semantics, text+"\n")
		s := snapshot(t, newCatalog(t, cfg), database, pgtest.Superuser)
		var got []string
		for _, p := range s.Problems {
			got = append(got, p.Located())
		}
		if want != "" && !slices.Equal(got, []string{want}) || want == "" && len(got) > 0 {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestCatalog_Problems has definitions that no question could use.
func TestCatalog_Problems(t *testing.T) {
	database := pgtest.NewDatabase(t, `create schema "Deep"; create table "Deep".people (id int primary key, name text, "Tall" bool, born date);
create table visits (id int primary key, person int references "Deep".people, cost numeric); create function "Deep".is_good(int) returns bool language sql immutable as 'select true'; create domain "Deep".day as date; create function public.is_big(numeric) returns bool language sql immutable as 'select true'`)
	cfg := settings()
	cfg.Semantics = filepath.Join(t.TempDir(), "semantics.toml")
	term := func(name, condition string) string {
		return fmt.Sprintf("[[term]]\nname = %q\ntable = 'people'\ncondition = %q\n", name, condition)
	}
	measure := func(expression string) string {
		return fmt.Sprintf("[[measure]]\nname = 'cost of visits'\ntable = 'visits'\nexpression = %q\n", expression)
	}
	value := func(expression string) string {
		return fmt.Sprintf("[[term]]\nname = 'size'\ntable = 'visits'\nexpression = %q\n", expression)
	}
	const condition = "line 1: term grown up: condition: it must be true or false of each row, such as status = 'open': "
	const aggregate = "line 1: measure cost of visits: expression: it must be one value of all rows, such as sum(price): "
	const ofRow = "line 1: term size: expression: it must be a value of each row, such as quantity * price: "
	const name = "line 1: term %s: the name %[1]q has no word that says what is meant"
	for text, want := range map[string]string{
		term("grown up", "id + 1"):       condition + "argument of WHERE must be type boolean, not type integer",
		term("grown up", "name"):         condition + "argument of WHERE must be type boolean, not type text",
		term("grown up", "count(*) > 1"): condition + "aggregate functions are not allowed in WHERE",
		term("grown up", "name > 5"):     condition + "operator does not exist: text > integer",
		term("grown up", "grown(id)"):    condition + "function grown(integer) does not exist",
		term("grown up", "is_good(id) and born::\"Deep\".day > '2000-01-01'::day"): "",
		term("grown up", "born > 'yesterdaz'"):                                     condition + `invalid input syntax for type date: "yesterdaz"`,
		term("grown up", "generate_series(1, id) = 1"):                             condition + "set-returning functions are not allowed in WHERE",
		term("grown up", `"Tall" and born < now()`):                                "",
		term("grown up", `"Tall"`):                                                 "",
		term("grown up", `is_big(visits.cost)`):                                    "",
		term("the", `"Tall"`):                                                      fmt.Sprintf(name, "the"),
		term("most of all", `"Tall"`):                                              fmt.Sprintf(name, "most of all"),
		term("2024", `"Tall"`):                                                     fmt.Sprintf(name, "2024"),
		term("!", `"Tall"`):                                                        fmt.Sprintf(name, "!"),
		term("down", `"Tall"`):                                                     "",
		term("today", `"Tall"`):                                                    "",
		term("of the first", `"Tall"`):                                             "",
		term("grown up", `"Tall"`) + "synonyms = ['my']":                           "line 1: term grown up: the name \"my\" has no word that says what is meant",
		measure("cost"):                                                            aggregate + `column "visits.cost" must appear in the GROUP BY clause or be used in an aggregate function`,
		measure("sum(cost) / count(distinct people.id)"):                           "",
		measure("percentile_cont(0.5) within group (order by cost)"):               "",
		value("sum(cost)"):                                                         ofRow + "aggregate functions are not allowed in WHERE",
		value("cost * 2"):                                                          "",
		"[[table]]\nname = 'visits'\nfilter = 'cost'":                              "line 1: table visits: filter: it must be true or false of each row, such as status = 'open': argument of WHERE must be type boolean, not type numeric",
	} {
		writeFile(t, cfg.Semantics, text+"\n")
		got, err := newCatalog(t, cfg).Problems(t.Context(), database, pgtest.Superuser)
		if err != nil || want != "" && !slices.Equal(got, []string{want}) || want == "" && len(got) > 0 {
			t.Errorf("%s: %q, %v, want %q", text, got, err, want)
		}
	}
}

// What would hide or end what stands behind an expression is no part of it, whatever the database.
func TestCheckSemantics_Hidden(t *testing.T) {
	for condition, want := range map[string]string{
		"id > 1 -- adults":          "a comment cannot be part of it",
		"id /* of theirs */ > 1":    "a comment cannot be part of it",
		"row_number() over () = 1":  "a window function cannot be part of it",
		"-- id > 1":                 "a comment cannot be part of it",
		"id > 1\x00 or true":        "a NUL byte cannot be part of it",
		"name = '-- /* no comment'": "",
	} {
		text := strings.ReplaceAll(fmt.Sprintf("[[term]]\nname = 'grown up'\ntable = 'people'\ncondition = %q\n", condition), `\x00`, `\u0000`)
		if err := catalog.CheckSemantics(text); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", condition, err, want)
		}
	}
}
