package catalog

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// watermark is what the system catalogs were like at one time, in a form that
// can be compared with what they are like later.
//
// A committed change leaves new row versions, or fewer rows. Versions are new
// if their xmin is not before base, the oldest transaction that was in progress
// then. So to look for a change is to scan the catalogs for row versions from
// base on (which costs little more than to walk over the pages: no column is
// read) and, where rows can go without a trace, to count. There is no index on
// xmin, and no counter that PostgreSQL keeps would do in its place: those of
// its statistics are sent when a session gets round to it, which an idle one
// need not (up to 10 s from PostgreSQL 15 on, without limit before), and do not
// move on a standby.
//
// A large catalog is scanned in pieces, so that a check is as short as wanted
// and a round of checks sees everything.
type watermark struct {
	base  string // xid
	gate  gate
	steps []step
}

// step is what one check scans: up to stepBlocks pages.
type step struct {
	spans   []span
	digests []digest // of each span, when the watermark was read
}

// span is a range of pages of a system catalog.
type span struct {
	catalog  int // of watched
	from, to uint32
}

type digest struct{ count, sum int64 }

// stepBlocks is how many pages of 8 kB a check scans at most: some 2 ms of CPU.
const stepBlocks = 600

// endOfCatalog is more pages than a relation can have.
const endOfCatalog = 1<<32 - 1

// newer is the sum that changes with row versions from base on. Parameter 1 is
// base. A temporary relation is nobody else's business.
const (
	isNewer = `age(x.xmin) <= (select age($1::text::xid))`
	newSum  = `coalesce(sum(hashtext(x.xmin::text)::bigint), 0)`
	inSpan  = `x.ctid >= $2::text::tid and x.ctid < $3::text::tid`
	durable = `coalesce((select c.relpersistence from pg_class c where c.oid = `
	isHeld  = `), 'p') <> 't'`
)

// watched are the catalogs that are scanned by pages, and how. Rows of
// pg_attribute, pg_index and pg_type go only with a row of pg_class or with what
// uses them; row types and arrays come with their relation.
var watched = []struct{ name, sql string }{
	{"pg_attribute", `select 0::int8, ` + newSum + ` from pg_attribute x where ` + isNewer + ` and ` + inSpan + ` and ` + durable + `x.attrelid` + isHeld},
	{"pg_class", `select count(*), coalesce(sum(hashtext(x.xmin::text)::bigint) filter (where ` + isNewer + ` and x.relkind not in ('i', 'I')), 0)
from pg_class x where x.relkind in ('r', 'p', 'v', 'm', 'f', 'c', 'i', 'I') and x.relpersistence <> 't' and ` + inSpan},
	{"pg_type", `select 0::int8, ` + newSum + ` from pg_type x where ` + isNewer + ` and x.typtype <> 'c' and x.typcategory <> 'A' and ` + inSpan},
	{"pg_index", `select 0::int8, ` + newSum + ` from pg_index x where ` + isNewer + ` and ` + inSpan + ` and ` + durable + `x.indrelid` + isHeld},
	{"pg_constraint", `select count(*) filter (where x.contype = 'f' or x.contypid <> 0), coalesce(sum(hashtext(x.xmin::text)::bigint) filter (where ` + isNewer + ` and ` + durable + `x.conrelid` + isHeld + `), 0)
from pg_constraint x where ` + inSpan},
	{"pg_description", `select count(*) filter (where x.classoid = 'pg_class'::regclass), coalesce(sum(hashtext(x.xmin::text)::bigint) filter (where ` + isNewer + `), 0) from pg_description x where ` + inSpan},
	{"pg_proc", `select count(*), coalesce(sum(hashtext(x.xmin::text)::bigint) filter (where ` + isNewer + `), 0) from pg_proc x where ` + inSpan},
	{"pg_rewrite", `select 0::int8, ` + newSum + ` from pg_rewrite x where ` + isNewer + ` and ` + inSpan},
}

// The others are small wherever they are, and scanned with every round.
const smallCatalogs = -1

// sqlSmall: pg_roles and pg_database are shared by all databases; roles have
// more columns than count here, and a login changes none that do.
var sqlSmall = func() string {
	var b strings.Builder
	b.WriteString(`select sum(n)::int8, sum(h)::int8 from (
select 0::int8, hashtext(concat_ws(' ', oid, rolname, rolsuper, rolinherit, rolbypassrls))::bigint from pg_roles
union all select 0, hashtext(concat_ws(' ', datdba, datname))::bigint from pg_database where datname = current_database()`)
	for _, name := range []string{"pg_namespace", "pg_enum", "pg_policy", "pg_inherits", "pg_auth_members", "pg_extension", "pg_collation"} {
		fmt.Fprintf(&b, "\nunion all (select count(*), coalesce(sum(hashtext(x.xmin::text)::bigint) filter (where %s), 0) from %s x)", isNewer, name)
	}
	b.WriteString(") s (n, h)")
	return b.String()
}()

const sqlBlocks = `
select (pg_relation_size(c.name::regclass) / current_setting('block_size')::int)::int8
from unnest($1::text[]) with ordinality as c(name, n) order by c.n`

// readWatermark reads the catalogs' state as the transaction sees it.
func readWatermark(ctx context.Context, tx pgx.Tx, serverVersion int) (*watermark, error) {
	w := &watermark{}
	var err error
	if w.gate, w.base, err = readGate(ctx, tx); err != nil {
		return nil, err
	}
	names := make([]string, len(watched))
	for i := range watched {
		names[i] = watched[i].name
	}
	rows, err := tx.Query(ctx, sqlBlocks, names)
	if err != nil {
		return nil, err
	}
	blocks, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, err
	}
	limit := uint32(stepBlocks)
	if serverVersion < 140000 { // no reading of a range of pages: each piece would cost what all do
		limit = endOfCatalog
	}
	w.divide(blocks, limit)
	for i := range w.steps {
		s := &w.steps[i]
		if s.digests, err = s.scan(ctx, tx, w.base); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// divide makes steps of so many blocks of the catalogs by their sizes. The last span of
// each has no end, as catalogs grow.
func (w *watermark) divide(blocks []int64, limit uint32) {
	current, room := step{spans: []span{{catalog: smallCatalogs}}}, limit
	for i, n := range blocks {
		left := uint32(n)
		for from := uint32(0); ; {
			take := min(left, room)
			end := left == take
			if take > 0 || end {
				s := span{i, from, from + take}
				if end {
					s.to = endOfCatalog
				}
				current.spans = append(current.spans, s)
			}
			from, left, room = from+take, left-take, room-take
			if end {
				break
			}
			w.steps = append(w.steps, current)
			current, room = step{}, limit
		}
	}
	w.steps = append(w.steps, current)
}

// scan reads the digests of the step's spans, in one round trip.
func (s *step) scan(ctx context.Context, tx pgx.Tx, base string) ([]digest, error) {
	digests := make([]digest, len(s.spans))
	batch := &pgx.Batch{}
	for i := range s.spans {
		p, d := s.spans[i], &digests[i]
		into := func(row pgx.Row) error { return row.Scan(&d.count, &d.sum) }
		if p.catalog == smallCatalogs {
			batch.Queue(sqlSmall, base).QueryRow(into)
		} else {
			batch.Queue(watched[p.catalog].sql, base, fmt.Sprintf("(%d,0)", p.from), fmt.Sprintf("(%d,0)", p.to)).QueryRow(into)
		}
	}
	return digests, tx.SendBatch(ctx, batch).Close()
}

// gate tells without a scan that nothing can have changed.
type gate struct {
	snapshot string // of the transaction
	primary  bool
	position string // replayed up to, on a standby
	still    bool   // and the same the check before
}

// sqlGate: pg_current_snapshot is the snapshot's name from PostgreSQL 13 on;
// this one is in all versions.
const sqlGate = `
select txid_current_snapshot()::text, not pg_is_in_recovery(),
       case when pg_is_in_recovery() then coalesce(pg_last_wal_replay_lsn()::text, '') else '' end`

func readGate(ctx context.Context, tx pgx.Tx) (g gate, base string, err error) {
	if err := tx.QueryRow(ctx, sqlGate).Scan(&g.snapshot, &g.primary, &g.position); err != nil {
		return g, "", fmt.Errorf("reading the transaction snapshot: %w", err)
	}
	xmin, _, _ := strings.Cut(g.snapshot, ":")
	return g, shortXID(xmin), nil
}

// shut reports whether g, read after old, shows that the catalogs are as they
// were when old was read.
//
// On a primary every transaction that could have changed them and is not over
// is in the snapshot (xmin:xmax:in progress), so two equal ones see the same. A
// standby's snapshot lists none in progress: it says all only if there was
// none. But there nothing changes while nothing is replayed. As a position is
// read after the snapshot was taken, something could have been replayed in
// between; it was not if the position was the same the check before.
func (g *gate) shut(old *gate) bool {
	if g.snapshot == "" || g.primary != old.primary {
		return false
	}
	g.still = !g.primary && g.position != "" && g.position == old.position
	if g.snapshot == old.snapshot {
		xmin, rest, _ := strings.Cut(g.snapshot, ":")
		xmax, _, _ := strings.Cut(rest, ":")
		if g.primary || xmin == xmax {
			return true
		}
	}
	return g.still && old.still
}

// shortXID returns a transaction's number without its epoch, as xmin has it.
func shortXID(long string) string {
	var n uint64
	for _, c := range long {
		n = n*10 + uint64(c-'0')
	}
	return fmt.Sprint(uint32(n))
}
