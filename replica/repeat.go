package replica

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
)

// A standby's catalog, roles and memberships change by replayed WAL alone. While the
// replay position is where it was before a statement was judged, judging the statement anew
// would have the same result. Then the statement runs in one round trip. A query before it, in
// the same transaction, fails if the position, the lag, the search path or the server's being
// a standby have changed. Then the server skips the statement. Limits, settings, role and the
// read-only transaction are set as for every other question.

// unchangedSQL takes the replay position, the longest lag in seconds, the search_path to set and the
// schemas that names are looked up in then. It fails with division_by_zero where they do not hold, and
// returns the lag. It is planned and begun under search_path = pg_catalog.
const unchangedSQL = `select lag / case when pg_is_in_recovery() and pg_last_wal_replay_lsn() = $1::pg_lsn and lag between 0 and $2::float8 and set_config('search_path', $3, true) is not null
	then (current_schemas(true) = $4::name[])::int4::float8 else 0 end
from (select case when exists (select from pg_stat_get_wal_receiver() where pid is not null) and pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn() then 0
	else coalesce(greatest(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0), -1) end::float8) as l (lag)`

const codeDivisionByZero = "22012"

// judgement is what was found out about a statement, and when.
type judgement struct {
	replayed string // the standby's position before it was judged
	user     bool   // by a login of the asker's own
	role     string // that the statement may run as
	why      string
	path     []string
	left     string // schemas that are not in it
	setting  string // search_path
}

// question is what a judgement depends on beside the standby's state.
type question struct {
	role     string
	oid      uint32 // of the role
	login    string // of the asker's own; empty for the service login
	settings string
	sql      string
}

// maxJudged bounds the judgements of a database.
const maxJudged = 1024

// movedFor is how long a standby counts as busy whose position had moved: the
// next assertion would fail as well, and cost a round trip.
const movedFor = time.Second

// judged are the judgements of a database's last statements.
type judged struct {
	mu    sync.Mutex
	by    map[question]judgement
	moved time.Time
}

func (j *judged) get(q question) (judgement, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if time.Since(j.moved) < movedFor {
		return judgement{}, false
	}
	v, ok := j.by[q]
	return v, ok
}

func (j *judged) put(q question, v judgement) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.by) >= maxJudged {
		clear(j.by)
	}
	if j.by == nil {
		j.by = map[question]judgement{}
	}
	j.by[q] = v
}

// forget drops a judgement that does not hold any more.
func (j *judged) forget(q question) {
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.by, q)
	j.moved = time.Now()
}

func (r *Replica) questionOf(s ask.Session, sql string) question {
	names, values := takeOver(s)
	login := ""
	if r.asUser(s) {
		login = s.Login.User()
	}
	return question{role: s.Role, oid: s.RoleOID, login: login, settings: strings.Join(append(append(names, values...), pathSetting(s)), "\x00"), sql: sql}
}

// remember keeps the judgement of the statement that the transaction has judged.
func (t *tx) remember(s ask.Session, sql string) {
	if t.state.standby && t.state.replayed != "" {
		t.p.judged.put(t.r.questionOf(s, sql), judgement{replayed: t.state.replayed, user: t.user, role: t.role, why: t.why, path: t.path, left: t.left, setting: t.setting})
	}
}

var errMoved = errors.New("the standby is not where it was")

func moved(pg *pgconn.PgError) error {
	if pg.Code == codeDivisionByZero {
		return errMoved
	}
	return pg
}

// repeat runs a statement that has been judged, if nothing has changed since.
// Otherwise, and after any trouble, it has done nothing, and the statement
// is to be judged.
func (rows *Rows) repeat(s ask.Session, sql string, formats []int16) bool {
	r, now := rows.r, time.Now()
	i := slices.IndexFunc(r.hosts, func(h *host) bool { return h.usable(now) })
	if i < 0 {
		return false
	}
	p, err := r.hosts[i].pool(s.Database)
	if err != nil {
		return false
	}
	q := r.questionOf(s, sql)
	v, ok := p.judged.get(q)
	if !ok {
		return false
	}
	// The statement's text is UTF-8; with ASCII alone it is the same in the
	// client's encoding, in which its rows leave.
	enc := clientEncoding(s)
	if enc != "" && strings.ContainsFunc(sql, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return false
	}
	c, err := r.connect(rows.timed, r.hosts[i], p, s, v.user)
	if err != nil {
		return false
	}
	t := &tx{r: r, h: r.hosts[i], p: p, c: c, srv: serverOf(c.PgConn()), s: s, user: v.user, role: v.role, why: v.why, path: v.path, left: v.left, guard: r.guard, place: rows.place}
	pl := c.PgConn().StartPipeline(rows.timed)
	answer := step{stored: statementName, formats: formats, open: &rows.rr}
	if err = exchange(pl, append(t.repeatSteps(&v, enc, sql), answer)); err != nil {
		_ = pl.Close()
		if errors.Is(err, errMoved) {
			p.judged.forget(q)
		}
		t.dirty = rows.timed.Err() != nil || c.PgConn().IsClosed()
		t.place.keep() // until then, as the rows may give it back before
		t.endLater(t.place.release)
		return false
	}
	rows.t, rows.pl, rows.notices = t, pl, t.notices()
	rows.cols = columns(rows.rr.FieldDescriptions())
	return true
}

// repeatSteps begin a transaction with the limits, the asker's settings and the role, see that nothing has
// changed since the judgement, and prepare the statement.
func (t *tx) repeatSteps(v *judgement, encoding, sql string) []step {
	names, values := t.r.limitSettings(t.srv, t.r.cfg.FetchTimeout.Duration())
	own, ownValues := takeOver(t.s)
	names, values = append(names, own...), append(values, ownValues...)
	if encoding != "" {
		names, values = append(names, "client_encoding"), append(values, encoding)
	}
	if t.switches() { // last: what follows it is done with the asker's rights
		names, values = append(names, "role"), append(values, t.role)
	}
	unchanged := [][]byte{[]byte(v.replayed), strconv.AppendFloat(nil, t.r.cfg.MaxLag.Duration().Seconds(), 'f', 3, 64), []byte(v.setting), textArray(v.path)}
	return []step{{stored: ownBegin}, setStep(names, values),
		{stored: ownUnchanged, params: unchanged, fail: moved, row: t.state.unchanged},
		{name: statementName, sql: sql, prepare: true}}
}

// unchanged reads the lag that unchangedSQL found.
func (st *status) unchanged(v [][]byte) error {
	seconds, err := strconv.ParseFloat(string(v[0]), 64)
	st.standby, st.lag = true, time.Duration(seconds*float64(time.Second)).Round(time.Millisecond)
	return err
}
