package proxy

import (
	"context"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"askpg/ask"
)

// ShowFunc makes what SHOW askpg.name returns to the session of s, anew each
// time. Its columns must always be the same.
type ShowFunc func(ctx context.Context, s ask.Session) (*ask.Result, error)

// showLast is the name under which a session shows its last question.
const showLast = "last"

// shows says whether a text is a SHOW that askpg answers: of anything below
// askpg. but the settings of a session, which are the server's.
func (s *session) shows(text []byte) bool {
	if !utf8.Valid(text) {
		return false
	}
	name, ok := ask.ShowName(string(text))
	return ok && (s.srv.Shows[name] != nil || !slices.Contains(ask.SessionSettings, name))
}

// show answers SHOW askpg.name in a Query or a Parse.
func (t *turn) show(message []byte) error {
	rawName, text, ok := textOf(message)
	if !ok {
		return errRelay
	}
	name, ok := ask.ShowName(string(text))
	if !ok {
		return errRelay
	}
	prepared := string(rawName)
	if !t.simple && prepared == "" {
		delete(t.statements, "")
	}
	t.think()
	info, err := t.readInfo(prepared)
	if err != nil {
		return err
	}
	a := &answered{question: ask.Question{Session: info.session}, info: info}
	switch {
	case name == showLast:
		a.showLast = true
	case t.srv.Shows[name] != nil:
		a.show = t.srv.Shows[name]
	default:
		return t.srv.unknownShow(name)
	}
	if t.simple {
		return t.sendAll(a)
	}
	if err := t.vacant(prepared, info, 0); err != nil {
		return err
	}
	if err := t.refresh(a); err != nil {
		return err
	}
	st := &statement{answered: a, columns: a.table.Columns}
	st.weigh(0)
	return t.endParse(prepared, st)
}

// unknownShow is PostgreSQL's error for a setting that there is not, with what
// there is.
func (s *Server) unknownShow(name string) error {
	names := []string{ask.ShowPrefix + showLast}
	for n := range s.Shows {
		names = append(names, ask.ShowPrefix+n)
	}
	sort.Strings(names)
	return ask.Errorf(ask.CodeUndefinedObject, "unrecognized configuration parameter \"%s%s\"", ask.ShowPrefix, name).
		WithHint("askpg shows %s, and the settings of a session that are set.", strings.Join(names, ", "))
}

func (a *answered) shown() bool { return a.showLast || a.show != nil }

// refresh makes the table of a SHOW anew.
func (t *turn) refresh(a *answered) error {
	if a.showLast {
		a.table = t.shownLast(a.info)
		return nil
	}
	table, err := timed(t, a.info, func(ctx context.Context) (*ask.Result, error) { return a.show(ctx, a.info.session) })
	if err == nil {
		a.table = table
	}
	return err
}

// tag is the command tag of an answer of n rows.
func (a *answered) tag(n uint32) []byte {
	if a.shown() {
		return []byte("SHOW")
	}
	return []byte("SELECT " + strconv.FormatUint(uint64(n), 10))
}

// maxLasts bounds the last questions that are kept for logins, and maxLast the bytes of the texts
// of each. keepLast is how long each is shown. A question that is erased from the log is shown no
// longer.
const (
	maxLasts = 500
	maxLast  = 16 << 10
	keepLast = 5 * time.Minute
)

// lasts are the last questions of logins, by role, database and application_name, if they have set one. An application whose
// connections are pooled can't tell in which session it has asked.
type lasts struct {
	mu   sync.Mutex
	list []lastOf // one of each key, the oldest first
}

type lastOf struct {
	lastKey
	row *ask.Result
	at  time.Time
}

// lastKey has the OIDs of the login and the role beside their names: a role that was made anew under a name is another one.
type lastKey struct {
	user, role, database, application string
	userOID, roleOID                  uint32
}

func (l *lasts) put(key lastKey, row *ask.Result, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = slices.DeleteFunc(l.list, func(o lastOf) bool { return o.lastKey == key })
	if tableBytes(row) > maxLast {
		return
	}
	if len(l.list) >= maxLasts {
		l.list = slices.Delete(l.list, 0, 1)
	}
	l.list = append(l.list, lastOf{key, row, now})
}

func (l *lasts) get(key lastKey, now time.Time) *ask.Result {
	l.expire(now)
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.IndexFunc(l.list, func(o lastOf) bool { return o.lastKey == key }); i >= 0 {
		return l.list[i].row
	}
	return nil
}

// expire drops what was kept for long enough.
func (l *lasts) expire(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = slices.DeleteFunc(l.list, func(o lastOf) bool { return now.Sub(o.at) >= keepLast })
}

func (s *session) lastKey(info *sessionInfo) lastKey {
	return lastKey{s.startup.User, info.session.Role, s.startup.Database, s.startup.ApplicationName, info.loginOID, info.session.RoleOID}
}

// noteLast keeps what became of a question as the last one of its conversation and of its login.
func (t *turn) noteLast(a *answered) {
	t.last, t.judged, t.about = a, a.question.ID, a.question.ID
	t.publishLast()
}

// noteFailure keeps that the session's last question was translated and its answer failed in this turn.
func (t *turn) noteFailure(err error) {
	if a := t.last; a != nil && a.question.ID == t.about && a.err == nil {
		failed := *a
		failed.err, t.last = err, &failed
		t.publishLast()
	}
}

// noteReplica keeps where the rows of the session's last question are read, if its SQL came from memory and has run nowhere else.
func (t *turn) noteReplica(id string, at ask.Replica) {
	if t.last == nil || t.last.question.ID != id || t.last.translation.Replica.Name != "" || at.Name == "" {
		return
	}
	a, tr := *t.last, *t.last.translation
	tr.Replica, a.translation, t.last = at, &tr, &a
	t.publishLast()
}

func (t *turn) publishLast() {
	if key := t.lastKey(t.last.info); key.application != "" {
		t.srv.lasts.put(key, t.shownLast(t.last.info), time.Now())
	}
}

// shownLast is the session's last question as a row, or that of its login and application in the
// role if the session has not asked. It has no row if there was none.
func (s *session) shownLast(info *sessionInfo) *ask.Result {
	table := ask.NewTable(ask.TextColumn("id"), ask.TextColumn("question"), ask.TextColumn("sql"), ask.FloatColumn("confidence"),
		ask.TextColumn("source"), ask.TextColumn("strategy"), ask.IntColumn("candidates"), ask.IntColumn("model_calls"), ask.IntColumn("tokens"),
		ask.FloatColumn("cost"), ask.FloatColumn("ms"), ask.TextColumn("replica"), ask.FloatColumn("replica_lag_ms"), ask.TextColumn("code"), ask.TextColumn("message"))
	if s.last == nil {
		if row := s.srv.lasts.get(s.lastKey(info), time.Now()); row != nil {
			return row
		}
		return &table.Result
	}
	q, tr := &s.last.question, s.last.translation
	var sql, replica, lag, code, message any
	if tr.SQL != "" {
		sql = tr.SQL
	}
	if tr.Replica.Name != "" {
		if replica = tr.Replica.Name; tr.Replica.Lag >= 0 {
			lag = milliseconds(tr.Replica.Lag)
		}
	}
	if s.last.err != nil {
		code, message = ask.CodeInternal, "askpg could not answer the question"
		if e := ask.AsError(s.last.err); e != nil {
			code = e.Code
			message, _ = shown(e)
		}
	}
	table.Add(q.ID, q.Text, sql, tr.Confidence, string(tr.Source), tr.Strategy, len(tr.Candidates), tr.Usage.Calls,
		tr.Usage.PromptTokens+tr.Usage.CompletionTokens, tr.Usage.Cost, milliseconds(tr.Elapsed), replica, lag, code, message)
	return &table.Result
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
