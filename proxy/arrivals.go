package proxy

import (
	"net"
	"net/netip"
	"sync"

	"askpg/ask"
)

// arrive counts a connection in until arrived is called, when it has logged in or has ended.
// A refusal says that its address has more than it may; the client is told so. The error is for
// one that there is no time for, as its address has twice as many.
func (s *Server) arrive(address string, set *settings) (arrived func(), refusal, err error) {
	limit := set.Listen.MaxStartupsPerAddress
	from := network64(address)
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

// network64 returns the address that a client's connections are counted for: an IPv4
// address, or the 64 bits of an IPv6 address that one subscriber has; "" for the Unix socket.
func network64(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return ""
	}
	a, err := netip.ParseAddr(host)
	if err != nil {
		return ""
	}
	if a = a.Unmap().WithZone(""); a.Is4() {
		return a.String()
	}
	p, err := a.Prefix(64)
	if err != nil {
		return ""
	}
	return p.String()
}
