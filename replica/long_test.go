package replica_test

import (
	"strings"
	"testing"

	"askpg/internal/pgtest"
)

// TestLongDefinitions has a role make objects whose definitions are long. Statements that name them are refused; those that
// do not are judged as before.
func TestLongDefinitions(t *testing.T) {
	db := pgtest.NewDatabase(t, script+`
		do $$ begin
			execute format('create domain word as text check (value <> %L)', (select string_agg(md5(i::text), '') from generate_series(1, 5000) i));
			execute format('create domain letter as text check (value <> %L)', repeat('x', 100000));
			for i in 1..3 loop
				execute format('create view long%s as select %L::text as a', i, repeat('x', 2000000));
			end loop;
		end $$;
		create domain plus as int check (value > 0);
		grant select on long1, long2, long3 to analyst;`)
	snap := begin(t, start(t, config(t, pgtest.Shared(t).Standby)), session(db, "analyst"))
	for _, tt := range []struct{ sql, want string }{
		{"select count(*) from customers", ""},
		{"select 1::plus", ""},
		{"select a from long1", ""},
		{"select 'a'::word", "longer than"},
		{"select 'a'::letter", "longer than"},
		{"select 1 from long1, long2, long3", "more than"},
		{"select count(*) from orders", ""},
	} {
		_, err := snap.Check(deadline(t), tt.sql)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v; want %q", tt.sql, err, tt.want)
		}
	}
}
