//go:build noserverpool

package proxy_test

import (
	"strings"
	"testing"

	"askpg/proxy"
)

// A configuration that asks for what is not built in is refused, and says so.
func TestReuse_NotBuiltIn(t *testing.T) {
	c := proxy.DefaultConfig()
	c.Auth.Method, c.Auth.File, c.Primary.Reuse = "scram", "userlist.txt", true
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "primary.reuse_connections is set, but this program is built without it") {
		t.Fatal(err)
	}
	if c.Primary.Reuse = false; c.Validate() != nil {
		t.Fatal(c.Validate())
	}
}
