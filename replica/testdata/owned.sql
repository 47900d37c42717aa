-- What an untrusted role (tenant) leaves in a database, and what trusted owners
-- built on it. Sections are separated by empty lines and run one after another,
-- as the superuser; "-- since 14" and "-- until 15" leave a
-- section out on older and newer servers.
-- Whatever runs code of the tenant's calls recorder.mark, which writes to the
-- server's log whatever the session's settings are, on a standby too.

-- the recorder, the roles, and what is trusted
do $$ begin create role askpg login noinherit; exception when duplicate_object then null; end $$;
do $$ begin create role askpg_loud login noinherit; exception when duplicate_object then null; end $$;
alter role askpg set log_min_messages = 'fatal';
alter role askpg set temp_file_limit = '64MB';
alter role askpg_loud set temp_file_limit = '64MB';
revoke create on schema public from public;
do $$ begin create role tenant login; exception when duplicate_object then null; end $$;
do $$ begin create role guild; exception when duplicate_object then null; end $$;
do $$ begin create role keeper login; exception when duplicate_object then null; end $$;
do $$ begin create role asker login; exception when duplicate_object then null; end $$;
do $$ begin create role asker_quiet login; exception when duplicate_object then null; end $$;
alter role asker_quiet set log_min_messages = 'fatal';
grant guild to tenant;
grant tenant, asker, asker_quiet to askpg, askpg_loud;
do $$ begin execute format('alter database %I owner to keeper', current_database()); execute format('grant create on database %I to tenant', current_database()); end $$;
create schema recorder;
grant usage on schema recorder to public;
create view recorder.of_values as select to_json(most_common_vals)::text as v from pg_stats where attname = 'e';
grant select on recorder.of_values to public;
create function recorder.mark(who text, what text) returns bool security definer set log_min_messages = 'log' language plpgsql as $$ begin raise log 'RECORDED % as % of %', what, who, session_user; return true; end $$;
create schema ext;
grant usage on schema ext to public;
create extension hstore;
create extension citext;
create extension cube schema ext;
set search_path = public, ext;
create extension earthdistance schema ext;
reset search_path;
grant create on schema public to tenant;
create schema tenant authorization tenant;
create schema asker authorization tenant;
create schema "Odd ""one""" authorization tenant;
create schema guild authorization guild;
create schema club authorization keeper;
grant create on schema club to guild;
create schema app authorization keeper;
grant create on schema app to tenant;
create schema shop authorization keeper;
grant usage on schema tenant, asker, "Odd ""one""", guild, club, app, shop to public;
set role keeper;
create table shop.items (id int primary key, name text, price numeric(10,2), sold date, at timestamptz, tags citext, attrs hstore);
insert into shop.items select i, 'item ' || i, i * 1.5, date '2024-01-01' + i, timestamptz '2024-01-01 UTC' + i * interval '1 hour', 'tag', 'a=>1' from generate_series(1, 50) i;
create table shop.places (id int, lat float8, lon float8);
insert into shop.places values (1, 50.7, 7.1);
create type shop.span as range (subtype = float8, subtype_diff = float8mi);
create type shop.level as enum ('low', 'high');
create domain shop.positive as int check (value > 0);
create table shop.stock (id int primary key, level shop.level, left_ shop.positive, temp shop.span);
insert into shop.stock values (1, 'low', 5, '[1,2]');
create view shop.low as select s.id, i.name from shop.stock s join shop.items i using (id) where level = 'low';
grant select, references, trigger on shop.items to tenant;
grant select on all tables in schema shop to public;
reset role;

-- functions and types
set role tenant;
create function tenant.run(anyelement) returns bool immutable language plpgsql as $$ begin return recorder.mark(current_user, 'run'); end $$;
create function tenant.num(int) returns int immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'num'); return $1; end $$;
create function tenant.word(text) returns text immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'word'); return $1; end $$;
create domain tenant.d as int check (tenant.run(value));
create domain tenant.dd as tenant.d;
create domain tenant.dt as text check (tenant.run(value));
create domain tenant.da as tenant.d[];
create type tenant.e as enum ('a', 'b');
create type tenant.c as (a int, x text);
create type tenant.cd as (a int, x tenant.dt);
create type tenant.cc as (c tenant.c, e tenant.e, d tenant.d[]);
create domain tenant.dc as tenant.c check (tenant.run(1));
create table tenant.t (a int, x tenant.dt, arr tenant.d[]);
insert into tenant.t values (1, 'q', '{1,2}');
create domain tenant.drow as tenant.t;
create type tenant.crow as (r tenant.t);
create type tenant.r as range (subtype = tenant.d);
create function tenant.diff(float8, float8) returns float8 immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'diff'); return $1 - $2; end $$;
create type tenant.fr as range (subtype = float8, subtype_diff = tenant.diff);
create table tenant.ranges (r tenant.r, f tenant.fr);
insert into tenant.ranges select '[1,2]', tenant.fr(i, i + 5) from generate_series(1, 200) i;
create index on tenant.ranges using gist (f);
create domain "Odd ""one"""."Dom" as int check (tenant.run(value));
grant select on tenant.t, tenant.ranges to public;
reset role;
analyze tenant.ranges;

-- casts
set role tenant;
create function tenant.as_text(tenant.c) returns text immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'c as text'); return 'c'; end $$;
create cast (tenant.c as text) with function tenant.as_text(tenant.c);
create type tenant.k as (a int);
create function tenant.as_text(tenant.k) returns text immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'k as text'); return 'k'; end $$;
create cast (tenant.k as text) with function tenant.as_text(tenant.k) as implicit;
create function tenant.as_json(tenant.e) returns json immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'e as json'); return '1'; end $$;
create cast (tenant.e as json) with function tenant.as_json(tenant.e);
create table tenant.grown (a int);
insert into tenant.grown values (1);
alter table tenant.grown add column e tenant.e default 'a';
create table tenant.listed as select case g % 2 when 0 then 'a' else 'b' end::tenant.e as e from generate_series(1, 100) g;
analyze tenant.listed;
grant select on tenant.listed to public;
create function tenant.as_json(tenant.c) returns json immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'c as json'); return '1'; end $$;
create cast (tenant.c as json) with function tenant.as_json(tenant.c);
create function tenant.as_int(tenant.e) returns int immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'e as int'); return 1; end $$;
create cast (tenant.e as int) with function tenant.as_int(tenant.e) as implicit;
create function tenant.of_int(int) returns tenant.e immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'int as e'); return 'a'; end $$;
create cast (int as tenant.e) with function tenant.of_int(int) as implicit;
create table tenant.w (a int, c tenant.c, k tenant.k);
insert into tenant.w values (1, row(1, 'x'), row(1)), (2, row(2, 'y'), row(2));
create function tenant.as_text(tenant.w) returns text immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'w as text'); return 'w'; end $$;
create cast (tenant.w as text) with function tenant.as_text(tenant.w);
create table tenant.we (e tenant.e, cc tenant.cc);
insert into tenant.we values ('a', row(row(1, 'x'), 'a', '{1}')), ('b', null);
create view tenant.vj as select to_json(e)::text as j, e from tenant.we;
create view tenant.vc as select c || 'x'::text as j from tenant.w;
create view tenant.vf as select tenant.num(1) as n;
create view tenant.vv as select * from tenant.vf;
create materialized view tenant.mv as select e, 1 as n from tenant.we;
create index on tenant.mv ((tenant.num(1)));
grant select on tenant.w, tenant.we, tenant.vj, tenant.vc, tenant.vf, tenant.vv, tenant.mv to public;
reset role;

-- what planning evaluates: indexes, checks, partition keys, policies
set role tenant;
create table tenant.ip (a int, b int);
insert into tenant.ip select i, i from generate_series(1, 100) i;
create index on tenant.ip (a) where tenant.run(1);
create table tenant.ie (a int, b int);
insert into tenant.ie select i, i from generate_series(1, 100) i;
create index on tenant.ie ((tenant.num(1)), a);
create table tenant.ck (a int, constraint always check (tenant.run(1)), constraint each check (tenant.run(a)));
create table tenant.ck_child (check (tenant.num(2) = 2)) inherits (tenant.ck);
insert into tenant.ck_child values (1);
create table tenant.pk (a int) partition by range ((a + tenant.num(1)));
create table tenant.pk_1 partition of tenant.pk for values from (0) to (100);
create table tenant.pl (a int, e tenant.e) partition by list (e);
create table tenant.pl_a partition of tenant.pl for values in ('a');
create table tenant.ph (a tenant.d) partition by hash (a);
create table tenant.ph_0 partition of tenant.ph for values with (modulus 1, remainder 0);
create table tenant.rls (a int);
insert into tenant.rls values (1);
alter table tenant.rls enable row level security;
create policy p on tenant.rls using (tenant.run(1));
create table tenant.gen (a int, b int generated always as (tenant.num(a)) stored);
insert into tenant.gen values (1);
create table tenant.def (a int, b int default tenant.num(1));
insert into tenant.def values (1);
grant select on all tables in schema tenant to public;
reset role;
analyze tenant.ie;

-- until 15
set role tenant;
create table tenant.ruled (a int);
create rule "_RETURN" as on select to tenant.ruled do instead select tenant.num(1) as a;
grant select on tenant.ruled to public;
reset role;

-- since 14
set role tenant;
create table tenant.st (a int, b int);
insert into tenant.st select i, i from generate_series(1, 100) i;
create statistics tenant.st_e on (tenant.num(1)), b from tenant.st;
create statistics tenant.st_a on (tenant.num(a)), (a + b) from tenant.st;
grant select on tenant.st to public;
create function tenant.atomic(int) returns int immutable return tenant.num($1);
create table tenant.mr (m tenant.r_multirange);
insert into tenant.mr values ('{[1,2]}');
grant select on tenant.mr to public;
reset role;
create table public.counted (a int, b int);
insert into public.counted select i, i from generate_series(1, 100) i;
create statistics public.counted_s on (tenant.num(1)), b from public.counted;
grant select on public.counted to public;
analyze tenant.st, public.counted;

-- since 15
set role tenant;
create view tenant.invoker with (security_invoker) as select tenant.num(1) as n;
grant select on tenant.invoker to public;
reset role;

-- operators, aggregates and functions whose names and types fit what others write
set role tenant;
create function public.ran(a int, b int) returns bool immutable language sql as 'select tenant.run(1)';
create function tenant.mul(numeric, int) returns numeric immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'mul'); return 1; end $$;
create operator public.* (function = tenant.mul, leftarg = numeric, rightarg = int);
create function tenant.cat(text, int) returns text immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'cat'); return 'x'; end $$;
create operator public.|| (function = tenant.cat, leftarg = text, rightarg = int);
create function tenant.eq(text, int) returns bool immutable language plpgsql as $$ begin return recorder.mark(current_user, 'run'); end $$;
create operator public.= (function = tenant.eq, leftarg = text, rightarg = int);
create operator public.~~ (function = tenant.eq, leftarg = text, rightarg = int);
create function tenant.ceq(citext, text) returns bool immutable language plpgsql as $$ begin return recorder.mark(current_user, 'run'); end $$;
create operator public.= (function = tenant.ceq, leftarg = citext, rightarg = text);
create function tenant.neg(text) returns text immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'word'); return $1; end $$;
create operator public.- (function = tenant.neg, rightarg = text);
create operator tenant.+ (function = tenant.cat, leftarg = text, rightarg = int);
create function tenant.acc(int, int) returns int immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'num'); return $2; end $$;
create aggregate public.total (int) (sfunc = tenant.acc, stype = int, initcond = '0');
create aggregate public.sum (text) (sfunc = textcat, stype = text, finalfunc = tenant.word);
create function tenant.inverse(int, int) returns int immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'num'); return $1; end $$;
create aggregate public.moving (int) (sfunc = int4pl, stype = int, msfunc = tenant.acc, minvfunc = tenant.inverse, mstype = int, initcond = '0', minitcond = '0');
create function public.round(int) returns int immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'num'); return $1; end $$;
create function public.date_trunc(text, date) returns date immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'num'); return $2; end $$;
create function public.to_char(date, text) returns text immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'word'); return $2; end $$;
create function public.upper(int) returns text immutable language sql as 'select tenant.word($1::text)';
create function public.leak(shop.items) returns text stable language plpgsql as $$ begin perform recorder.mark(current_user, 'word'); return 'x'; end $$;
create function public.rows_of(int) returns setof int stable language sql as 'select tenant.num($1)';
create function public.series(int, int) returns table (n int) stable language plpgsql as $$ begin perform recorder.mark(current_user, 'num'); n := 1; return next; end $$;
create function public.vararg(variadic int[]) returns int immutable language sql as 'select tenant.num(1)';
create function public.by_default(a int default tenant.num(1)) returns int immutable language sql as 'select a';
create function public.poly(anyelement) returns anyelement immutable language sql as 'select case when tenant.run($1) then $1 end';
create domain public.abs as tenant.d[];
create domain public.lower as text check (tenant.run(value));
create domain public.length as tenant.da;
create type public.mood as enum ('a', 'b');
create function tenant.mood_text(public.mood) returns text immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'word'); return 'm'; end $$;
create cast (public.mood as text) with function tenant.mood_text(public.mood) as implicit;
create function club.round(int) returns int immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'num'); return $1; end $$;
create domain club.short as text check (tenant.run(value));
create function asker.round(int) returns int immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'num'); return $1; end $$;
create domain asker.short as text check (tenant.run(value));
create function app.helper(int) returns int immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'num'); return $1; end $$;
create view asker.items as select tenant.num(1) as id, 'x'::text as name;
grant select on asker.items to public;
reset role;

-- names that servers before 16, 17 look up where later ones have keywords
set role tenant;
create function public.json_array(int) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.json_array(int, int) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.json_array(text) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.json_object(int) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.json_scalar(int) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.json_serialize(text) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.json_query(text, text) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.json_value(text, text) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.json_exists(text, text) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.json_table(text, text) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.json_arrayagg(int) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.json_objectagg(int) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.normalize(int) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.overlay(text, text, numeric) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.substring(int, int) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.position(text, int) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.trim(int) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.btrim(int) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.extract(text, int) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.date_part(text, text) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.timezone(text, text) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.xmlexists(text, text) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.any_value(int) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.similar_to_escape(int) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.like_escape(text, int) returns text immutable language sql as 'select tenant.word(''x'')';
create function public.system_user() returns text immutable language sql as 'select tenant.word(''x'')';
create function public.merge_action() returns text immutable language sql as 'select tenant.word(''x'')';
reset role;

-- names that come first where the asker's path has pg_catalog behind public
set role tenant;
create function public.lower(text) returns text immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'word'); return $1; end $$;
create function public.now() returns timestamptz stable language plpgsql as $$ begin perform recorder.mark(current_user, 'num'); return clock_timestamp(); end $$;
create function tenant.cat(text, text) returns text immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'num'); return 'x'; end $$;
create operator public.|| (function = tenant.cat, leftarg = text, rightarg = text);
create function tenant.ieq(int, int) returns bool immutable language plpgsql as $$ begin return recorder.mark(current_user, 'run'); end $$;
create operator public.= (function = tenant.ieq, leftarg = int, rightarg = int);
create operator public.< (function = tenant.ieq, leftarg = int, rightarg = int);
create operator public.- (function = tenant.acc, leftarg = int, rightarg = int);
create domain public.text as pg_catalog.text check (tenant.run(1));
create domain public.jsonb as pg_catalog.jsonb check (tenant.run(1));
create aggregate public.count (*) (sfunc = tenant.num, stype = int, initcond = '0');
create view public.pg_class as select tenant.num(1) as relname;
grant select on public.pg_class to public;
reset role;

-- names that the SQL bodies of extensions look up
set role tenant;
create function public.sec_to_gc(float8) returns float8 immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'num'); return 1; end $$;
create function public.gc_to_sec(float8) returns float8 immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'num'); return 1; end $$;
create function public.earth() returns float8 immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'num'); return 1; end $$;
create function public.cube_distance(ext.cube, ext.cube) returns float8 immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'num'); return 1; end $$;
create function public.cube_ll_coord(ext.cube, int) returns float8 immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'num'); return 1; end $$;
create domain public.earth as ext.cube check (tenant.run(1));
create operator public./ (function = float8mul, leftarg = float8, rightarg = float8);
reset role;

-- what trusted owners built on the tenant's objects
set role tenant;
create table tenant.part_2 (id int, at date, check (tenant.run(1)), check (tenant.num(1) = 1));
create index on tenant.part_2 (id) where tenant.run(1);
create table tenant.heir (id int, note text, check (tenant.num(1) = 1));
create index on tenant.heir ((tenant.num(1)));
reset role;
create table public.parted (id int, at date) partition by range (at);
create table public.parted_1 partition of public.parted for values from ('2024-01-01') to ('2025-01-01');
alter table public.parted attach partition tenant.part_2 for values from ('2025-01-01') to ('2026-01-01');
insert into public.parted values (1, '2024-05-01'), (2, '2025-05-01');
create table public.parent (id int, note text);
insert into public.parent values (1, 'x');
alter table tenant.heir inherit public.parent;
create view public.report as select * from tenant.t;
create view public.report_e as select e, cc from tenant.we;
create view public.report_f as select tenant.num(id) as n from shop.items;
create view public.report_j as select row_to_json(w) as j from tenant.we w;
create materialized view public.report_m as select * from tenant.w;
create table public.held (id int, e tenant.e, c tenant.c, d tenant.d, r tenant.r);
insert into public.held values (1, 'a', row(1, 'x'), 1, '[1,2]');
create table public.indexed (id int, b int);
insert into public.indexed select i, i from generate_series(1, 100) i;
create index on public.indexed ((tenant.num(1)), id);
create index on public.indexed (b) where tenant.run(1);
create table public.checked (id int, check (tenant.run(1)));
create table public.checked_child (check (tenant.num(1) = 1)) inherits (public.checked);
insert into public.checked_child values (1);
create table public.policed (id int);
insert into public.policed values (1);
alter table public.policed enable row level security;
create policy p on public.policed using (tenant.run(id));
create table public.keyed (id int) partition by range ((id + tenant.num(1)));
create table public.keyed_1 partition of public.keyed for values from (0) to (100);
create function app.show(anyelement) returns text stable language sql as 'select $1::text';
create function app.calls(int) returns int stable language sql as 'select tenant.num($1)';
create function app.plain(int) returns int stable language sql as 'select $1 + 1';
create function tenant.ccmp(tenant.cd, tenant.cd) returns int immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'ccmp'); return 0; end $$;
create function tenant.clt(tenant.cd, tenant.cd) returns bool immutable language plpgsql as $$ begin return recorder.mark(current_user, 'run'); end $$;
create operator tenant.< (function = tenant.clt, leftarg = tenant.cd, rightarg = tenant.cd);
create operator tenant.= (function = tenant.clt, leftarg = tenant.cd, rightarg = tenant.cd);
create operator tenant.> (function = tenant.clt, leftarg = tenant.cd, rightarg = tenant.cd);
create operator class tenant.coc default for type tenant.cd using btree as operator 1 tenant.<, operator 3 tenant.=, operator 5 tenant.>, function 1 tenant.ccmp(tenant.cd, tenant.cd);
alter function tenant.ccmp(tenant.cd, tenant.cd) owner to tenant;
alter function tenant.clt(tenant.cd, tenant.cd) owner to tenant;
create table tenant.sorted (c tenant.cd);
insert into tenant.sorted values (row(1, 'x')), (row(2, 'y'));
alter table tenant.sorted owner to tenant;
grant select on all tables in schema tenant to public;
grant select on all tables in schema public to public;

-- what does not run when somebody reads: defaults, triggers, foreign keys
set role tenant;
create table tenant.refers (id int references shop.items);
create function tenant.on_write() returns trigger language plpgsql as $$ begin perform recorder.mark(current_user, 'num'); return new; end $$;
create trigger t before insert on shop.items for each row execute function tenant.on_write();
reset role;
create table shop.defaulted (id int, at int default tenant.num(1));
insert into shop.defaulted values (1, 1);
alter table shop.defaulted owner to keeper;
grant select on shop.defaulted to public;

-- of a role that the tenant is a member of
set role guild;
create function guild.num(int) returns int immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'guild'); return $1; end $$;
create domain guild.d as int check (guild.num(value) = value);
create table guild.t (a int, d guild.d);
insert into guild.t values (1, 1);
create index on guild.t (a) where guild.num(1) = 1;
grant select on guild.t to public;
reset role;

-- since 13
-- an extension that the tenant installed: he may add members to it
set role tenant;
create extension seg schema tenant;
create function tenant.member(int) returns int immutable language plpgsql as $$ begin perform recorder.mark(current_user, 'num'); return $1; end $$;
alter extension seg add function tenant.member(int);
create domain tenant.member_d as int check (tenant.run(value));
alter extension seg add domain tenant.member_d;
reset role;

-- what carries no code but is his: text search, a collation, a sequence, a conversion
set role tenant;
create text search dictionary tenant.dict (template = simple);
create text search configuration tenant.conf (copy = simple);
alter text search configuration tenant.conf alter mapping for asciiword with tenant.dict;
create collation tenant.coll (locale = 'C');
create sequence tenant.seq;
grant select on tenant.seq to public;
create default conversion tenant.conv for 'LATIN1' to 'UTF8' from iso8859_1_to_utf8;
reset role;
