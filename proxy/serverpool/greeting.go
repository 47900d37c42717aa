package serverpool

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgproto3/v2"

	"askpg/wire"
	"askpg/wire/scram"
)

// maxGreeting bounds, in bytes, what a server says between the end of authentication and its first ReadyForQuery.
const maxGreeting = 1 << 20

// refusal is the error of a server that has ended a login.
type refusal struct {
	said    []byte
	message int // where the ErrorResponse begins
}

func (e *refusal) Error() string {
	return fmt.Sprintf("the server says %s", wire.ErrorCode(e.ErrorResponse()))
}

// ErrorResponse returns the message that has ended the login.
func (e *refusal) ErrorResponse() []byte { return e.said[e.message:] }

// Said returns all that the server has said since the end of authentication, the ErrorResponse last.
func (e *refusal) Said() []byte { return e.said }

// Open makes a Conn of a connection on which the server has logged a client in, and reads what the server says up to its
// first ReadyForQuery. It returns that, with a cancel key of the client's own in place of the server's, and rest, the end
// of it, which came behind the ReadyForQuery. version is the server's NegotiateProtocolVersion message. An error is a
// refusal, or the connection's.
func (p *Pool) Open(conn net.Conn, login, user string, secret *scram.Secret, version []byte) (c *Conn, said, rest []byte, err error) {
	c = &Conn{pool: p, login: login, user: user, secret: secret, opened: time.Now(), version: version, conn: conn}
	var buf [4 << 10]byte
	for at := 0; ; {
		size, err := wire.MessageLen(said[at:])
		if err != nil || int64(at)+size > maxGreeting {
			return nil, nil, nil, errProtocol
		}
		if size == 0 || int64(len(said)-at) < size {
			n, err := conn.Read(buf[:])
			if n == 0 && err != nil {
				return nil, nil, nil, err
			}
			said = append(said, buf[:n]...)
			continue
		}
		m := said[at : at+int(size)]
		at += int(size)
		switch m[0] {
		case wire.ParameterStatus:
			if err := c.report(m, true); err != nil {
				return nil, nil, nil, err
			}
		case wire.BackendKeyData:
			c.key = slices.Clone(m[wire.HeaderLen:])
			copy(m[wire.HeaderLen:], c.newKey())
		case wire.ErrorResponse:
			return nil, nil, nil, &refusal{said: said[:at], message: at - len(m)}
		case wire.ReadyForQuery:
			if len(c.notices) > maxNotices {
				c.unfit = errNotices
			}
			p.metrics.logins.WithLabelValues("opened").Inc()
			return c, said, said[at:], nil
		default:
			c.notices = append(c.notices, m...)
		}
	}
}

// Greeting appends what the server says between a login and its first
// ReadyForQuery, that included: the parameters as they are now, and a cancel key of the
// client's own.
func (c *Conn) Greeting(out []byte) []byte {
	out = append(out, c.notices...)
	for _, s := range c.statuses {
		out = encode(out, &pgproto3.ParameterStatus{Name: s.name, Value: s.value})
	}
	if key := c.newKey(); key != nil {
		out = binary.BigEndian.AppendUint32(append(out, wire.BackendKeyData), uint32(4+len(key)))
		out = append(out, key...)
	}
	return encode(out, &pgproto3.ReadyForQuery{TxStatus: wire.StatusIdle})
}

// newKey makes a cancel key for a client: the process id is the server's, so
// that it is found in pg_stat_activity, and the secret is the client's alone. A
// request with the key of an earlier client finds no session.
func (c *Conn) newKey() []byte {
	if c.key == nil {
		return nil
	}
	key := slices.Clone(c.key)
	for {
		_, _ = rand.Read(key[min(4, len(key)):]) // never fails
		if !bytes.Equal(key, c.key) || len(key) <= 4 {
			return key
		}
	}
}

// Name sets the application_name for the next client, on top of the one that the startup packet has, which a reset goes
// back to. received is what the server has said already. The client must not have heard of the server yet.
func (c *Conn) Name(ctx context.Context, name string, received []byte) error {
	if _, err := c.receive(received); err != nil {
		return err
	}
	// As PostgreSQL does to it; nothing depends on the client's encoding then.
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, name)
	name = strings.NewReplacer(`'`, `''`, `\`, `\\`).Replace(name)
	if err := c.exchange(ctx, encode(nil, &pgproto3.Query{String: "SET application_name = E'" + name + "'"}), 1); err != nil {
		return fmt.Errorf("setting application_name: %w", err)
	}
	return nil
}
