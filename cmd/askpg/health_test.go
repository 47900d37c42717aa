package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// selfSigned writes a certificate of a name and a DNS name that no address has.
func selfSigned(t *testing.T, name string) (cert, key string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	tmpl := &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, DNSNames: []string{"askpg.example.org"}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, k.Public(), k)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// TestHealth_TLS asks an askpg whose admin side speaks TLS, with a certificate
// of another name and of no known authority: the configured certificate is what
// counts, whole.
func TestHealth_TLS(t *testing.T) {
	plain, address, admin := writeConfig(t, "")
	text, err := os.ReadFile(plain)
	if err != nil {
		t.Fatal(err)
	}
	// with returns a configuration with a certificate and whatever else.
	with := func(cert, key, more string) string {
		path := filepath.Join(t.TempDir(), "config.toml")
		part := fmt.Sprintf("[admin]\ntls_cert = %q\ntls_key = %q\n%s", cert, key, more)
		if err := os.WriteFile(path, []byte(strings.Replace(string(text), "[admin]\n", part, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	ask := func(config string) (string, error) {
		var out bytes.Buffer
		err := health(testContext(t), streams{out: &out, err: &out}, []string{"--config", config})
		return out.String(), err
	}
	cert, key := selfSigned(t, "askpg")
	otherCert, otherKey := selfSigned(t, "askpg")
	// Clients' certificates are asked for too: health has none, and needs none.
	right := with(cert, key, fmt.Sprintf("client_ca = %q\nreviewers = [\"rita\"]\n", otherCert))
	serveProcess(t, right, address, admin)
	if out, err := ask(right); err != nil || out != "ready\n" {
		t.Errorf("the configured certificate: %q, %v", out, err)
	}
	if out, err := ask(with(otherCert, otherKey, "")); err == nil || !strings.Contains(err.Error(), "another certificate than admin.tls_cert") {
		t.Errorf("another certificate: %q, %v", out, err)
	}
	if out, err := ask(plain); err == nil || strings.Contains(out, "ready") {
		t.Errorf("without TLS: %q, %v", out, err)
	}
}
