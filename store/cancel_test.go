package store_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/store"
)

var sessionKey = []byte{0, 0, 0x12, 0x67, 1, 2, 3, 4}

// owner is an instance with one session; it counts what it is asked to cancel.
type owner struct {
	acted chan struct{} // once for each request for the session
	rest  func()        // what remains to do of each
}

func (o *owner) cancel(match func(key []byte) bool) (rest func(), here bool) {
	if match([]byte{0, 0, 0x12, 0x67, 4, 3, 2, 1}) || match([]byte{0, 0, 0x12, 0x68, 1, 2, 3, 4}) || match(nil) || !match(sessionKey) {
		return nil, false
	}
	o.acted <- struct{}{}
	return o.rest, true
}

func newOwner(t *testing.T, cfg store.Config, rest func()) *owner {
	o := &owner{acted: make(chan struct{}, 100), rest: rest}
	open(t, cfg).OnCancel(o.cancel)
	return o
}

func nobody(func(key []byte) bool) (rest func(), here bool) { return nil, false }

// instances is a configuration for two, and the one that gets cancel requests.
func instances(t *testing.T) (store.Config, *store.Store) {
	cfg := postgresConfig(t)
	cfg.CancelWait = ask.Duration(time.Minute)
	other := cfg
	other.Spill += "-other"
	s := open(t, other)
	s.OnCancel(nobody)
	return cfg, s
}

func TestCancelElsewhere(t *testing.T) {
	t.Run("decided at once", func(t *testing.T) {
		cfg, s := instances(t)
		o := newOwner(t, cfg, nil)
		for range 3 {
			if taken, err := s.CancelElsewhere(t.Context(), sessionKey); !taken || err != nil {
				t.Fatalf("taken: %v, %v", taken, err)
			}
			<-o.acted
		}
		if len(o.acted) != 0 {
			t.Error("a request was acted on twice")
		}
	})
	t.Run("returns when all is done", func(t *testing.T) {
		cfg, s := instances(t)
		var done atomic.Bool
		newOwner(t, cfg, func() { time.Sleep(100 * time.Millisecond); done.Store(true) })
		if taken, err := s.CancelElsewhere(t.Context(), sessionKey); !taken || err != nil || !done.Load() {
			t.Fatalf("taken: %v, %v, done: %v", taken, err, done.Load())
		}
	})
	t.Run("taken, but not done in time", func(t *testing.T) {
		cfg, s := instances(t)
		release := make(chan struct{})
		defer close(release)
		o := newOwner(t, cfg, func() { <-release })
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-o.acted
			time.AfterFunc(time.Second, cancel)
		}()
		if taken, err := s.CancelElsewhere(ctx, sessionKey); !taken || err != nil {
			t.Fatalf("taken: %v, %v", taken, err)
		}
	})
	t.Run("of nobody", func(t *testing.T) {
		cfg, _ := instances(t)
		o := newOwner(t, cfg, nil)
		cfg.CancelWait, cfg.Spill = ask.Duration(200*time.Millisecond), cfg.Spill+"-third"
		s := open(t, cfg)
		s.OnCancel(nobody)
		for _, key := range [][]byte{{0, 0, 0x12, 0x67, 4, 4, 4, 4}, {0, 0, 0x12, 0x66, 1, 2, 3, 4}, append(bytes.Clone(sessionKey), 0), sessionKey[:4], nil} {
			if taken, err := s.CancelElsewhere(t.Context(), key); taken || err != nil {
				t.Errorf("%x is taken: %v, %v", key, taken, err)
			}
		}
		if len(o.acted) != 0 {
			t.Error("the session was cancelled by another's key")
		}
	})
	t.Run("not heard", func(t *testing.T) {
		cfg, _ := instances(t)
		o := newOwner(t, cfg, nil)
		cfg.Spill += "-third"
		if taken, err := open(t, cfg).CancelElsewhere(t.Context(), sessionKey); taken || err == nil || !strings.Contains(err.Error(), "not received") {
			t.Errorf("taken: %v, %v", taken, err)
		}
		<-o.acted // a question is called off all the same
	})
	t.Run("the store is gone", func(t *testing.T) {
		_, s := instances(t)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if taken, err := s.CancelElsewhere(t.Context(), sessionKey); taken || err == nil {
			t.Errorf("taken: %v, %v", taken, err)
		}
	})
	t.Run("sqlite", func(t *testing.T) {
		s := open(t, sqliteConfig(t))
		s.OnCancel(nobody)
		if taken, err := s.CancelElsewhere(t.Context(), sessionKey); taken || err != nil {
			t.Errorf("taken: %v, %v", taken, err)
		}
	})
}

// eavesdropper may LISTEN and NOTIFY at the store, but not read its tables.
type eavesdropper struct {
	t    *testing.T
	conn *pgx.Conn
}

const cancelChannel = "askpg_cancel_askpg"

func eavesdrop(t *testing.T, cfg store.Config) *eavesdropper {
	conn, err := pgx.Connect(t.Context(), cfg.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	if _, err := conn.Exec(t.Context(), "create role eavesdropper_"+conn.Config().Database+"; set role eavesdropper_"+conn.Config().Database+"; listen "+cancelChannel); err != nil {
		t.Fatal(err)
	}
	return &eavesdropper{t, conn}
}

// hear returns the next message whose kind it is.
func (e *eavesdropper) hear(kind byte) []byte {
	e.t.Helper()
	for {
		n, err := e.conn.WaitForNotification(e.t.Context())
		if err != nil {
			e.t.Fatal(err)
		}
		if m, err := hex.DecodeString(n.Payload); err != nil {
			e.t.Fatal(err)
		} else if m[0] == kind {
			return m
		}
	}
}

func (e *eavesdropper) addRemark(message []byte) {
	e.t.Helper()
	if _, err := e.conn.Exec(e.t.Context(), "select pg_notify($1, $2)", cancelChannel, hex.EncodeToString(message)); err != nil {
		e.t.Fatal(err)
	}
}

// Who hears the instances' messages can't cancel a session with them, be it by
// repeating or by changing them, and finds no key in them.
func TestCancelElsewhere_RequestRepeated(t *testing.T) {
	cfg, s := instances(t)
	o := newOwner(t, cfg, nil)
	e := eavesdrop(t, cfg)
	cancel := func() {
		t.Helper()
		if taken, err := s.CancelElsewhere(t.Context(), sessionKey); !taken || err != nil {
			t.Fatalf("taken: %v, %v", taken, err)
		}
	}
	cancel()
	<-o.acted
	request := e.hear('C')
	if bytes.Contains(request, sessionKey[4:]) {
		t.Errorf("the key's secret is in the message %x", request)
	}
	e.addRemark(request)
	for i := range request {
		changed := bytes.Clone(request)
		changed[i] ^= 1
		e.addRemark(changed)
	}
	e.addRemark(request[:len(request)-1])
	e.addRemark(append(bytes.Clone(request), 0))
	e.addRemark(nil)
	cancel() // what came before it has been read then
	<-o.acted
	if n := len(o.acted); n != 0 {
		t.Errorf("the session was cancelled %d times by messages of others", n)
	}
}

// A request counts for as long as the instances' clocks may differ.
func TestCancelElsewhere_Old(t *testing.T) {
	cfg, s := instances(t)
	o := newOwner(t, cfg, nil)
	e := eavesdrop(t, cfg)
	if _, err := e.conn.Exec(t.Context(), "reset role"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.CancelElsewhere(t.Context(), sessionKey); err != nil { // makes the secret
		t.Fatal(err)
	}
	<-o.acted
	var secret []byte
	if err := e.conn.QueryRow(t.Context(), "select value from askpg.secrets where name = 'cancel'").Scan(&secret); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		age   time.Duration
		acted int
	}{{time.Minute, 0}, {-time.Minute, 0}, {10 * time.Second, 1}, {-10 * time.Second, 1}} {
		e.addRemark(store.CancelMessage(secret, sessionKey, time.Now().Add(-tt.age)))
		if taken, err := s.CancelElsewhere(t.Context(), sessionKey); !taken || err != nil { // read after it
			t.Fatalf("taken: %v, %v", taken, err)
		}
		if n := len(o.acted) - 1; n != tt.acted {
			t.Errorf("%s old: acted on %d times, want %d", tt.age, n, tt.acted)
		}
		for len(o.acted) > 0 {
			<-o.acted
		}
	}
}

// Who hears the instances' words can't make one believe that its request was
// taken over.
func TestCancelElsewhere_WordRepeated(t *testing.T) {
	cfg, _ := instances(t)
	e := eavesdrop(t, cfg)
	heard := make(chan struct{}, 100) // requests, its own among them
	s := open(t, cfg)
	s.OnCancel(func(func(key []byte) bool) (rest func(), here bool) {
		heard <- struct{}{}
		return nil, false
	})
	cfg.Spill += "-third"
	first := open(t, cfg)
	first.OnCancel((&owner{acted: make(chan struct{}, 100), rest: func() {}}).cancel)
	if taken, err := s.CancelElsewhere(t.Context(), sessionKey); !taken || err != nil {
		t.Fatalf("taken: %v, %v", taken, err)
	}
	request := e.hear('C')
	words := [][]byte{e.hear('T'), e.hear('D')}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	result := make(chan error, 1)
	go func() {
		taken, err := s.CancelElsewhere(ctx, sessionKey)
		if taken && err == nil {
			err = errors.New("it was taken over")
		}
		result <- err
	}()
	next := e.hear('C')
	if bytes.Equal(next, request) {
		t.Fatal("two requests are the same")
	}
	for _, w := range words {
		e.addRemark(w)
		changed := append([]byte{w[0]}, next[9:25]...)
		e.addRemark(append(changed, w[17:]...))
	}
	e.addRemark(append(append([]byte{'D'}, next[9:25]...), make([]byte, 32)...))
	e.addRemark(request) // heard after all that
	for range 3 {
		<-heard
	}
	cancel()
	if err := <-result; err != nil {
		t.Error(err)
	}
}
