package replica_test

import (
	"strings"
	"testing"

	"askpg/internal/pgtest"
)

// TestHarmless asks the database of the hostile statements for ordinary
// things: what a tenant put there, and what extensions bring, stops nobody
// whose statement does not mean it.
func TestHarmless(t *testing.T) {
	const things = `
		create function apps_helper(int) returns int stable language sql set search_path = pg_catalog as 'select $1 + 1';
		create view helped as select apps_helper(id) as x from customers;
		create materialized view drawn as select random() as x, pg_sleep(0)::text as s;
		create table tenants (id int, owner text);
		insert into tenants values (1, 'a');
		alter table tenants enable row level security;
		create policy mine on tenants using (owner = coalesce(nullif(current_setting('app.tenant', true), ''), 'a') and apps_helper(id) > 0);
		create table docs (id int, name citext, tags hstore, path ltree, words int[], body tsvector, j jsonb, at tstzrange);
		insert into docs values (1, 'Ann', 'a=>1', 'a.b', '{1,2}', to_tsvector('english', 'some words'), '{"a": [1, 2]}', '[2024-01-01,2024-02-01)');
		grant select on helped, drawn, tenants, docs to analyst;
		grant select on customers to analyst;
	`
	extensions, _, _ := strings.Cut(hostileScript, "do $$")
	c := pgtest.Shared(t)
	// By name alone a tenant's overloads do stop others: that is what the
	// server's analysis is for.
	for login, with := range map[string]string{"askpg": hostileScript, "askpg_loud": extensions} {
		db := pgtest.NewDatabase(t, script+loud+with+things)
		cfg := config(t, c.Standby)
		cfg.URL = c.Standby.URL(login, "postgres")
		cfg.AllowFunctions = []string{"public.apps_helper"} // its body is a text, and a stranger is beside
		snap := begin(t, start(t, cfg), session(db, "analyst"))
		for _, sql := range []string{
			"select * from helped order by 1 limit 3",
			"select count(*) from drawn",
			"select * from tenants",
			"select name from docs where name = 'ann' and tags -> 'a' = '1' and path <@ 'a' and words && '{2}'",
			"select similarity(city, 'Bon'), city % 'Bonn', unaccent(city), levenshtein(city, 'Koln') from customers limit 1",
			"select j -> 'a' -> 0, jsonb_array_elements(j -> 'a'), j @> '{\"a\": [1]}' from docs",
			"select ts_rank(body, to_tsquery('english', 'word')), body @@ plainto_tsquery('english', 'words') from docs",
			"select lower(at), upper(at), at @> now() from docs",
			"select city, count(*), rank() over (order by count(*) desc), string_agg(name, ', ' order by name) from customers group by rollup (city)",
			"select date_trunc('month', at), extract(year from at), to_char(at, 'YYYY-MM'), at::date, age(at), at at time zone 'UTC', at + interval '1 day' from orders limit 1",
			"select percentile_cont(0.5) within group (order by total), mode() within group (order by customer_id), stddev(total), corr(id, total) from orders",
			"select count(*) filter (where total > 10), sum(total) * 1.0 / nullif(count(*), 0), round(avg(total), 2)::numeric(10,1), greatest(1, 2), coalesce(max(total), 0) from orders",
			"with recursive n as (select 1 as i union all select i + 1 from n where i < 5) select * from n",
			"select * from customers c cross join lateral (select * from orders o where o.customer_id = c.id order by o.total desc limit 1) o limit 1",
			"select generate_series(date '2024-01-01', date '2024-03-01', interval '1 month')",
			"select * from unnest(array[1, 2], array['a', 'b']) with ordinality as t(a, b, n)",
			"select name ilike 'c%', name ~* '^c', name similar to 'c%', name like any (array['c%']), substring(name from 1 for 3), position('u' in name), overlay(name placing 'x' from 1), trim(both from name), split_part(name, ' ', 2) from customers limit 1",
			"select case city when 'Bonn' then 1 else 2 end, city in ('Bonn', 'Köln'), city is distinct from 'Bonn', (id, 1) in (select 1, 1), id between 1 and 10 from customers limit 1",
			"select * from customers join orders using (id) natural join (select 1 as one) x limit 1",
			"select current_date, current_user, now(), clock_timestamp(), random(), gen_random_uuid(), version()",
			"select table_name, column_name from information_schema.columns where table_schema = 'public'",
			"select relname, pg_size_pretty(pg_total_relation_size(oid)), obj_description(oid) from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
			"select conname, pg_get_constraintdef(oid) from pg_constraint limit 1",
			"select xmlelement(name x, name), json_build_object('a', id), row_to_json(c), to_jsonb(c) from customers c limit 1",
			"select * from json_to_recordset('[{\"a\": 1}]') as t(a int)",
			"select * from orders tablesample bernoulli (10) repeatable (1) limit 1",
			"(select 1 union select 2) except select 3 order by 1 fetch first 1 row with ties",
			"select distinct on (city) city, name from customers order by city, id desc",
			"select array_agg(distinct city), array_length(array_agg(id), 1), (array_agg(id order by id))[1:2] from customers",
			"select uuid_generate_v4(), uuid_generate_v5(uuid_ns_url(), 'x')",
			"select * from orders tablesample system_rows (3)",
			"select encode(sha256('x'::bytea), 'hex'), md5('x'), length('x')",
		} {
			if _, err := snap.Check(deadline(t), sql); err != nil {
				t.Errorf("%s: %s\n  %v", login, sql, err)
			} else if _, err := snap.Run(deadline(t), sql); err != nil {
				t.Errorf("%s: %s\n  %v", login, sql, err)
			}
		}
	}
}
