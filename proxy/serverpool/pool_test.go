package serverpool

import (
	"bytes"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"

	"askpg/wire/scram"
)

// isWaiting says whether a connection waits for clients of a startup packet.
func (b *bench) isWaiting(login string) bool {
	_, secret := b.Waiting(login)
	return secret != nil
}

// take takes a connection on which the server answers.
func (o *opened) take(login string) {
	o.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		if c, conn := o.Take(o.Context(), login, secret); c != o.Conn || conn != o.near {
			o.Errorf("%v was taken", c)
		}
	}()
	if m := o.hear(1)[0]; m[0] != 'S' {
		o.Fatalf("the server hears %q", m)
	}
	o.say(idle)
	<-done
}

// A client gets the connection of the one before, who logged in alike.
func TestPool_Reuse(t *testing.T) {
	b := newBench(t, nil)
	o := b.open("one", "alice")
	if b.isWaiting("one") {
		t.Fatal("a connection waits that a client has")
	}
	o.leave(clean...)
	if !b.isWaiting("one") || b.isWaiting("another") || b.value("askpg_server_connections_kept", "") != 1 {
		t.Fatal(b.waiting)
	}
	if c, _ := b.Take(t.Context(), "another", secret); c != nil {
		t.Fatal("a client of another startup packet gets the connection")
	}
	o.take("one")
	if b.isWaiting("one") || b.value("askpg_server_connections_kept", "") != 0 || b.value("askpg_server_connections_total", "reused") != 1 {
		t.Fatal(b.waiting)
	}
	o.leave(clean...)
	if c, _ := b.Take(t.Context(), "one", scram.Mock("alice", []byte("b"))); c != nil {
		t.Fatal("a client with another password gets the connection")
	}
	if o.ended(); b.closedFor(closedPassword) != 1 {
		t.Fatal("not counted")
	}
}

// The reset discards the session, leaves the role, seeds random() and asks for temporary objects.
func TestConn_Reset(t *testing.T) {
	o := newBench(t, nil).open("one", "alice")
	if !o.Reserve() {
		t.Fatal("there is no place")
	}
	o.Reset(o.near)
	messages := o.hear(resetAnswers)
	for i, want := range []string{"DISCARD ALL", "RESET ROLE", "\x00\x00\x06\x3f", "\x00\x00\x0b\x26"} {
		if !bytes.Contains(messages[i], []byte(want)) {
			t.Errorf("message %d is %q", i, messages[i])
		}
	}
	// The end of the client's answers comes with the beginning of the reset's.
	text := said(clean...)
	if _, err := o.far.Write(text[20:]); err != nil {
		t.Fatal(err)
	}
	if o.Resume(text[:20], nil); !o.isWaiting("one") {
		t.Fatal("the connection does not wait")
	}
}

// What a server must not say to a reset has the connection closed.
func TestConn_ResetFails(t *testing.T) {
	for name, tt := range map[string]struct {
		answers []pgproto3.BackendMessage
		reason  string
	}{
		"an error":          {[]pgproto3.BackendMessage{&pgproto3.ErrorResponse{Severity: "ERROR", Code: "57P01"}, idle, idle, idle, idle}, closedReset},
		"a transaction":     {append(clean[:7:7], &pgproto3.ReadyForQuery{TxStatus: 'T'}), closedReset},
		"a late answer":     {append(clean[:8:8], idle), closedReset},
		"half a message":    {append(clean[:8:8], &pgproto3.NoticeResponse{Message: strings.Repeat("x", 10)}), closedReset},
		"temporary objects": {reset(16400), closedTemporary},
	} {
		t.Run(name, func(t *testing.T) {
			o := newBench(t, nil).open("one", "alice")
			if !o.Reserve() {
				t.Fatal("there is no place")
			}
			o.Reset(o.near)
			o.hear(resetAnswers)
			text := said(tt.answers...)
			if name == "half a message" {
				text = text[:len(text)-3]
			}
			if o.Resume(text, nil); o.isWaiting("one") || o.closedFor(tt.reason) != 1 {
				t.Fatal("the connection waits")
			}
			o.ended()
		})
	}
	t.Run("no answer", func(t *testing.T) {
		o := newBench(t, func(l *Limits) { l.ResetTimeout = 20 * time.Millisecond }).open("one", "alice")
		o.leave()
		if o.isWaiting("one") || o.closedFor(closedReset) != 1 {
			t.Fatal("the connection waits")
		}
	})
	t.Run("no reset", func(t *testing.T) {
		o := newBench(t, nil).open("one", "alice")
		if !o.Reserve() {
			t.Fatal("there is no place")
		}
		o.Resume(nil, errors.New("no descriptor"))
		if o.isWaiting("one") || o.closedFor(closedReset) != 1 || len(o.reserved) != 0 {
			t.Fatal("the connection waits")
		}
	})
}

// There are no more connections than the limits say, and the one that has waited longest goes.
func TestConn_Reserve(t *testing.T) {
	b := newBench(t, func(l *Limits) { l.Max, l.MaxPerLogin = 3, 2 })
	first, second, third := b.open("one", "alice"), b.open("one", "alice"), b.open("one", "alice")
	if !first.Reserve() || !second.Reserve() || third.Reserve() || b.closedFor(closedFull) != 1 {
		t.Fatal("connections that are reset do not count for their startup packet")
	}
	for _, o := range []*opened{first, second} {
		o.Reset(o.near)
		o.say(clean...)
		o.Resume(nil, nil)
	}
	if b.latest("one") != second.Conn {
		t.Fatal("the one that has waited longer would go out")
	}
	if third.Reserve() {
		t.Fatal("connections that wait do not count for their startup packet")
	}
	b.open("two", "alice").leave(clean...)
	b.open("three", "alice").leave(clean...)
	b.working.Wait() // the one that goes is closed
	if len(b.waiting) != 3 || b.waiting[0] != second.Conn || b.closedFor(closedFull) != 3 {
		t.Fatal(b.waiting)
	}
	first.hear(resetAnswers)
	first.ended()
	for _, login := range []string{"four", "five", "six"} {
		if !b.open(login, "alice").Reserve() {
			t.Fatal("there is no place")
		}
	}
	if b.open("seven", "alice").Reserve() {
		t.Fatal("more connections are reset than may wait")
	}
}

// A connection that is too old, or whose server has ended it, is not handed out.
func TestPool_TakeNone(t *testing.T) {
	b := newBench(t, nil)
	old, gone := b.open("one", "alice"), b.open("two", "alice")
	old.leave(clean...)
	gone.leave(clean...)
	old.opened = time.Now().Add(-time.Hour)
	gone.say(&pgproto3.ErrorResponse{Severity: "FATAL", Code: "57P01"})
	gone.far.Close()
	for login, reason := range map[string]string{"one": closedLifetime, "two": closedServer} {
		if c, _ := b.Take(t.Context(), login, secret); c != nil || b.closedFor(reason) != 1 {
			t.Fatal(login, c)
		}
	}
	old.ended()
	late := b.open("one", "alice")
	if late.opened = time.Now().Add(-time.Hour); late.Reserve() || b.closedFor(closedLifetime) != 2 {
		t.Fatal("a connection that is too old has a place")
	}
}

// A full server gets room by the same role's connection, otherwise by that which has waited longest.
func TestPool_MakeRoom(t *testing.T) {
	b := newBench(t, nil)
	if b.MakeRoom("alice") {
		t.Fatal("nothing waits")
	}
	list := []*opened{b.open("one", "alice"), b.open("two", "bob"), b.open("three", "bob")}
	for _, o := range list {
		o.leave(clean...)
	}
	made := make(chan bool)
	go func() { made <- b.MakeRoom("bob") }()
	if m := list[1].hear(1)[0]; m[0] != 'X' {
		t.Fatalf("the server hears %q", m)
	}
	select {
	case <-made:
		t.Fatal("the server has not ended the session yet")
	case <-time.After(10 * time.Millisecond):
	}
	list[1].far.Close()
	if !<-made {
		t.Fatal("no room is made")
	}
	list[0].far.Close()
	if !b.MakeRoom("carol") || !b.isWaiting("three") || b.closedFor(closedLimit) != 2 {
		t.Fatal(b.waiting)
	}
}

// Sweep closes what has waited or lived too long and what the server has ended. It takes what the server has said since.
func TestPool_Sweep(t *testing.T) {
	b := newBench(t, func(l *Limits) { l.IdleTimeout, l.Lifetime = time.Minute, time.Hour })
	ended, told, fresh := b.open("ended", "alice"), b.open("told", "alice"), b.open("fresh", "alice")
	for _, o := range []*opened{ended, told, fresh} {
		o.leave(clean...)
	}
	ended.far.Close()
	told.say(&pgproto3.ParameterStatus{Name: "client_encoding", Value: "LATIN1"})
	for silent := true; silent; silent, _ = nothingToRead(told.near) {
		time.Sleep(time.Millisecond)
	}
	b.Sweep(time.Now())
	if b.isWaiting("ended") || !b.isWaiting("told") || !b.isWaiting("fresh") || b.closedFor(closedServer) != 1 {
		t.Fatal(b.waiting)
	}
	if !bytes.Contains(told.Greeting(nil), []byte("LATIN1")) {
		t.Fatal("the next client would not hear of the parameter")
	}
	told.since = time.Now().Add(-time.Minute)
	fresh.opened = time.Now().Add(-time.Hour)
	b.Sweep(time.Now())
	if len(b.waiting) != 0 || b.closedFor(closedIdle) != 1 || b.closedFor(closedLifetime) != 1 {
		t.Fatal(b.waiting)
	}
	told.ended()
	fresh.ended()
}

// A pool that is closed keeps nothing, and waits for the resets, which it ends.
func TestPool_Close(t *testing.T) {
	b := newBench(t, nil)
	waits, resets, open := b.open("one", "alice"), b.open("two", "alice"), b.open("three", "alice")
	waits.leave(clean...)
	if !resets.Reserve() {
		t.Fatal("there is no place")
	}
	resets.Reset(resets.near)
	resumed := make(chan struct{})
	go func() {
		_, err := io.ReadAll(resets.near)
		if !errors.Is(err, net.ErrClosed) {
			t.Error("the reset was not ended:", err)
		}
		resets.Resume(nil, err)
		close(resumed)
	}()
	b.Close("reload")
	waits.ended()
	<-resumed
	if open.Reserve() || b.isWaiting("one") || b.isWaiting("two") || b.closedFor("reload") != 3 || b.value("askpg_server_connections_kept", "") != 0 {
		t.Fatal(b.waiting, b.closedFor("reload"))
	}
}
