package proxy_test

import (
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
	key, server, err := pgtest.SCRAMKeys(password, salt, iterations)
	if err != nil {
		f.t.Fatal(err)
	}
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
	secret, err := pgtest.SCRAMSecret(password, testIterations)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "userlist.txt")
	text := fmt.Sprintf("%q %q\n", user, secret)
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
