package proxy

import (
	"fmt"
	"net"
	"syscall"
	"time"

	"askpg/ask"
)

// maxReserve bounds the file descriptors that are left free when a session begins. They are
// for telling clients that there is none left, and for what else askpg opens: connections to
// replicas and models, files of the store.
const maxReserve = 16

// scarce returns an error if a connection has left fewer descriptors than the reserve.
func scarce(conn net.Conn) error {
	fd, ok := descriptorOf(conn)
	limit := descriptorLimit()
	if reserve := min(limit/4, maxReserve); ok && !freeDescriptors(fd, reserve, limit) {
		return fmt.Errorf("fewer than %d of %d file descriptors are free: %w", reserve, limit, syscall.EMFILE)
	}
	return nil
}

// errNoDescriptor tells a client that there is no file descriptor for its session.
func errNoDescriptor(err error) *ask.Error {
	return ask.Errorf(ask.CodeTooManyConnections, "askpg has no file descriptor left for a session").WithDetail("%v", err).
		WithHint("Raise the limit of open files of askpg (ulimit -n, LimitNOFILE= of systemd): a session takes two. Or lower listen.max_sessions.").Because(err)
}

// refuseTime bounds the time in which a connection that is refused at once is read and told so.
const refuseTime = time.Second
