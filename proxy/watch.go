package proxy

import (
	"errors"
	"os"
	"time"
)

// maxExtra is how much a watch reads while a question is being answered; a
// client that sends more is not read until the answer is out.
const maxExtra = 64 << 10

// watch reads the client while a message of it is being answered, so that its
// going away is noticed; gone is called then. The returned function ends the
// watch.
func (s *session) watch(gone func(error)) (stop func()) {
	if s.readErr != nil {
		gone(errClientGone)
		return func() {}
	}
	stopping := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		var b [4 << 10]byte
		for len(s.extra) < maxExtra {
			n, err := s.client.Read(b[:])
			s.srv.metrics.fromClient.Add(float64(n))
			s.extra = append(s.extra, b[:n]...)
			if err == nil {
				continue
			}
			select {
			case <-stopping:
				if errors.Is(err, os.ErrDeadlineExceeded) {
					return
				}
			default:
			}
			s.readErr = err
			gone(errClientGone)
			return
		}
	}()
	return func() {
		close(stopping)
		_ = s.client.SetReadDeadline(time.Unix(1, 0))
		<-done
		_ = s.client.SetReadDeadline(noDeadline)
		if s.isGone() {
			_ = s.client.SetReadDeadline(time.Now().Add(time.Second))
		}
	}
}
