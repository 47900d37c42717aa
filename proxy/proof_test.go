package proxy_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/proxy"
	"askpg/wire/scram"
)

// A question comes with the key that its asker's login proved to know, however
// the session got its server connection, and the key is gone when the session
// is. Where the server verifies clients there is none.
func TestScram_KeyOfSession(t *testing.T) {
	file := userlist(t, pgtest.Superuser, "secret")
	for _, tt := range []struct {
		name         string
		scram, reuse bool
		loops        int
	}{
		{"relay", false, false, 1}, {"scram", true, false, 1}, {"scram, goroutines", true, false, 0}, {"reuse", true, true, 1}, {"reuse, goroutines", true, true, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := start(t, func(c *proxy.Config) {
				c.Listen.EventLoops = tt.loops
				if tt.scram {
					c.Auth.Method, c.Auth.File, c.Primary.Reuse = "scram", file, tt.reuse
				}
			})
			for i := range 2 {
				conn, err := pgx.Connect(within(t), b.url(sampleDB(t)))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := conn.Exec(within(t), fmt.Sprintf("/* ask: run: select %d */", i)); err != nil {
					t.Fatal(err)
				}
				questions := b.fake.asked()
				login := questions[len(questions)-1].Session.Login
				if !tt.scram {
					if login != nil {
						t.Fatal("there is a key of a client that the server has verified")
					}
					conn.Close(within(t))
					continue
				}
				client, server, held := login.Keys()
				if !held || login.User() != pgtest.Superuser {
					t.Fatal("no key, or another user's: ", login.User())
				}
				secret := secretOf(t, file)
				if stored := sha256.Sum256(client[:]); scram.Key(stored) != secret.StoredKey || scram.Key(server) != secret.ServerKey {
					t.Error("the keys are not those of the password")
				}
				conn.Close(within(t))
				for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
					if client, server, held = login.Keys(); !held {
						break
					}
					if time.Now().After(end) {
						t.Fatal("the key outlives the session")
					}
				}
				if client != (ask.LoginKey{}) || server != (ask.LoginKey{}) {
					t.Error("the keys are still in memory")
				}
			}
		})
	}
}

// secretOf reads the secret in a file that userlist has written.
func secretOf(t *testing.T, file string) *scram.Secret {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := scram.ParseSecret(strings.Split(string(b), `"`)[3])
	if err != nil {
		t.Fatal(err)
	}
	return secret
}
