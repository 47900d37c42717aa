package replica

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"sync"

	"askpg/ask"
	"askpg/replica/guard"
)

// facts are what the guard needs to know of one database's functions,
// operators, types and casts, at one version of its catalog. They are the same
// for every role and never change once read.
type facts struct {
	version    string
	functions  map[uint32]*guard.Function
	byName     map[string][]*guard.Function
	operators  map[uint32]*guard.Operator
	opByName   map[string][]*guard.Operator
	types      map[uint32]*guard.Type // made by users, arrays left out
	typeByName map[string][]*guard.Type
	casts      map[uint32][]guard.Cast // by source and by target
}

// factsCache holds a database's last facts.
type factsCache struct {
	mu   sync.Mutex
	last *facts
	lsn  string

	loading chan struct{} // held by the one question that reads them
}

// versionSQL tells a catalog from its earlier state by its user-made rows:
// DDL writes new row versions. On a standby nothing changes while the replay
// position stands; on a primary a commit becomes visible after its position,
// so that the position says nothing there.
const versionSQL = `select l.lsn, case when l.lsn = $1 then null else concat_ws(' ',
	(select concat(count(*), ',', sum(oid::int8), ',', sum(xmin::text::int8)) from pg_proc where oid >= 16384),
	(select concat(count(*), ',', sum(oid::int8), ',', sum(xmin::text::int8)) from pg_operator where oid >= 16384),
	(select concat(count(*), ',', sum(oid::int8), ',', sum(xmin::text::int8)) from pg_cast where oid >= 16384),
	(select concat(count(*), ',', sum(oid::int8), ',', sum(xmin::text::int8)) from pg_type where oid >= 16384 and typtype <> 'c' and typcategory <> 'A'),
	(select concat(count(*), ',', sum(oid::int8), ',', sum(xmin::text::int8)) from pg_class where relkind = 'c'),
	(select concat(count(*), ',', sum(oid::int8), ',', sum(xmin::text::int8)) from pg_constraint where contypid <> 0),
	(select concat(count(*), ',', sum(oid::int8), ',', sum(xmin::text::int8)) from pg_extension),
	(select concat(count(*), ',', sum(oid::int8)) from pg_roles where rolsuper)) end
from (select case when pg_is_in_recovery() then coalesce(pg_last_wal_replay_lsn()::text, '') else '' end) as l (lsn)`

const functionsSQL = `select p.oid, n.nspname, p.proname, p.proargtypes::text, case when p.oid < 16384 then '' else oidvectortypes(p.proargtypes) end,
	p.pronargs, p.pronargdefaults, p.provariadic <> 0, p.provolatile, p.prosecdef, e.extname, r.rolsuper, p.proowner = d.datdba or r.rolname = any ($1::text[]),
	p.oid >= 16384 and p.prolang = 12 and exists (select from pg_depend y where y.classid = 'pg_proc'::regclass and y.objid = p.oid and y.deptype = 'i' and y.refclassid = 'pg_type'::regclass), l.lanispl
from pg_proc p join pg_language l on l.oid = p.prolang join pg_namespace n on n.oid = p.pronamespace join pg_database d on d.datname = current_database()
left join pg_roles r on r.oid = p.proowner
left join pg_depend x on x.classid = 'pg_proc'::regclass and x.objid = p.oid and x.deptype = 'e' and x.refclassid = 'pg_extension'::regclass
left join pg_extension e on e.oid = x.refobjid`

const operatorsSQL = `select o.oid, n.nspname, o.oprname, o.oprleft, o.oprright, o.oprcode::oid from pg_operator o join pg_namespace n on n.oid = o.oprnamespace`

// typesSQL leaves out arrays, and tables' row types, which come with their
// relations: they change too often. Of a domain's checks it reads no more than shows that they are longer than $1: everybody's
// questions wait for it, and a constant in them may have any size. What a long text is stored in is small (pg_column_size).
const typesSQL = `select t.oid, n.nspname, t.typname, t.typtype, e.extname,
	(select case when sum(pg_column_size(c.conbin)) <= 32768 then string_agg(left(c.conbin::text, $1::int + 1), E'\n') else repeat('.', $1::int + 1) end
		from pg_constraint c where c.contypid = t.oid having count(*) > 0),
	case when t.typtype = 'c' then k.parts else (select string_agg(x::text, ' ') from unnest(array[t.typbasetype, t.typelem]) x where x >= 16384) end
from pg_type t join pg_namespace n on n.oid = t.typnamespace
left join (select a.attrelid, string_agg(distinct coalesce(nullif(y.typelem, 0), y.oid)::text, ' ') from pg_class v join pg_attribute a on a.attrelid = v.oid join pg_type y on y.oid = a.atttypid
	where v.relkind = 'c' and a.attnum > 0 and not a.attisdropped and coalesce(nullif(y.typelem, 0), y.oid) >= 16384 group by 1) as k (relid, parts) on k.relid = t.typrelid
left join pg_depend x on x.classid = 'pg_type'::regclass and x.objid = t.oid and x.deptype = 'e' and x.refclassid = 'pg_extension'::regclass
left join pg_extension e on e.oid = x.refobjid
where t.oid >= 16384 and (t.typtype <> 'c' or k.parts is not null) and t.typcategory <> 'A'`

const castsSQL = `select castsource, casttarget, castfunc from pg_cast where oid >= 16384`

// current returns the database's facts, read again if its catalog has changed: by
// one question at a time, since others wait for the same.
func (c *factsCache) current(ctx context.Context, p *pool) (*facts, error) {
	if f, _, err := c.known(ctx, p); f != nil || err != nil {
		return f, err
	}
	select {
	case c.loading <- struct{}{}:
		defer func() { <-c.loading }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	known, state, err := c.known(ctx, p)
	if known != nil || err != nil {
		return known, err
	}
	f, err := loadFacts(ctx, p)
	if err != nil {
		return nil, err
	}
	f.version = state.version
	c.mu.Lock()
	c.last, c.lsn = f, state.lsn
	c.mu.Unlock()
	return f, nil
}

// catalogState is what versionSQL says.
type catalogState struct{ lsn, version string }

// known returns the facts if they are current, nil otherwise.
func (c *factsCache) known(ctx context.Context, p *pool) (*facts, catalogState, error) {
	c.mu.Lock()
	last, lsn := c.last, c.lsn
	c.mu.Unlock()
	if last == nil || lsn == "" {
		lsn = "none"
	}
	var now string
	var version []byte
	err := p.service(ctx, step{stored: "version", params: [][]byte{[]byte(lsn)}, row: func(v [][]byte) error {
		now = string(v[0])
		if v[1] != nil {
			version = append([]byte{}, v[1]...)
		}
		return nil
	}})
	if err != nil {
		return nil, catalogState{}, err
	}
	if last == nil || version != nil && string(version) != last.version {
		return nil, catalogState{now, string(version)}, nil
	}
	c.mu.Lock()
	if c.last == last {
		c.lsn = now
	}
	c.mu.Unlock()
	return last, catalogState{}, nil
}

func loadFacts(ctx context.Context, p *pool) (*facts, error) {
	f := &facts{
		functions: map[uint32]*guard.Function{}, byName: map[string][]*guard.Function{}, operators: map[uint32]*guard.Operator{}, opByName: map[string][]*guard.Operator{},
		types: map[uint32]*guard.Type{}, typeByName: map[string][]*guard.Type{}, casts: map[uint32][]guard.Cast{},
	}
	err := p.service(ctx,
		step{sql: functionsSQL, params: [][]byte{textArray(p.trusted)}, row: func(v [][]byte) error {
			n, defaults := number(v[5]), number(v[6])
			fn := &guard.Function{
				OID: number(v[0]), Schema: string(v[1]), Name: string(v[2]), ArgTypes: string(v[3]), Args: string(v[4]),
				MinArgs: int(n) - int(defaults), MaxArgs: int(n), Volatile: v[8][0], Definer: truth(v[9]), Extension: string(v[10]),
				Superuser: truth(v[11]), Trusted: truth(v[11]) || truth(v[12]), MadeFor: truth(v[13]), Procedural: truth(v[14]),
			}
			if truth(v[7]) {
				fn.MinArgs, fn.MaxArgs = max(0, fn.MinArgs-1), -1
			}
			p.guard.Know(fn)
			f.functions[fn.OID] = fn
			f.byName[fn.Name] = append(f.byName[fn.Name], fn)
			return nil
		}},
		step{sql: operatorsSQL, row: func(v [][]byte) error {
			o := &guard.Operator{OID: number(v[0]), Schema: string(v[1]), Name: string(v[2]), Left: number(v[3]), Right: number(v[4]), Function: number(v[5])}
			f.operators[o.OID] = o
			f.opByName[o.Name] = append(f.opByName[o.Name], o)
			return nil
		}},
		step{sql: typesSQL, params: [][]byte{[]byte(strconv.Itoa(guard.MaxTree))}, row: func(v [][]byte) error {
			t := &guard.Type{OID: number(v[0]), Schema: string(v[1]), Name: string(v[2]), Kind: v[3][0], Extension: string(v[4]), Parts: numbers(v[6])}
			if v[5] != nil {
				t.Check = guard.ReadTree(string(v[5]))
			}
			f.types[t.OID] = t
			f.typeByName[t.Name] = append(f.typeByName[t.Name], t)
			return nil
		}},
		step{sql: castsSQL, row: func(v [][]byte) error {
			c := guard.Cast{Source: number(v[0]), Target: number(v[1]), Function: number(v[2])}
			f.casts[c.Source] = append(f.casts[c.Source], c)
			if c.Target != c.Source {
				f.casts[c.Target] = append(f.casts[c.Target], c)
			}
			return nil
		}},
	)
	return f, err
}

func number(b []byte) uint32 {
	n, _ := strconv.ParseUint(string(b), 10, 32)
	return uint32(n)
}

func numbers(b []byte) []uint32 {
	var list []uint32
	for word := range bytes.FieldsSeq(b) {
		list = append(list, number(word))
	}
	return list
}

func truth(b []byte) bool { return len(b) == 1 && b[0] == 't' }

// lookup is the guard.Lookup of one session: the database's facts along the
// session's search path.
type lookup struct {
	*facts
	pool    *pool
	path    []string
	search  []uint32                  // text search configurations that the session's default may be
	user    bool                      // the session is logged in as the asker
	moves   bool                      // the statement is to run on the primary, where an untrusted owner may have changed by then what was judged here
	exact   bool                      // the server's analysis of the statement is judged too
	seen    map[uint32]guard.Relation // relations read for this statement
	bodies  int                       // bytes of their definitions
	members map[guard.Object]bool     // what stands behind the names of this statement, all of it of trusted owners
}

var _ guard.Lookup = (*lookup)(nil)

// lookup returns what names mean in the transaction's session now.
func (t *tx) lookup(ctx context.Context) (*lookup, error) {
	look := t.early
	if look == nil {
		look = func() (*facts, error) { return t.p.facts.current(ctx, t.p) }
	}
	t.early = nil
	f, err := look()
	if err != nil {
		return nil, err
	}
	return &lookup{facts: f, pool: t.p, path: t.path, search: t.search, user: t.user, moves: t.guard == t.r.primary, exact: t.exact(), seen: map[uint32]guard.Relation{}}, nil
}

// along orders the objects of a name by their schemas' places in the path, or
// keeps those of one schema. Most names are of one schema only, and their list
// is as it should be.
func along[T any](l *lookup, schema string, all []T, in func(T) string) []T {
	path := l.path
	if schema != "" {
		path = []string{schema}
	}
	one := true
	for _, o := range all[min(1, len(all)):] {
		one = one && in(o) == in(all[0])
	}
	if len(all) == 0 || one && slices.Contains(path, in(all[0])) {
		return all
	}
	var list []T
	for _, s := range path {
		for _, o := range all {
			if in(o) == s {
				list = append(list, o)
			}
		}
	}
	return list
}

func (l *lookup) Functions(schema, name string) []*guard.Function {
	return along(l, schema, l.byName[name], func(f *guard.Function) string { return f.Schema })
}

func (l *lookup) Operators(schema, name string) []*guard.Operator {
	return along(l, schema, l.opByName[name], func(o *guard.Operator) string { return o.Schema })
}

func (l *lookup) Types(schema, name string) []*guard.Type {
	return along(l, schema, l.typeByName[name], func(t *guard.Type) string { return t.Schema })
}

func (l *lookup) FunctionOf(oid uint32) *guard.Function { return l.functions[oid] }
func (l *lookup) OperatorOf(oid uint32) *guard.Operator { return l.operators[oid] }
func (l *lookup) TypeOf(oid uint32) *guard.Type         { return l.types[oid] }

func (l *lookup) CastsOf(oid uint32) []guard.Cast { return l.casts[oid] }

// relationColumns takes the trusted owners as $1.
const relationColumns = `c.oid, n.nspname, c.relname, c.relkind,
	coalesce((select r.rolsuper or r.rolname = any ($1::text[]) from pg_roles r where r.oid = c.relowner), false) or c.relowner = (select d.datdba from pg_database d where d.datname = current_database()),
	c.relkind = 'f' or (c.relkind in ('r', 'p') and c.relhassubclass and exists (
		with recursive child (oid) as (select inhrelid from pg_inherits where inhparent = c.oid union select i.inhrelid from child join pg_inherits i on i.inhparent = child.oid)
		select from child join pg_class k on k.oid = child.oid where k.relkind = 'f')),
	case when c.oid < 16384 then null else array_to_string(array(select left(w.ev_action::text, 16777217) from pg_rewrite w where w.ev_class = c.oid and w.ev_type = '1' and c.relkind = 'v'
		union all select left(p.polqual::text, 16777217) from pg_policy p where p.polrelid = c.oid and c.relrowsecurity and p.polcmd in ('r', '*')), E'\n') end,
	case when c.oid < 16384 then null else array_to_string(array(select distinct coalesce(nullif(t.typelem, 0), t.oid) from pg_attribute a join pg_type t on t.oid = a.atttypid
		where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and coalesce(nullif(t.typelem, 0), t.oid) >= 16384), ' ') end`

const relationsSQL = `select k.i, ` + relationColumns + ` from unnest($2::text[], $3::text[], $4::int8[]) as k (schema, name, i)
	join pg_class c on c.relname = k.name join pg_namespace n on n.oid = c.relnamespace and n.nspname = k.schema`

const relationsOfSQL = `select 0, ` + relationColumns + ` from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = any ($2::oid[])`

// maxBodies bounds the definitions of the views and policies that are held to judge one statement, in bytes.
const maxBodies = 16 << 20

// relation reads a row of relationsSQL or relationsOfSQL.
func (l *lookup) relation(v [][]byte) (guard.Relation, error) {
	if l.bodies += len(v[7]); l.bodies > maxBodies {
		return guard.Relation{}, ask.Errorf(ask.CodeTooComplex, "the views and policies behind the statement have definitions of more than %d bytes", maxBodies)
	}
	r := guard.Relation{OID: number(v[1]), Schema: string(v[2]), Name: string(v[3]), Kind: v[4][0], Trusted: truth(v[5]), Foreign: truth(v[6]),
		Body: string(v[7]), TypeOIDs: numbers(v[8])}
	l.seen[r.OID] = r
	return r, nil
}

// Relations resolves names as RangeVarGetRelid does: the first schema of the
// path that has the name.
func (l *lookup) Relations(ctx context.Context, names []guard.Name) ([]guard.Relation, error) {
	found := make([]guard.Relation, len(names))
	if len(names) == 0 {
		return found, nil
	}
	var schemas, relations, index []string
	for i, n := range names {
		path := l.path
		if n.Schema != "" {
			path = []string{n.Schema}
		}
		for _, s := range path {
			schemas, relations, index = append(schemas, s), append(relations, n.Name), append(index, strconv.Itoa(i))
		}
	}
	rank := make([]int, len(names)) // 1 + place in the path of what was found
	err := l.pool.service(ctx, step{stored: "relations", params: [][]byte{textArray(l.pool.trusted), textArray(schemas), textArray(relations), textArray(index)}, row: func(v [][]byte) error {
		i := number(v[0])
		r, err := l.relation(v)
		if err != nil {
			return err
		}
		place := 1 + max(0, slices.Index(l.path, r.Schema))
		if rank[i] == 0 || place < rank[i] {
			rank[i], found[i] = place, r
		}
		return nil
	}})
	return found, err
}

func (l *lookup) RelationsOf(ctx context.Context, oids []uint32) ([]guard.Relation, error) {
	var found []guard.Relation
	var list []uint32
	for _, oid := range oids {
		if r, ok := l.seen[oid]; ok {
			found = append(found, r)
		} else {
			list = append(list, oid)
		}
	}
	if len(list) == 0 {
		return found, nil
	}
	err := l.pool.service(ctx, step{stored: "relations_of", params: [][]byte{textArray(l.pool.trusted), oidArray(list)}, row: func(v [][]byte) error {
		r, err := l.relation(v)
		found = append(found, r)
		return err
	}})
	return found, err
}

const columnsSQL = `select 1 from pg_attribute where attrelid = any ($1::oid[]) and attname = $2 and attnum > 0 and not attisdropped`

func (l *lookup) HaveColumn(ctx context.Context, oids []uint32, name string) (bool, error) {
	n := 0
	err := l.pool.service(ctx, step{sql: columnsSQL, params: [][]byte{oidArray(oids), []byte(name)}, row: func([][]byte) error { n++; return nil }})
	return n == len(oids), err
}
