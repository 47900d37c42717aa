package scram

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
)

// bindingType is the only one that PostgreSQL knows (RFC 5929, section 4).
const bindingType = "tls-server-end-point"

// Server verifies one client: First, Challenge, Final, in this order.
type Server struct {
	// Binding is the hash of the certificate that the client sees, see
	// CertificateHash; nil if channel binding was not offered.
	Binding []byte

	plus        bool
	flag        string // gs2-header up to the client-first-message-bare
	clientFirst string // client-first-message-bare
	clientNonce string
	nonce       string
	serverFirst string
	secret      *Secret
	doomed      bool
	clientKey   Key
}

// First reads the client-first-message, sent with the mechanism of that name.
// Its user name is ignored, as PostgreSQL does: the startup packet has it.
func (s *Server) First(mechanism, message string) error {
	switch mechanism {
	case Mechanism:
	case MechanismPlus:
		if s.Binding == nil {
			return invalidMechanism
		}
		s.plus = true
	default:
		return invalidMechanism
	}
	if err := checkLength(message); err != nil {
		return err
	}
	rest, err := s.bindingFlag(message)
	if err != nil {
		return err
	}
	// The gs2-header ends with the authorization identity.
	switch {
	case strings.HasPrefix(rest, "a"):
		return &Error{Code: "0A000", Message: "client uses authorization identity, but it is not supported"}
	case !strings.HasPrefix(rest, ","):
		return malformed("Unexpected attribute %s in client-first-message.", shown(rest))
	}
	rest = rest[1:]
	s.flag = message[:len(message)-len(rest)]
	s.clientFirst = rest
	if strings.HasPrefix(rest, "m") {
		return &Error{Code: "0A000", Message: "client requires an unsupported SCRAM extension"}
	}
	if _, rest, err = attribute(rest, 'n'); err != nil {
		return err
	}
	if s.clientNonce, rest, err = attribute(rest, 'r'); err != nil {
		return err
	}
	if !printable(s.clientNonce) {
		return &Error{Code: "08P01", Message: "non-printable characters in SCRAM nonce"}
	}
	return extensions(rest)
}

var invalidMechanism = &Error{Code: "08P01", Message: "client selected an invalid SASL authentication mechanism"}

// bindingFlag reads the gs2-cbind-flag and its comma. "y" is of a client that
// supports channel binding and was told that the server does not. If the
// server does, the client was deceived: somebody took it out of the list of
// mechanisms.
func (s *Server) bindingFlag(message string) (rest string, err error) {
	switch {
	case strings.HasPrefix(message, "n"), strings.HasPrefix(message, "y"):
		if s.plus {
			return "", malformed("The client selected SCRAM-SHA-256-PLUS, but the SCRAM message does not include channel binding data.")
		}
		if message[0] == 'y' && s.Binding != nil {
			return "", &Error{
				Code: "28000", Message: "SCRAM channel binding negotiation error",
				Detail: "The client supports SCRAM channel binding but thinks the server does not. However, this server does support channel binding.",
			}
		}
		if len(message) < 2 || message[1] != ',' {
			return "", malformed("Comma expected, but found %s.", shown(message[1:]))
		}
		return message[2:], nil
	case strings.HasPrefix(message, "p"):
		if !s.plus {
			return "", malformed("The client selected SCRAM-SHA-256 without channel binding, but the SCRAM message includes channel binding data.")
		}
		name, rest, err := attribute(message, 'p')
		if err != nil {
			return "", err
		}
		if name != bindingType {
			return "", &Error{Code: "28000", Message: fmt.Sprintf("unsupported SCRAM channel-binding type %q", name)}
		}
		return rest, nil
	}
	return "", malformed("Unexpected channel-binding flag %s.", shown(message))
}

// Challenge returns the server-first-message. With doomed, Final fails
// whatever the client proves, after the same work.
func (s *Server) Challenge(secret *Secret, doomed bool) string {
	s.secret, s.doomed = secret, doomed
	s.nonce = s.clientNonce + newNonce()
	s.serverFirst = fmt.Sprintf("r=%s,s=%s,i=%d", s.nonce, base64.StdEncoding.EncodeToString(secret.Salt), secret.Iterations)
	return s.serverFirst
}

// Final reads the client-final-message and returns the server-final-message.
// ok is false if the client does not know the password; err is for a message
// that breaks the protocol.
func (s *Server) Final(message string) (final string, ok bool, err error) {
	if err := checkLength(message); err != nil {
		return "", false, err
	}
	binding, rest, err := attribute(message, 'c')
	if err != nil {
		return "", false, err
	}
	if binding != base64.StdEncoding.EncodeToString(append([]byte(s.flag), s.bound()...)) {
		if s.plus {
			return "", false, &Error{Code: "28000", Message: "SCRAM channel binding check failed"}
		}
		return "", false, &Error{Code: "08P01", Message: "unexpected SCRAM channel-binding attribute in client-final-message"}
	}
	nonce, rest, err := attribute(rest, 'r')
	if err != nil {
		return "", false, err
	}
	// The proof is the last attribute; extensions may stand before it.
	for len(rest) > 0 && rest[0] != 'p' {
		if rest, err = skip(rest); err != nil {
			return "", false, err
		}
	}
	withoutProof := strings.TrimSuffix(message[:len(message)-len(rest)], ",")
	encoded, rest, err := attribute(rest, 'p')
	if err != nil {
		return "", false, err
	}
	if rest != "" || strings.HasSuffix(message, ",") {
		return "", false, malformed("Garbage found at the end of client-final-message.")
	}
	var proof Key
	if decodeKey(&proof, encoded) != nil {
		return "", false, malformed("Malformed proof in client-final-message.")
	}
	if nonce != s.nonce {
		return "", false, &Error{Code: "08P01", Message: "invalid SCRAM response", Detail: "Nonce does not match."}
	}
	signed := []string{s.clientFirst, ",", s.serverFirst, ",", withoutProof}
	s.clientKey = mac(s.secret.StoredKey, signed...).xor(proof)
	stored := Key(sha256.Sum256(s.clientKey[:]))
	same := hmac.Equal(stored[:], s.secret.StoredKey[:])
	signature := mac(s.secret.ServerKey, signed...)
	if s.doomed || !same {
		s.clientKey = Key{}
		return "", false, nil
	}
	return "v=" + base64.StdEncoding.EncodeToString(signature[:]), true, nil
}

// ClientKey returns the key of a client that Final has found to know the
// password.
func (s *Server) ClientKey() Key { return s.clientKey }

func (s *Server) bound() []byte {
	if s.plus {
		return s.Binding
	}
	return nil
}

func checkLength(message string) error {
	switch {
	case message == "":
		return malformed("The message is empty.")
	case len(message) > MaxMessage:
		return malformed("The message is longer than %d bytes.", MaxMessage)
	case strings.IndexByte(message, 0) >= 0:
		return malformed("Message length does not match input length.")
	}
	return nil
}

// attribute reads one attribute and the comma after it.
func attribute(s string, name byte) (value, rest string, err error) {
	if s == "" {
		return "", "", malformed("Attribute %q expected, but the message ends.", name)
	}
	if s[0] != name {
		return "", "", malformed("Expected attribute %q but found %s.", name, shown(s))
	}
	if len(s) < 2 || s[1] != '=' {
		return "", "", malformed("Expected character %q for attribute %q.", '=', name)
	}
	value, rest, _ = strings.Cut(s[2:], ",")
	return value, rest, nil
}

// skip passes over an attribute whose name is any letter.
func skip(s string) (rest string, err error) {
	if c := s[0] | 0x20; c < 'a' || c > 'z' {
		return "", malformed("Attribute expected, but found invalid character %s.", shown(s))
	}
	_, rest, err = attribute(s, s[0])
	return rest, err
}

func extensions(s string) (err error) {
	for len(s) > 0 && err == nil {
		s, err = skip(s)
	}
	return err
}

// shown is the first character of what a client sent, as far as it may stand
// in an error.
func shown(s string) string {
	switch {
	case s == "":
		return "the end of the message"
	case s[0] >= 0x21 && s[0] <= 0x7e:
		return fmt.Sprintf("%q", s[:1])
	}
	return fmt.Sprintf("0x%02x", s[0])
}
