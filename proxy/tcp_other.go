//go:build !linux

package proxy

import (
	"net"
	"time"
)

// setUserTimeout does nothing: only Linux bounds it.
func setUserTimeout(*net.TCPConn, time.Duration) error { return nil }
