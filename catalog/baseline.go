package catalog

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// baseline is what the system catalogs were like at one time, in a form that
// can be compared with what they are like later.
//
// A committed change leaves new row versions, or fewer rows. A version is new
// if its xmin is not before the oldest transaction that was in progress at that
// time. So a check scans the catalogs for new versions. That costs little more
// than to walk over the pages, as no column is read. Where rows can go without a
// trace, it counts them too.
//
// There is no index on xmin, and none of PostgreSQL's counters would do in its
// place. A session sends those of the statistics when it gets round to it: an
// idle one up to 10 s later from PostgreSQL 15 on, or never before. On a standby
// they do not move.
//
// A large catalog is scanned in steps, so that each check is short and a round
// of checks sees everything.
type baseline struct {
	oldestXID string
	state     txState
	steps     []step
}

// step is what one check scans: up to stepBlocks pages.
type step struct {
	ranges  []pageRange
	digests []digest // of each pageRange, when the baseline was read
}

// pageRange is a range of pages of a system catalog.
type pageRange struct {
	catalog  int // in watched, or smallCatalogs
	from, to uint32
}

// digest is what a scan of a range finds. It differs after a change.
type digest struct {
	count int64 // of rows, where rows can go without a trace
	sum   int64 // of hashes of the new row versions
}

// stepBlocks is how many pages of 8 kB a check scans at most: some 2 ms of CPU.
const stepBlocks = 600

// endOfCatalog is more pages than a relation can have.
const endOfCatalog = 1<<32 - 1

// Parts of the scans. Parameter 1 is the oldest transaction in progress at the
// time of the baseline, 2 and 3 are the first page and the page behind the last.
// Temporary relations do not count.
const (
	isNewer     = `age(x.xmin) <= (select age($1::text::xid))`
	newSum      = `coalesce(sum(hashtext(x.xmin::text)::bigint), 0)`
	inRange     = `x.ctid >= $2::text::tid and x.ctid < $3::text::tid`
	persistence = `coalesce((select c.relpersistence from pg_class c where c.oid = `
	isDurable   = `), 'p') <> 't'`
)

// watched are the catalogs that are scanned by pages, and how. Rows of
// pg_attribute, pg_index and pg_type go only with a row of pg_class or with what
// uses them; row types and arrays come with their relation.
var watched = []struct{ name, sql string }{
	{"pg_attribute", `select 0::int8, ` + newSum + ` from pg_attribute x where ` + isNewer + ` and ` + inRange + ` and ` + persistence + `x.attrelid` + isDurable},
	{"pg_class", `select count(*), coalesce(sum(hashtext(x.xmin::text)::bigint) filter (where ` + isNewer + ` and x.relkind not in ('i', 'I')), 0)
from pg_class x where x.relkind in ('r', 'p', 'v', 'm', 'f', 'c', 'i', 'I') and x.relpersistence <> 't' and ` + inRange},
	{"pg_type", `select 0::int8, ` + newSum + ` from pg_type x where ` + isNewer + ` and x.typtype <> 'c' and x.typcategory <> 'A' and ` + inRange},
	{"pg_index", `select 0::int8, ` + newSum + ` from pg_index x where ` + isNewer + ` and ` + inRange + ` and ` + persistence + `x.indrelid` + isDurable},
	{"pg_constraint", `select count(*) filter (where x.contype = 'f' or x.contypid <> 0), coalesce(sum(hashtext(x.xmin::text)::bigint) filter (where ` + isNewer + ` and ` + persistence + `x.conrelid` + isDurable + `), 0)
from pg_constraint x where ` + inRange},
	{"pg_description", `select count(*) filter (where x.classoid = 'pg_class'::regclass), coalesce(sum(hashtext(x.xmin::text)::bigint) filter (where ` + isNewer + `), 0) from pg_description x where ` + inRange},
	{"pg_proc", `select count(*), coalesce(sum(hashtext(x.xmin::text)::bigint) filter (where ` + isNewer + `), 0) from pg_proc x where ` + inRange},
	{"pg_rewrite", `select 0::int8, ` + newSum + ` from pg_rewrite x where ` + isNewer + ` and ` + inRange},
}

// smallCatalogs stands for the catalogs that are small in every database. They
// are scanned together, once in each round.
const smallCatalogs = -1

// sqlSmall scans them: pg_roles and pg_database are shared by all databases; roles have
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

// readBaseline reads the catalogs' state as the transaction sees it.
func readBaseline(ctx context.Context, tx pgx.Tx, serverVersion int) (*baseline, error) {
	w := &baseline{}
	var err error
	if w.state, w.oldestXID, err = readTxState(ctx, tx); err != nil {
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
		if s.digests, err = s.scan(ctx, tx, w.oldestXID); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// divide makes steps of at most limit blocks of the catalogs, by their sizes.
// The last range of each catalog has no end, as catalogs grow.
func (w *baseline) divide(blocks []int64, limit uint32) {
	current, room := step{ranges: []pageRange{{catalog: smallCatalogs}}}, limit
	for i, n := range blocks {
		left := uint32(n)
		for from := uint32(0); ; {
			take := min(left, room)
			end := left == take
			if take > 0 || end {
				s := pageRange{i, from, from + take}
				if end {
					s.to = endOfCatalog
				}
				current.ranges = append(current.ranges, s)
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

// scan reads the digests of the step's ranges, in one round trip.
func (s *step) scan(ctx context.Context, tx pgx.Tx, base string) ([]digest, error) {
	digests := make([]digest, len(s.ranges))
	batch := &pgx.Batch{}
	for i := range s.ranges {
		p, d := s.ranges[i], &digests[i]
		into := func(row pgx.Row) error { return row.Scan(&d.count, &d.sum) }
		if p.catalog == smallCatalogs {
			batch.Queue(sqlSmall, base).QueryRow(into)
		} else {
			batch.Queue(watched[p.catalog].sql, base, fmt.Sprintf("(%d,0)", p.from), fmt.Sprintf("(%d,0)", p.to)).QueryRow(into)
		}
	}
	return digests, tx.SendBatch(ctx, batch).Close()
}

// txState is the state of the server as a transaction sees it. Two of them can
// tell without a scan that nothing has changed.
type txState struct {
	snapshot  string // of the transaction: xmin:xmax:transactions in progress
	primary   bool
	replayed  string // position in the log up to which a standby has replayed
	unchanged bool   // a standby had replayed up to the same position at the check before
}

// sqlTxState: pg_current_snapshot is the snapshot's name from PostgreSQL 13 on;
// this one is in all versions.
const sqlTxState = `
select txid_current_snapshot()::text, not pg_is_in_recovery(),
       case when pg_is_in_recovery() then coalesce(pg_last_wal_replay_lsn()::text, '') else '' end`

func readTxState(ctx context.Context, tx pgx.Tx) (s txState, oldestXID string, err error) {
	if err := tx.QueryRow(ctx, sqlTxState).Scan(&s.snapshot, &s.primary, &s.replayed); err != nil {
		return s, "", fmt.Errorf("reading the transaction snapshot: %w", err)
	}
	xmin, _, _ := strings.Cut(s.snapshot, ":")
	return s, shortXID(xmin), nil
}

// sameCatalogs reports whether s, read after old, shows that the catalogs are
// as they were when old was read. It sets s.unchanged.
//
// On a primary every transaction that could have changed them and is not over
// is in the snapshot, so two equal snapshots see the same. A standby's snapshot
// lists none in progress: it says all only if there was none. But nothing
// changes on a standby while nothing is replayed. The position is read after the
// snapshot was taken, so something could have been replayed in between; it was
// not if the position was the same at the check before.
func (s *txState) sameCatalogs(old *txState) bool {
	if s.snapshot == "" || s.primary != old.primary {
		return false
	}
	s.unchanged = !s.primary && s.replayed != "" && s.replayed == old.replayed
	if s.snapshot == old.snapshot {
		xmin, rest, _ := strings.Cut(s.snapshot, ":")
		xmax, _, _ := strings.Cut(rest, ":")
		if s.primary || xmin == xmax {
			return true
		}
	}
	return s.unchanged && old.unchanged
}

// shortXID returns a transaction's number without its epoch, as xmin has it.
func shortXID(long string) string {
	n, _ := strconv.ParseUint(long, 10, 64)
	return fmt.Sprint(uint32(n))
}
