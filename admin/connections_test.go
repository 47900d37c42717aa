package admin_test

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"askpg/admin"
)

// Connections that are held keep others waiting and nobody out: the descriptors are the sessions'.
func TestServer_MaxConnections(t *testing.T) {
	base := serve(t, nil, nil, func(c *admin.Config, _ *admin.Server) { c.MaxConnections = 2 })
	dial := func() net.Conn {
		c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		_, _ = io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
		return c
	}
	answers := func(c net.Conn, within time.Duration) bool {
		_ = c.SetReadDeadline(time.Now().Add(within))
		b := make([]byte, 15)
		_, err := io.ReadFull(c, b)
		return err == nil && strings.HasPrefix(string(b), "HTTP/1.1 200")
	}
	first, second := dial(), dial()
	if !answers(first, 20*time.Second) || !answers(second, 20*time.Second) {
		t.Fatal("two connections are not answered")
	}
	third := dial()
	if answers(third, 200*time.Millisecond) {
		t.Fatal("a third connection is answered while two are open")
	}
	first.Close()
	if !answers(third, 20*time.Second) {
		t.Fatal("a connection that waits is not answered when another ends")
	}
}
