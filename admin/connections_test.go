package admin_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"askpg/admin"
	"askpg/ask"
)

// tap is a connection to a server that a test reads by hand.
type tap struct {
	net.Conn
	*testing.T
}

func open(t *testing.T, base, text string) tap {
	c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	return tap{c, t}
}

// isOpen says whether the server has not closed the connection.
func (c tap) isOpen() bool {
	_ = c.SetReadDeadline(time.Now().Add(200 * time.Millisecond))
	_, err := c.Read(make([]byte, 1))
	if e, ok := err.(net.Error); ok && e.Timeout() {
		return true
	}
	return err == nil
}

// health asks for /healthz by a connection of its own.
func health(t *testing.T, base string, within time.Duration) bool {
	c := open(t, base, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
	defer c.Close()
	_ = c.SetReadDeadline(time.Now().Add(within))
	b, err := io.ReadAll(c)
	return err == nil && bytes.HasPrefix(b, []byte("HTTP/1.1 200"))
}

// Who holds connections without being known keeps no health check out, in whatever way he holds them.
func TestServer_HeldConnections(t *testing.T) {
	base := serve(t, openStore(t), nil, func(c *admin.Config, s *admin.Server) {
		tokens(c, s)
		c.MaxConnections, c.ReadTimeout = 8, ask.Duration(time.Minute)
	})
	for name, text := range map[string]string{
		"nothing":                   "",
		"half a header":             "GET /healthz HTTP/1.1\r\nHost: x\r\n",
		"half a form":               "POST /signin HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\ntoken=",
		"an answer and no more":     "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
		"answers that nobody reads": strings.Repeat("GET /assets/style.css HTTP/1.1\r\nHost: x\r\n\r\n", 200),
		"a wrong token":             "GET /metrics HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer wrong\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			for range 3 {
				for range 12 {
					open(t, base, text)
				}
				if !health(t, base, 20*time.Second) {
					t.Fatal("/healthz does not answer")
				}
			}
		})
	}
}

// A request of somebody known keeps its connection. While there are as many as there may be of these, others wait.
func TestServer_MaxConnections(t *testing.T) {
	begun, release := make(chan bool, 2), make(chan bool)
	base := serve(t, openStore(t), nil, func(c *admin.Config, s *admin.Server) {
		tokens(c, s)
		c.MaxConnections = 2
		if s != nil {
			s.Differences = func(context.Context) ([]string, []string, error) { begun <- true; <-release; return nil, nil, nil }
		}
	})
	known := "GET /settings HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + viewerToken + "\r\n\r\n"
	first := open(t, base, known)
	<-begun
	stranger := open(t, base, "")
	second := open(t, base, known) // in the stranger's place
	<-begun
	if stranger.isOpen() || !first.isOpen() || !second.isOpen() {
		t.Fatal("a stranger keeps his place, or somebody known loses his")
	}
	if health(t, base, 200*time.Millisecond) {
		t.Fatal("a third connection is answered while two have a request under way")
	}
	waiting := make(chan bool)
	go func() { waiting <- health(t, base, 20*time.Second) }()
	release <- true
	if !<-waiting {
		t.Fatal("a connection that waits is not answered when a request ends")
	}
	release <- true
	for _, c := range []tap{first, second} {
		b := make([]byte, len("HTTP/1.1 200"))
		_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
		if _, err := io.ReadFull(c, b); err != nil || string(b) != "HTTP/1.1 200" {
			t.Errorf("a request of somebody known is answered %q, %v", b, err)
		}
	}
}
