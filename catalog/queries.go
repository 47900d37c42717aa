package catalog

// The queries read pg_catalog as the role, with search_path pinned to
// pg_catalog. Functions that ask for privileges by OID return NULL for an
// object that was dropped meanwhile, so such an object is just left out.
//
// pg_class, pg_attribute and pg_constraint are described in the PostgreSQL
// documentation, chapter "System Catalogs".

const sqlStyle = `select set_config('DateStyle', 'ISO, YMD', true), set_config('IntervalStyle', 'iso_8601', true)`

const sqlServer = `
select current_setting('server_version_num')::int, pg_is_in_recovery(), array(select extname::text from pg_extension order by 1)`

// Rights are read as data: the roles that an ACL names, 0 for PUBLIC, and where
// there is none the owner. Equal ones are taken apart once.

const sqlSchemas = `
select n.oid, n.nspname::text,
       case when n.nspacl is null then array[n.nspowner]
            else array(select x.grantee from aclexplode(n.nspacl) x where x.privilege_type = 'USAGE') end
from pg_namespace n`

// sqlRelations: members of extensions are the extension's business, temporary
// tables exist in their own session only.
const sqlRelations = `
with acls as materialized (
	select a.acl, array(select x.grantee from aclexplode(a.acl) x where x.privilege_type = 'SELECT') as readers
	from (select distinct relacl from pg_class where relkind in ('r', 'p', 'v', 'm', 'f') and relacl is not null) a (acl)
)
select c.oid, c.xmin, c.relnamespace, c.relowner, c.relname::text, c.relkind::text, c.reltuples::float8, c.relpages,
       c.relispartition, c.relispopulated, c.relpersistence = 'u',
       case when c.relacl is null then array[c.relowner] else l.readers end, c.relrowsecurity
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
left join acls l on l.acl = c.relacl
where c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relpersistence <> 't'
  and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
  and n.nspname !~ '^pg_(temp|toast_temp)_'
  and c.oid not in (select d.objid from pg_depend d
                    where d.refclassid = 'pg_extension'::regclass and d.classid = 'pg_class'::regclass and d.objsubid = 0 and d.deptype = 'e')`

const sqlInherits = `select inhrelid, inhparent from pg_inherits order by inhrelid, inhseqno`

const sqlColumns = `
select a.attrelid, a.attnum, a.attname::text, a.atttypid, a.atttypmod, a.attnotnull, a.attislocal,
       a.attgenerated <> '', a.attidentity <> '',
       case when a.attacl is not null then array(select x.grantee from aclexplode(a.attacl) x where x.privilege_type = 'SELECT') end,
       case when a.attcollation = 100 then 0::oid else a.attcollation end
from unnest($1::oid[]) as w(oid)
join pg_attribute a on a.attrelid = w.oid
where a.attnum > 0 and not a.attisdropped`

// sqlAltered: relations with a column that has changed since a transaction.
const sqlAltered = `
select distinct a.attrelid from pg_attribute a where age(a.xmin) <= (select age($1::text::xid))`

const sqlTypeNames = `
select t.oid, t.mod, format_type(t.oid, t.mod) from unnest($1::oid[], $2::int[]) as t(oid, mod)`

// sqlTypes follows domains down to their base types.
const sqlTypes = `
with recursive used as (
	select t.oid, t.typname, t.typcategory, t.typtype, t.typbasetype, t.typnotnull, t.typcollation
	from pg_type t where t.oid = any ($1::oid[])
	union
	select b.oid, b.typname, b.typcategory, b.typtype, b.typbasetype, b.typnotnull, b.typcollation
	from used u join pg_type b on u.typtype = 'd' and b.oid = u.typbasetype
)
select oid, typname::text, typcategory::text, typtype::text, typbasetype, typnotnull, typcollation from used`

// sqlTypeParts follows types down to all that their values are made of. That is a
// domain's base type, the elements of arrays, the subtypes of ranges and
// multiranges, and the attributes of composite and row types. UNION follows each
// part once. pg_range names multiranges from PostgreSQL 14 on.
const sqlTypeParts = `
with recursive parts as (
	select 0::oid as whole, t.oid as part, 0::oid as relation, 0::int2 as num from unnest($1::oid[]) as t(oid)
	union
	select t.oid, p.part, p.relation, p.num
	from parts w join pg_type t on t.oid = w.part
	cross join lateral (
		select t.typbasetype, 0::oid, 0::int2 where t.typtype = 'd'
		union all select t.typelem, 0::oid, 0::int2 where t.typelem <> 0
		union all select r.rngsubtype, 0::oid, 0::int2 from pg_range r
			where t.typtype in ('r', 'm') and (r.rngtypid = t.oid or to_jsonb(r) ->> 'rngmultitypid' = t.oid::text)
		union all select a.atttypid, a.attrelid, a.attnum from pg_attribute a
			where t.typtype = 'c' and a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
	) p (part, relation, num)
)
select p.whole, p.part, p.relation, p.num, coalesce(n.nspname::text, ''), coalesce(c.relname::text, ''), coalesce(a.attname::text, '')
from parts p
left join pg_class c on c.oid = p.relation
left join pg_namespace n on n.oid = c.relnamespace
left join pg_attribute a on a.attrelid = p.relation and a.attnum = p.num
where p.whole <> 0
order by p.whole, p.relation, p.num, p.part`

const sqlEnums = `
select enumtypid, enumlabel::text from pg_enum where enumtypid = any ($1::oid[]) order by enumtypid, enumsortorder`

const sqlDomainChecks = `
select contypid, left(coalesce(pg_get_constraintdef(oid), ''), 20000) from pg_constraint
where contypid = any ($1::oid[]) and contype = 'c' and pg_column_size(conbin) <= ` + storedBytes + `
order by contypid, conname`

// sqlConstraints leaves out what PostgreSQL derives for partitions.
const sqlConstraints = `
select c.oid, c.xmin, c.conname::text, c.contype::text, c.conrelid, c.conkey, c.confrelid, coalesce(c.confkey, '{}')
from pg_constraint c
where c.conrelid <> 0 and c.contype in ('f', 'c') and c.conparentid = 0 and c.conkey is not null
order by c.conrelid, c.conname`

const sqlCheckDefinitions = `
select c.oid, left(coalesce(pg_get_constraintdef(c.oid), ''), 20000) from pg_constraint c
where c.oid = any ($1::oid[]) and pg_column_size(c.conbin) <= ` + storedBytes

// sqlUniques: keys are unique indexes too. An index on part of the rows or on
// an expression says nothing of a column. What initdb made is of no interest.
const sqlUniques = `
select i.indrelid, (i.indkey::int2[])[0:i.indnkeyatts - 1], i.indisprimary
from pg_index i
where i.indrelid >= 16384 and i.indisunique and i.indisvalid and i.indpred is null and i.indexprs is null
  and i.indrelid not in (select t.reltoastrelid from pg_class t where t.reltoastrelid <> 0)
order by i.indrelid, not i.indisprimary, i.indexrelid`

const sqlComments = `
select d.objoid, d.objsubid::int2, left(d.description, 2000)
from pg_description d
where d.classoid = 'pg_class'::regclass and d.objoid >= 16384
  and not exists (select from pg_class t where t.oid = d.objoid and t.relpersistence = 't')`

// sqlRewritten: views whose query has changed since a transaction.
const sqlRewritten = `
select w.ev_class from pg_rewrite w where age(w.xmin) <= (select age($1::text::xid))`

// storedBytes bounds what is stored of a definition that is written out. That takes minutes for a view of a wide table that is joined to
// itself again and again, nothing can cancel it, and whoever may create a view decides.
const storedBytes = "65536"

// sqlViewSizes: the views whose queries are not too large to be read, small ones first. A view has one query.
const sqlViewSizes = `
select w.ev_class from pg_rewrite w
where w.ev_class = any ($1::oid[]) and w.ev_type = '1' and pg_column_size(w.ev_action) <= ` + storedBytes + `
order by pg_column_size(w.ev_action), w.ev_class`

const sqlViews = `
select v.oid, left(coalesce(pg_get_viewdef(v.oid), ''), 100000) from unnest($1::oid[]) as v(oid)`

// sqlViewTrees: what PostgreSQL's analysis made of the views' queries.
const sqlViewTrees = `
select w.ev_class, w.ev_action::text from pg_rewrite w where w.ev_class = any ($1::oid[]) and w.ev_type = '1'`

// sqlOperators: the functions of operators.
const sqlOperators = `
select o.oid, o.oprcode::oid from pg_operator o where o.oid = any ($1::oid[])`

const sqlCalled = `
select p.oid, n.nspname::text, p.proname::text, p.provolatile::text,
       exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.refclassid = 'pg_extension'::regclass and d.deptype = 'e')
from pg_proc p join pg_namespace n on n.oid = p.pronamespace where p.oid = any ($1::oid[])`

// sqlStats: pg_stats shows only columns that the role may read, and none
// where row security is active. It asks for the privilege on every column that
// the names leave, which is where its time goes. The arrays are anyarray, of
// the column's type, and come as text.
const sqlStats = `
select s.schemaname::text, s.tablename::text, s.attname::text, s.inherited, s.null_frac::float8, s.n_distinct::float8, s.avg_width,
       coalesce(s.most_common_vals::text, ''), coalesce(s.most_common_freqs, '{}'), coalesce(s.histogram_bounds::text, '')
from pg_stats s
where s.tablename = any ($1::name[])`

const sqlFunctionNames = `
select p.oid, concat(p.pronamespace, '.', p.proname) from pg_proc p where p.oid >= ($1::oid[])[1]`

const sqlFunctions = `
select p.oid, p.pronamespace, n.nspname::text, p.proname::text, p.prokind::text,
       case when coalesce(pg_column_size(p.proargdefaults), 0) <= ` + storedBytes + ` then left(coalesce(pg_get_function_arguments(p.oid), ''), 2000) else '' end, left(coalesce(pg_get_function_result(p.oid), ''), 2000),
       p.provolatile::text, p.prosecdef, left(coalesce(obj_description(p.oid, 'pg_proc'), ''), 2000),
       case when p.proacl is null then '{0}'::oid[]
            else array(select x.grantee from aclexplode(p.proacl) x where x.privilege_type = 'EXECUTE') end
from pg_proc p
join pg_namespace n on n.oid = p.pronamespace
where p.oid >= $1 and p.prokind <> 'p'
  and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype, 'internal'::regtype)
  and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_(temp|toast_temp)_'
  and p.oid not in (select d.objid from pg_depend d
                    where d.refclassid = 'pg_extension'::regclass and d.classid = 'pg_proc'::regclass and d.deptype = 'e')
order by n.nspname, p.proname, p.oid`

const sqlCollations = `
select c.oid, c.collnamespace, n.nspname::text, c.collname::text, coalesce(to_jsonb(c) ->> 'colliculocale', to_jsonb(c) ->> 'colllocale', c.collcollate, ''), not c.collisdeterministic
from pg_collation c
join pg_namespace n on n.oid = c.collnamespace
where c.oid = any ($1::oid[]) or c.oid >= $2`
