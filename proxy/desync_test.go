package proxy_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgproto3/v2"
	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/proxy"
)

// forged is a row of the shape in which a session says who it is, as somebody
// who is not who he is would have it. Nobody foresees its first column.
func forged(role string) string {
	values := append([]string{"'00000000000000000000000000000000'::text", "'" + role + "'::text", "false", "false", "'0'::text", "'notice'::text"},
		`'"$user", public'`, "'UTC'", "'ISO, MDY'", "'postgres'", "'UTF8'", "'hex'", "'1'", "'C'", "'C'")
	for range ask.SessionSettings {
		values = append(values, "null::text")
	}
	for i, v := range values {
		values[i] = fmt.Sprintf("%s as c%d", v, i)
	}
	return "select x.* from (select pg_sleep(0.3)) s, (select " + strings.Join(values, ", ") + ") x"
}

// Whatever a client sends into COPY, no SELECT of his own is taken for what
// the session says of itself: who asks is who has logged in.
func TestDesync(t *testing.T) {
	const script = `
		do $$ begin create role desync_reader login password 'secret'; create role desync_boss; exception when duplicate_object then null; end $$;
		create function raises() returns trigger language plpgsql as $f$ begin raise 'raised'; end $f$;
		create table plain (v int); create table refusing (v int);
		create trigger t before insert on refusing for each statement execute function raises();
		grant insert on plain, refusing to desync_reader`
	select_ := func(portal, name, sql string) messages {
		return messages{parse(name, sql), bind(portal, name), execute(portal, 0), &pgproto3.Close{ObjectType: 'P', Name: portal}, &pgproto3.Close{ObjectType: 'S', Name: name}}
	}
	bad, nap, lie := &pgproto3.CopyData{Data: []byte("bad\n")}, query("select pg_sleep(0.1)"), forged("desync_boss")
	copies := func(table string) map[string]messages {
		text := "copy " + table + " from stdin"
		return map[string]messages{
			"extended":                      concat(unit(text, 0), messages{bad, sync_, nap, query(lie), sync_}),
			"extended, Sync first":          concat(unit(text, 0), messages{sync_, bad, sync_, sync_, nap, query(lie), sync_}),
			"extended, Syncs":               concat(unit(text, 0), messages{sync_, sync_, bad, sync_, &pgproto3.CopyDone{}, sync_}, select_("q", "u", lie), messages{sync_}),
			"extended, no end":              concat(unit(text, 0), messages{sync_, bad, sync_}, select_("q", "u", lie), messages{sync_}),
			"extended, ended":               concat(unit(text, 0), messages{sync_, bad, &pgproto3.CopyDone{}}, select_("q", "u", lie), messages{sync_}),
			"simple":                        concat(messages{query(text), bad, sync_}, select_("", "", "select pg_sleep(0.1)"), select_("q", "u", lie), messages{sync_}),
			"simple, Syncs":                 concat(messages{query(text), bad, sync_, sync_, &pgproto3.CopyDone{}, sync_}, select_("q", "u", lie), messages{sync_}),
			"simple, CopyFail":              concat(messages{query(text), sync_, &pgproto3.CopyFail{Message: "x"}, sync_, nap}, select_("q", "u", lie), messages{sync_}),
			"two":                           concat(messages{query(text + "; " + text), bad, sync_, &pgproto3.CopyDone{}, sync_, bad, sync_, nap}, select_("q", "u", lie), messages{sync_}),
			"a query in the data":           concat(messages{query(text), query(lie), sync_}, select_("q", "u", lie), messages{sync_}),
			"a function call in the data":   concat(unit(text, 0), messages{bad, &pgproto3.FunctionCall{Function: 0}, sync_, query(lie), sync_}),
			"the question within the data":  {query(text), bad, query("-- ask: run: select 'asked'"), sync_, query(lie), sync_},
			"the question behind the error": concat(unit(text, 0), messages{sync_, bad, query("-- ask: run: select 'asked'"), sync_, query(lie)}),
		}
	}
	everyRoute(t, func(t *testing.T, l route, s *site) {
		database := s.newDatabase(t, script)
		fake := newFake()
		// Whoever asks may be anybody here, so that what is held is held by the order.
		addr, stop := l.serve(t, s, s.cluster.Primary.Address(), fake, anybody{}, io.Discard, prometheus.NewRegistry())
		for _, table := range []string{"plain", "refusing"} {
			for name, seq := range copies(table) {
				t.Run(name+", "+table, func(t *testing.T) {
					t.Parallel()
					f := l.dialAs(t, addr, "desync_reader", database)
					f.send(append(append(messages{}, seq...), query("-- ask: run: select 'asked'"), &pgproto3.Terminate{})...)
					f.ending()
				})
			}
		}
		t.Cleanup(func() {
			stop()
			if len(fake.asked()) == 0 {
				t.Error("nothing was asked")
			}
			for _, q := range fake.asked() {
				if s := q.Session; s.Role != "desync_reader" || s.SessionUser != "desync_reader" || s.Database != database {
					t.Errorf("asked by %q as %q in %q", s.SessionUser, s.Role, s.Database)
				}
			}
		})
	})
}

type anybody struct{}

func (anybody) MayBecome(context.Context, string, string, string) error { return nil }

// serve starts askpg before a server.
func (l route) serve(t *testing.T, s *site, primary string, fake *fakeTranslator, roles proxy.Roles, log io.Writer, registry prometheus.Registerer) (addr string, stop func()) {
	t.Helper()
	c := proxy.DefaultConfig()
	c.Listen.Address, c.Primary.Address, c.Primary.SSLMode = "127.0.0.1:0", primary, "disable"
	l.configure(s, &c)
	srv, err := proxy.New(c, fake, &standby{cluster: s.cluster}, slog.New(slog.NewTextHandler(log, nil)), registry)
	if err != nil {
		t.Fatal(err)
	}
	srv.Roles = roles
	if err := srv.Listen(); err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve() }()
	return srv.Addrs()[0].String(), func() {
		srv.Close()
		<-served
	}
}

// dialAs logs in as a user.
func (l route) dialAs(t testing.TB, addr, user, database string) *frontend {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	return loginWith(t, l.secure(t, conn), map[string]string{"user": user, "database": database})
}

// forger is a server that answers the session's own query with what it is
// told to, and nothing else.
func forger(t *testing.T, answers func(nonce string) []pgproto3.BackendMessage) (addr string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	t.Cleanup(func() { l.Close(); work.Wait() })
	work.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			work.Go(func() {
				defer conn.Close()
				be := pgproto3.NewBackend(pgproto3.NewChunkReader(conn), conn)
				if _, err := be.ReceiveStartupMessage(); err != nil {
					return
				}
				_ = be.Send(&pgproto3.AuthenticationOk{})
				_ = be.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
				nonce := ""
				for {
					m, err := be.Receive()
					if err != nil {
						return
					}
					switch m := m.(type) {
					case *pgproto3.Bind:
						nonce = string(m.Parameters[len(m.Parameters)-1])
					case *pgproto3.Sync:
						for _, a := range answers(nonce) {
							_ = be.Send(a)
						}
					}
				}
			})
		}
	})
	return l.Addr().String()
}

// What does not answer the session's own query ends the session: the client is
// told, the log names who has logged in, and it is counted.
func TestForgedAnswers(t *testing.T) {
	width := 11 + 9 + len(ask.SessionSettings)
	row := func(nonce, role string, width int) pgproto3.BackendMessage {
		d := &pgproto3.DataRow{Values: make([][]byte, width)}
		d.Values[0], d.Values[1], d.Values[8], d.Values[9] = []byte(nonce), []byte(role), []byte("10"), []byte("10")
		return d
	}
	shape := func(rows ...pgproto3.BackendMessage) []pgproto3.BackendMessage {
		all := append([]pgproto3.BackendMessage{&pgproto3.ParseComplete{}, &pgproto3.BindComplete{}}, rows...)
		return append(all, &pgproto3.CommandComplete{CommandTag: []byte("SELECT 1")}, &pgproto3.CloseComplete{}, &pgproto3.CloseComplete{}, &pgproto3.ReadyForQuery{TxStatus: 'I'})
	}
	s := newSite(t)
	for name, tt := range map[string]struct {
		answers func(nonce string) []pgproto3.BackendMessage
		reason  string
		code    string
	}{
		"the right row":  {func(n string) []pgproto3.BackendMessage { return shape(row(n, "reader", width)) }, "", "ASK01"},
		"another's role": {func(n string) []pgproto3.BackendMessage { return shape(row(n, "boss", width)) }, "", "42501"},
		"no OID": {func(n string) []pgproto3.BackendMessage {
			d := row(n, "reader", width).(*pgproto3.DataRow)
			d.Values[8] = nil
			return shape(d)
		}, "", "42501"},
		"wrong nonce": {func(string) []pgproto3.BackendMessage { return shape(row("x", "reader", width)) }, "own", "08P01"},
		"wrong width": {func(n string) []pgproto3.BackendMessage { return shape(row(n, "reader", width+1)) }, "own", "08P01"},
		"two rows": {func(n string) []pgproto3.BackendMessage {
			return shape(row("x", "boss", width), row(n, "reader", width))
		}, "own", "08P01"},
		"no row": {func(string) []pgproto3.BackendMessage { return shape() }, "own", "08P01"},
		"a simple query's answer": {func(n string) []pgproto3.BackendMessage {
			return []pgproto3.BackendMessage{&pgproto3.RowDescription{}, row(n, "boss", width), &pgproto3.CommandComplete{CommandTag: []byte("SELECT 1")}, &pgproto3.ReadyForQuery{TxStatus: 'I'}}
		}, "unexpected", "08P01"},
		"ReadyForQuery alone": {func(string) []pgproto3.BackendMessage {
			return []pgproto3.BackendMessage{&pgproto3.ReadyForQuery{TxStatus: 'I'}}
		}, "unexpected", "08P01"},
		"one ReadyForQuery too many": {func(n string) []pgproto3.BackendMessage {
			return append([]pgproto3.BackendMessage{&pgproto3.ReadyForQuery{TxStatus: 'I'}}, shape(row(n, "boss", width))...)
		}, "unexpected", "08P01"},
	} {
		for _, l := range routes {
			if l.server {
				continue
			}
			t.Run(name+", "+l.name, func(t *testing.T) {
				var said bytes.Buffer
				registry, fake := prometheus.NewRegistry(), newFake()
				addr, stop := l.serve(t, s, forger(t, tt.answers), fake, nil, &said, registry)
				f := l.dialAs(t, addr, "reader", "postgres")
				f.send(query("-- ask: who am I"))
				code := ""
				for code == "" {
					if e, ok := f.receive().(*pgproto3.ErrorResponse); ok {
						code = e.Code
					}
				}
				if tt.reason != "" {
					f.ending()
				}
				stop()
				if code != tt.code {
					t.Errorf("the client was told %q", code)
				}
				if tt.reason == "" {
					return
				}
				if n := len(fake.asked()); n > 0 {
					t.Errorf("%d questions were asked", n)
				}
				if n := (metrics{t, registry}).value("askpg_lost_step_total", "reason", tt.reason); n != 1 {
					t.Errorf("counted %v times", n)
				}
				if log := said.String(); !strings.Contains(log, "lost step") || !strings.Contains(log, "user=reader") || !strings.Contains(log, "client=127.0.0.1:") {
					t.Errorf("the log says %q", log)
				}
			})
		}
	}
}
