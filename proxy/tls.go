package proxy

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"time"
)

// noDeadline takes a deadline off a connection.
var noDeadline time.Time

// serverConfig reads the files of c; nil if TLS is off.
func (c *TLSConfig) serverConfig() (*tls.Config, error) {
	if c.Mode == "disable" || c.Cert == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(c.Cert, c.Key)
	if err != nil {
		return nil, fmt.Errorf("tls.cert: %w", err)
	}
	t := &tls.Config{
		MinVersion:   tls.VersionTLS12,
		Certificates: []tls.Certificate{pair},
		NextProtos:   []string{"postgresql"},
	}
	if c.ClientCA != "" {
		if t.ClientCAs, err = readPool(c.ClientCA); err != nil {
			return nil, fmt.Errorf("tls.client_ca: %w", err)
		}
		t.ClientAuth = tls.RequireAndVerifyClientCert
	}
	return t, nil
}

var errNoALPN = errors.New("direct TLS connection without the ALPN protocol postgresql")

// handshake makes conn a TLS connection. direct says that the client began
// with it instead of an SSLRequest; ALPN is mandatory then, as in PostgreSQL 17.
func handshake(conn net.Conn, config *tls.Config, direct bool) (*tls.Conn, error) {
	t := tls.Server(conn, config)
	if err := t.Handshake(); err != nil {
		return nil, err
	}
	if direct && t.ConnectionState().NegotiatedProtocol != "postgresql" {
		return nil, errNoALPN
	}
	return t, nil
}

// sameCertificate says whether clients of askpg see the certificate that the
// server showed: channel binding of the type tls-server-end-point (RFC 5929)
// holds then, although there are two TLS connections.
func sameCertificate(config *tls.Config, server *tls.Conn) bool {
	peers := server.ConnectionState().PeerCertificates
	return len(peers) > 0 && len(config.Certificates) > 0 && len(config.Certificates[0].Certificate) > 0 &&
		bytes.Equal(peers[0].Raw, config.Certificates[0].Certificate[0])
}

// prefixConn gives back bytes that were read to find out what a client wants.
type prefixConn struct {
	net.Conn
	prefix []byte
}

func (c *prefixConn) Read(b []byte) (int, error) {
	if len(c.prefix) > 0 {
		n := copy(b, c.prefix)
		c.prefix = c.prefix[n:]
		return n, nil
	}
	return c.Conn.Read(b)
}

// closeWrite ends what is sent on conn, so that the peer reads all of it and
// then the end.
func closeWrite(conn net.Conn) error {
	if c, ok := conn.(interface{ CloseWrite() error }); ok {
		return c.CloseWrite()
	}
	return conn.Close()
}
