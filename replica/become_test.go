package replica_test

import (
	"strings"
	"testing"

	"askpg/ask"
	"askpg/internal/pgtest"
)

// Who may ask as whom is decided by the replica's catalog.
func TestMayBecome(t *testing.T) {
	db := pgtest.NewDatabase(t, script+`do $$ begin
		create role become_login login; create role become_role; create role become_through; create role "Become ""it"""; create role become_super login superuser; create role become_noinherit login noinherit;
		exception when duplicate_object then null; end $$;
		grant become_role to become_through; grant become_through, "Become ""it""" to become_login; grant become_role to become_noinherit`)
	c := pgtest.Shared(t)
	r := start(t, config(t, c.Standby))
	for _, tt := range []struct {
		login, role string
		hint        string // empty: it may
	}{
		{"become_login", "become_through", ""},
		{"become_login", "become_role", ""},
		{"become_login", `Become "it"`, ""},
		{"become_noinherit", "become_role", ""},
		{"become_super", "become_role", ""},
		{"become_super", "postgres", ""},
		{"become_role", "become_login", `GRANT "become_login" TO "become_role"`},
		{"become_login", "become_super", `GRANT "become_super" TO "become_login"`},
		{"become_login", "postgres", "GRANT"},
		{"become_login", "nobody", "replayed"},
		{"nobody", "become_role", "replayed"},
		{"become_login", "become_role'; drop role x --", "replayed"},
	} {
		err := r.MayBecome(deadline(t), db, tt.login, tt.role)
		e := ask.AsError(err)
		switch {
		case tt.hint == "" && err != nil:
			t.Errorf("%s as %s: %v", tt.login, tt.role, err)
		case tt.hint != "" && (ask.CodeOf(err) != "42501" || !strings.Contains(e.Hint, tt.hint) || !strings.Contains(e.Message, tt.login) || !strings.Contains(e.Message, tt.role)):
			t.Errorf("%s as %s: %#v", tt.login, tt.role, err)
		}
	}
	if err := r.MayBecome(deadline(t), "no_such", "become_login", "become_role"); ask.CodeOf(err) != "3D000" {
		t.Errorf("%v", err)
	}
}
