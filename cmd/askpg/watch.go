package main

import (
	"context"
	"crypto/sha256"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
)

// watchEvery is how often the files that settings name are looked at: certificates, keys and tokens are
// replaced without a signal.
const watchEvery = 5 * time.Second

// contents are digests of files by their path; those of files that cannot be read are of nothing.
type contents map[string][sha256.Size]byte

// watchedFiles returns the files that a reload reads, and those that need a restart with the setting
// whose URL names them.
func watchedFiles(cfg *Config) (reload []string, restart map[string]string) {
	reload = []string{
		cfg.TLS.Cert, cfg.TLS.Key, cfg.TLS.ClientCA, cfg.Primary.RootCert, cfg.Primary.Cert, cfg.Primary.Key, cfg.Auth.File,
		cfg.Admin.TLSCert, cfg.Admin.TLSKey, cfg.Admin.ClientCA, cfg.Admin.ViewerTokenFile, cfg.Admin.ReviewerTokenFile, cfg.Admin.OIDC.ClientSecretFile,
	}
	for _, a := range cfg.Admin.Access {
		reload = append(reload, a.TokenFile)
	}
	reload = append(reload, urlFiles(cfg.Auth.QueryURL)...)
	for _, m := range cfg.Models {
		reload = append(reload, m.APIKeyFile)
	}
	restart = map[string]string{}
	for setting, u := range map[string]string{"replica.url": cfg.Replica.URL, "store.url": cfg.Store.URL} {
		for _, f := range urlFiles(u) {
			restart[f] = setting
		}
	}
	return slices.DeleteFunc(reload, func(f string) bool { return f == "" }), restart
}

// urlFiles returns the certificates and keys that a connection URL names.
func urlFiles(text string) (files []string) {
	u, err := url.Parse(text)
	if err != nil || !strings.HasPrefix(u.Scheme, "postgres") {
		return nil
	}
	for _, name := range []string{"sslrootcert", "sslcert", "sslkey"} {
		if f := u.Query().Get(name); f != "" && f != "system" {
			files = append(files, f)
		}
	}
	return files
}

func readContents(cfg *Config) contents {
	c := contents{}
	reload, restart := watchedFiles(cfg)
	for _, f := range slices.AppendSeq(reload, maps.Keys(restart)) {
		text, err := os.ReadFile(f)
		if err != nil {
			text = nil
		}
		c[f] = sha256.Sum256(text)
	}
	return c
}

// watch looks every so often whether files that the settings in force name have changed, and puts them into
// force, until ctx ends.
func (a *app) watch(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			a.refresh()
		case <-ctx.Done():
			return
		}
	}
}

// refresh puts the files into force that have changed and then stayed as they are from one look to the next: who writes a file may
// be half done. One that cannot be used leaves everything as it was; it is read again when it changes again.
func (a *app) refresh() {
	a.reloads.mu.Lock()
	defer a.reloads.mu.Unlock()
	now := readContents(a.config())
	unchanged := maps.Equal(now, a.reloads.looked)
	if a.reloads.looked = now; !unchanged {
		return
	}
	reload, restart := watchedFiles(a.config())
	changed := func(f string) bool { return now[f] != a.reloads.files[f] }
	for f, setting := range restart {
		if changed(f) && !slices.Contains(a.reloads.urls, setting) {
			a.reloads.urls = append(a.reloads.urls, setting)
			a.log.Warn("a file has changed and needs a restart", "file", f, "setting", setting)
		}
	}
	a.countPending()
	files := slices.DeleteFunc(reload, func(f string) bool { return !changed(f) })
	a.reloads.files = now
	if len(files) == 0 {
		return
	}
	if err := a.apply(*a.config()); err != nil {
		a.log.Error("changed files cannot be used, what was read before stays", "files", strings.Join(files, ", "), "error", err)
		return
	}
	a.log.Info("files were read again", "files", strings.Join(files, ", "))
}
