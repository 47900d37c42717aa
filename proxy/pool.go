package proxy

import (
	"context"
	"net"
	"time"

	"askpg/wire/scram"
)

// serverPool keeps server connections between two clients that log in alike (primary.reuse_connections).
// proxy/serverpool is one. Its Pool and Conn have the methods' documentation.
type serverPool interface {
	Waiting(login string) (version []byte, secret *scram.Secret)
	Take(ctx context.Context, login string, secret *scram.Secret) (serverConn, net.Conn)
	// Open's error is a loginRefusal, or the connection's.
	Open(conn net.Conn, login, user string, secret *scram.Secret, version []byte) (c serverConn, said, rest []byte, err error)
	MakeRoom(user string) bool
	Sweep(now time.Time)
	Close(why string)
}

// serverConn is a server connection as its pool knows it.
type serverConn interface {
	Key() []byte
	Report(piece []byte, complete bool)
	Greeting(out []byte) []byte
	Name(ctx context.Context, name string, received []byte) error
	Refuse()
	Reserve() bool
	Reset(net.Conn)
	Resume(received []byte, err error)
}

// loginRefusal is the error of a server that has ended a login.
type loginRefusal interface {
	error
	ErrorResponse() []byte
	Said() []byte
}

// Why a pool is closed, as the metric askpg_server_connections_closed_total names it.
const (
	closedReload   = "reload"   // the configuration was read again
	closedShutdown = "shutdown" // askpg ends
)

func (set *settings) closePool(why string) {
	if set.pool != nil {
		set.pool.Close(why)
	}
}
