package proxy_test

import (
	"net"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
)

// TestStartup_StatementsBehind sends a question and a statement right behind the startup packet: both are answered, in
// their order, once the login is over.
func TestStartup_StatementsBehind(t *testing.T) {
	everyRoute(t, func(t *testing.T, l route, s *site) {
		b := l.start(t, s, nil)
		conn, err := net.Dial("tcp", b.addr)
		if err != nil {
			t.Fatal(err)
		}
		conn = l.secure(t, conn)
		_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
		f := &frontend{t: t, conn: conn, Frontend: pgproto3.NewFrontend(pgproto3.NewChunkReader(conn), conn)}
		defer conn.Close()
		f.send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersionNumber, Parameters: map[string]string{"user": "postgres", "database": sampleDB(t)}},
			query("-- ask: how many customers"), query("select 7"))
		var tags []string
		for ready := 0; ready < 3; {
			switch m := f.receive().(type) {
			case *pgproto3.CommandComplete:
				tags = append(tags, string(m.CommandTag))
			case *pgproto3.ErrorResponse:
				t.Fatal(m.Message)
			case *pgproto3.ReadyForQuery:
				ready++
			}
		}
		if len(tags) != 2 {
			t.Errorf("%q were answered", tags)
		}
	})
}
