package pgtest

import (
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
)

// SCRAMKeys derives a client's and a server's key from a password (RFC 5802,
// section 3).
func SCRAMKeys(password string, salt []byte, iterations int) (client, server [sha256.Size]byte, err error) {
	salted, err := pbkdf2.Key(sha256.New, password, salt, iterations, sha256.Size)
	if err != nil {
		return client, server, err
	}
	derive := func(name string) [sha256.Size]byte {
		h := hmac.New(sha256.New, salted)
		h.Write([]byte(name))
		return [sha256.Size]byte(h.Sum(nil))
	}
	return derive("Client Key"), derive("Server Key"), nil
}

// SCRAMSecret makes what pg_authid keeps of a password, with iterations that
// cost a test less than PostgreSQL's own.
func SCRAMSecret(password string, iterations int) (string, error) {
	salt := make([]byte, 16)
	_, _ = rand.Read(salt) // never fails
	client, server, err := SCRAMKeys(password, salt, iterations)
	if err != nil {
		return "", err
	}
	stored := sha256.Sum256(client[:])
	encode := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("SCRAM-SHA-256$%d:%s$%s:%s", iterations, encode(salt), encode(stored[:]), encode(server[:])), nil
}
