package proxy_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/proxy"
)

// TestMain has more tests in parallel than there are processors: they wait for the ends of connections and for timers.
func TestMain(m *testing.M) {
	flag.Parse()
	if parallel := flag.Lookup("test.parallel"); parallel.Value.String() == parallel.DefValue {
		_ = flag.Set("test.parallel", "6")
	}
	pgtest.Main(m)
}

const sampleScript = `
create table customers (id int primary key, name text not null, balance numeric, joined date, tags text[]);
insert into customers select i, 'customer '||i, i * 1.5, date '2024-01-01' + i, array['a','b'] from generate_series(1, 100) i;
create table big as select i, repeat('x', 100) as filler from generate_series(1, 20000) i;
create role analyst;
grant select on customers to analyst;
`

var once sync.Once
var sample string

// sampleDB is a database that the tests of the package only read.
func sampleDB(t testing.TB) string {
	t.Helper()
	c := pgtest.Shared(t)
	once.Do(func() {
		sample = "sample"
		pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, "postgres"), "create database sample")
		pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, sample), sampleScript)
		pgtest.CatchUp(t)
	})
	if sample == "" {
		t.Fatal("the sample database could not be made")
	}
	return sample
}

// fakeTranslator knows its answers. A question "run: SQL" is answered by the
// SQL, "error: CODE" fails, "noticed: TEXT" fails with a notice, "wait" waits for its context, "deaf" until release.
type fakeTranslator struct {
	mu        sync.Mutex
	questions []ask.Question
	started   chan string
	release   chan struct{}
	ended     chan error
}

func newFake() *fakeTranslator {
	return &fakeTranslator{started: make(chan string, 100), release: make(chan struct{}), ended: make(chan error, 100)}
}

func (f *fakeTranslator) asked() []ask.Question {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]ask.Question(nil), f.questions...)
}

func (f *fakeTranslator) Translate(ctx context.Context, q ask.Question) (tr *ask.Translation, err error) {
	f.mu.Lock()
	f.questions = append(f.questions, q)
	f.mu.Unlock()
	select {
	case f.started <- q.Text:
	default:
	}
	defer func() {
		select {
		case f.ended <- err:
		default:
		}
	}()
	sql := ""
	switch text := q.Text; {
	case text == "how many customers":
		sql = "SELECT count(*) FROM customers"
	case text == "which customers":
		sql = "SELECT * FROM customers ORDER BY id"
	case strings.HasPrefix(text, "run: "):
		sql = text[5:]
	case strings.HasPrefix(text, "recalled: "):
		return &ask.Translation{ID: q.ID, SQL: text[10:], Source: ask.SourceCache}, nil
	case strings.HasPrefix(text, "error: "):
		return nil, &ask.Error{Code: text[7:], Message: "it failed", Detail: "the detail", Hint: "the hint"}
	case strings.HasPrefix(text, "noticed: "): // an error beside a notice that says something else, and one that says the same
		return nil, ask.WithTranslation(&ask.Error{Code: ask.CodeNoCandidate, Message: "it failed", Detail: "the model slept"},
			&ask.Translation{ID: q.ID, Notices: []string{text[9:], "the model slept"}})
	case text == "wait":
		<-ctx.Done()
		return nil, ctx.Err()
	case text == "deaf":
		<-f.release
		return nil, ask.Errorf(ask.CodeNoCandidate, "released")
	case text == "panic":
		panic("at the translator")
	default:
		return nil, ask.Errorf(ask.CodeNoCandidate, "not understood: %q", text)
	}
	ask.Progress(ctx, "thinking")
	return &ask.Translation{
		ID: q.ID, SQL: sql, Confidence: 0.75, Chosen: 0, Strategy: "fake", Source: ask.SourceGrammar, Understood: "the customers,\ncounted",
		Candidates: []ask.Candidate{
			{SQL: sql, Fate: ask.FateChosen, Votes: 3, Rows: 1, Fingerprint: "x"},
			{SQL: "SELECT 'second'", Fate: ask.FateOutvoted, Votes: 1, Rows: 1, Fingerprint: "y"},
		},
		Replica: ask.Replica{Name: "standby", Lag: 300 * time.Millisecond},
	}, nil
}

// standby is an Executor that runs queries on the shared standby, by nothing
// but the extended protocol.
type standby struct {
	cluster *pgtest.Cluster
	mu      sync.Mutex
	opened  []string
}

func (e *standby) Open(ctx context.Context, s ask.Session, sql string, formats []int16) (proxy.Rows, error) {
	return e.OpenStatement(ctx, s, ask.Statement{SQL: sql}, formats)
}

func (e *standby) Describe(ctx context.Context, s ask.Session, sql string, types []uint32) ([]uint32, []ask.Column, error) {
	conn, err := pgconn.Connect(ctx, e.cluster.Standby.URL(pgtest.Superuser, s.Database))
	if err != nil {
		return nil, nil, err
	}
	defer conn.Close(ctx)
	d, err := conn.Prepare(ctx, "q", sql, types)
	if err != nil {
		return nil, nil, executorError(err)
	}
	return d.ParamOIDs, (&standbyRows{fields: d.Fields}).Columns(), nil
}

func (e *standby) ForPrimary(ctx context.Context, s ask.Session, sql string) (string, error) {
	return ask.Portable(sql)
}

func (e *standby) OpenStatement(ctx context.Context, s ask.Session, st ask.Statement, formats []int16) (proxy.Rows, error) {
	e.mu.Lock()
	e.opened = append(e.opened, st.SQL)
	e.mu.Unlock()
	conn, err := pgconn.Connect(ctx, e.cluster.Standby.URL(pgtest.Superuser, s.Database))
	if err != nil {
		return nil, err
	}
	set := func(name, value string) error {
		return conn.ExecParams(ctx, "select set_config($1, $2, false)", [][]byte{[]byte(name), []byte(value)}, nil, nil, nil).Read().Err
	}
	for name, value := range s.Settings {
		// The query is UTF-8, its result is not.
		if err = set(name, value); err == nil && name == "client_encoding" {
			err = set(name, "UTF8")
		}
		if err != nil {
			conn.Close(ctx)
			return nil, err
		}
	}
	if s.Role != s.SessionUser {
		if err := set("role", s.Role); err != nil {
			conn.Close(ctx)
			return nil, err
		}
	}
	d, err := conn.Prepare(ctx, "q", st.SQL, st.Types)
	if err == nil {
		err = set("client_encoding", s.Settings["client_encoding"])
	}
	if err != nil {
		conn.Close(ctx)
		return nil, executorError(err)
	}
	return &standbyRows{conn: conn, fields: d.Fields, reader: conn.ExecPrepared(ctx, "q", st.Values, st.Formats, formats)}, nil
}

func executorError(err error) error {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return &ask.Error{Code: e.Code, Message: e.Message, Hint: e.Hint}
	}
	return err
}

type standbyRows struct {
	conn   *pgconn.PgConn
	fields []pgconn.FieldDescription
	reader *pgconn.ResultReader
	err    error
}

func (r *standbyRows) Columns() []ask.Column {
	out := []ask.Column{}
	for _, f := range r.fields {
		out = append(out, ask.Column{Name: f.Name, TableOID: f.TableOID, Attnum: f.TableAttributeNumber, TypeOID: f.DataTypeOID, TypeLen: f.DataTypeSize, TypeMod: f.TypeModifier})
	}
	return out
}

func (r *standbyRows) Next() bool {
	if r.reader.NextRow() {
		return true
	}
	_, err := r.reader.Close()
	r.err = executorError(err)
	return false
}
func (r *standbyRows) Values() [][]byte  { return r.reader.Values() }
func (r *standbyRows) Err() error        { return r.err }
func (r *standbyRows) Notices() []string { return nil }
func (r *standbyRows) Replica() ask.Replica {
	return ask.Replica{Name: "standby", Lag: 300 * time.Millisecond}
}
func (r *standbyRows) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	r.conn.Close(ctx)
}

// bench is a running proxy before the shared cluster.
type bench struct {
	*proxy.Server
	cluster *pgtest.Cluster
	fake    *fakeTranslator
	exec    *standby
	addr    string
	config  proxy.Config
	route   route // how clients come; without TLS if it is not set
}

// everywhere changes the configuration of every bench if it is set.
var everywhere func(*proxy.Config)

func start(t testing.TB, change func(*proxy.Config)) *bench {
	t.Helper()
	return startWith(t, nil, change)
}

func startWith(t testing.TB, registry prometheus.Registerer, change func(*proxy.Config)) *bench {
	t.Helper()
	b := &bench{cluster: pgtest.Shared(t), fake: newFake()}
	b.exec = &standby{cluster: b.cluster}
	b.config = proxy.DefaultConfig()
	b.config.Listen.Address = "127.0.0.1:0"
	b.config.Primary.Address = b.cluster.Primary.Address()
	if everywhere != nil {
		everywhere(&b.config)
	}
	if change != nil {
		change(&b.config)
	}
	if b.config.Primary.Reuse && !proxy.ReuseBuiltIn {
		t.Skip("this program can't reuse server connections: build tag noserverpool")
	}
	level := slog.LevelError
	if testing.Verbose() && os.Getenv("ASKPG_TEST_LOG") != "" {
		level = slog.LevelDebug
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
	srv, err := proxy.New(b.config, b.fake, b.exec, log, registry)
	if err != nil {
		t.Fatal(err)
	}
	b.Server = srv
	srv.KeepLogins = true
	srv.Roles = members{b.cluster}
	srv.CheckSetting = func(setting, value string) string {
		if _, err := time.ParseDuration(value); setting == "timeout" && value != "" && err != nil {
			return "a time such as 20s"
		}
		return ""
	}
	if err := srv.Listen(); err != nil {
		t.Fatal(err)
	}
	b.addr = srv.Addrs()[0].String()
	served := make(chan error, 1)
	go func() { served <- srv.Serve() }()
	t.Cleanup(func() {
		close(b.fake.release)
		srv.Close()
		if err := <-served; err != proxy.ErrServerClosed {
			t.Errorf("Serve returned %v", err)
		}
	})
	return b
}

func (b *bench) url(database string) string {
	sslmode := "disable"
	if b.route.client {
		sslmode = "require"
	}
	return fmt.Sprintf("postgres://%s:secret@%s/%s?sslmode=%s", pgtest.Superuser, b.addr, database, sslmode)
}

// members decides by the catalog of the shared standby.
type members struct{ cluster *pgtest.Cluster }

func (m members) MayBecome(ctx context.Context, database, login, role string) error {
	conn, err := pgx.Connect(ctx, m.cluster.Standby.URL(pgtest.Superuser, database))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	var may bool
	if err := conn.QueryRow(ctx, "select pg_has_role($1::name, $2::name, 'MEMBER')", login, role).Scan(&may); err != nil || !may {
		return ask.Errorf(ask.CodeInsufficientRights, "login %q may not ask as role %q", login, role).Because(err)
	}
	return nil
}

func within(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func (b *bench) connect(t testing.TB) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(within(t), b.url(sampleDB(t)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// frontend is a client that sends and receives single messages.
type frontend struct {
	t    testing.TB
	conn net.Conn
	*pgproto3.Frontend
	pid uint32
	key uint32
}

// dial logs in at an address, which may be the proxy's or the server's.
func dial(t testing.TB, addr, database string) *frontend {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	return login(t, conn, database)
}

func login(t testing.TB, conn net.Conn, database string) *frontend {
	t.Helper()
	return loginWith(t, conn, map[string]string{"user": pgtest.Superuser, "database": database})
}

// loginWith logs in with a startup packet of its own.
func loginWith(t testing.TB, conn net.Conn, parameters map[string]string) *frontend {
	t.Helper()
	_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
	f := &frontend{t: t, conn: conn, Frontend: pgproto3.NewFrontend(pgproto3.NewChunkReader(conn), conn)}
	t.Cleanup(func() { conn.Close() })
	f.send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersionNumber, Parameters: parameters})
	f.greet()
	return f
}

// greet reads what the server says to a login, up to its first ReadyForQuery.
func (f *frontend) greet() {
	f.t.Helper()
	for {
		m := f.receive()
		switch m := m.(type) {
		case *pgproto3.BackendKeyData:
			f.pid, f.key = m.ProcessID, m.SecretKey
		case *pgproto3.AuthenticationSASL:
			f.prove("secret")
		case *pgproto3.ErrorResponse:
			f.t.Fatalf("login: %s", m.Message)
		case *pgproto3.ReadyForQuery:
			return
		}
	}
}

func (f *frontend) send(messages ...pgproto3.FrontendMessage) {
	f.t.Helper()
	var b []byte
	for _, m := range messages {
		var err error
		if b, err = m.Encode(b); err != nil {
			f.t.Fatal(err)
		}
	}
	if _, err := f.conn.Write(b); err != nil {
		f.t.Fatal(err)
	}
}

func (f *frontend) receive() pgproto3.BackendMessage {
	f.t.Helper()
	m, err := f.Receive()
	if err != nil {
		f.t.Fatal(err)
	}
	return m
}

// trace reads up to n ReadyForQuery messages and returns what came, a line for
// each message. Notices of askpg are left out.
func (f *frontend) trace(n int) string {
	f.t.Helper()
	var lines []string
	for n > 0 {
		m := f.receive()
		if notice, ok := m.(*pgproto3.NoticeResponse); ok && notice.File == "" {
			continue
		}
		lines = append(lines, line(m))
		if _, ok := m.(*pgproto3.ReadyForQuery); ok {
			n--
		}
	}
	return strings.Join(lines, "\n")
}

func line(m pgproto3.BackendMessage) string {
	switch m := m.(type) {
	case *pgproto3.DataRow:
		var v []string
		for _, c := range m.Values {
			if c == nil {
				v = append(v, "NULL")
			} else {
				v = append(v, fmt.Sprintf("%q", c))
			}
		}
		return "D " + strings.Join(v, " ")
	case *pgproto3.RowDescription:
		var v []string
		for _, c := range m.Fields {
			v = append(v, fmt.Sprintf("%s:%d:%d", c.Name, c.DataTypeOID, c.Format))
		}
		return "T " + strings.Join(v, " ")
	case *pgproto3.CommandComplete:
		return "C " + string(m.CommandTag)
	case *pgproto3.ReadyForQuery:
		return "Z " + string(m.TxStatus)
	case *pgproto3.ErrorResponse:
		return "E " + m.Severity + " " + m.Code + " " + m.Message
	case *pgproto3.NoticeResponse:
		return "N " + m.Code + " " + m.Message
	case *pgproto3.ParameterStatus:
		return "S " + m.Name + "=" + m.Value
	case *pgproto3.NotificationResponse:
		return "A " + m.Channel + " " + m.Payload
	case *pgproto3.ParameterDescription:
		return fmt.Sprintf("t %v", m.ParameterOIDs)
	default:
		return strings.TrimPrefix(fmt.Sprintf("%T", m), "*pgproto3.")
	}
}

// acceptEach calls f with each connection that comes, until the listener is
// closed.
func acceptEach(l net.Listener, f func(net.Conn)) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			f(c)
		}()
	}
}
