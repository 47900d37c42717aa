package proxy

import (
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/jackc/pgproto3/v2"

	"askpg/ask"
	"askpg/wire"
	"askpg/wire/scram"
)

// serverRequest reads what the server asks for. What is no request, such as
// NegotiateProtocolVersion, passes.
func (a *authentication) serverRequest() error {
	a.asksSASL, a.plus = false, false
	code, body, err := a.request()
	if err != nil {
		return err
	}
	switch code {
	case wire.AuthOK:
		return nil
	case wire.AuthSASL:
		offered := wire.SASLMechanisms(body)
		a.asksSASL, a.plus = slices.Contains(offered, scram.Mechanism), slices.Contains(offered, scram.MechanismPlus)
		if a.asksSASL {
			return nil
		}
	}
	e := ask.Errorf("28000", "askpg can't log in to the server as %q", a.user).
		WithDetail("The server asks for %s, and askpg holds no password: the client's proof gives it a SCRAM key alone.", wire.AuthMethod(code)).
		WithHint("Let pg_hba.conf of the server ask askpg's address for scram-sha-256 and give the role a SCRAM secret (password_encryption = scram-sha-256, then set its password again), or set auth.method = \"relay\".")
	a.s.log.Warn("login failed", "user", a.user, "client", a.address, "error", e)
	return e
}

func (a *authentication) newClient() *scram.Client {
	c := &scram.Client{}
	if t, ok := a.server.(*tls.Conn); ok {
		c.TLS = true
		if peers := t.ConnectionState().PeerCertificates; a.plus && len(peers) > 0 {
			c.Binding = scram.CertificateHash(peers[0])
		}
	}
	return c
}

// serverFirst begins the exchange with the server and reads its challenge.
func (a *authentication) serverFirst(login *scram.Client) error {
	mechanism, first := login.First()
	challenge, err := a.ask(&pgproto3.SASLInitialResponse{AuthMechanism: mechanism, Data: []byte(first)}, wire.AuthSASLContinue)
	if err != nil {
		return err
	}
	if err := login.Challenge(string(challenge)); err != nil {
		return a.serverBroke(err)
	}
	return nil
}

// logIn ends the exchange with the server.
func (a *authentication) logIn(login *scram.Client) error {
	final, err := a.ask(&pgproto3.SASLResponse{Data: []byte(login.Final(a.key))}, wire.AuthSASLFinal)
	if err != nil {
		return err
	}
	if err := login.Verify(string(final), a.verified.ServerKey); err != nil {
		return a.serverBroke(err)
	}
	code, _, err := a.request()
	if err == nil && code != wire.AuthOK {
		err = a.serverBroke(fmt.Errorf("authentication request %d after SCRAM", code))
	}
	return err
}

// ask sends the server a message and returns the body of the request that it
// has to answer with.
func (a *authentication) ask(m pgproto3.Message, want uint32) ([]byte, error) {
	if _, err := a.server.Write(encode(nil, m)); err != nil {
		return nil, a.serverBroke(err)
	}
	code, body, err := a.request()
	if err == nil && code != want {
		err = a.serverBroke(fmt.Errorf("authentication request %d instead of %d", code, want))
	}
	return body, err
}

// request reads the server's next authentication request. Everything else
// goes to the client, and with an error the login ends.
func (a *authentication) request() (code uint32, body []byte, err error) {
	for {
		m := a.first
		a.first = nil
		var err error
		if m == nil {
			m, err = readMessage(a.server, maxAuth)
		}
		if err != nil {
			return 0, nil, a.serverBroke(err)
		}
		switch m[0] {
		case wire.Authentication:
			if len(m) < wire.HeaderLen+4 {
				return 0, nil, a.serverBroke(errDownstream)
			}
			return binary.BigEndian.Uint32(m[wire.HeaderLen:]), m[wire.HeaderLen+4:], nil
		case wire.ErrorResponse:
			if a.packet != nil && wire.ErrorCode(m) == ask.CodeTooManyConnections {
				return 0, nil, &serverFull{message: m}
			}
			_, _ = a.client.Write(m)
			return 0, nil, errRefusalSent
		case wire.NegotiateVersion:
			if a.version != nil {
				continue
			}
			a.version = m
		}
		if _, err := a.client.Write(m); err != nil {
			return 0, nil, errClientLeft
		}
	}
}

func (a *authentication) serverBroke(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	a.s.log.Error("logging in to the server failed", "user", a.user, "address", a.set.Primary.Address, "error", err)
	return ask.Errorf(ask.CodeConnectionFailure, "logging in to the server at %s failed", a.set.Primary.Address).WithHint("The log of askpg says why.").Because(err)
}
