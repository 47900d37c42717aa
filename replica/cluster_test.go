package replica_test

import (
	"context"
	"net"
	"strings"
	"testing"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/replica"
)

func dialer(address string) replica.Dial {
	return func(ctx context.Context) (net.Conn, error) { return new(net.Dialer).DialContext(ctx, "tcp", address) }
}

func TestComparePrimary(t *testing.T) {
	c := pgtest.Shared(t)
	// Made by an initdb of its own: those of one template have one system identifier.
	other, err := pgtest.Start(t.Context(), pgtest.Options{NoStandby: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close() })
	pgtest.Exec(t, other.Primary.URL("postgres", ""), "create role askpg login")
	database := pgtest.NewDatabase(t, script)
	pgtest.CatchUp(t)
	r := start(t, config(t, c.Standby))
	for _, tt := range []struct {
		name, primary string
		found         []string // parts of what is found, one for each finding
		problem       string
	}{
		{"the primary", c.Primary.Address(), []string{"one cluster"}, ""},
		{"another cluster", other.Primary.Address(), []string{"primary " + other.Primary.Address()}, "they are two clusters"},
		{"cannot be reached", "127.0.0.1:1", []string{"it is not known"}, "still refused"},
		{"a standby", c.Standby.Address(), []string{"is a standby itself", "one cluster"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found := r.ComparePrimary(deadline(t), tt.primary, dialer(tt.primary))
			if len(found) != len(tt.found) {
				t.Fatalf("found %+v", found)
			}
			for i, f := range found {
				if !strings.Contains(f.What, tt.found[i]) || !strings.Contains(tt.problem, "two") != f.OK || !f.OK && (!strings.Contains(f.Problem, tt.problem) || f.Fix == "") {
					t.Errorf("found %+v", f)
				}
			}
			snap, err := r.Begin(deadline(t), session(database, "analyst"))
			if tt.problem == "" {
				if err != nil {
					t.Fatal(err)
				}
				snap.Close()
				return
			}
			if e := ask.AsError(err); e == nil || e.Code != "55000" || !strings.Contains(e.Detail, "two clusters") || !strings.Contains(e.Hint, "primary.address") {
				t.Fatalf("a question gets %v", err)
			}
		})
	}
}
