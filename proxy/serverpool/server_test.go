package serverpool

import (
	"encoding/binary"
	"io"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
	"github.com/prometheus/client_golang/prometheus"

	"askpg/wire"
	"askpg/wire/scram"
)

// bench is a pool, and the server of its connections, which the tests play.
type bench struct {
	*testing.T
	*Pool
	registry *prometheus.Registry
	listener net.Listener
}

func newBench(t *testing.T, change func(*Limits)) *bench {
	t.Helper()
	limits := Limits{Lifetime: time.Hour, IdleTimeout: time.Hour, ResetTimeout: 20 * time.Second, Max: 10, MaxPerLogin: 10}
	if change != nil {
		change(&limits)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	registry := prometheus.NewRegistry()
	return &bench{t, New(limits, NewMetrics(registry), slog.New(slog.DiscardHandler)), registry, l}
}

// closedFor returns how many connections were closed for a reason.
func (b *bench) closedFor(reason string) int {
	return b.value("askpg_server_connections_closed_total", reason)
}

// value returns what a metric says, for the value of its label, if it has one.
func (b *bench) value(name, label string) (n int) {
	b.Helper()
	families, err := b.registry.Gather()
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == name && (label == "" || m.GetLabel()[0].GetValue() == label) {
				n += int(m.GetGauge().GetValue() + m.GetCounter().GetValue())
			}
		}
	}
	return n
}

// connect returns both ends of a connection.
func (b *bench) connect() (near, far net.Conn) {
	b.Helper()
	near, err := net.Dial("tcp", b.listener.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	far, err = b.listener.Accept()
	if err != nil {
		b.Fatal(err)
	}
	_ = far.SetDeadline(time.Now().Add(time.Minute))
	b.Cleanup(func() { near.Close(); far.Close() })
	return near, far
}

var (
	secret   = scram.Mock("alice", []byte("a"))
	idle     = &pgproto3.ReadyForQuery{TxStatus: 'I'}
	keyOf    = &pgproto3.BackendKeyData{ProcessID: 7, SecretKey: 9}
	encoding = &pgproto3.ParameterStatus{Name: "client_encoding", Value: "UTF8"}
	greeting = []pgproto3.BackendMessage{encoding, keyOf, idle}
)

// opened is a connection that a client has, and the server's end of it.
type opened struct {
	*bench
	*Conn
	near, far net.Conn
}

// open logs in with a startup packet, and has the server say that.
func (b *bench) open(login, user string) *opened {
	b.Helper()
	near, far := b.connect()
	o := &opened{b, nil, near, far}
	o.say(greeting...)
	var err error
	if o.Conn, _, _, err = b.Open(near, login, user, secret, nil); err != nil {
		b.Fatal(err)
	}
	return o
}

// say has the server send messages.
func (o *opened) say(messages ...pgproto3.BackendMessage) {
	o.Helper()
	if _, err := o.far.Write(said(messages...)); err != nil {
		o.Fatal(err)
	}
}

func said(messages ...pgproto3.BackendMessage) (b []byte) {
	for _, m := range messages {
		b = encode(b, m)
	}
	return b
}

// hear returns the next messages that the server receives.
func (o *opened) hear(n int) (messages [][]byte) {
	o.Helper()
	for range n {
		m := make([]byte, wire.HeaderLen)
		if _, err := io.ReadFull(o.far, m); err != nil {
			o.Fatal(err)
		}
		m = append(m, make([]byte, binary.BigEndian.Uint32(m[1:])-4)...)
		if _, err := io.ReadFull(o.far, m[wire.HeaderLen:]); err != nil {
			o.Fatal(err)
		}
		messages = append(messages, m)
	}
	return messages
}

// ended waits until the pool has closed the connection, after a Terminate.
func (o *opened) ended() {
	o.Helper()
	if m := o.hear(1)[0]; m[0] != wire.Terminate {
		o.Fatalf("the server hears %q", m)
	}
	if n, err := o.far.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		o.Fatal(n, err)
	}
}

// clean are the server's answers to the reset; the second is the schema of temporary objects.
var clean = reset(0)

func reset(temporary uint32) []pgproto3.BackendMessage {
	return []pgproto3.BackendMessage{
		&pgproto3.CommandComplete{CommandTag: []byte("DISCARD ALL")}, idle, &pgproto3.CommandComplete{CommandTag: []byte("RESET")}, idle,
		&pgproto3.FunctionCallResponse{}, idle, &pgproto3.FunctionCallResponse{Result: binary.BigEndian.AppendUint32(nil, temporary)}, idle,
	}
}

// leave has the client leave, and the server answer the reset.
func (o *opened) leave(answers ...pgproto3.BackendMessage) {
	o.Helper()
	if !o.Reserve() {
		o.Fatal("there is no place")
	}
	o.Reset(o.near)
	o.hear(resetAnswers)
	o.say(answers...)
	o.Resume(nil, nil)
}
