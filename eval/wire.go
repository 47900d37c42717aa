package eval

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
)

// Wire asks a running askpg over PostgreSQL's protocol, as any client would:
// what is measured is then the whole of it. Its connections end with Close.
type Wire struct {
	address string
	mu      sync.Mutex
	idle    map[wireKey][]*pgconn.PgConn
}

type wireKey struct{ database, role string }

// NewWire returns a translator that asks the askpg that listens at the
// address, host:port, without TLS or a password.
func NewWire(address string) *Wire {
	return &Wire{address: address, idle: map[wireKey][]*pgconn.PgConn{}}
}

// Translate sends the question and fetches its rows, then asks which
// candidates there were: askpg's cache has to be on for that to be an answer to
// the same translation, and to cost nothing.
func (w *Wire) Translate(ctx context.Context, q ask.Question) (*ask.Translation, error) {
	conn, err := w.connect(ctx, wireKey{q.Session.Database, q.Session.Role})
	if err != nil {
		return nil, err
	}
	var options []string
	for name, value := range q.Options {
		options = append(options, name+"="+value)
	}
	form := func(action string) string {
		text := fmt.Sprintf("ASK(%s) %s", strings.Join(append(options, action), ", "), dollarQuoted(q.Text))
		if q.Hint != "" {
			text += " HINT " + dollarQuoted(q.Hint)
		}
		return text
	}
	started := time.Now()
	rows, err := fetch(ctx, conn, form("fresh"), maxRows)
	tr := &ask.Translation{Result: rows, Elapsed: time.Since(started)}
	// A question that failed is not asked again for its candidates.
	if err == nil {
		var list *ask.Result
		if list, err = fetch(ctx, conn, form("candidates"), maxRows); err == nil {
			err = readCandidates(tr, list)
		}
	}
	if !conn.IsClosed() {
		w.release(wireKey{q.Session.Database, q.Session.Role}, conn)
	}
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok {
		return nil, &ask.Error{Code: pgErr.Code, Message: pgErr.Message, Detail: pgErr.Detail, Hint: pgErr.Hint, Err: err}
	}
	if err != nil {
		return nil, err
	}
	return tr, nil
}

// readCandidates reads what ask(candidates) shows.
func readCandidates(tr *ask.Translation, list *ask.Result) error {
	index := map[string]int{}
	for i, c := range list.Columns {
		index[c.Name] = i
	}
	for _, name := range []string{"confidence", "votes", "fate", "sql", "model", "prompt", "error"} {
		if _, ok := index[name]; !ok {
			return fmt.Errorf("ask(candidates) has no column %s", name)
		}
	}
	for _, row := range list.Rows {
		get := func(name string) string { return string(row[index[name]]) }
		c := ask.Candidate{SQL: get("sql"), Fate: ask.Fate(get("fate")), Origin: ask.Origin{Model: get("model"), Prompt: get("prompt")}}
		c.Votes, _ = strconv.Atoi(get("votes"))
		if text := get("error"); text != "" {
			c.Err = &ask.Error{Message: text}
		}
		if c.Fate == ask.FateChosen {
			tr.SQL, tr.Chosen = c.SQL, len(tr.Candidates)
			tr.Confidence, _ = strconv.ParseFloat(get("confidence"), 64)
		}
		tr.Candidates = append(tr.Candidates, c)
	}
	return nil
}

// dollarQuoted quotes a text by a tag that does not occur in it.
func dollarQuoted(s string) string {
	tag := "$ask$"
	for i := 0; strings.Contains(s, tag); i++ {
		tag = fmt.Sprintf("$ask%d$", i)
	}
	return tag + s + tag
}

func (w *Wire) connect(ctx context.Context, key wireKey) (*pgconn.PgConn, error) {
	w.mu.Lock()
	if idle := w.idle[key]; len(idle) > 0 {
		conn := idle[len(idle)-1]
		w.idle[key] = idle[:len(idle)-1]
		w.mu.Unlock()
		return conn, nil
	}
	w.mu.Unlock()
	host, port, err := net.SplitHostPort(w.address)
	if err != nil {
		return nil, err
	}
	config, err := pgconn.ParseConfig(fmt.Sprintf("host=%s port=%s sslmode=disable", host, port))
	if err != nil {
		return nil, err
	}
	config.Database, config.User = key.database, key.role
	config.RuntimeParams["application_name"] = "askpg eval"
	config.RuntimeParams["timezone"] = "UTC"
	return pgconn.ConnectConfig(ctx, config)
}

func (w *Wire) release(key wireKey, conn *pgconn.PgConn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle[key] = append(w.idle[key], conn)
}

// Close ends the connections that are not in use.
func (w *Wire) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, list := range w.idle {
		for _, conn := range list {
			conn.Close(context.Background())
		}
	}
	clear(w.idle)
}
