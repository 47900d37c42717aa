package proxy

import (
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
