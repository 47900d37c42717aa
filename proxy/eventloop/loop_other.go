//go:build !linux || noeventloop

package eventloop

import "net"

// Loop does not exist here.
type Loop struct{}

// Conn does not exist here.
type Conn struct{}

// New returns ErrUnsupported.
func New(Options) (*Loop, error) { return nil, ErrUnsupported }

// Close is never called: there is no Loop.
func (*Loop) Close() {}

// Do is never called: there is no Loop.
func (*Loop) Do(func()) {}

// Add returns ErrUnsupported.
func (*Loop) Add(int, Handler) (*Conn, error) { return nil, ErrUnsupported }

// Remove is never called: there is no Conn.
func (*Conn) Remove() (fd int, unwritten []byte) { return -1, nil }

// SetReads returns ErrUnsupported.
func (*Conn) SetReads(bool) error { return ErrUnsupported }

// Unwritten is never called: there is no Conn.
func (*Conn) Unwritten() bool { return false }

// Read returns ErrUnsupported.
func (*Conn) Read([]byte) (int, error) { return 0, ErrUnsupported }

// Write returns ErrUnsupported.
func (*Conn) Write([]byte) error { return ErrUnsupported }

// Take returns ErrUnsupported.
func Take(net.Conn) (fd int, err error) { return -1, ErrUnsupported }

// Give returns ErrUnsupported.
func Give(int) (net.Conn, error) { return nil, ErrUnsupported }

// Close is never called: there are no descriptors.
func Close(int) {}

// CloseWrite is never called: there are no descriptors.
func CloseWrite(int) {}
