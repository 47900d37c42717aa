package proxy_test

import (
	"strings"
	"testing"
	"time"

	"askpg/ask"
	"askpg/proxy"
)

func TestTCPConfig_Validate(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*proxy.TCPConfig)
		says   string
	}{
		{"defaults", func(*proxy.TCPConfig) {}, ""},
		{"all left to the system", func(c *proxy.TCPConfig) { *c = proxy.TCPConfig{} }, ""},
		{"negative idle time", func(c *proxy.TCPConfig) { c.KeepalivesIdle = -1 }, "tcp_keepalives_idle"},
		{"an idle time that Linux does not take", func(c *proxy.TCPConfig) { c.KeepalivesIdle = ask.Duration(10 * time.Hour) }, "tcp_keepalives_idle"},
		{"negative interval", func(c *proxy.TCPConfig) { c.KeepalivesInterval = -1 }, "tcp_keepalives_interval"},
		{"too many", func(c *proxy.TCPConfig) { c.KeepalivesCount = 128 }, "tcp_keepalives_count"},
		{"negative timeout", func(c *proxy.TCPConfig) { c.UserTimeout = -1 }, "tcp_user_timeout"},
		{"a timeout of a month", func(c *proxy.TCPConfig) { c.UserTimeout = ask.Duration(30 * 24 * time.Hour) }, "tcp_user_timeout"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, section := range []string{"listen", "primary"} {
				c := proxy.DefaultConfig()
				if section == "listen" {
					tt.change(&c.Listen.TCPConfig)
				} else {
					tt.change(&c.Primary.TCPConfig)
				}
				err := c.Validate()
				if tt.says == "" && err != nil || tt.says != "" && (err == nil || !strings.Contains(err.Error(), section+"."+tt.says+" ")) {
					t.Errorf("in [%s]: %v", section, err)
				}
			}
		})
	}
}
