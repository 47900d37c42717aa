package proxy

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgproto3/v2"

	"askpg/ask"
	"askpg/wire"
	"askpg/wire/scram"
)

// maxMakeRoom is how many waiting connections a login closes, one after the
// other, at a server that has no room for it.
const maxMakeRoom = 3

// serverFull is an ErrorResponse of a server, or role, or database, that takes
// no more connections.
type serverFull struct{ message []byte }

func (e *serverFull) Error() string { return "the server takes no more connections" }

// loginReusing logs a client in and gives the session a server connection that
// waits, if there is one for its startup packet and its password, and a new one
// otherwise.
//
// Whoever could get one that waits is verified before the server is asked for
// anything, with a secret that may be as old as auth.cache; for others the login is
// that of authenticate.
func (s *Server) loginReusing(ctx context.Context, ss *session, packet []byte) error {
	a := &authentication{s: s, set: ss.set, user: ss.startup.User, client: ss.client, address: ss.address, packet: packet, login: wire.StartupKey(packet), binding: boundTo(ss.client, ss.set.clientTLS)}
	defer a.forget()
	var b *backend
	var hello []byte
	err := a.within(ctx, func() (err error) {
		var final string
		if waiting := s.pool.waitingFor(ss.set, a.login); waiting != nil {
			final, err = a.verifyAhead(ctx, waiting)
		} else if err = a.connect(ctx); err == nil {
			final, err = a.exchange(ctx)
		}
		if err == nil && ss.set.Listen.MaxSessionsPerUser > 0 {
			err = s.countUser(ss)
		}
		if err != nil {
			return err
		}
		hello = encode(nil, &pgproto3.AuthenticationSASLFinal{Data: []byte(final)}, &pgproto3.AuthenticationOk{})
		a.hello = hello
		if a.server == nil {
			if b = a.takeWaiting(ctx, ss); b != nil {
				a.server = b.conn
				hello = b.greeting(hello, b.newKey())
				return nil
			}
		}
		said, err := a.open(ctx)
		if err != nil {
			return err
		}
		b = said.backend
		if !ss.set.Listen.ApplicationNameAddAddress {
			hello = append(hello, said.text...)
			return nil
		}
		if _, err = b.receive(said.rest); err == nil {
			err = b.name(ctx, ss)
		}
		if err != nil {
			return a.serverBroke(err)
		}
		hello = b.greeting(hello, b.newKey())
		return nil
	})
	if err == nil {
		ss.attach(b.conn)
		ss.binding = bindingPasses
		ss.backend, b.conn, ss.proved = b, nil, a.proof()
		ss.unfit = len(b.notices) > maxNotices
		err = ss.begin(hello)
	}
	if err != nil && a.server != nil {
		a.server.Close()
	}
	return err
}

// takeWaiting returns a connection that waits, ready for the client; nil if
// there is none.
func (a *authentication) takeWaiting(ctx context.Context, ss *session) *backend {
	for {
		b := a.s.pool.take(a.set, a.login, a.verified)
		if b == nil || !a.set.Listen.ApplicationNameAddAddress || b.name(ctx, ss) == nil {
			return b
		}
		a.s.pool.drop(b, closedServer)
	}
}

// verifyAhead verifies a client without a server connection.
func (a *authentication) verifyAhead(ctx context.Context, waiting *waitingLogin) (final string, err error) {
	if waiting.version != nil {
		if _, err := a.client.Write(waiting.version); err != nil {
			return "", errClientLeft
		}
		a.version = waiting.version
	}
	exchange := scram.Server{Binding: a.binding}
	if err := a.clientFirst(&exchange); err != nil {
		return "", err
	}
	secret, kept, err := a.set.secrets.secret(ctx, a.user, false)
	if err != nil {
		return "", a.noSecret(err)
	}
	why := ""
	if secret == nil {
		secret, why = waiting.secret, "there is no SCRAM secret for the user in auth.file or from auth.query any more"
	}
	final, err = a.verify(&exchange, secret, why)
	if err != nil && kept {
		a.set.secrets.forget(a.user) // the password may have been changed a moment ago
	}
	return final, err
}

// connect connects to the server up to its first request. A server that is
// full gives up connections that wait.
func (a *authentication) connect(ctx context.Context) error {
	for tries := 0; ; tries++ {
		server, first, err := a.s.connect(ctx, a.set, a.packet)
		if err != nil {
			return err
		}
		a.server, a.first = server, first
		if deadline, ok := ctx.Deadline(); ok {
			_ = server.SetDeadline(deadline)
		}
		if err = a.serverRequest(); err == nil {
			return nil
		}
		var full *serverFull
		if !errors.As(err, &full) {
			return err
		}
		server.Close()
		if tries == maxMakeRoom || !a.s.pool.makeRoom(a.user) {
			return a.tell(full)
		}
	}
}

// tell passes the server's error on.
func (a *authentication) tell(e *serverFull) error {
	_, _ = a.client.Write(append(a.hello, e.message...))
	return errRefusalSent
}

// open has the server log the verified client in, unless that has been done.
func (a *authentication) open(ctx context.Context) (*greeted, error) {
	for tries := 0; ; tries++ {
		err := error(nil)
		if a.server == nil {
			err = a.logInAgain(ctx)
		}
		var said *greeted
		if err == nil {
			said, err = a.readGreeting()
		}
		if err == nil {
			a.s.metrics.serverLogins.WithLabelValues("opened").Inc()
			return said, a.server.SetDeadline(noDeadline)
		}
		var full *serverFull
		if !errors.As(err, &full) {
			return nil, err
		}
		a.server.Close()
		a.server = nil
		if tries == maxMakeRoom || !a.s.pool.makeRoom(a.user) {
			return nil, a.tell(full)
		}
	}
}

// logInAgain opens a connection with the key of a client that has been
// verified.
func (a *authentication) logInAgain(ctx context.Context) error {
	if err := a.connect(ctx); err != nil || !a.asksSASL {
		return err
	}
	login := a.newClient()
	if err := a.serverFirst(login); err != nil {
		return err
	}
	if salt, iterations := login.Salt(); !a.verified.Matches(salt, iterations) {
		a.set.secrets.forget(a.user)
		return a.turnAway("the password has been changed, and the secret that was kept is the old one's")
	}
	return a.logIn(login)
}

// greeted is what a server has said between the end of authentication and its
// first ReadyForQuery.
type greeted struct {
	backend *backend
	text    []byte // all of it, with a cancel key of askpg's own, and rest
	rest    []byte // what has come behind it
}

// readGreeting reads it.
func (a *authentication) readGreeting() (*greeted, error) {
	b := &backend{set: a.set, login: a.login, user: a.user, secret: a.verified, opened: time.Now(), version: a.version, conn: a.server}
	said := &greeted{backend: b}
	var buf [4 << 10]byte
	var text []byte
	for at := 0; ; {
		size, err := wire.MessageLen(text[at:])
		if err != nil || int64(at)+size > maxOwn {
			return nil, a.serverBroke(errDownstream)
		}
		if size == 0 || int64(len(text)-at) < size {
			n, err := a.server.Read(buf[:])
			if n == 0 && err != nil {
				return nil, a.serverBroke(err)
			}
			text = append(text, buf[:n]...)
			continue
		}
		m := text[at : at+int(size)]
		at += int(size)
		switch m[0] {
		case wire.ParameterStatus:
			if err := b.report(m); err != nil {
				return nil, a.serverBroke(err)
			}
		case wire.BackendKeyData:
			b.key = slices.Clone(m[wire.HeaderLen:])
			copy(m[wire.HeaderLen:], b.newKey())
		case wire.ErrorResponse:
			if wire.ErrorCode(m) == ask.CodeTooManyConnections {
				return nil, &serverFull{message: bytes.Clone(m)}
			}
			_, _ = a.client.Write(append(a.hello, text[:at]...))
			return nil, errRefusalSent
		case wire.ReadyForQuery:
			said.text, said.rest = text, text[at:]
			return said, nil
		default:
			b.notices = append(b.notices, m...)
		}
	}
}
