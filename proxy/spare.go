package proxy

import (
	"errors"
	"net"
	"os"
	"syscall"
	"time"

	"askpg/ask"
)

// noDescriptor says whether the process, or the machine, has no file descriptor left.
func noDescriptor(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// errNoDescriptor tells a client that there is no file descriptor for its session.
func errNoDescriptor(err error) *ask.Error {
	return ask.Errorf(ask.CodeTooManyConnections, "askpg has no file descriptor left for a session").WithDetail("%v", err).
		WithHint("Raise the limit of open files of askpg (ulimit -n, LimitNOFILE= of systemd): a session takes two. Or lower listen.max_sessions.").Because(err)
}

// refuseTime bounds the time in which a connection that is refused at once is read and told so.
const refuseTime = time.Second

// spare is a file descriptor that is kept for telling a client that there is none left.
type spare struct{ file *os.File }

func (s *spare) open() {
	if s.file == nil {
		s.file, _ = os.Open(os.DevNull)
	}
}

func (s *spare) close() {
	if s.file != nil {
		_ = s.file.Close()
		s.file = nil
	}
}

// refuseOne accepts a connection with the spare descriptor and tells its client why it gets no
// session. It says whether it could.
func (s *Server) refuseOne(l net.Listener, spare *spare, why error) bool {
	spare.close()
	defer spare.open()
	if d, ok := l.(interface{ SetDeadline(time.Time) error }); ok {
		_ = d.SetDeadline(time.Now().Add(refuseTime)) // another may have taken the descriptor, and the client be gone
		defer func() { _ = d.SetDeadline(noDeadline) }()
	}
	conn, err := l.Accept()
	if err != nil {
		return false
	}
	s.metrics.refused.WithLabelValues("descriptors").Inc()
	if conn := s.count(conn); conn != nil {
		s.serve(conn, errNoDescriptor(why))
	}
	return true
}
