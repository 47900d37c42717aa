package warehouse_test

import (
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"askpg/internal/pgtest"
	"askpg/internal/warehouse"
)

// TestSnapshot_server holds the snapshot to what a server has that ran the
// scripts: tables, columns, types, keys and values.
func TestSnapshot_server(t *testing.T) {
	const n = 100
	url := pgtest.NewDatabase(t, "")
	for _, script := range warehouse.Scripts(n) {
		pgtest.Exec(t, pgtest.Shared(t).Primary.URL(pgtest.Superuser, url), script)
	}
	conn, err := pgx.Connect(t.Context(), pgtest.Shared(t).Primary.URL(pgtest.Superuser, url))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	query := func(sql string) []string {
		t.Helper()
		rows, err := conn.Query(t.Context(), sql)
		if err != nil {
			t.Fatal(err)
		}
		list, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(list)
		return list
	}
	s := warehouse.Snapshot(n)
	var columns, keys, values []string
	for _, r := range s.Relations {
		for _, c := range r.Columns {
			columns = append(columns, r.Schema+"."+r.Name.Name+"."+c.Name+" "+c.Type)
		}
	}
	for _, k := range s.ForeignKeys {
		if !k.Implied {
			keys = append(keys, k.From.Name.Name+"."+k.FromCols[0].Name+">"+k.To.Name.Name)
		}
	}
	r := s.Relations[5]
	for _, c := range r.Columns {
		for _, v := range s.Values.Of(c) {
			values = append(values, c.Name+" "+v)
		}
	}
	slices.Sort(columns)
	slices.Sort(keys)
	slices.Sort(values)
	equal(t, "columns", columns, query(`select n.nspname || '.' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
where a.attnum > 0 and c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^pg_|^information_schema$'`))
	equal(t, "keys", keys, query(`select c.relname || '.' || a.attname || '>' || f.relname from pg_constraint k
join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
where k.contype = 'f' and not c.relispartition and k.conparentid = 0`))
	name := pgx.Identifier{r.Schema, r.Name.Name}.Sanitize()
	equal(t, "values", values, query(`select distinct j.key || ' ' || (j.value #>> '{}') from `+name+` t, jsonb_each(to_jsonb(t)) j
join pg_attribute a on a.attrelid = '`+name+`'::regclass and a.attname = j.key where a.atttypid in ('text'::regtype, 'varchar'::regtype)`))
}

func equal(t *testing.T, what string, got, want []string) {
	t.Helper()
	if len(got) == 0 || !slices.Equal(got, want) {
		t.Errorf("%s: %d in the snapshot, %d on the server", what, len(got), len(want))
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Errorf("first difference: %q, on the server %q", got[i], want[i])
				break
			}
		}
	}
}

func TestQuestions(t *testing.T) {
	q := warehouse.Questions(100, 60)
	if !slices.Equal(q, warehouse.Questions(100, 60)) {
		t.Error("not the same twice")
	}
	for _, text := range q[:6] {
		t.Log(text)
	}
}

func TestMain(m *testing.M) { pgtest.Main(m) }
