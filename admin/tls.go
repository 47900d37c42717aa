package admin

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"slices"
)

// requiresSignIn says whether somebody has to say who he is.
func (c *Config) requiresSignIn() bool {
	return c.ReviewerToken != "" || c.ReviewerTokenFile != "" || c.ClientCA != "" || c.OIDC.Issuer != "" || len(c.Access) > 0
}

func (c *Config) validateTLS() error {
	switch {
	case (c.TLSCert == "") != (c.TLSKey == ""):
		return fmt.Errorf("admin.tls_cert and admin.tls_key go together, and one is missing")
	case c.ClientCA != "" && c.TLSCert == "":
		return fmt.Errorf("admin.client_ca is set and admin.tls_cert is not; certificates of clients need TLS")
	case c.ClientCA == "" && len(c.Viewers)+len(c.Reviewers) > 0:
		return fmt.Errorf("admin.viewers or admin.reviewers is set and admin.client_ca is not; nothing would vouch for the names")
	case c.ClientCA != "" && len(c.Viewers)+len(c.Reviewers)+len(c.Access) == 0 && c.ReviewerToken == "" && c.ReviewerTokenFile == "":
		return fmt.Errorf("admin.client_ca is set, and neither admin.reviewers, admin.viewers, admin.access nor a token; nobody could do anything")
	}
	for _, name := range c.Viewers {
		if slices.Contains(c.Reviewers, name) {
			return fmt.Errorf("admin.viewers and admin.reviewers both hold %q", name)
		}
	}
	return nil
}

// serverTLS reads the certificates; nil without TLS.
func (c *Config) serverTLS() (*tls.Config, error) {
	if c.TLSCert == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
	if err != nil {
		return nil, fmt.Errorf("admin.tls_cert: %w", err)
	}
	t := &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}, NextProtos: []string{"h2", "http/1.1"}}
	if c.ClientCA != "" {
		pem, err := os.ReadFile(c.ClientCA)
		if err != nil {
			return nil, fmt.Errorf("admin.client_ca: %w", err)
		}
		if t.ClientCAs = x509.NewCertPool(); !t.ClientCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("admin.client_ca: %s holds no certificate", c.ClientCA)
		}
		// Health checks come without one; who may see a page, its handler decides.
		t.ClientAuth = tls.VerifyClientCertIfGiven
	}
	return t, nil
}

// certificateGrants returns what the bearer of a verified client certificate may do,
// and the first name in it that says so.
func (s *settings) certificateGrants(state *tls.ConnectionState) (name string, list []grant) {
	if s.ClientCA == "" || s.tls == nil || state == nil || len(state.VerifiedChains) == 0 {
		return "", nil
	}
	cert := state.VerifiedChains[0][0]
	if !vouchedFor(s.tls.ClientCAs, state.PeerCertificates) {
		return "", nil // the authorities have changed since the connection began
	}
	names := append([]string{cert.Subject.CommonName}, cert.DNSNames...)
	names = append(names, cert.EmailAddresses...)
	for _, u := range cert.URIs {
		names = append(names, u.String())
	}
	for _, n := range names {
		of := s.granted(func(g *grant) bool { return n != "" && slices.Contains(g.names, n) })
		if len(of) > 0 && name == "" {
			name = n
		}
		list = append(list, of...)
	}
	return name, list
}

// vouchedFor says whether authorities vouch for the first of a client's certificates now.
func vouchedFor(authorities *x509.CertPool, certs []*x509.Certificate) bool {
	between := x509.NewCertPool()
	for _, c := range certs[1:] {
		between.AddCert(c)
	}
	_, err := certs[0].Verify(x509.VerifyOptions{Roots: authorities, Intermediates: between, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	return err == nil
}
