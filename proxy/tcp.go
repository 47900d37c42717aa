package proxy

import (
	"cmp"
	"net"
	"time"

	"askpg/ask"
)

// TCPConfig says when a TCP connection whose other end does not answer any more is taken for
// dead. The names are those of PostgreSQL's own settings; with 0 the operating system decides.
// Unix sockets have none of it.
type TCPConfig struct {
	// KeepalivesIdle is how long nothing must have come before the other end is asked whether
	// it is still there. The time is rounded up to seconds, as that between two questions is.
	KeepalivesIdle ask.Duration `toml:"tcp_keepalives_idle"`
	// KeepalivesInterval is the time between two such questions.
	KeepalivesInterval ask.Duration `toml:"tcp_keepalives_interval"`
	// KeepalivesCount is how many may stay unanswered.
	KeepalivesCount int `toml:"tcp_keepalives_count"`
	// UserTimeout is how long sent data may stay unacknowledged, and data to be sent may wait
	// for a peer that does not read. It replaces the count of keepalives where it is set.
	// Linux only. It is 0 by default, as in PostgreSQL: a person who looks at the first page
	// of a long result does not read either.
	UserTimeout ask.Duration `toml:"tcp_user_timeout"`
}

// defaultTCP finds an idle connection that is cut off in two minutes.
func defaultTCP() TCPConfig {
	return TCPConfig{
		KeepalivesIdle:     ask.Duration(time.Minute),
		KeepalivesInterval: ask.Duration(10 * time.Second),
		KeepalivesCount:    6,
	}
}

// Bounds of Linux's: MAX_TCP_KEEPIDLE, MAX_TCP_KEEPINTVL and MAX_TCP_KEEPCNT, an int of
// milliseconds.
const (
	maxKeepalive      = 32767 * time.Second
	maxKeepaliveCount = 127
	maxUserTimeout    = (1<<31 - 1) * time.Millisecond
)

func (c *TCPConfig) validate(section string) error {
	return cmp.Or(
		ask.Between(section+".tcp_keepalives_idle", c.KeepalivesIdle, 0, ask.Duration(maxKeepalive)),
		ask.Between(section+".tcp_keepalives_interval", c.KeepalivesInterval, 0, ask.Duration(maxKeepalive)),
		ask.Between(section+".tcp_user_timeout", c.UserTimeout, 0, ask.Duration(maxUserTimeout)),
		ask.Between(section+".tcp_keepalives_count", c.KeepalivesCount, 0, maxKeepaliveCount),
	)
}

// apply sets what is configured on a connection, if it is one of TCP.
func (c *TCPConfig) apply(conn net.Conn) error {
	t, ok := conn.(*net.TCPConn)
	if !ok {
		return nil
	}
	k := net.KeepAliveConfig{
		Enable: true, Idle: c.KeepalivesIdle.Duration(), Interval: c.KeepalivesInterval.Duration(), Count: c.KeepalivesCount,
	}
	// To net, 0 is its own default, and less than 0 the operating system's.
	if k.Idle == 0 {
		k.Idle = -1
	}
	if k.Interval == 0 {
		k.Interval = -1
	}
	if k.Count == 0 {
		k.Count = -1
	}
	if err := t.SetKeepAliveConfig(k); err != nil {
		return err
	}
	if c.UserTimeout == 0 {
		return nil
	}
	return setUserTimeout(t, max(c.UserTimeout.Duration(), time.Millisecond))
}
