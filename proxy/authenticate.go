package proxy

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"

	"github.com/jackc/pgproto3/v2"

	"askpg/ask"
	"askpg/wire"
	"askpg/wire/scram"
)

// Request codes of Authentication messages.
// maxAuth bounds a message of the server's during authentication, as
// PG_MAX_AUTH_TOKEN_LENGTH does.
const maxAuth = 65535

// passwordMessage is the type of every message that a client answers an
// authentication request with.
const passwordMessage = 'p'

// scramHint is the same for everybody who is turned away, so that nothing can
// be learned from it.
const scramHint = `askpg verifies passwords itself (auth.method = "scram"), which needs a SCRAM-SHA-256 secret of the role in auth.file or from auth.query; its log says what was wrong.`

// errRefusalSent is for a login whose end the client has been told of.
var errRefusalSent = errors.New("the server refused the login")

// authentication is the login of one client whom askpg verifies itself. To
// the client it is the server, and to the server it is the client.
type authentication struct {
	s       *Server
	set     *settings
	user    string
	client  net.Conn
	address string // the client's
	server  net.Conn
	first   []byte // a message of the server's that has been read already
	binding []byte // what the client can bind to; nil without TLS

	asksSASL bool // the server wants SCRAM; otherwise it trusts askpg
	plus     bool // the server offers channel binding
	key      scram.Key
	verified *scram.Secret // what the client has proved to know

	// Of a login whose server connection can be reused.
	packet  []byte
	login   string // wire.StartupKey of it
	version []byte // NegotiateProtocolVersion, which the client has been sent
	hello   []byte // the end of the authentication, which the client has not been sent yet
}

// authenticate verifies the client and logs in to the server as it, with the
// key that the client's proof gives away. It ends after AuthenticationOk in
// both places; what comes then is relayed. The server's salt is shown to the
// client, so a user who does not exist looks like one who does, and a secret
// that is out of date is noticed.
func (a *authentication) authenticate(ctx context.Context) error {
	if t, ok := ctx.Deadline(); ok {
		_ = a.server.SetDeadline(t)
		defer a.server.SetDeadline(noDeadline)
	}
	return a.within(ctx, func() error { return a.run(ctx) })
}

// within says by PostgreSQL's error that f has not ended in time.
func (a *authentication) within(ctx context.Context, f func() error) error {
	err := f()
	if errors.Is(err, os.ErrDeadlineExceeded) || ctx.Err() != nil {
		return &ask.Error{Code: ask.CodeQueryCanceled, Message: "canceling authentication due to timeout"}
	}
	return err
}

func (a *authentication) run(ctx context.Context) error {
	if err := a.serverRequest(); err != nil {
		return err
	}
	final, err := a.exchange(ctx)
	if err != nil {
		return err
	}
	return a.send(&pgproto3.AuthenticationSASLFinal{Data: []byte(final)}, &pgproto3.AuthenticationOk{})
}

// exchange verifies the client and logs in to the server, which has made its
// request. It returns what proves to the client that the secret is known here.
func (a *authentication) exchange(ctx context.Context) (final string, err error) {
	exchange := scram.Server{Binding: a.binding}
	if err := a.clientFirst(&exchange); err != nil {
		return "", err
	}
	login := a.newClient()
	if a.asksSASL {
		if err := a.serverFirst(login); err != nil {
			return "", err
		}
	}
	secret, why, err := a.secret(ctx, login)
	if err != nil {
		return "", err
	}
	if final, err = a.verify(&exchange, secret, why); err != nil {
		return "", err
	}
	if a.asksSASL {
		err = a.logIn(login)
	}
	return final, err
}

// verify has the client prove that it knows the password of the secret, and
// takes the key out of the proof. With why it can't succeed.
func (a *authentication) verify(exchange *scram.Server, secret *scram.Secret, why string) (final string, err error) {
	if err := a.send(&pgproto3.AuthenticationSASLContinue{Data: []byte(exchange.Challenge(secret, why != ""))}); err != nil {
		return "", err
	}
	answer, err := a.receive()
	if err != nil {
		return "", err
	}
	final, ok, err := exchange.Final(string(answer))
	if err != nil {
		return "", scramError(err)
	}
	if !ok {
		why = cmp.Or(why, "the password is wrong")
		return "", a.turnAway(why)
	}
	a.key, a.verified = exchange.ClientKey(), secret
	return final, nil
}

// proof returns what the session keeps of the client's proof; nil if nothing.
func (a *authentication) proof() *ask.Login {
	if !a.s.KeepLogins {
		return nil
	}
	return ask.NewLogin(a.user, ask.LoginKey(a.key), ask.LoginKey(a.verified.ServerKey))
}

// forget overwrites the key.
func (a *authentication) forget() { a.key = scram.Key{} }

// turnAway is what everybody hears who is not let in; the log says why.
func (a *authentication) turnAway(why string) error {
	a.s.metrics.authFailures.Inc()
	a.s.log.Warn("login failed", "user", a.user, "client", a.address, "why", why)
	return ask.Errorf("28P01", "password authentication failed for user %q", a.user).WithHint("%s", scramHint)
}

// clientFirst offers the mechanisms and reads the client's first message.
func (a *authentication) clientFirst(exchange *scram.Server) error {
	mechanisms := []string{scram.Mechanism}
	if a.binding != nil {
		mechanisms = []string{scram.MechanismPlus, scram.Mechanism}
	}
	if err := a.send(&pgproto3.AuthenticationSASL{AuthMechanisms: mechanisms}); err != nil {
		return err
	}
	b, err := a.receive()
	if err != nil {
		return err
	}
	name, rest, ok := wire.CutString(b)
	if !ok || len(rest) < 4 {
		return ask.Errorf(ask.CodeProtocolViolation, "invalid SASLInitialResponse")
	}
	first := rest[4:]
	switch n := binary.BigEndian.Uint32(rest); {
	case n == 1<<32-1 && len(first) == 0:
		// The client waits for an empty challenge before it begins.
		if err := a.send(&pgproto3.AuthenticationSASLContinue{}); err != nil {
			return err
		}
		if first, err = a.receive(); err != nil {
			return err
		}
	case int64(n) != int64(len(first)):
		return ask.Errorf(ask.CodeProtocolViolation, "invalid SASLInitialResponse")
	}
	if err := exchange.First(string(name), string(first)); err != nil {
		return scramError(err)
	}
	return nil
}

// secret returns what the client is verified with. why is set if it can't
// succeed, and is for the log alone. The client sees the salt that the server
// shows for the user, or one that looks like it.
func (a *authentication) secret(ctx context.Context, login *scram.Client) (secret *scram.Secret, why string, err error) {
	salt, iterations := login.Salt()
	for fresh := false; ; fresh = true {
		kept := false
		secret, kept, err = a.set.secrets.secret(ctx, a.user, fresh)
		if err != nil {
			return nil, "", a.noSecret(err)
		}
		if secret != nil && (!a.asksSASL || secret.Matches(salt, iterations)) {
			return secret, "", nil
		}
		// Looking again is for a password that was changed a moment ago. For a
		// user without a secret it would take its time, and so give it away.
		if secret == nil || !kept {
			break
		}
	}
	mock := scram.Mock(a.user, a.s.mockKey[:])
	if a.asksSASL {
		mock.Salt, mock.Iterations = salt, iterations
	}
	if secret == nil {
		return mock, "there is no SCRAM secret for the user in auth.file or from auth.query: the role does not exist, may not log in, or its password is stored as MD5", nil
	}
	return mock, "the secret in auth.file or from auth.query is not the server's: its salt differs", nil
}

func (a *authentication) noSecret(err error) error {
	a.s.log.Error("looking a user's secret up failed", "user", a.user, "error", err)
	return ask.Errorf(ask.CodeConnectionFailure, "askpg can't verify the login").
		WithHint("auth.query or auth.query_url of askpg does not work; its log says why.").Because(err)
}

func (a *authentication) send(messages ...pgproto3.Message) error {
	if _, err := a.client.Write(encode(nil, messages...)); err != nil {
		return errClientLeft
	}
	return nil
}

// receive reads the body of the client's next message, which has to answer an
// authentication request. Nothing beyond it is read.
func (a *authentication) receive() ([]byte, error) {
	m, err := readMessage(a.client, wire.HeaderLen+2*scram.MaxMessage)
	switch {
	case errors.Is(err, errTooLong):
		return nil, ask.Errorf(ask.CodeProtocolViolation, "invalid SASL message").WithDetail("%v", err)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, err
	case err != nil:
		return nil, errClientLeft // psql does so to ask for the password
	case m[0] != passwordMessage:
		return nil, ask.Errorf(ask.CodeProtocolViolation, "expected SASL response, got message type %d", m[0])
	}
	return m[wire.HeaderLen:], nil
}

var errTooLong = errors.New("the message is too long")

// readMessage reads one message and nothing beyond it.
func readMessage(conn io.Reader, most int) ([]byte, error) {
	var head [wire.HeaderLen]byte
	if _, err := io.ReadFull(conn, head[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(head[1:])
	switch {
	case n < 4:
		return nil, errDownstream
	case int64(n)+1 > int64(most):
		return nil, errTooLong
	}
	m := make([]byte, 1+n)
	copy(m, head[:])
	_, err := io.ReadFull(conn, m[wire.HeaderLen:])
	return m, err
}

// scramError makes the client's error of one of the exchange's.
func scramError(err error) error {
	if e, ok := errors.AsType[*scram.Error](err); ok {
		return &ask.Error{Code: e.Code, Message: e.Message, Detail: e.Detail}
	}
	return err
}

// boundTo returns what a client of conn can bind its authentication to.
func boundTo(conn net.Conn, config *tls.Config) []byte {
	if !isTLS(conn) || config == nil || len(config.Certificates) == 0 || config.Certificates[0].Leaf == nil {
		return nil
	}
	return scram.CertificateHash(config.Certificates[0].Leaf)
}
