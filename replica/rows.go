package replica

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
)

// Rows streams a statement's rows to a client. One goroutine at a time calls its methods.
type Rows struct {
	mu      sync.Mutex // held while rows are read or ended; expire comes from elsewhere
	r       *Replica
	t       *tx
	rr      *pgconn.ResultReader
	pl      *pgconn.Pipeline // that rr is the last result of; nil if it stands alone
	ctx     context.Context  // the caller's
	timed   context.Context
	cut     context.CancelFunc
	place   *place // of the statement
	cols    []ask.Column
	rows    int64
	bytes   int64
	notices []string
	ended   bool // all rows were read
	done    bool // and the connection is given back
	err     error
	start   time.Time
}

// Open runs the chosen statement for a client, with values in the formats of
// the protocol's Bind (none: text; one: for all columns; else one a column).
// The guard judges it again, and limits and caps apply. The caller closes Rows.
func (r *Replica) Open(ctx context.Context, s ask.Session, sql string, formats []int16) (*Rows, error) {
	return r.answer(ctx, s, ask.Statement{SQL: sql}, formats, false)
}

// answer is Open, and OpenStatement if the statement is a client's own around
// chosen SQL.
func (r *Replica) answer(ctx context.Context, s ask.Session, st ask.Statement, formats []int16, around bool) (_ *Rows, err error) {
	place, err := r.limits.statement(ctx, s.Role)
	if err != nil {
		return nil, err
	}
	limit := r.cfg.FetchTimeout
	timed, cut := context.WithTimeout(ctx, limit.Duration()+cancelGrace/4)
	rows := &Rows{r: r, ctx: ctx, timed: timed, cut: cut, place: place, start: time.Now()}
	rows.mu.Lock()
	defer rows.mu.Unlock()
	defer func() {
		if err != nil {
			rows.finish()
		}
	}()
	context.AfterFunc(timed, rows.expire)
	if len(st.Values) == 0 && rows.repeat(s, st.SQL, formats) {
		return rows, nil
	}
	rows.t, err = r.choose(timed, func(h *host) (*tx, error) {
		return r.open(timed, h, s, txOptions{timeout: limit.Duration(), judges: true})
	})
	if err != nil {
		return nil, serverError(ctx, timed, err, limit)
	}
	rows.t.place = place
	rows.notices = rows.t.notices()
	if around {
		rows.t.guard, rows.t.types = r.clients, st.Types
	}
	if err := rows.t.judge(timed, st.SQL); err != nil {
		return nil, rows.t.explainPath(serverError(ctx, timed, err, limit))
	}
	if around {
		if err := rows.t.prepareGate(timed, st); err != nil {
			return nil, serverError(ctx, timed, err, limit)
		}
	}
	// The text was UTF-8; the rows leave in the client's encoding.
	conn := rows.t.c.PgConn()
	if enc := clientEncoding(s); enc != "" {
		set := setStep([]string{"client_encoding"}, []string{enc})
		if err := run(timed, conn, set); err != nil {
			return nil, rows.t.explainPath(serverError(ctx, timed, err, limit))
		}
	}
	if around {
		if err := rows.t.planWithValues(timed, st); err != nil {
			return nil, serverError(ctx, timed, err, limit)
		}
	}
	if len(st.Values) == 0 { // else the plan that was looked at is that of these values
		rows.t.remember(s, st.SQL)
	}
	rows.rr = conn.ExecPrepared(timed, statementName, st.Values, st.Formats, formats)
	rows.cols = columns(rows.rr.FieldDescriptions())
	if rows.cols == nil { // failed before it had columns
		if _, err := rows.rr.Close(); err != nil {
			return nil, rows.t.explainPath(serverError(ctx, timed, err, limit))
		}
	}
	return rows, nil
}

func clientEncoding(s ask.Session) string {
	for k, v := range s.Settings {
		if strings.EqualFold(k, "client_encoding") && !strings.EqualFold(v, "UTF8") {
			return v
		}
	}
	return ""
}

// Columns describes the rows.
func (rows *Rows) Columns() []ask.Column { return rows.cols }

// Replica says where the rows are read. Its Lag is negative if it was not looked at: a statement that runs again has found all as it was.
func (rows *Rows) Replica() ask.Replica {
	w := ask.Replica{Name: rows.t.h.name, Lag: rows.t.state.lag, Primary: !rows.t.state.standby}
	if rows.pl != nil {
		w.Lag, w.Primary = -1, false
	}
	return w
}

// Next reads the next row; false at the end, at a cap, or after an error.
func (rows *Rows) Next() bool {
	rows.mu.Lock()
	defer rows.mu.Unlock()
	if rows.done || rows.ended {
		return false
	}
	if !rows.rr.NextRow() {
		err := rows.closeReader()
		if rows.err = serverError(rows.ctx, rows.timed, err, rows.r.cfg.FetchTimeout); rows.err != nil {
			rows.finish()
		}
		rows.ended = rows.err == nil
		return false
	}
	for _, v := range rows.rr.Values() {
		rows.bytes += int64(len(v))
	}
	rows.rows++
	cfg := &rows.r.cfg
	switch {
	case rows.rows > cfg.MaxRows:
		rows.cap("rows", fmt.Sprintf("the answer was cut off after %d rows (replica.max_rows)", cfg.MaxRows))
		return false
	case rows.bytes > cfg.MaxBytes:
		rows.cap("bytes", fmt.Sprintf("the answer was cut off after %d rows, at %d bytes (replica.max_bytes)", rows.rows-1, cfg.MaxBytes))
		return false
	}
	return true
}

func (rows *Rows) cap(kind, notice string) {
	rows.r.metrics.capped.WithLabelValues(kind).Inc()
	rows.notices = append(rows.notices, notice)
	rows.stop()
}

// stop ends the statement before its last row.
func (rows *Rows) stop() {
	rows.t.dirty = true
	rows.cut()
	_ = rows.closeReader()
	rows.finish()
}

// expire ends rows that nobody reads when their time is over: a portal that the client has
// suspended, or a client that takes nothing. Their places and their connection are for others then.
// What Values returned last stays as it is: nothing is read from the connection.
func (rows *Rows) expire() {
	rows.mu.Lock()
	defer rows.mu.Unlock()
	if rows.done {
		return
	}
	if !rows.ended {
		rows.err = serverError(rows.ctx, rows.timed, rows.timed.Err(), rows.r.cfg.FetchTimeout)
	}
	rows.finish()
}

// closeReader reads what is left of the statement's answer.
func (rows *Rows) closeReader() error {
	_, err := rows.rr.Close()
	if rows.pl != nil {
		if perr := rows.pl.Close(); err == nil {
			err = perr
		}
	}
	return err
}

// Values returns the row's values, nil for NULL, valid until the next Next.
func (rows *Rows) Values() [][]byte { return rows.rr.Values() }

// Err returns what ended the rows early, an *ask.Error; nil if they are
// complete or were cut off by a cap, which a notice tells.
func (rows *Rows) Err() error {
	rows.mu.Lock()
	defer rows.mu.Unlock()
	return rows.err
}

// Complete says whether every row was read.
func (rows *Rows) Complete() bool {
	rows.mu.Lock()
	defer rows.mu.Unlock()
	return rows.ended
}

// Notices returns what the client should be told so far.
func (rows *Rows) Notices() []string { return rows.notices }

// Close ends the statement and gives the connection back. The caller sends the last rows first: cleaning the connection
// takes the processors' time.
func (rows *Rows) Close() {
	rows.mu.Lock()
	defer rows.mu.Unlock()
	switch {
	case rows.done:
	case rows.ended:
		rows.finish()
	default:
		rows.stop()
	}
}

func (rows *Rows) finish() {
	if rows.done {
		return
	}
	rows.done = true
	if rows.t != nil {
		if rows.timed.Err() != nil {
			rows.t.dirty = true
		}
		rows.t.endLater(rows.place.release)
	} else {
		rows.place.release()
	}
	rows.cut()
	rows.r.metrics.statements.WithLabelValues("answer").Observe(time.Since(rows.start).Seconds())
}

func columns(fields []pgconn.FieldDescription) []ask.Column {
	if fields == nil {
		return nil
	}
	list := make([]ask.Column, len(fields))
	for i, f := range fields {
		list[i] = ask.Column{Name: f.Name, TableOID: f.TableOID, Attnum: f.TableAttributeNumber, TypeOID: f.DataTypeOID, TypeLen: f.DataTypeSize, TypeMod: f.TypeModifier}
	}
	return list
}
