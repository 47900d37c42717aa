package scram

import (
	"crypto"
	"crypto/hmac"
	"crypto/sha256"
	_ "crypto/sha512" // certificates are signed with SHA-384 and SHA-512 too
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// Client logs in with a ClientKey: First, Challenge, Final, Verify, in this
// order.
type Client struct {
	// Binding is the hash of the certificate that the server shows, see
	// CertificateHash; nil if there is no TLS or the server offers no binding.
	Binding []byte
	// TLS says that the connection is encrypted: a client that could bind and
	// was not offered to has to say so.
	TLS bool

	first       string // client-first-message-bare
	serverFirst string
	nonce       string
	salt        []byte
	iterations  int
	signed      string
}

// First returns the mechanism and the client-first-message.
func (c *Client) First() (mechanism, message string) {
	c.first = "n=,r=" + newNonce()
	if c.Binding != nil {
		return MechanismPlus, c.header() + c.first
	}
	return Mechanism, c.header() + c.first
}

func (c *Client) header() string {
	switch {
	case c.Binding != nil:
		return "p=" + bindingType + ",,"
	case c.TLS:
		return "y,,"
	}
	return "n,,"
}

// Challenge reads the server-first-message.
func (c *Client) Challenge(message string) error {
	nonce, rest, err := attribute(message, 'r')
	if err != nil {
		return err
	}
	own := strings.TrimPrefix(c.first, "n=,r=")
	if !strings.HasPrefix(nonce, own) || len(nonce) == len(own) || !printable(nonce) {
		return errors.New("invalid SCRAM response: the nonce does not match")
	}
	salt, rest, err := attribute(rest, 's')
	if err != nil {
		return err
	}
	if c.salt, err = decode(salt); err != nil || len(c.salt) == 0 {
		return errors.New("malformed SCRAM message: invalid salt")
	}
	iterations, rest, err := attribute(rest, 'i')
	if err != nil {
		return err
	}
	if c.iterations, err = parseIterations(iterations); err != nil {
		return fmt.Errorf("malformed SCRAM message: %w", err)
	}
	if err := extensions(rest); err != nil {
		return err
	}
	c.nonce, c.serverFirst = nonce, message
	return nil
}

// Salt returns what the server's secret was made with.
func (c *Client) Salt() (salt []byte, iterations int) { return c.salt, c.iterations }

// Final returns the client-final-message.
func (c *Client) Final(key Key) string {
	without := "c=" + base64.StdEncoding.EncodeToString(append([]byte(c.header()), c.Binding...)) + ",r=" + c.nonce
	c.signed = c.first + "," + c.serverFirst + "," + without
	stored := Key(sha256.Sum256(key[:]))
	proof := mac(stored, c.signed).xor(key)
	return without + ",p=" + base64.StdEncoding.EncodeToString(proof[:])
}

// Verify reads the server-final-message: it says whether the server knows the
// secret too.
func (c *Client) Verify(message string, serverKey Key) error {
	value, _, err := attribute(message, 'v')
	if err != nil {
		return err
	}
	var got Key
	if err := decodeKey(&got, value); err != nil {
		return fmt.Errorf("malformed SCRAM message: invalid server signature")
	}
	want := mac(serverKey, c.signed)
	if !hmac.Equal(got[:], want[:]) {
		return errors.New("incorrect server signature")
	}
	return nil
}

// CertificateHash returns the channel binding of the type tls-server-end-point
// for a certificate (RFC 5929, section 4.1), nil if there is none: its
// signature says by which hash.
func CertificateHash(cert *x509.Certificate) []byte {
	h := crypto.SHA256
	switch cert.SignatureAlgorithm {
	case x509.SHA384WithRSA, x509.ECDSAWithSHA384, x509.SHA384WithRSAPSS:
		h = crypto.SHA384
	case x509.SHA512WithRSA, x509.ECDSAWithSHA512, x509.SHA512WithRSAPSS:
		h = crypto.SHA512
	case x509.PureEd25519, x509.UnknownSignatureAlgorithm:
		return nil
	}
	w := h.New()
	w.Write(cert.Raw)
	return w.Sum(nil)
}
