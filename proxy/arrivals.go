package proxy

import (
	"sync"

	"askpg/ask"
)

// arrive counts a connection in until arrived is called, when it has logged in or has ended.
// A refusal says that its address has more than it may; the client is told so. The error is for
// one that there is no time for, as its address has twice as many.
func (s *Server) arrive(address string, set *settings) (arrived func(), refusal, err error) {
	limit := set.Listen.MaxStartupsPerAddress
	from := ask.Subscriber(address)
	if from == "" || limit == 0 {
		return func() {}, nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.arriving[from]
	if n >= limit {
		s.metrics.refused.WithLabelValues("address").Inc()
		refusal = ask.Errorf(ask.CodeTooManyConnections, "too many connections from %s have not logged in", from).
			WithDetail("There are %d, which is the limit.", limit).
			WithHint("Try again in a moment, or raise listen.max_startups_per_address of askpg. If they come through a load balancer, have it tell its clients' addresses (listen.proxy_networks).")
	}
	if n >= 2*limit {
		return func() {}, nil, refusal
	}
	s.arriving[from]++
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.arriving[from]--; s.arriving[from] == 0 {
			delete(s.arriving, from)
		}
	}), refusal, nil
}
