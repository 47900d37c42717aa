package replica_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
)

// remake drops all that the tenant has and has him make other objects.
func (w *fuzzWorld) remake(t testing.TB, super, tenant *pgx.Conn, objects int) (made int) {
	t.Helper()
	ctx := context.Background()
	must := func(sql string) {
		if err := super.PgConn().Exec(ctx, sql).Close(); err != nil {
			t.Fatalf("%v\nin: %s", err, sql)
		}
	}
	must(fuzzReset)
	w.types, w.functions, w.operators, w.made = builtins(), []string{"count", "max", "lower", "upper", "round", "to_json"}, []string{"=", "<", "||"}, map[string]string{}
	w.relations, w.n = trustedFuzzRelations(w.types), 0
	for range objects {
		ddl, trusted, keep := w.object()
		conn := tenant
		if trusted {
			conn = super
		}
		if err := conn.PgConn().Exec(ctx, ddl).Close(); err != nil {
			if conn.PgConn().IsClosed() {
				t.Fatalf("%v\nin: %s", err, ddl)
			}
			continue
		}
		made++
		w.made[w.last] = ddl
		keep()
	}
	for _, schema := range []string{"tenant", "public", "asker", "club"} {
		must("grant select on all tables in schema " + schema + " to public")
	}
	return made
}

// trustedRelations is how many of a world's relations are trusted owners' from the start.
const trustedRelations = 2

func trustedFuzzRelations(types []*fuzzType) []*fuzzRelation {
	of := func(name string) *fuzzType {
		for _, t := range types {
			if t.name == name {
				return t
			}
		}
		panic("no type " + name)
	}
	items := []fuzzColumn{{"id", of("int")}, {"name", of("text")}, {"price", of("numeric")}, {"sold", of("date")}, {"at", of("timestamptz")}, {"tags", of("public.citext")}}
	places := []fuzzColumn{{"id", of("int")}, {"lat", of("float8")}, {"lon", of("float8")}}
	return []*fuzzRelation{
		{"shop.items", items, &fuzzType{name: "shop.items", kind: 'c', fields: items}},
		{"shop.places", places, &fuzzType{name: "shop.places", kind: 'c', fields: places}},
	}
}

// fuzzReset takes the tenant's objects away, and what trusted owners built on them.
const fuzzReset = `
set client_min_messages = error;
drop owned by tenant cascade;
do $$ declare n text; begin for n in select oid::regclass from pg_class where relnamespace = 'public'::regnamespace and relname like 'trusted%' loop execute 'drop table ' || n || ' cascade'; end loop; end $$;
do $$ declare n text; begin for n in select nspname from pg_namespace where nspname in ('tenant', 'asker') loop execute 'drop schema ' || n || ' cascade'; end loop; end $$;
create schema tenant authorization tenant;
create schema asker authorization tenant;
grant usage on schema tenant, asker to public;
grant create on schema public, club to tenant;
grant select, references, trigger on shop.items to tenant;
create function tenant.run(text, anyelement) returns bool immutable language plpgsql as $f$ begin return recorder.mark(current_user, $1); end $f$;
create function tenant.diff(float8, float8) returns float8 immutable language plpgsql as $f$ begin perform recorder.mark(current_user, 'diff'); return 1; end $f$;
create function tenant.on_write() returns trigger language plpgsql as $f$ begin return new; end $f$;
alter function tenant.run(text, anyelement) owner to tenant;
alter function tenant.diff(float8, float8) owner to tenant;
alter function tenant.on_write() owner to tenant;
`
