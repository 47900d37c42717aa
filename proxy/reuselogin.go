package proxy

import (
	"context"
	"errors"
	"io"
	"net"
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
// anything, with a secret that may be as old as auth.cache. For others the login is
// that of authenticate.
func (s *Server) loginReusing(ctx context.Context, ss *session, packet []byte) error {
	a := &authentication{s: s, set: ss.set, user: ss.startup.User, client: ss.client, address: ss.address, packet: packet, login: wire.StartupKey(packet), binding: boundTo(ss.client, ss.set.clientTLS)}
	defer a.forget()
	var reused serverConn
	var hello []byte
	err := a.within(ctx, func() (err error) {
		var final string
		if version, known := ss.set.pool.Waiting(a.login); known != nil {
			final, err = a.verifyAhead(ctx, version, known)
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
			if reused = a.takeWaiting(ctx, ss); reused != nil {
				hello = reused.Greeting(hello)
				return nil
			}
		}
		var said, rest []byte
		if reused, said, rest, err = a.open(ctx); err != nil {
			return err
		}
		if !ss.set.Listen.ApplicationNameAddAddress {
			hello = append(hello, said...)
			return nil
		}
		if err := reused.Name(ctx, withAddress(ss.startup.ApplicationName, ss.address), rest); err != nil {
			return a.serverBroke(err)
		}
		hello = reused.Greeting(hello)
		return nil
	})
	if err == nil {
		ss.attach(a.server)
		ss.binding = bindingPasses
		ss.reused, ss.proved = reused, a.proof()
		err = ss.begin(hello)
	}
	if err != nil && a.server != nil {
		a.server.Close()
	}
	return err
}

// takeWaiting returns a connection that waits, ready for the client; nil if
// there is none.
func (a *authentication) takeWaiting(ctx context.Context, ss *session) serverConn {
	for {
		c, server := a.set.pool.Take(ctx, a.login, a.verified)
		if c == nil || !a.set.Listen.ApplicationNameAddAddress || c.Name(ctx, withAddress(ss.startup.ApplicationName, ss.address), nil) == nil {
			a.server = server
			return c
		}
		c.Refuse()
	}
}

// verifyAhead verifies a client without a server connection. version and known are what serverPool.Waiting returns.
func (a *authentication) verifyAhead(ctx context.Context, version []byte, known *scram.Secret) (final string, err error) {
	if version != nil {
		if _, err := a.client.Write(version); err != nil {
			return "", errClientLeft
		}
		a.version = version
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
		secret, why = known, "there is no SCRAM secret for the user in auth.file or from auth.query any more"
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
		full, ok := errors.AsType[*serverFull](err)
		if !ok {
			return err
		}
		awaitEnd(server)
		if tries == maxMakeRoom || !a.set.pool.MakeRoom(a.user) {
			return a.tell(full)
		}
	}
}

// awaitEnd closes a connection that the server has refused when the server has ended it, after a
// second at the latest. Until then the refused one counts against the limit, too.
func awaitEnd(server net.Conn) {
	_ = server.SetDeadline(time.Now().Add(time.Second))
	_, _ = io.Copy(io.Discard, server)
	server.Close()
}

// tell passes the server's error on.
func (a *authentication) tell(e *serverFull) error {
	_, _ = a.client.Write(append(a.hello, e.message...))
	return errRefusalSent
}

// open has the server log the verified client in, unless that has been done. It returns what serverPool.Open does.
func (a *authentication) open(ctx context.Context) (c serverConn, said, rest []byte, err error) {
	for tries := 0; ; tries++ {
		if a.server == nil {
			err = a.logInAgain(ctx)
		}
		if err == nil {
			if c, said, rest, err = a.greeting(); err == nil {
				return c, said, rest, a.server.SetDeadline(noDeadline)
			}
		}
		full, ok := errors.AsType[*serverFull](err)
		if !ok {
			return nil, nil, nil, err
		}
		awaitEnd(a.server)
		a.server = nil
		if tries == maxMakeRoom || !a.set.pool.MakeRoom(a.user) {
			return nil, nil, nil, a.tell(full)
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

// greeting reads what the server says up to its first ReadyForQuery.
func (a *authentication) greeting() (c serverConn, said, rest []byte, err error) {
	c, said, rest, err = a.set.pool.Open(a.server, a.login, a.user, a.verified, a.version)
	var refusal loginRefusal
	switch {
	case err == nil:
		return c, said, rest, nil
	case !errors.As(err, &refusal):
		err = a.serverBroke(err)
	case wire.ErrorCode(refusal.ErrorResponse()) == ask.CodeTooManyConnections:
		err = &serverFull{message: refusal.ErrorResponse()}
	default:
		_, _ = a.client.Write(append(a.hello, refusal.Said()...))
		err = errRefusalSent
	}
	return nil, nil, nil, err
}
