package wire_test

import (
	"errors"
	"strings"
	"testing"

	"askpg/wire"
)

// play feeds a conversation to an order: a word for each message, ">" before
// the frontend's, "=" before the relay's own, "<" before the backend's. After
// Z a status may follow; "<!" is a FATAL error, "<?" that of a statement_timeout. It
// returns the first error, and the words behind it are not played.
func play(t *testing.T, conversation string) (*wire.Order, error) {
	t.Helper()
	o := new(wire.Order)
	o.Reset()
	for word := range strings.FieldsSeq("<R <K <ZI " + conversation) {
		typ, body := word[1], word[2:]
		switch typ {
		case '!':
			typ, body = 'E', "SFATAL\x00VFATAL\x00C57P01\x00\x00"
		case '?':
			typ, body = 'E', "SERROR\x00VERROR\x00C57014\x00\x00"
		}
		switch word[0] {
		case '>':
			o.Frontend(typ)
		case '=':
			o.Injects(typ)
		case '<':
			if err := o.Backend(message(typ, body)); err != nil {
				return o, err
			}
		}
	}
	return o, nil
}

func TestOrder(t *testing.T) {
	tests := []struct {
		name, conversation string
		left               int  // requests unanswered
		skipping, copying  bool // as the methods say
		idle               bool
		uncertain          bool // idle, and a Sync may yet be answered
	}{
		{name: "start", idle: true},
		{name: "query", conversation: ">Q", left: 1},
		{name: "query answered", conversation: ">Q <T <D <CSELECT <ZI", idle: true},
		{name: "several results", conversation: ">Q <T <C <T <C <I", left: 1},
		{name: "results of a rule", conversation: ">Q <T <D <T <D <C <ZI", idle: true},
		{name: "pipeline", conversation: ">P >B >D >E >S <1 <2 <T", left: 2},
		{name: "pipeline answered", conversation: ">P >B >D >E >S <1 <2 <T <D <C <ZI", idle: true},
		{name: "no sync", conversation: ">P >B >E <1 <2 <C"},
		{name: "flush", conversation: ">P >H <1"},
		{name: "describe statement", conversation: ">P >D >S <1 <t <T", left: 1},
		{name: "suspended", conversation: ">E >E >S <D <s <C", left: 1},
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
		{name: "error of sync, ready", conversation: ">P >S <1 <E <ZI", idle: true},
		{name: "error of query", conversation: ">Q >Q <E <ZI", left: 1},
		{name: "error behind rows", conversation: ">Q <T <D <E <ZI", idle: true},
		{name: "function call", conversation: ">F <V <ZI", idle: true},
		{name: "function call fails", conversation: ">F <E <ZI", idle: true},
		{name: "function call fails at its end", conversation: ">F <V <E <ZI", idle: true},
		{name: "fatal while idle", conversation: "<!", idle: true},
		{name: "fatal in an answer", conversation: ">Q <T <D <!", left: 1},
		{name: "timeout at a flush", conversation: ">P >H <1 >H <?", skipping: true},
		{name: "error behind a flush", conversation: ">P >H >Q <1 <E <ZI", idle: true},

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
		{name: "copy fails in the data", conversation: ">P >B >E <1 <2 <G >d <E", skipping: true},
		{name: "copy fails in the data, sync", conversation: ">P >B >E <1 <2 <G >d <E >d >c >S <ZI", idle: true},
		{name: "copy fails in the data, simple", conversation: ">Q <G >d <E >d >c <ZI", idle: true},
		{name: "client fails the copy", conversation: ">Q <G >d >f <E <ZI", idle: true},
		{name: "client ends in copy", conversation: ">Q <G >X <E <!", left: 1},
		{name: "stray copy messages", conversation: ">d >c >f >d", idle: true},
		{name: "stray copy messages in a pipeline", conversation: ">P >c >S <1 <ZI", idle: true},
		{name: "copy out", conversation: ">Q <H <d <c <C <ZI", idle: true},
		{name: "copy out, extended", conversation: ">E >S <H <d <c <C <ZI", idle: true},

		{name: "copy ignores the sync that would end its pipeline", conversation: ">E >S <G >d >S >c <C"},
		{name: "copy ignores a sync, and another one ends its pipeline", conversation: ">E >S <G >d >c <C >S <ZI", idle: true},
		{name: "copy ignores a sync, and another one was sent", conversation: ">E >S <G >d >c >S <C <ZI", idle: true},

		// Syncs that COPY may have ignored.
		{name: "maybe, all sent", conversation: ">P >B >E >S >d >c >S <1 <2 <G <E", left: 1, skipping: true},
		{name: "maybe, one answer", conversation: ">P >B >E >S >d >c >S <1 <2 <G <E <ZI", idle: true, uncertain: true},
		{name: "maybe, both answered", conversation: ">P >B >E >S >d >c >S <1 <2 <G <E <ZI <ZI", idle: true},
		{name: "maybe, not answered", conversation: ">P >B >E >S >d >c >S <1 <2 <G <E <ZI >Q <T <C <ZI", idle: true},
		{name: "maybe, answered late", conversation: ">P >B >E >S >d >c >S <1 <2 <G <E <ZI >Q <ZI <T", left: 1},
		{name: "maybe, sync sent behind the error", conversation: ">P >B >E >S <1 <2 <G >d <E >S <ZI", idle: true, uncertain: true},
		{name: "maybe, not known yet", conversation: ">P >B >E >S <1 <2 <G >d <E", skipping: true},
		{name: "maybe, the only one, answered", conversation: ">P >B >E >S <1 <2 <G >d <E <ZI", idle: true},
		{name: "maybe, sent while copying", conversation: ">Q <G >S >S >d <E <ZI", idle: true, uncertain: true},
		{name: "maybe, simple, answered", conversation: ">Q <G >S >S >d <E <ZI <ZI <ZI", idle: true},
		{name: "maybe, simple, request behind it", conversation: ">Q <G >S >d >c >P >S <E <ZI <1", left: 1},
		{name: "maybe, error of the next", conversation: ">Q <G >S >d >c >P >S <E <ZI <E <ZI", idle: true},
		{name: "maybe, void by an own request", conversation: ">Q <G >S >d <E <ZI =P =S <1 <ZI", idle: true},

		{name: "own", conversation: "=P =B =E =S <1 <2 <D", left: 2},
		{name: "own answered", conversation: "=P =B =E =S <1 <2 <D <C <ZI", idle: true},
		{name: "own after the client's", conversation: ">P =P >S <1 <1 <ZI", idle: true},
		{name: "own fails with flush", conversation: ">P =P =E <1 <E", skipping: true},
		{name: "own fails with sync", conversation: "=P =E =S <E <ZI", idle: true},
		{name: "own is skipped", conversation: ">P =P =E >S <E <ZI", idle: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o, err := play(t, tt.conversation)
			if err != nil || o.Len() != tt.left || o.Skipping() != tt.skipping || o.Copying() != tt.copying || o.Idle() != tt.idle || o.CertainlyIdle() != (tt.idle && !tt.uncertain) {
				t.Fatalf("%v, left %d, skipping %v, copying %v, idle %v, certainly idle %v; want %d, %v, %v, %v, %v",
					err, o.Len(), o.Skipping(), o.Copying(), o.Idle(), o.CertainlyIdle(), tt.left, tt.skipping, tt.copying, tt.idle, tt.idle && !tt.uncertain)
			}
		})
	}
}

// What the backend can't send where it is ends the session, and so does what
// leaves open what it has executed.
func TestOrder_Lost(t *testing.T) {
	for conversation, want := range map[string]error{
		"<ZI":                          wire.ErrUnexpected,
		"<E":                           wire.ErrUnexpected,
		"<D":                           wire.ErrUnexpected,
		"<R":                           wire.ErrUnexpected,
		"<1":                           wire.ErrUnexpected,
		"<W":                           wire.ErrUnexpected,
		">Q <ZI":                       wire.ErrUnexpected,
		">Q <1":                        wire.ErrUnexpected,
		">Q <D":                        wire.ErrUnexpected,
		">Q <T <C <D":                  wire.ErrUnexpected,
		">Q <E <C":                     wire.ErrUnexpected,
		">Q <E <E":                     wire.ErrUnexpected,
		">Q <T <C <ZI <ZI":             wire.ErrUnexpected,
		">P <2":                        wire.ErrUnexpected,
		">P <ZI":                       wire.ErrUnexpected,
		">P >S <ZI":                    wire.ErrUnexpected,
		">P <E <E":                     wire.ErrUnexpected,
		">B <1":                        wire.ErrUnexpected,
		">E <T":                        wire.ErrUnexpected,
		">E <ZI":                       wire.ErrUnexpected,
		">S <T":                        wire.ErrUnexpected,
		">D <t <t":                     wire.ErrUnexpected,
		">F <ZI":                       wire.ErrUnexpected,
		">Q <H <C":                     wire.ErrUnexpected,
		">Q <G <C":                     wire.ErrUnexpected, // its data have not ended
		">Q <G >f <C":                  wire.ErrUnexpected,
		">Q <! <C":                     wire.ErrUnexpected,
		"<! <ZI":                       wire.ErrUnexpected,
		">E >S <G >d <E <1":            wire.ErrUnexpected,
		">Q <G >S >d <E <ZI >S <E":     wire.ErrUnexpected,
		"=P =S <ZI":                    wire.ErrUnexpected,
		">P >H <1 >H <E":               wire.ErrUnexpected,
		">P >H >Q <1 <?":               wire.ErrUnknowable,
		">Q >Q <G <E":                  wire.ErrUnknowable,
		">Q <G >P <E":                  wire.ErrUnknowable,
		">Q <G >p <E":                  wire.ErrUnknowable,
		">E >S >P >c >S <G <E":         wire.ErrUnknowable,
		">E >S >c >P >S <G <E <ZI":     wire.ErrUnknowable,
		">E >S <G >d <E >P >S <ZI":     wire.ErrUnknowable,
		">E >S >c >S <G <E <ZI <ZI <Z": wire.ErrUnexpected,
	} {
		t.Run(conversation, func(t *testing.T) {
			words := strings.Fields(conversation)
			if _, err := play(t, strings.Join(words[:len(words)-1], " ")); err != nil {
				t.Fatalf("%v before the last message", err)
			}
			if _, err := play(t, conversation); !errors.Is(err, want) {
				t.Fatalf("%v, want %v", err, want)
			}
		})
	}
}

func TestOrder_Mine(t *testing.T) {
	o, _ := play(t, ">P =P >B")
	if o.AnswersInjected('1') {
		t.Fatal("the first answer is the client's")
	}
	_ = o.Backend(message('1', ""))
	if !o.AnswersInjected('1') || o.AnswersInjected('N') {
		t.Fatal("the second answer is the relay's own, a notice is not")
	}
	_ = o.Backend(message('1', ""))
	if o.AnswersInjected('2') || o.AwaitsInjected() {
		t.Fatal("the third answer is the client's")
	}
	o, _ = play(t, ">Q <G >S >d <E <ZI =P =S")
	if o.AnswersInjected('Z') || !o.AnswersInjected('1') {
		t.Fatal("ReadyForQuery answers a Sync of the client's")
	}
}

func TestOrder_Status(t *testing.T) {
	o, _ := play(t, ">Q <C <ZT")
	if o.Status() != 'T' {
		t.Fatalf("status %q", o.Status())
	}
}

// A pipeline tells of its BEGIN before ReadyForQuery comes.
func TestOrder_InBlock(t *testing.T) {
	o, _ := play(t, ">E >E >E >S")
	for _, answer := range []struct {
		m    []byte
		open bool
	}{
		{message('C', "BEGIN\x00"), true}, {message('C', "SELECT 1\x00"), true}, {message('C', "COMMIT\x00"), false}, {message('Z', "T"), true},
	} {
		if err := o.Backend(answer.m); err != nil || o.InBlock() != answer.open {
			t.Fatalf("%q: %v, in a block: %v", answer.m, err, o.InBlock())
		}
	}
}

func TestOrder_Large(t *testing.T) {
	o, _ := play(t, "")
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
		if err := o.Backend(message('C', "SELECT 0\x00")); err != nil {
			t.Fatal(err)
		}
	}
	if !o.Answered() || o.Full() {
		t.Fatalf("%d left", o.Len())
	}
	// A COPY takes any number of Syncs.
	o, _ = play(t, ">Q <G")
	for range 2 * wire.MaxOutstanding {
		o.Frontend('S')
	}
	if o.Full() {
		t.Fatal("full of Syncs that COPY ignores")
	}
}

// FuzzOrder plays any conversation: nothing may panic, and what is counted
// stays in the ring.
func FuzzOrder(f *testing.F) {
	f.Add([]byte("PBDES12TCZ"), []byte{0, 0, 0, 0, 0, 1, 1, 1, 1, 1})
	f.Add([]byte("QGdcCZPES1GEc"), []byte{0, 1, 0, 0, 1, 1, 0, 0, 2, 1, 1, 1, 0})
	f.Add([]byte("PBESdcS12GEZQZT"), []byte{0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 1, 1})
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
				o.AnswersInjected(typ)
				if o.Backend([]byte{typ, 0, 0, 0, 5, 'I'}) != nil {
					return
				}
			case 2:
				o.Injects(typ)
			}
			if o.Len() < 0 || o.AwaitsInjected() && o.Len() == 0 {
				t.Fatalf("after %q: %d left, owned %v", types[:i+1], o.Len(), o.AwaitsInjected())
			}
		}
	})
}
