package proxy

import (
	"log/slog"
	"testing"

	"github.com/jackc/pgproto3/v2"

	"askpg/wire"
)

// FuzzScan feeds what a client might send, in pieces, to the part that decides
// what is relayed: whatever is sent, every byte is passed on, held back for
// more, or given to be answered, and none twice.
func FuzzScan(f *testing.F) {
	message := func(m pgproto3.FrontendMessage) []byte { return encode(nil, m) }
	f.Add(message(&pgproto3.Query{String: "-- ask: how many"}), byte(3))
	f.Add(append(message(&pgproto3.Parse{Name: "s", Query: "select * from ask('x')"}), message(&pgproto3.Sync{})...), byte(200))
	f.Add(append(message(&pgproto3.Bind{DestinationPortal: "p", PreparedStatement: "q"}), message(&pgproto3.Execute{Portal: "p"})...), byte(1))
	f.Add(message(&pgproto3.Query{String: "deallocate q"}), byte(50))
	f.Add([]byte{'Q', 0, 0, 0, 3, 'd', 0, 0, 0, 4}, byte(2))
	set := &settings{Config: DefaultConfig()}
	set.Listen.MaxQuestion = 100
	f.Fuzz(func(t *testing.T, b []byte, size byte) {
		s := &session{set: set, srv: &Server{metrics: newMetrics(nil)}, state: stateRelaying, log: slog.Default()}
		s.srv.settings.Store(set)
		s.core.Reset()
		_ = s.core.Backend([]byte{wire.ReadyForQuery, 0, 0, 0, 5, 'I'})
		s.modeSeen = true
		s.statements = map[string]*statement{"q": {answered: &answered{}}}
		s.portals = map[string]*portal{"p": {}}
		var held []byte
		for len(b) > 0 {
			n := min(len(b), 1+int(size))
			held = append(held, b[:n]...)
			b = b[n:]
			for going := true; going; {
				step, ok := s.fromClient(held)
				if n := step.Forward + step.Discard; !ok || step.Forward < 0 || step.Discard < 0 || n > len(held) {
					t.Fatalf("%v: %+v of %d bytes", ok, step, len(held))
				}
				held = held[step.Forward+step.Discard:]
				switch step.Next {
				case wire.Hold:
					if len(held) > set.Listen.MaxQuestion+2*maxNames {
						t.Fatalf("%d bytes are held back", len(held))
					}
					going = false
				case wire.Answer:
					v := s.verdict
					if v.size < wire.HeaderLen || v.kind != tooLong && v.kind != collision && v.size > int64(len(held)) {
						t.Fatalf("a message of %d bytes is to be answered, %d are here", v.size, len(held))
					}
					n := min(v.size, int64(len(held)))
					s.core.Take(v.size - n)
					held = held[n:]
				case wire.Wait:
					return // for the server
				}
			}
		}
	})
}

// FuzzBind checks that no Bind of a client's can be the end of the process.
func FuzzBind(f *testing.F) {
	f.Add(encode(nil, &pgproto3.Bind{DestinationPortal: "p", PreparedStatement: "s", Parameters: [][]byte{nil, []byte("x")}, ResultFormatCodes: []int16{1, 0}})[5:])
	f.Add([]byte("\x00\x00\x00\x00\x00\x01\xff\xff\xff\xfe\x00\x00"))
	f.Fuzz(func(t *testing.T, body []byte) {
		if !boundable(body) {
			return
		}
		var m pgproto3.Bind
		if err := m.Decode(body); err != nil {
			t.Fatalf("%q passed the check: %v", body, err)
		}
	})
}

// FuzzStripPlus checks that an authentication request stays one.
func FuzzStripPlus(f *testing.F) {
	f.Add([]byte("R\x00\x00\x00\x36\x00\x00\x00\x0aSCRAM-SHA-256-PLUS\x00SCRAM-SHA-256\x00\x00"))
	f.Add([]byte("R\x00\x00\x00\x08\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if size, err := wire.MessageLen(b); err != nil || size == 0 || size != int64(len(b)) {
			return
		}
		got := stripPlus(b)
		if size, err := wire.MessageLen(got); err != nil || size != int64(len(got)) {
			t.Fatalf("%q became %q", b, got)
		}
	})
}
