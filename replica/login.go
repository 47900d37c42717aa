package replica

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"askpg/ask"
	"askpg/wire"
	"askpg/wire/scram"
)

// Values of Config.Login.
const (
	LoginUser    = "user"
	LoginService = "service"
)

// maxLoginMessage bounds a message of the server's before AuthenticationOk.
const maxLoginMessage = 1 << 16

// errForgotten is for a login whose session has ended: its key is gone.
var errForgotten = errors.New("the session whose key it is has ended")

// userConfig is the login of an asker at one database. pgconn speaks the
// protocol; the authentication, for which it would need the password, is done
// beneath it.
func (h *host) userConfig(database string, login *ask.Login) *pgconn.Config {
	c := h.connConfig(database).Config.Copy()
	binding, allows := c.ChannelBinding, authPolicy(c.RequireAuth)
	c.User, c.Password, c.ChannelBinding, c.RequireAuth = login.User(), "", "", ""
	c.AfterNetConnect = func(_ context.Context, _ *pgconn.Config, conn net.Conn) (net.Conn, error) {
		return &loginConn{Conn: conn, login: login, host: h.name, binding: binding, allows: allows}, nil
	}
	return c
}

// authPolicy reads libpq's require_auth: methods, or methods that are not
// wanted, each behind an exclamation mark.
func authPolicy(list string) func(method string) bool {
	if list == "" {
		return func(string) bool { return true }
	}
	words := strings.Split(list, ",")
	for i := range words {
		words[i] = strings.TrimSpace(words[i])
	}
	if strings.HasPrefix(words[0], "!") {
		return func(method string) bool { return !slices.Contains(words, "!"+method) }
	}
	return func(method string) bool { return slices.Contains(words, method) }
}

// loginConn is a connection on which a SCRAM authentication takes place out of
// its reader's sight, with ClientKey in place of a password. The reader sees a
// server that asks for none.
type loginConn struct {
	net.Conn
	login   *ask.Login
	host    string
	binding string                   // libpq's channel_binding
	allows  func(method string) bool // libpq's require_auth
	ready   []byte                   // for the reader
	proved  bool                     // by SCRAM
	bound   bool                     // to the server's certificate
	over    bool                     // the authentication, for good or ill
}

func (c *loginConn) Read(b []byte) (int, error) {
	for len(c.ready) == 0 && !c.over {
		if err := c.authenticate(); err != nil {
			return 0, err
		}
	}
	if len(c.ready) > 0 {
		n := copy(b, c.ready)
		c.ready = c.ready[n:]
		return n, nil
	}
	return c.Conn.Read(b)
}

// authenticate deals with the server's next message.
func (c *loginConn) authenticate() error {
	m, err := c.message()
	if err != nil {
		return err
	}
	if m[0] != wire.Authentication {
		c.over, c.ready = m[0] == wire.ErrorResponse, m
		return nil
	}
	switch code := binary.BigEndian.Uint32(m[wire.HeaderLen:]); code {
	case wire.AuthOK:
		switch {
		case !c.proved && !c.allows("none"):
			return c.refused("The server asks for no authentication, and require_auth in replica.url does not allow that.")
		case !c.bound && c.binding == "require":
			return c.refused("The server has not authenticated with channel binding, and channel_binding in replica.url is require.")
		}
		c.over, c.ready = true, m
		return nil
	case wire.AuthSASL:
		return c.scram(m[wire.HeaderLen+4:])
	default:
		return c.refused("The server asks for %s, and askpg holds no password: the client's proof gave it a SCRAM key alone.", wire.AuthMethod(code))
	}
}

func (c *loginConn) refused(format string, args ...any) error {
	return ask.Errorf(ask.CodeInsufficientRights, "askpg can't log in to replica %s as %q", c.host, c.login.User()).
		WithDetail(format, args...).
		WithHint(`Let pg_hba.conf of the replica ask askpg's address for scram-sha-256, or set replica.login = "service".`)
}

// scram logs in with the key. What the server says to a wrong one is the
// reader's to hear.
func (c *loginConn) scram(list []byte) error {
	mechanisms := wire.SASLMechanisms(list)
	if !slices.Contains(mechanisms, scram.Mechanism) || !c.allows("scram-sha-256") {
		return c.refused("The server offers %s, and require_auth in replica.url has to allow scram-sha-256.", strings.Join(mechanisms, ", "))
	}
	key, serverKey, held := c.login.Keys()
	if !held {
		return errForgotten
	}
	exchange := &scram.Client{}
	if t, ok := c.Conn.(*tls.Conn); ok && c.binding != "disable" {
		exchange.TLS = true
		if peers := t.ConnectionState().PeerCertificates; len(peers) > 0 && slices.Contains(mechanisms, scram.MechanismPlus) {
			exchange.Binding = scram.CertificateHash(peers[0])
		}
	}
	mechanism, first := exchange.First()
	challenge, err := c.ask(&pgproto3.SASLInitialResponse{AuthMechanism: mechanism, Data: []byte(first)}, wire.AuthSASLContinue)
	if err != nil || c.over {
		return err
	}
	if err := exchange.Challenge(string(challenge)); err != nil {
		return err
	}
	final, err := c.ask(&pgproto3.SASLResponse{Data: []byte(exchange.Final(scram.Key(key)))}, wire.AuthSASLFinal)
	if err != nil || c.over {
		return err
	}
	if err := exchange.Verify(string(final), scram.Key(serverKey)); err != nil {
		return c.refused("The server does not know the password's secret: %s.", err)
	}
	c.proved, c.bound = true, exchange.Binding != nil
	return nil
}

// ask sends a message and returns the body of the request that the server
// answers with. An error of the server's is for the reader.
func (c *loginConn) ask(m pgproto3.FrontendMessage, want uint32) ([]byte, error) {
	b, err := m.Encode(nil)
	if err != nil {
		return nil, err
	}
	if _, err := c.Write(b); err != nil {
		return nil, err
	}
	answer, err := c.message()
	switch {
	case err != nil:
		return nil, err
	case answer[0] == wire.ErrorResponse:
		c.over, c.ready = true, answer
		return nil, nil
	case answer[0] != wire.Authentication || binary.BigEndian.Uint32(answer[wire.HeaderLen:]) != want:
		return nil, fmt.Errorf("the server broke the protocol: message %q in place of authentication request %d", answer[0], want)
	}
	return answer[wire.HeaderLen+4:], nil
}

// message reads one message and nothing beyond it.
func (c *loginConn) message() ([]byte, error) {
	var head [wire.HeaderLen]byte
	if _, err := io.ReadFull(c.Conn, head[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(head[1:])
	if n < 4 || n > maxLoginMessage || head[0] == wire.Authentication && n < 8 {
		return nil, fmt.Errorf("the server broke the protocol: a message of %d bytes", n)
	}
	m := append(make([]byte, 0, 1+n), head[:]...)[:1+n]
	_, err := io.ReadFull(c.Conn, m[wire.HeaderLen:])
	return m, err
}
