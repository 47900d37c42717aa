-- The closure of all that reading or calling the names and objects of a statement may run, and who owns it.
-- One row an object that users made; problem says which is not trusted, and why. It stands behind "with recursive"
-- and the CTEs trusted (owners) and schemas (which of them are open: an untrusted role may create objects there).
--
-- $1 replica.trusted_owners; $2 the schemas that names without one are looked up in;
-- $3 $4 $5 kind, schema (empty if not written) and name of each name:
--    r relation, t type, f function or a type that is called like one, o operator, c collation,
--    a field behind a column reference, i field behind an expression,
--    x for a statement that may open any relation by its OID: until PostgreSQL 12 keys of partitioned tables are evaluated then,
--    s for one that may use any text search configuration or dictionary;
-- $6 $7 classes and OIDs of objects; $8 false if only functions, and dictionaries that can crash the server, have to be trusted; $9 true if the server's
-- analysis of the statement is judged afterwards: then of what a call may mean only the types of arguments
-- matter here, since analysing a statement reads its constants as values of those types.
named (kind, nsp, name, written) as materialized (
	select k.kind, n.oid, k.name::name, k.schema <> '' from unnest($3::text[], $4::text[], $5::text[]) as k (kind, schema, name)
	join pg_namespace n on n.nspname = k.schema or k.schema = '' and n.nspname = any ($2::text[])
),
roots (classid, objid) as (
	select 'pg_class'::regclass::oid, c.oid from named n join pg_class c on c.relname = n.name and c.relnamespace = n.nsp where n.kind = 'r'
	union all select 'pg_type'::regclass, t.oid from named n join pg_type t on t.typname = n.name and t.typnamespace = n.nsp
		where n.kind in ('t', 'f', 'i') or n.kind = 'a' and t.typtype <> 'c'
	union all select 'pg_proc'::regclass, p.oid from named n join pg_proc p on p.proname = n.name and p.pronamespace = n.nsp where n.kind in ('f', 'a', 'i') and not $9::bool
	union all select 'pg_type'::regclass, a.oid from named n join pg_proc p on p.proname = n.name and p.pronamespace = n.nsp cross join unnest(p.proargtypes) as a (oid)
		where n.kind in ('f', 'i') and $9::bool
	union all select 'pg_operator'::regclass, o.oid from named n join pg_operator o on o.oprname = n.name and o.oprnamespace = n.nsp where n.kind = 'o' and not $9::bool
	union all select 'pg_type'::regclass, a.oid from named n join pg_operator o on o.oprname = n.name and o.oprnamespace = n.nsp cross join unnest(array[o.oprleft, o.oprright]) as a (oid)
		where n.kind = 'o' and $9::bool
	union all select 'pg_collation'::regclass, o.oid from named n join pg_collation o on o.collname = n.name and o.collnamespace = n.nsp where n.kind = 'c'
	union all select 'pg_class'::regclass, p.partrelid from pg_partitioned_table p where p.partexprs is not null and 'x' = any ($3::text[]) and current_setting('server_version_num')::int < 130000
	union all select 'pg_ts_config'::regclass, k.oid from pg_ts_config k where 's' = any ($3::text[])
	union all select 'pg_ts_dict'::regclass, d.oid from pg_ts_dict d where 's' = any ($3::text[])
	union all select * from unnest($6::oid[], $7::oid[])
),
thesauri (oid) as materialized (
	select d.oid from pg_ts_dict d join pg_ts_template t on t.oid = d.dicttemplate where t.tmplname = 'thesaurus'
),
closure (classid, objid) as (
	select classid, objid from roots where objid >= 16384
	union
	select e.classid, e.objid from closure c cross join lateral (
		select d.refclassid, d.refobjid from pg_depend d where d.classid = c.classid and d.objid = c.objid
		-- What belongs to a relation and runs, or is evaluated by the planner, when it is read.
		union all select 'pg_class'::regclass, i.indexrelid from pg_index i where c.classid = 'pg_class'::regclass and i.indrelid = c.objid
		union all select 'pg_statistic_ext'::regclass, s.oid from pg_statistic_ext s where c.classid = 'pg_class'::regclass and s.stxrelid = c.objid
		union all select 'pg_rewrite'::regclass, r.oid from pg_rewrite r where c.classid = 'pg_class'::regclass and r.ev_class = c.objid and r.ev_type = '1'
		union all select 'pg_policy'::regclass, p.oid from pg_policy p where c.classid = 'pg_class'::regclass and p.polrelid = c.objid
		union all select 'pg_constraint'::regclass, k.oid from pg_constraint k where c.classid = 'pg_class'::regclass and k.conrelid = c.objid and k.contype <> 'f'
		union all select 'pg_attrdef'::regclass, f.oid from pg_attrdef f join pg_attribute a on a.attrelid = f.adrelid and a.attnum = f.adnum
			where c.classid = 'pg_class'::regclass and f.adrelid = c.objid and a.attgenerated <> ''
		union all select 'pg_class'::regclass, h.inhrelid from pg_inherits h where c.classid = 'pg_class'::regclass and h.inhparent = c.objid
		union all select 'pg_type'::regclass, l.reltype from pg_class l where c.classid = 'pg_class'::regclass and l.oid = c.objid
		-- The same of a type.
		union all select 'pg_class'::regclass, t.typrelid from pg_type t where c.classid = 'pg_type'::regclass and t.oid = c.objid
		union all select 'pg_constraint'::regclass, k.oid from pg_constraint k where c.classid = 'pg_type'::regclass and k.contypid = c.objid
		-- A cast between this type and one of an untrusted owner's is his: it runs only where his type is named too.
		union all select 'pg_cast'::regclass, x.oid from pg_cast x join pg_type y on y.oid = case c.objid when x.castsource then x.casttarget else x.castsource end
			where c.classid = 'pg_type'::regclass and c.objid in (x.castsource, x.casttarget) and (y.oid < 16384 or exists (select from trusted t where t.oid = y.typowner))
		union all select 'pg_opclass'::regclass, o.oid from pg_opclass o where c.classid = 'pg_type'::regclass and o.opcintype = c.objid
		-- A thesaurus names its dictionary in a text, and two that name each other crash the server.
		union all select 'pg_ts_dict'::regclass, d.oid from pg_ts_dict d where c.classid = 'pg_ts_dict'::regclass and exists (select from thesauri t where t.oid = c.objid)
		-- Of operators and operator families.
		union all select 'pg_operator'::regclass, u.oid from pg_operator o cross join unnest(array[o.oprcom, o.oprnegate]) as u (oid)
			where c.classid = 'pg_operator'::regclass and o.oid = c.objid
		union all select 'pg_amop'::regclass, m.oid from pg_amop m where c.classid = 'pg_opfamily'::regclass and m.amopfamily = c.objid
		union all select 'pg_amproc'::regclass, m.oid from pg_amproc m where c.classid = 'pg_opfamily'::regclass and m.amprocfamily = c.objid
	) as e (classid, objid)
	where e.objid >= 16384
),
owned (classid, objid, known, owner) as materialized (
	select c.classid, c.objid, c.classid not in ('pg_cast'::regclass, 'pg_constraint'::regclass, 'pg_attrdef'::regclass, 'pg_rewrite'::regclass, 'pg_policy'::regclass,
			'pg_amop'::regclass, 'pg_amproc'::regclass, 'pg_am'::regclass, 'pg_transform'::regclass, 'pg_ts_parser'::regclass, 'pg_ts_template'::regclass),
		case c.classid
		when 'pg_class'::regclass then (select relowner from pg_class o where o.oid = c.objid)
		when 'pg_type'::regclass then (select typowner from pg_type o where o.oid = c.objid)
		when 'pg_proc'::regclass then (select proowner from pg_proc o where o.oid = c.objid)
		when 'pg_operator'::regclass then (select oprowner from pg_operator o where o.oid = c.objid)
		when 'pg_opclass'::regclass then (select opcowner from pg_opclass o where o.oid = c.objid)
		when 'pg_opfamily'::regclass then (select opfowner from pg_opfamily o where o.oid = c.objid)
		when 'pg_collation'::regclass then (select collowner from pg_collation o where o.oid = c.objid)
		when 'pg_conversion'::regclass then (select conowner from pg_conversion o where o.oid = c.objid)
		when 'pg_language'::regclass then (select lanowner from pg_language o where o.oid = c.objid)
		when 'pg_namespace'::regclass then (select nspowner from pg_namespace o where o.oid = c.objid)
		when 'pg_extension'::regclass then (select extowner from pg_extension o where o.oid = c.objid)
		when 'pg_statistic_ext'::regclass then (select stxowner from pg_statistic_ext o where o.oid = c.objid)
		when 'pg_ts_config'::regclass then (select cfgowner from pg_ts_config o where o.oid = c.objid)
		when 'pg_ts_dict'::regclass then (select dictowner from pg_ts_dict o where o.oid = c.objid)
		when 'pg_foreign_server'::regclass then (select srvowner from pg_foreign_server o where o.oid = c.objid)
		when 'pg_foreign_data_wrapper'::regclass then (select fdwowner from pg_foreign_data_wrapper o where o.oid = c.objid)
		end
	from closure c
),
-- Functions whose body is a text: the names in it are looked up when it runs, along a path that it sets or
-- with schemas that it writes, and nothing says beforehand what they will find. $10 are those that an admin has named.
late (oid) as (
	select p.oid from closure c cross join lateral (
		select f.* from pg_proc f join pg_language l on l.oid = f.prolang
		where c.classid = 'pg_proc'::regclass and f.oid = c.objid and l.lanname not in ('internal', 'c') offset 0 -- to_jsonb takes long: only for these
	) as p join pg_namespace n on n.oid = p.pronamespace
	where (to_jsonb(p) ->> 'prosqlbody') is null and n.nspname || '.' || p.proname <> all ($10::text[])
)
select o.classid, o.objid,
	case when o.known and ($8::bool or o.classid = 'pg_proc'::regclass or o.classid = 'pg_ts_dict'::regclass and exists (select from thesauri h where h.oid = o.objid)) and not exists (select from trusted t where t.oid = o.owner)
		then pg_describe_object(o.classid, o.objid, 0) end,
	(select r.rolname from pg_roles r where r.oid = o.owner), 'owner'
from owned o
union all
-- A call by a schema's name where somebody else may add what fits the call better.
select 0, 0, format('%s %I.%I', case n.kind when 'o' then 'operator' else 'function' end, s.nspname, n.name), null, 'open'
from named n join schemas m on m.oid = n.nsp and m.open join pg_namespace s on s.oid = n.nsp where n.written and n.kind in ('f', 'o') and $8::bool
union all
-- A name that is not there yet, in a schema where somebody else may make it.
select 0, 0, format('%s %I.%I', case n.kind when 'r' then 'relation' else 'type' end, s.nspname, n.name), null, 'missing'
from named n join schemas m on m.oid = n.nsp and m.open join pg_namespace s on s.oid = n.nsp where n.written and $8::bool and
	(n.kind = 'r' and not exists (select from pg_class c where c.relname = n.name and c.relnamespace = n.nsp)
	or n.kind = 't' and not exists (select from pg_type t where t.typname = n.name and t.typnamespace = n.nsp))
union all
select 0, 0, format('schema %I', k.schema), null, 'missing' from unnest($4::text[]) as k (schema)
where k.schema <> '' and k.schema not like 'pg\_%' and $8::bool and not exists (select from pg_namespace n where n.nspname = k.schema)
union all
-- They could find what an untrusted role has made, or can make: in a schema that is open, or in one that it makes. What it
-- owns is of any class, since a domain alone can run SQL by its CHECK, except what no name leads to code in: large objects,
-- extensions, whose members are a superuser's, and temporary relations, which are another session's.
select 0, 0, pg_describe_object('pg_proc'::regclass, l.oid, 0), (select string_agg(quote_ident(n.nspname), ', ' order by n.nspname) from schemas m join pg_namespace n on n.oid = m.oid where m.open), 'late'
from late l where exists (select from late) -- first: it is cheap, and what follows reads whole catalogs
	and (exists (select from schemas m where m.open)
	or exists (select from pg_database d cross join aclexplode(d.datacl) a where d.datname = current_database() and a.privilege_type = 'CREATE'
		and not exists (select from trusted t where t.oid = a.grantee))
	or exists (select from pg_shdepend s join pg_database d on d.oid = s.dbid and d.datname = current_database()
		where s.deptype = 'o' and s.refclassid = 'pg_authid'::regclass and not exists (select from trusted t where t.oid = s.refobjid)
		and s.classid <> all (array['pg_largeobject'::regclass, 'pg_extension'::regclass]::oid[])
		and not exists (select from pg_class k where s.classid = 'pg_class'::regclass and k.oid = s.objid and k.relpersistence = 't')))
