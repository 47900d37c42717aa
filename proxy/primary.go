package proxy

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"

	"askpg/wire"
)

// sslRequest is the packet that asks a server for TLS.
var sslRequest = []byte{0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f}

// dialPrimary connects to the server, TLS included as its sslmode begins.
func (c *PrimaryConfig) dialPrimary(ctx context.Context, tlsConfig *tls.Config) (net.Conn, error) {
	return c.dial(ctx, tlsConfig, c.SSLMode != "disable" && c.SSLMode != "allow")
}

// dial connects to the server, with TLS if that is wanted and the socket is no
// Unix socket.
func (c *PrimaryConfig) dial(ctx context.Context, tlsConfig *tls.Config, encrypted bool) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, c.ConnectTimeout.Duration())
	defer cancel()
	d := net.Dialer{KeepAlive: -1} // TCPConfig has its own
	name, addr := network(c.Address)
	conn, err := d.DialContext(ctx, name, addr)
	if err != nil {
		return nil, err
	}
	if err := c.TCPConfig.apply(conn); err != nil {
		conn.Close()
		return nil, fmt.Errorf("options of the connection to %s: %w", c.Address, err)
	}
	if !encrypted || name == "unix" {
		return conn, nil
	}
	if t, ok := ctx.Deadline(); ok {
		_ = conn.SetDeadline(t)
	}
	var secure net.Conn
	if c.SSLNegotiation == "direct" {
		secure, err = directTLS(ctx, conn, tlsConfig)
	} else {
		secure, err = c.upgrade(ctx, conn, tlsConfig)
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return secure, secure.SetDeadline(noDeadline)
}

// directTLS begins with the handshake, as servers from PostgreSQL 17 on
// accept it. They choose the protocol postgresql; whoever does not is none.
func directTLS(ctx context.Context, conn net.Conn, tlsConfig *tls.Config) (net.Conn, error) {
	t := tls.Client(conn, tlsConfig)
	if err := t.HandshakeContext(ctx); err != nil {
		return nil, fmt.Errorf("direct TLS handshake, which needs PostgreSQL 17: %w", err)
	}
	if t.ConnectionState().NegotiatedProtocol != "postgresql" {
		return nil, errors.New("direct TLS handshake: the server does not choose the ALPN protocol postgresql")
	}
	return t, nil
}

// connect connects to the server and sends the startup packet. With sslmode
// allow or prefer, a server that refuses the connection as it is (pg_hba.conf
// may want it encrypted, or not) is tried again the other way, as libpq does.
// To find that out the server's first message has to be read; it is returned
// if it was.
func (c *PrimaryConfig) connect(ctx context.Context, tlsConfig *tls.Config, packet []byte) (conn net.Conn, first []byte, err error) {
	name, _ := network(c.Address)
	again := name != "unix" && (c.SSLMode == "allow" || c.SSLMode == "prefer")
	for encrypted := c.SSLMode != "disable" && c.SSLMode != "allow"; ; encrypted = !encrypted {
		conn, err := c.dial(ctx, tlsConfig, encrypted)
		if err != nil {
			return nil, nil, err
		}
		if _, err := conn.Write(packet); err != nil {
			conn.Close()
			return nil, nil, fmt.Errorf("sending the startup packet: %w", err)
		}
		if !again || encrypted && !isTLS(conn) {
			return conn, nil, nil // nothing is left to try
		}
		again = false
		if t, ok := ctx.Deadline(); ok {
			_ = conn.SetDeadline(t)
		}
		first, err := readMessage(conn, maxAuth)
		if err != nil {
			conn.Close()
			return nil, nil, fmt.Errorf("reading the server's answer to the startup packet: %w", err)
		}
		if first[0] != wire.ErrorResponse || wire.ErrorCode(first) != "28000" {
			return conn, first, conn.SetDeadline(noDeadline)
		}
		conn.Close()
	}
}

// upgrade asks the server for TLS. The answer is read as exactly one byte, so
// that nothing sent before the handshake can be taken for what comes after it.
func (c *PrimaryConfig) upgrade(ctx context.Context, conn net.Conn, tlsConfig *tls.Config) (net.Conn, error) {
	if _, err := conn.Write(sslRequest); err != nil {
		return nil, err
	}
	var answer [1]byte
	if _, err := conn.Read(answer[:]); err != nil {
		return nil, err
	}
	switch answer[0] {
	case 'S':
		t := tls.Client(conn, tlsConfig)
		if err := t.HandshakeContext(ctx); err != nil {
			return nil, fmt.Errorf("TLS handshake: %w", err)
		}
		return t, nil
	case 'N':
		if c.SSLMode == "prefer" {
			return conn, nil
		}
		return nil, fmt.Errorf("the server does not offer TLS, which sslmode %s requires", c.SSLMode)
	default:
		return nil, fmt.Errorf("the server answered the request for TLS with %q", answer[0])
	}
}

// tlsConfig builds the client side of TLS as libpq's sslmode defines it
// (PostgreSQL documentation, "SSL Support").
func (c *PrimaryConfig) tlsConfig() (*tls.Config, error) {
	if c.SSLMode == "disable" {
		return nil, nil
	}
	t := &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"postgresql"}}
	if name, addr := network(c.Address); name == "tcp" {
		host, _, err := net.SplitHostPort(addr)
		if err != nil {
			return nil, err
		}
		t.ServerName = host
	}
	if c.Cert != "" {
		pair, err := tls.LoadX509KeyPair(c.Cert, c.Key)
		if err != nil {
			return nil, fmt.Errorf("primary.sslcert: %w", err)
		}
		t.Certificates = []tls.Certificate{pair}
	}
	if c.RootCert != "" {
		pool, err := readPool(c.RootCert)
		if err != nil {
			return nil, fmt.Errorf("primary.sslrootcert: %w", err)
		}
		t.RootCAs = pool
	}
	switch c.SSLMode {
	case "verify-full":
	case "verify-ca":
		// The chain is verified, the name is not.
		t.InsecureSkipVerify = true
		roots := t.RootCAs
		t.VerifyConnection = func(cs tls.ConnectionState) error {
			if len(cs.PeerCertificates) == 0 {
				return errors.New("the server shows no certificate")
			}
			o := x509.VerifyOptions{Roots: roots, Intermediates: x509.NewCertPool()}
			for _, cert := range cs.PeerCertificates[1:] {
				o.Intermediates.AddCert(cert)
			}
			_, err := cs.PeerCertificates[0].Verify(o)
			return err
		}
	default:
		t.InsecureSkipVerify = true
	}
	return t, nil
}

func readPool(path string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("no certificate in %s", path)
	}
	return pool, nil
}
