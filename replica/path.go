package replica

import (
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
)

// narrowSQL sets search_path to those of the schemas $2 that the role $3 may use and in which no
// untrusted role may create objects. It returns the setting and the schemas that it left out for
// that. It also returns the text search configurations that the session's default may be. $1 is
// replica.trusted_owners. It runs before the role is switched, under search_path = pg_catalog.
const narrowSQL = `with ` + trustedSQL + `, schemas (name, place, open) as materialized (
	select n.nspname, k.place, n.nspname = '$user' or ` + openSQL + `
	from unnest($2::text[]) with ordinality as k (name, place) join pg_namespace n on n.nspname = case k.name when '$user' then $3::name else k.name::name end
	where has_schema_privilege($3::name, n.oid, 'USAGE')
)
select set_config('search_path', coalesce(string_agg(quote_ident(name), ', ' order by place) filter (where not open), 'pg_catalog'), true),
	coalesce(string_agg(quote_ident(name), ', ' order by place) filter (where open), ''),
	(select string_agg(c.oid::text, ' ') from pg_ts_config c join pg_namespace n on n.oid = c.cfgnamespace where c.oid >= 16384
		and lower(replace(current_setting('default_text_search_config'), '"', '')) in (lower(replace(c.cfgname, '"', '')), lower(replace(n.nspname || '.' || c.cfgname, '"', ''))))
from schemas`

// exposedSQL reads the schemas that narrowSQL would leave out.
const exposedSQL = `with ` + trustedSQL + ` select n.nspname from pg_namespace n where ` + openSQL + ` order by 1`

// trustedSQL are the owners that are trusted: superusers, the database's owner, replica.trusted_owners ($1).
const trustedSQL = `trusted (oid) as materialized (
	select r.oid from pg_roles r where r.rolsuper or r.rolname = any ($1::text[]) or r.rolname = 'pg_database_owner'
	union select d.datdba from pg_database d where d.datname = current_database()
)`

// openSQL says of a schema n whether an untrusted role may create objects in it.
const openSQL = `(not exists (select from trusted t where t.oid = n.nspowner)
	or exists (select from aclexplode(n.nspacl) a where a.privilege_type = 'CREATE' and not exists (select from trusted t where t.oid = a.grantee)))`

// pathStep sets the schemas that names are looked up in: pg_catalog, and those of the
// asker's in which no untrusted role may create objects. A name would come to mean what a
// stranger made otherwise. His code would run in a session of the service login, which can
// become every asker. In one of the asker's own he could have questions refused or answered
// wrongly. It comes before the role is switched.
func (t *tx) pathStep() step {
	list := searchPath(pathSetting(t.s), t.s.Role, t.role)
	return step{
		stored: ownNarrow, params: [][]byte{textArray(t.r.cfg.TrustedOwners), textArray(list), []byte(t.role)},
		row: func(v [][]byte) error {
			t.setting, t.left, t.search = string(v[0]), string(v[1]), numbers(v[2])
			return nil
		},
		fail: func(pg *pgconn.PgError) error {
			e := pgError(pg)
			e.Message = "search_path of your session cannot be taken over on the replica: " + e.Message
			return e
		},
	}
}

// explainPath adds to an error about a name that is not found what was left
// out of the path.
func (t *tx) explainPath(err error) error {
	e := ask.AsError(err)
	if e == nil || t.left == "" || e.Code != "42P01" && e.Code != "42883" && e.Code != "42704" {
		return err
	}
	return e.Copied().WithHint("Names are not looked up in schema %[1]s, since roles that are not trusted may create objects there. Write the schema before the name. An admin can REVOKE CREATE ON SCHEMA %[1]s FROM those roles (`askpg check` names them), or trust them (replica.trusted_owners).", t.left)
}
