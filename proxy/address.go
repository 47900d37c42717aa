package proxy

import (
	"net"
	"path/filepath"
	"strconv"
	"strings"
)

// network splits an address of the configuration into what net.Dial and
// net.Listen take. A folder of Unix sockets stands for the socket that
// PostgreSQL would have in it.
func network(address string) (name, addr string) {
	path, ok := strings.CutPrefix(address, "unix:")
	if !ok {
		return "tcp", address
	}
	if strings.HasPrefix(filepath.Base(path), ".s.PGSQL.") {
		return "unix", path
	}
	port := "5432"
	if i := strings.LastIndexByte(path, ':'); i >= 0 {
		if _, err := strconv.ParseUint(path[i+1:], 10, 16); err == nil {
			path, port = path[:i], path[i+1:]
		}
	}
	return "unix", filepath.Join(path, ".s.PGSQL."+port)
}

// sameAddress says whether a primary's address leads to a listener. Names are compared as they are, but for localhost.
func sameAddress(listen, primary string) bool {
	listenNetwork, listen := network(listen)
	primaryNetwork, primary := network(primary)
	if listenNetwork != primaryNetwork || listenNetwork != "tcp" {
		return listenNetwork == primaryNetwork && listen == primary
	}
	lh, lp, _ := net.SplitHostPort(listen) // both are valid
	ph, pp, _ := net.SplitHostPort(primary)
	listenPort, _ := net.LookupPort("tcp", lp)
	primaryPort, _ := net.LookupPort("tcp", pp)
	if listenPort != primaryPort || listenPort == 0 {
		return false
	}
	ip := func(host string) net.IP {
		if strings.EqualFold(host, "localhost") {
			return net.IPv4(127, 0, 0, 1)
		}
		return net.ParseIP(host)
	}
	at, to := ip(lh), ip(ph)
	everywhere := lh == "" || at.IsUnspecified()
	return strings.EqualFold(lh, ph) || to != nil && to.Equal(at) || everywhere && (to.IsLoopback() || to.IsUnspecified())
}
