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

// sqlRelations: members of extensions are the extension's business, temporary
// tables exist in their own session only.
const sqlRelations = `
select c.oid, n.nspname::text, c.relname::text, c.relkind::text, c.reltuples::float8, c.relpages,
       c.relispartition,
       coalesce(has_table_privilege(c.oid, 'SELECT'), false),
       n.usable and coalesce(has_table_privilege(c.oid, 'SELECT') or has_any_column_privilege(c.oid, 'SELECT'), false),
       c.relrowsecurity and coalesce(row_security_active(c.oid), true),
       c.relispopulated, c.relpersistence = 'u'
from pg_class c
join (select oid, nspname, coalesce(has_schema_privilege(oid, 'USAGE'), false) as usable
      from pg_namespace
      where nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
        and nspname !~ '^pg_(temp|toast_temp)_') n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relpersistence <> 't'
  and not exists (select from pg_depend d
                  where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.objsubid = 0 and d.deptype = 'e')
order by n.nspname, c.relname`

const sqlInherits = `select inhrelid, inhparent from pg_inherits order by inhrelid, inhseqno`

const sqlColumns = `
select a.attrelid, a.attnum, a.attname::text, a.atttypid, a.atttypmod, a.attnotnull, a.attislocal,
       a.attgenerated <> '', a.attidentity <> ''
from unnest($1::oid[], $2::bool[]) as w(oid, whole)
join pg_attribute a on a.attrelid = w.oid
where a.attnum > 0 and not a.attisdropped
  and (w.whole or coalesce(has_column_privilege(a.attrelid, a.attnum, 'SELECT'), false))
order by a.attrelid, a.attnum`

const sqlTypeNames = `
select t.oid, t.mod, format_type(t.oid, t.mod) from unnest($1::oid[], $2::int[]) as t(oid, mod)`

// sqlTypes follows domains down to their base types.
const sqlTypes = `
with recursive used as (
	select t.oid, t.typname, t.typcategory, t.typtype, t.typbasetype, t.typnotnull
	from pg_type t where t.oid = any ($1::oid[])
	union
	select b.oid, b.typname, b.typcategory, b.typtype, b.typbasetype, b.typnotnull
	from used u join pg_type b on u.typtype = 'd' and b.oid = u.typbasetype
)
select oid, typname::text, typcategory::text, typtype::text, typbasetype, typnotnull from used`

const sqlEnums = `
select enumtypid, enumlabel::text from pg_enum where enumtypid = any ($1::oid[]) order by enumtypid, enumsortorder`

const sqlDomainChecks = `
select contypid, coalesce(pg_get_constraintdef(oid), '') from pg_constraint
where contypid = any ($1::oid[]) and contype = 'c' order by contypid, conname`

// sqlConstraints leaves out what PostgreSQL derives for partitions.
const sqlConstraints = `
select c.oid, c.conname::text, c.contype::text, c.conrelid, c.conkey, c.confrelid, coalesce(c.confkey, '{}'),
       case when c.contype = 'c' then coalesce(pg_get_constraintdef(c.oid), '') else '' end
from pg_constraint c
where c.conrelid = any ($1::oid[]) and c.contype in ('f', 'c') and c.conparentid = 0
  and c.conkey is not null
order by c.conrelid, c.conname`

// sqlUniques: keys are unique indexes too. An index on part of the rows or on
// an expression says nothing of a column.
const sqlUniques = `
select i.indrelid, (i.indkey::int2[])[0:i.indnkeyatts - 1], i.indisprimary
from pg_index i
where i.indrelid = any ($1::oid[]) and i.indisunique and i.indisvalid and i.indpred is null and i.indexprs is null
order by i.indrelid, not i.indisprimary, i.indexrelid`

const sqlComments = `
select d.objoid, d.objsubid::int2, d.description
from pg_description d
where d.classoid = 'pg_class'::regclass and d.objoid = any ($1::oid[])`

const sqlViews = `
select v.oid, pg_get_viewdef(v.oid)
from unnest($1::oid[]) as v(oid) where pg_get_viewdef(v.oid) is not null`

// askerPattern matches the definition of a view that may show different rows
// to different users.
const askerPattern = `\m(current_user|session_user|current_role|current_setting|user|(pg_)?has_[a-z_]*)\M`

// sqlViewColumns: the columns that a view reads, itself or through other
// views, and whether what one user sees there need not be what others see.
const sqlViewColumns = `
with recursive used (view, relation) as (
	select v.oid, v.oid from unnest($1::oid[]) as v(oid)
	union
	select u.view, d.refobjid
	from used u
	join pg_rewrite w on w.ev_class = u.relation
	join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid
	 and d.refclassid = 'pg_class'::regclass and d.refobjid <> u.relation
)
select distinct u.view, c.oid, a.attnum, n.nspname::text, c.relname::text, a.attname::text,
       coalesce(col_description(c.oid, a.attnum), ''),
       c.relrowsecurity or c.relkind = 'v' and coalesce(pg_get_viewdef(c.oid) ~* '` + askerPattern + `', false)
from used u
join pg_rewrite w on w.ev_class = u.relation
join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid
 and d.refclassid = 'pg_class'::regclass and d.refobjid <> u.relation
join pg_class c on c.oid = d.refobjid
join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
where a.attnum > 0 and not a.attisdropped`

// sqlStats: pg_stats shows only columns that the role may read, and none
// where row security is active. It asks for the privilege on every column that
// the names leave, which is where its time goes. The arrays are anyarray, of
// the column's type, and come as text.
const sqlStats = `
select s.schemaname::text, s.tablename::text, s.attname::text, s.inherited, s.null_frac::float8, s.n_distinct::float8, s.avg_width,
       coalesce(s.most_common_vals::text, ''), coalesce(s.most_common_freqs, '{}'), coalesce(s.histogram_bounds::text, '')
from pg_stats s
where s.tablename = any ($1::name[])`

// sqlSettled is the transaction snapshot of the query. pg_current_snapshot is
// its name from PostgreSQL 13 on; this one is in all versions.
const sqlSettled = `select txid_current_snapshot()::text`

// sqlVersion changes with every committed change of the system catalogs that a
// snapshot is made from: an inserted or updated row has a new xmin, a deleted
// one changes the count.
const sqlVersion = `
select md5(concat_ws(' ',
	(select concat(count(*), ' ', sum(hashtext(xmin::text)::bigint)) from pg_class),
	(select concat(count(*), ' ', sum(hashtext(xmin::text)::bigint)) from pg_attribute),
	(select concat(count(*), ' ', sum(hashtext(xmin::text)::bigint)) from pg_description),
	(select concat(count(*), ' ', sum(hashtext(xmin::text)::bigint)) from pg_constraint),
	(select concat(count(*), ' ', sum(hashtext(xmin::text)::bigint)) from pg_index),
	(select concat(count(*), ' ', sum(hashtext(xmin::text)::bigint)) from pg_namespace),
	(select concat(count(*), ' ', sum(hashtext(xmin::text)::bigint)) from pg_enum),
	(select concat(count(*), ' ', sum(hashtext(xmin::text)::bigint)) from pg_type),
	(select concat(count(*), ' ', sum(hashtext(xmin::text)::bigint)) from pg_rewrite),
	(select concat(count(*), ' ', sum(hashtext(xmin::text)::bigint)) from pg_policy),
	(select concat(count(*), ' ', sum(hashtext(xmin::text)::bigint)) from pg_inherits),
	(select concat(count(*), ' ', sum(hashtext(xmin::text)::bigint)) from pg_auth_members),
	(select concat(count(*), ' ', sum(hashtext(concat(oid, rolsuper, rolinherit, rolbypassrls))::bigint)) from pg_roles)))`
