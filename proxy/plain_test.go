package proxy

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/jackc/pgproto3/v2"

	"askpg/wire"
)

// A text with SQL in it and no question goes to the server byte for byte, as it comes in.
func TestJudge_PlainSQL(t *testing.T) {
	set := &settings{Config: DefaultConfig()}
	for _, text := range []string{
		"select 1", "select 1; select 2", "set x = 1; select 2", "begin; insert into t values (1); commit", "-- task: x\nselect 1", "/*application:Shop*/ select $1",
		"select 'what''s -- this', $$ /* that */ $$", "do $$ begin end $$", "declare c cursor for select 1; fetch 5 in c", "",
	} {
		for _, m := range []pgproto3.FrontendMessage{&pgproto3.Query{String: text}, &pgproto3.Parse{Query: text}} {
			s := &session{set: set, srv: &Server{metrics: newMetrics(nil)}, state: stateRelaying, log: slog.Default()}
			s.srv.settings.Store(set)
			s.core.Reset()
			_ = s.core.Backend([]byte{wire.ReadyForQuery, 0, 0, 0, 5, 'I'})
			sent := encode(nil, m)
			kept := bytes.Clone(sent)
			if step, ok := s.fromClient(sent); !ok || step.Forward != len(sent) || step.Next == wire.Answer || !bytes.Equal(sent, kept) {
				t.Errorf("%T %q: %+v", m, text, step)
			}
		}
	}
}
