package serverpool

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgproto3/v2"

	"askpg/wire"
)

// The first client hears the server, but for the cancel key; the next one hears the same notices, the parameters of now,
// and has a key of its own.
func TestConn_Greeting(t *testing.T) {
	b := newBench(t, nil)
	near, far := b.connect()
	notice := &pgproto3.NoticeResponse{Severity: "WARNING", Message: "welcome"}
	if _, err := far.Write(said(notice, encoding, keyOf, idle, encoding)); err != nil {
		t.Fatal(err)
	}
	c, first, rest, err := b.Open(near, "one", "alice", secret, nil)
	if err != nil || !bytes.Equal(rest, said(encoding)) {
		t.Fatalf("%q %v", rest, err)
	}
	if !bytes.Equal(c.Key(), said(keyOf)[wire.HeaderLen:]) || bytes.Contains(first, c.Key()) {
		t.Fatalf("%q has the server's key", first)
	}
	report := said(&pgproto3.ParameterStatus{Name: "client_encoding", Value: "LATIN1"})
	c.Report(report[:8], false)
	c.Report(report[8:], true)
	second := c.Greeting(nil)
	want := said(notice, &pgproto3.ParameterStatus{Name: "client_encoding", Value: "LATIN1"}, keyOf, idle)
	if len(second) != len(want) || !bytes.HasPrefix(second, want[:len(want)-len(said(idle))-4]) || bytes.Equal(second, want) {
		t.Fatalf("%q", second)
	}
	if key := len(want) - len(said(idle)) - 4; bytes.Equal(second[key:], first[key-1:]) {
		t.Fatal("two clients have one cancel key")
	}
}

// A login that the server refuses is its error, with all that it has said.
func TestPool_OpenRefused(t *testing.T) {
	b := newBench(t, nil)
	near, far := b.connect()
	refused := &pgproto3.ErrorResponse{Severity: "FATAL", Code: "53300"}
	if _, err := far.Write(said(encoding, refused)); err != nil {
		t.Fatal(err)
	}
	_, _, _, err := b.Open(near, "one", "alice", secret, nil)
	var r *refusal
	if !errors.As(err, &r) || !bytes.Equal(r.Said(), said(encoding, refused)) || !bytes.Equal(r.ErrorResponse(), said(refused)) {
		t.Fatal(err)
	}
}

// What can't be kept has the connection serve no other client.
func TestConn_Unfit(t *testing.T) {
	for name, report := range map[string]func(*Conn){
		"a parameter that is too long": func(c *Conn) {
			c.Report(said(&pgproto3.ParameterStatus{Name: "a", Value: strings.Repeat("x", maxStatus)}), true)
		},
		"pieces that are too long": func(c *Conn) {
			c.Report(make([]byte, maxStatus), false)
			c.Report(make([]byte, 1), false)
		},
		"too many parameters": func(c *Conn) {
			for i := range maxStatuses {
				c.Report(said(&pgproto3.ParameterStatus{Name: strings.Repeat("x", i), Value: "1"}), true)
			}
		},
		"no parameter": func(c *Conn) { c.Report([]byte{wire.ParameterStatus, 0, 0, 0, 5, 'x'}, true) },
	} {
		t.Run(name, func(t *testing.T) {
			o := newBench(t, nil).open("one", "alice")
			if report(o.Conn); o.Reserve() {
				t.Fatal("the connection has a place")
			}
		})
	}
}

// The application_name can't end the string that it is set by, and takes no encoding.
func TestConn_Name(t *testing.T) {
	o := newBench(t, nil).open("one", "alice")
	done := make(chan error)
	go func() { done <- o.Name(t.Context(), `é'; drop table \x`+"\n", nil) }()
	if m := o.hear(1)[0]; !bytes.Contains(m, []byte(`SET application_name = E'?''; drop table \\x?'`)) {
		t.Fatalf("%q", m)
	}
	o.say(&pgproto3.CommandComplete{CommandTag: []byte("SET")}, idle)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}
