package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"askpg/wire"
)

// script is a policy and an observer: a relay answers messages with "ask" in them.
type script struct {
	whole    bool // messages have to be seen whole
	hides    bool // ReadyForQuery is withheld and rewritten
	sent     []byte
	received []string
}

func (p *script) Decide(b []byte) wire.Decision {
	size, err := wire.MessageLen(b)
	if p.whole && err == nil && (size == 0 || int64(len(b)) < size) {
		return wire.Undecided
	}
	if bytes.Contains(b[:min(size, int64(len(b)))], []byte("ask")) {
		return wire.Relays
	}
	return wire.Backends
}

func (p *script) Forwarding(typ byte)        { p.sent = append(p.sent, typ) }
func (p *script) Withholds(typ byte) bool    { return p.hides && typ == wire.ReadyForQuery }
func (p *script) Passing(byte, []byte, bool) {}
func (p *script) Rewrite(m []byte) ([]byte, error) {
	if m[5] == wire.StatusFailed {
		return nil, errors.New("refused")
	}
	return append(message(wire.NoticeResponse, "longer than what it replaces"), m...), nil
}

func (p *script) Received(head []byte, injected bool) {
	p.received = append(p.received, fmt.Sprintf("%c %v", head[0], injected))
}

func messages(list ...[]byte) []byte { return slices.Concat(list...) }

// ready makes a relay that has logged in.
func ready(t *testing.T) *wire.Relay {
	r := new(wire.Relay)
	r.Reset()
	if _, err := r.FromBackend(message(wire.ReadyForQuery, "I"), &script{}); err != nil {
		t.Fatal(err)
	}
	return r
}

// frontend feeds what a frontend sends in pieces of a size, and writes down what the relay does with it. A message that is to be
// answered is taken.
func frontend(r *wire.Relay, p *script, b []byte, size int) string {
	var log strings.Builder
	var held, forwarded []byte
	for len(b) > 0 {
		n := min(size, len(b))
		held, b = append(held, b[:n]...), b[n:]
		for going := true; going; {
			s := r.FromFrontend(held, p)
			forwarded = append(forwarded, held[:s.Forward]...)
			held = held[s.Forward+s.Discard:]
			switch s.Next {
			case wire.Hold:
				going = false
			case wire.Wait:
				return log.String() + "wait"
			case wire.Answer:
				size, _ := wire.MessageLen(held)
				now := min(size, int64(len(held)))
				fmt.Fprintf(&log, "answer %q ", held[5:now])
				r.Take(size - now)
				held = held[now:]
			}
		}
	}
	for len(forwarded) > 0 {
		size, err := wire.MessageLen(forwarded)
		if err != nil || size == 0 || size > int64(len(forwarded)) {
			return log.String() + fmt.Sprintf("rest %q", forwarded)
		}
		fmt.Fprintf(&log, "%c ", forwarded[0])
		forwarded = forwarded[size:]
	}
	return strings.TrimSpace(log.String())
}

func TestRelay_FromFrontend(t *testing.T) {
	query := func(text string) []byte { return message(wire.Query, text+"\x00") }
	sync := message(wire.Sync, "")
	for _, tt := range []struct {
		name  string
		setup func(r *wire.Relay)
		sent  []byte
		want  string
	}{
		{"passes", nil, messages(query("select 1"), sync), "Q S"},
		{"answers", nil, messages(query("ask me"), query("select 1")), `answer "ask me\x00" Q`},
		{"answers behind", nil, messages(query("select 1"), query("ask"), sync), `answer "ask\x00" Q S`},
		{"discards up to a Sync", (*wire.Relay).DiscardToSync, messages(message(wire.Bind, "long enough"), query("ask"), sync, query("x")), "S Q"},
		{"passes Terminate while it discards", (*wire.Relay).DiscardToSync, messages(query("x"), message(wire.Terminate, "")), "X"},
		{"passes what can't be read", nil, messages([]byte{'Q', 0, 0, 0, 1}, []byte("ask")), `rest "Q\x00\x00\x00\x01ask"`},
		{"runs of COPY data", nil, messages(message(wire.CopyData, "1"), message(wire.CopyData, "2"), message(wire.CopyDone, "")), "d d c"},
	} {
		for _, size := range []int{1, 3, 7, 1000} {
			{
				t.Run(fmt.Sprintf("%s, %d at a time", tt.name, size), func(t *testing.T) {
					r := ready(t)
					if tt.setup != nil {
						tt.setup(r)
					}
					if got := frontend(r, &script{whole: true}, tt.sent, size); got != tt.want {
						t.Errorf("got %s, want %s", got, tt.want)
					}
				})
			}
		}
	}
}

// A message that was taken can be given back, whole or as far as it has come.
func TestRelay_GiveBack(t *testing.T) {
	m := message(wire.Query, "ask, or not\x00")
	for _, n := range []int{6, 10, len(m)} {
		r, p := ready(t), &script{}
		if s := r.FromFrontend(m[:n:n], p); s.Next != wire.Answer && n >= 8 {
			t.Fatalf("%+v", s)
		}
		r.Take(int64(len(m) - n))
		r.GiveBack(m[:n], p)
		rest := messages(m[n:], message(wire.Sync, ""))
		if s := r.FromFrontend(rest, &script{}); s.Forward != len(rest) || s.Discard != 0 {
			t.Errorf("after %d bytes: %+v of %d", n, s, len(rest))
		}
		if r.Len() != 2 {
			t.Errorf("after %d bytes: %d requests, want a Query and a Sync", n, r.Len())
		}
	}
}

// The relay stops where the order is full, and goes on behind an answer.
func TestRelay_Wait(t *testing.T) {
	r, p := ready(t), &script{}
	sync := message(wire.Sync, "")
	b := bytes.Repeat(sync, wire.MaxOutstanding+1)
	s := r.FromFrontend(b, p)
	if s.Next != wire.Wait || s.Forward != wire.MaxOutstanding*len(sync) {
		t.Fatalf("%+v", s)
	}
	if _, err := r.FromBackend(message(wire.ReadyForQuery, "I"), p); err != nil {
		t.Fatal(err)
	}
	if s := r.FromFrontend(b[s.Forward:], p); s.Next != wire.Hold || s.Forward != len(sync) {
		t.Fatalf("%+v", s)
	}
}

// What answers the relay's own requests does not reach the frontend, and all else does, in pieces of any size.
func TestRelay_FromBackend(t *testing.T) {
	row := message(wire.DataRow, "\x00\x00")
	done := message(wire.CommandComplete, "SELECT 1\x00")
	zed := message(wire.ReadyForQuery, "I")
	notice := message(wire.NoticeResponse, "\x00")
	columns := message(wire.RowDescription, "\x00\x00")
	for size := 1; size < 80; size++ {
		r, p := ready(t), &script{}
		r.Inject(wire.Query)
		r.Forwards(wire.Query, p)
		own := messages(columns, row, done, zed)
		in := messages(columns, row, notice, done, zed, columns, row, row, done, zed)
		var got []byte
		for b := in; len(b) > 0; {
			n := min(size, len(b))
			out, err := r.FromBackend(bytes.Clone(b[:n]), p)
			if err != nil {
				t.Fatal(size, len(in)-len(b), p.received, err)
			}
			got, b = append(got, out...), b[n:]
			if half := r.HalfSent(); half && len(got) == 0 {
				t.Fatal("a message is half sent of which nothing is")
			}
		}
		if want := messages(notice, columns, row, row, done, zed); !bytes.Equal(got, want) {
			t.Fatalf("%d at a time: the frontend has %q, want %q", size, got, want)
		}
		if answers := r.Answers(); !bytes.Equal(answers, own) {
			t.Fatalf("%d at a time: answers %q, want %q", size, answers, own)
		}
	}
}

// A message that is withheld is rewritten when it is complete, or ends the session.
func TestRelay_Rewrite(t *testing.T) {
	for size := 1; size < 20; size++ {
		r, p := ready(t), &script{hides: true}
		r.Forwards(wire.Sync, p)
		r.Forwards(wire.Sync, p)
		zed := message(wire.ReadyForQuery, "I")
		var got []byte
		for b := messages(zed, message(wire.NoticeResponse, "\x00"), zed); len(b) > 0; {
			n := min(size, len(b))
			out, err := r.FromBackend(bytes.Clone(b[:n]), p)
			if err != nil {
				t.Fatal(err)
			}
			got, b = append(got, out...), b[n:]
		}
		instead, _ := p.Rewrite(zed)
		if want := messages(instead, message(wire.NoticeResponse, "\x00"), instead); !bytes.Equal(got, want) {
			t.Fatalf("%d at a time: %q, want %q", size, got, want)
		}
	}
	r, p := ready(t), &script{hides: true}
	r.Forwards(wire.Sync, p)
	notice := message(wire.NoticeResponse, "\x00")
	out, err := r.FromBackend(messages(notice, message(wire.ReadyForQuery, "E")), p)
	if err == nil || !bytes.Equal(out, notice) {
		t.Fatalf("%q, %v", out, err)
	}
}

// A message that nothing was asked for is an error, and what came before it is passed on.
func TestRelay_Unexpected(t *testing.T) {
	r, p := ready(t), &script{}
	notice := message(wire.NoticeResponse, "\x00")
	out, err := r.FromBackend(messages(notice, message(wire.DataRow, "\x00\x00")), p)
	if !errors.Is(err, wire.ErrUnexpected) || !bytes.HasPrefix(out, notice) {
		t.Fatalf("%q, %v", out, err)
	}
	if _, err := ready(t).FromBackend([]byte{'Z', 0, 0, 0, 3}, p); !errors.Is(err, wire.ErrLength) {
		t.Fatal(err)
	}
}
