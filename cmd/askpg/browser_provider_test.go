package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"askpg/admin/oidctest"
	"askpg/ask"
	"askpg/store"
)

// TestBrowser_Provider signs a viewer and a reviewer in at an OpenID provider in Chromium, and out.
func TestBrowser_Provider(t *testing.T) {
	idp := oidctest.New(t)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte(oidctest.ClientSecret), 0o600); err != nil {
		t.Fatal(err)
	}
	answered := map[string]string{}
	settings := fmt.Sprintf("[admin.oidc]\nissuer = %q\nclient_id = %q\nclient_secret_file = %q\n[[admin.access]]\nrole = \"viewer\"\ngroups = [\"everybody\"]\n[[admin.access]]\nrole = \"reviewer\"\ngroups = [\"data\"]\ndatabases = [\"shop\"]\n",
		idp.URL, oidctest.ClientID, secret)
	_, page := reviewed(t, settings, func(c Config) {
		st, err := store.Open(context.Background(), c.Store, slog.New(slog.DiscardHandler), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []string{"wide", "narrow"} {
			e := reviewedEntry("how many patrons of the "+size+" kind", "SELECT count(*) FROM customers", "SELECT 1")
			e.Translation.SQL, e.Translation.Candidates[0].Fate = "SELECT count(*) FROM customers", ask.FateChosen
			if err := st.Append(context.Background(), e); err != nil {
				t.Fatal(err)
			}
			answered[size] = e.Question.ID
		}
		if err := st.Close(); err != nil {
			t.Fatal(err)
		}
	})
	page.Answered, page.Provider = answered, strings.TrimPrefix(idp.URL, "http://")
	idp.Set(func() { idp.Claims = func(c map[string]any) { c["groups"] = []string{"everybody"} } })
	page.Viewer = true
	page.walk(t, "provider")
	idp.Set(func() { idp.Claims = nil })
	page.Viewer = false
	page.walk(t, "provider")
}
