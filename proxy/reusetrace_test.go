package proxy_test

import (
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgproto3/v2"

	"askpg/internal/pgtest"
	"askpg/proxy"
	"askpg/wire/scram"
)

const testIterations = 10

// keys returns what SCRAM derives from a password (RFC 5802, section 3).
func keys(t testing.TB, password string, salt []byte, iterations int) (client, server scram.Key) {
	t.Helper()
	salted, err := pbkdf2.Key(sha256.New, password, salt, iterations, sha256.Size)
	if err != nil {
		t.Fatal(err)
	}
	derive := func(name string) (k scram.Key) {
		h := hmac.New(sha256.New, salted)
		h.Write([]byte(name))
		h.Sum(k[:0])
		return k
	}
	return derive("Client Key"), derive("Server Key")
}

// prove answers the server's request for SCRAM.
func (f *frontend) prove(password string) {
	f.t.Helper()
	var c scram.Client
	mechanism, first := c.First()
	f.send(&pgproto3.SASLInitialResponse{AuthMechanism: mechanism, Data: []byte(first)})
	challenge, ok := f.receive().(*pgproto3.AuthenticationSASLContinue)
	if !ok {
		f.t.Fatal("no challenge")
	}
	if err := c.Challenge(string(challenge.Data)); err != nil {
		f.t.Fatal(err)
	}
	salt, iterations := c.Salt()
	key, server := keys(f.t, password, salt, iterations)
	f.send(&pgproto3.SASLResponse{Data: []byte(c.Final(key))})
	switch m := f.receive().(type) {
	case *pgproto3.AuthenticationSASLFinal:
		if err := c.Verify(string(m.Data), server); err != nil {
			f.t.Fatal(err)
		}
	case *pgproto3.ErrorResponse:
		f.t.Fatalf("login: %s", m.Message)
	}
}

// userlist writes an auth.file with a user and a password.
func userlist(t testing.TB, user, password string) string {
	t.Helper()
	salt := make([]byte, 16)
	_, _ = rand.Read(salt)
	client, server := keys(t, password, salt, testIterations)
	stored := sha256.Sum256(client[:])
	encode := base64.StdEncoding.EncodeToString
	path := filepath.Join(t.TempDir(), "userlist.txt")
	text := fmt.Sprintf("%q \"SCRAM-SHA-256$%d:%s$%s:%s\"\n", user, testIterations, encode(salt), encode(stored[:]), encode(server[:]))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Sequences of messages get the same answers where their sessions follow one
// another on the same server connections.
func TestReuse_Traces(t *testing.T) {
	file := userlist(t, pgtest.Superuser, "secret")
	everywhere = func(c *proxy.Config) {
		c.Auth.Method, c.Auth.File = "scram", file
		c.Primary.Reuse = true
	}
	defer func() { everywhere = nil }()
	for name, test := range map[string]func(*testing.T){
		"pipelines":                  TestPipeline_Sequences,
		"questions and errors":       TestPipeline_QuestionsAndErrorsAtEveryPosition,
		"in pieces":                  TestChoppy_Sequences,
		"sizes":                      TestRelay_Sizes,
		"copy":                       TestRelay_Copy,
		"notifications":              TestRelay_Notifications,
		"notifications in an answer": TestRelay_NotificationsInAnswer,
		"late cancel":                TestCancel_Late,
		"cancel of a question":       TestCancel_Question,
		"cancel of a statement":      TestCancel_Statement,
		"drain":                      TestDrain,
		"errors":                     TestErrors,
	} {
		t.Run(name, test)
	}
}
