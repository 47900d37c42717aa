package catalog_test

import (
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
