// Package scram is SCRAM-SHA-256 as PostgreSQL speaks it (RFC 5802, RFC 7677;
// src/backend/libpq/auth-scram.c). It is for a relay that logs clients in
// with the secrets of the server, and then logs in to the server as those
// clients. It does no I/O.
//
// A relay holds what the server holds, StoredKey and ServerKey, and no
// password. The proof of a client that knows the password gives it ClientKey
// (RFC 5802, section 3: ClientKey := ClientProof XOR ClientSignature). With
// ClientKey it can make proofs of its own for the same salt and number of
// iterations. Server verifies a client and recovers the key, Client logs in
// with it.
//
// Passwords are prepared (SASLprep, RFC 4013) by whoever types them: here are
// only keys.
package scram

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Mechanisms of SASL.
const (
	Mechanism     = "SCRAM-SHA-256"
	MechanismPlus = "SCRAM-SHA-256-PLUS"
)

// MaxMessage is the longest message in bytes that is read. PostgreSQL's own
// limit, PG_MAX_SASL_MESSAGE_LENGTH, is the same.
const MaxMessage = 1024

// Lengths in bytes.
const (
	keyLen = sha256.Size
	// nonceLen is that of a nonce before base64, PostgreSQL's
	// SCRAM_RAW_NONCE_LEN.
	nonceLen = 18
	// mockSaltLen is PostgreSQL's SCRAM_DEFAULT_SALT_LEN.
	mockSaltLen = 16
	// maxIterations keeps numbers that no server uses away from clients,
	// which would hang in them.
	maxIterations = 100_000_000
)

// defaultIterations is what PostgreSQL uses where nothing else is said.
const defaultIterations = 4096

// Key is one of the keys of SCRAM.
type Key [keyLen]byte

// Secret is what a server keeps of a password.
type Secret struct {
	Iterations int
	Salt       []byte
	StoredKey  Key
	ServerKey  Key
}

// errNoSecret is returned for what is no SCRAM secret: an MD5 hash, a plain
// password, nothing.
var errNoSecret = errors.New("no SCRAM-SHA-256 secret")

// ParseSecret reads a secret as pg_authid.rolpassword has it:
// SCRAM-SHA-256$iterations:salt$StoredKey:ServerKey, the last three in base64.
// Errors do not contain it.
func ParseSecret(s string) (*Secret, error) {
	rest, ok := strings.CutPrefix(s, Mechanism+"$")
	if !ok {
		return nil, errNoSecret
	}
	params, keys, ok1 := strings.Cut(rest, "$")
	iterations, salt, ok2 := strings.Cut(params, ":")
	stored, server, ok3 := strings.Cut(keys, ":")
	if !ok1 || !ok2 || !ok3 {
		return nil, errNoSecret
	}
	secret := &Secret{}
	var err error
	if secret.Iterations, err = parseIterations(iterations); err != nil {
		return nil, errNoSecret
	}
	if secret.Salt, err = decode(salt); err != nil || len(secret.Salt) == 0 {
		return nil, errNoSecret
	}
	if decodeKey(&secret.StoredKey, stored) != nil || decodeKey(&secret.ServerKey, server) != nil {
		return nil, errNoSecret
	}
	return secret, nil
}

// Mock is a secret that no password fits. User and key decide its salt alone,
// so that a user who does not exist looks like one who does (auth-scram.c,
// mock_scram_secret).
func Mock(user string, key []byte) *Secret {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(user))
	return &Secret{Iterations: defaultIterations, Salt: mac.Sum(nil)[:mockSaltLen]}
}

// Matches says whether the secret was made with this salt and this number of
// iterations.
func (s *Secret) Matches(salt []byte, iterations int) bool {
	return s.Iterations == iterations && subtle.ConstantTimeCompare(s.Salt, salt) == 1
}

// Equal says whether two secrets are the same: the same password, salted at
// the same time.
func (s *Secret) Equal(other *Secret) bool {
	return s.Matches(other.Salt, other.Iterations) &&
		subtle.ConstantTimeCompare(s.StoredKey[:], other.StoredKey[:])&subtle.ConstantTimeCompare(s.ServerKey[:], other.ServerKey[:]) == 1
}

// Error is a message that breaks the protocol, or an exchange that fails.
type Error struct {
	Code    string // SQLSTATE, as PostgreSQL gives it
	Message string
	Detail  string
}

func (e *Error) Error() string {
	if e.Detail == "" {
		return e.Message
	}
	return e.Message + ": " + e.Detail
}

func malformed(format string, args ...any) *Error {
	return &Error{Code: "08P01", Message: "malformed SCRAM message", Detail: fmt.Sprintf(format, args...)}
}

func newNonce() string {
	var b [nonceLen]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.StdEncoding.EncodeToString(b[:])
}

func mac(key Key, parts ...string) (out Key) {
	m := hmac.New(sha256.New, key[:])
	for _, p := range parts {
		m.Write([]byte(p))
	}
	m.Sum(out[:0])
	return out
}

func (k Key) xor(other Key) (out Key) {
	subtle.XORBytes(out[:], k[:], other[:])
	return out
}

// decode reads base64 strictly: one text for one value.
func decode(s string) ([]byte, error) {
	if strings.ContainsAny(s, "\r\n") {
		return nil, errors.New("line break in base64")
	}
	return base64.StdEncoding.Strict().DecodeString(s)
}

func decodeKey(k *Key, s string) error {
	b, err := decode(s)
	if err == nil && len(b) != keyLen {
		err = fmt.Errorf("a key of %d bytes", len(b))
	}
	if err != nil {
		return err
	}
	copy(k[:], b)
	return nil
}

func parseIterations(s string) (int, error) {
	if s == "" || s[0] < '1' || s[0] > '9' {
		return 0, errors.New("no number of iterations")
	}
	n, err := strconv.Atoi(s)
	if err == nil && n > maxIterations {
		err = errors.New("too many iterations")
	}
	return n, err
}

// printable says whether s may be a nonce: RFC 5802's printable characters,
// which are ASCII without the comma.
func printable(s string) bool {
	for i := range len(s) {
		if s[i] < 0x21 || s[i] > 0x7e || s[i] == ',' {
			return false
		}
	}
	return s != ""
}
