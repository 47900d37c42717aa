package wire_test

import (
	"strings"
	"testing"

	"askpg/wire"
)

// play feeds a conversation to an order: a word for each message, ">" before
// the frontend's, "=" before the relay's own, "<" before the backend's. After
// Z a status may follow.
func play(t *testing.T, conversation string) *wire.Order {
	t.Helper()
	o := new(wire.Order)
	o.Reset()
	for _, word := range strings.Fields("<ZI " + conversation) {
		switch typ := word[1]; word[0] {
		case '>':
			o.Frontend(typ)
		case '=':
			o.Own(typ)
		case '<':
			o.Backend(message(typ, word[2:]))
		}
	}
	return o
}

func TestOrder(t *testing.T) {
	tests := []struct {
		name, conversation string
		left               int  // requests unanswered
		skipping, copying  bool // as the methods say
		idle               bool
	}{
		{name: "start", idle: true},
		{name: "query", conversation: ">Q", left: 1},
		{name: "query answered", conversation: ">Q <T <D <CSELECT <ZI", idle: true},
		{name: "several results", conversation: ">Q <T <C <T <C <I", left: 1},
		{name: "pipeline", conversation: ">P >B >D >E >S <1 <2 <T", left: 2},
		{name: "pipeline answered", conversation: ">P >B >D >E >S <1 <2 <T <D <C <ZI", idle: true},
		{name: "no sync", conversation: ">P >B >E <1 <2 <C"},
		{name: "flush", conversation: ">P >H <1"},
		{name: "describe statement", conversation: ">P >D >S <1 <t <T", left: 1},
		{name: "suspended", conversation: ">E >E >S <s <C", left: 1},
		{name: "empty", conversation: ">P >B >D >E >S <1 <2 <n <I <ZI", idle: true},
		{name: "asynchronous", conversation: ">P >S <N <A <S <1 <N <ZI", idle: true},
		{name: "asynchronous while idle", conversation: "<N <A <S", idle: true},

		{name: "error skips to sync", conversation: ">P >B >E >S >P <E", left: 2},
		{name: "error before sync is sent", conversation: ">P >B <E >E >Q", skipping: true},
		{name: "sync ends skipping", conversation: ">P >B <E >E >S", left: 1},
		{name: "sync ends skipping, answered", conversation: ">P >B <E >E >S <ZI", idle: true},
		{name: "query in a failed pipeline", conversation: ">P <E >Q >S <ZI", idle: true},
		{name: "query already sent in a failed pipeline", conversation: ">P >Q >S <E", left: 1},
		{name: "error of sync", conversation: ">P >S <1 <E", left: 1},
		{name: "error of query", conversation: ">Q >Q <E <ZI", left: 1},
		{name: "function call", conversation: ">F <V <ZI", idle: true},
		{name: "function call fails", conversation: ">F <E <ZI", idle: true},
		{name: "fatal while idle", conversation: "<E", idle: true},

		{name: "copy in", conversation: ">Q <G", left: 1, copying: true},
		{name: "copy in, data sent", conversation: ">Q <G >d >d >c", left: 1},
		{name: "copy in, done", conversation: ">Q <G >d >c <C <ZI", idle: true},
		{name: "copy in, early data", conversation: ">Q >d >c <G", left: 1},
		{name: "copy in, early data, done", conversation: ">Q >d >c <G <C <ZI", idle: true},
		{name: "two copies", conversation: ">Q >d >c >d >c <G <C <G <C <ZI", idle: true},
		{name: "two copies, one by one", conversation: ">Q <G >d >c <C <G", left: 1, copying: true},
		{name: "sync ignored in copy", conversation: ">P >B >E >S <1 <2 <G >d >H >S >c >S", left: 2},
		{name: "sync ignored in copy, done", conversation: ">P >B >E >S <1 <2 <G >d >S >c >S <C <ZI", idle: true},
		{name: "copy fails before it begins", conversation: ">P >B >E >S >d >c <1 <2 <E <ZI", idle: true},
		{name: "copy fails before it begins, simple", conversation: ">Q >d >c >Q <E <ZI", left: 1},
		{name: "copy fails in the data", conversation: ">P >B >E >S <1 <2 <G >d <E", skipping: true},
		{name: "copy fails in the data, sync", conversation: ">P >B >E >S <1 <2 <G >d <E >d >c >S <ZI", idle: true},
		{name: "copy fails in the data, all sent", conversation: ">P >B >E >S >d >c >S <1 <2 <G <E", left: 1},
		{name: "copy fails in the data, simple", conversation: ">Q <G >d <E >d >c <ZI", idle: true},
		{name: "client fails the copy", conversation: ">Q <G >d >f <E <ZI", idle: true},
		{name: "stray copy messages", conversation: ">d >c >f >d", idle: true},
		{name: "stray copy messages in a pipeline", conversation: ">P >c >S <1 <ZI", idle: true},
		{name: "copy out", conversation: ">Q <H <d <c <C <ZI", idle: true},

		{name: "own", conversation: "=P =B =E =S <1 <2 <D", left: 2},
		{name: "own answered", conversation: "=P =B =E =S <1 <2 <D <C <ZI", idle: true},
		{name: "own after the client's", conversation: ">P =P >S <1 <1 <ZI", idle: true},
		{name: "own fails with flush", conversation: ">P =P =E <1 <E", skipping: true},
		{name: "own fails with sync", conversation: "=P =E =S <E <ZI", idle: true},
		{name: "own is skipped", conversation: ">P =P =E >S <E <ZI", idle: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := play(t, tt.conversation)
			if o.Len() != tt.left || o.Skipping() != tt.skipping || o.Copying() != tt.copying || o.Idle() != tt.idle {
				t.Fatalf("left %d, skipping %v, copying %v, idle %v; want %d, %v, %v, %v",
					o.Len(), o.Skipping(), o.Copying(), o.Idle(), tt.left, tt.skipping, tt.copying, tt.idle)
			}
		})
	}
}

func TestOrder_Mine(t *testing.T) {
	o := play(t, ">P =P >B")
	if o.Mine('1') {
		t.Fatal("the first answer is the client's")
	}
	o.Backend(message('1', ""))
	if !o.Mine('1') || o.Mine('N') {
		t.Fatal("the second answer is the relay's own, a notice is not")
	}
	o.Backend(message('1', ""))
	if o.Mine('2') || o.Owned() {
		t.Fatal("the third answer is the client's")
	}
}

func TestOrder_Status(t *testing.T) {
	o := play(t, ">Q <C <ZT")
	if o.Status() != 'T' {
		t.Fatalf("status %q", o.Status())
	}
}

func TestOrder_Large(t *testing.T) {
	o := play(t, "")
	for i := range wire.MaxOutstanding {
		if o.Full() {
			t.Fatalf("full with %d", i)
		}
		o.Frontend('E')
	}
	if !o.Full() {
		t.Fatal("not full")
	}
	for range wire.MaxOutstanding {
		o.Backend(message('C', "SELECT 0\x00"))
	}
	if !o.Answered() || o.Full() {
		t.Fatalf("%d left", o.Len())
	}
}

// FuzzOrder plays any conversation: nothing may panic, a backend that answers
// everything leaves nothing.
func FuzzOrder(f *testing.F) {
	f.Add([]byte("PBDES12TCZ"), []byte{0, 0, 0, 0, 0, 1, 1, 1, 1, 1})
	f.Add([]byte("QGdcCZPES1GEc"), []byte{0, 1, 0, 0, 1, 1, 0, 0, 2, 1, 1, 1, 0})
	f.Fuzz(func(t *testing.T, types, sides []byte) {
		var o wire.Order
		o.Reset()
		for i, typ := range types {
			side := byte(0)
			if i < len(sides) {
				side = sides[i] % 3
			}
			switch side {
			case 0:
				if !o.Full() {
					o.Frontend(typ)
				}
			case 1:
				o.Mine(typ)
				o.Backend([]byte{typ, 0, 0, 0, 5, 'I'})
			case 2:
				o.Own(typ)
			}
			if o.Len() < 0 || o.Owned() && o.Len() == 0 {
				t.Fatalf("after %q: %d left, owned %v", types[:i+1], o.Len(), o.Owned())
			}
		}
		o.Frontend('c')
		o.Frontend('S')
		for n := o.Len() + 2; n > 0; n-- {
			o.Backend([]byte{'Z', 0, 0, 0, 5, 'I'})
		}
		if !o.Idle() || o.Owned() {
			t.Fatalf("%d left, skipping %v", o.Len(), o.Skipping())
		}
	})
}
