package proxy_test

import (
	"testing"

	"askpg/proxy"
)

// TestConfig_PrimaryIsAskpg refuses a primary that is askpg itself: each session would open the next one.
func TestConfig_PrimaryIsAskpg(t *testing.T) {
	for _, tt := range []struct {
		listen, primary string
		itself          bool
	}{
		{"127.0.0.1:6432", "127.0.0.1:6432", true},
		{"127.0.0.1:6432", "localhost:6432", true},
		{"127.0.0.1:7000, :6432", "[::1]:6432", true},
		{"0.0.0.0:6432", "localhost:6432", true},
		{"db.example:5432", "db.example:5432", true},
		{"127.0.0.1:postgresql", "127.0.0.1:5432", true},
		{"unix:/run/askpg", "unix:/run/askpg/.s.PGSQL.5432", true},
		{"127.0.0.1:6432", "127.0.0.1:5432", false},
		{"127.0.0.2:5432", "127.0.0.1:5432", false},
		{"0.0.0.0:5432", "db.example:5432", false},
		{"127.0.0.1:0", "127.0.0.1:5432", false},
		{"unix:/run/askpg", "unix:/run/postgresql", false},
		{"unix:/run/askpg", "127.0.0.1:5432", false},
	} {
		c := proxy.DefaultConfig()
		c.Listen.Address, c.Primary.Address = tt.listen, tt.primary
		if err := c.Validate(); (err != nil) != tt.itself {
			t.Errorf("listening at %s, with the primary at %s: %v", tt.listen, tt.primary, err)
		}
	}
}
