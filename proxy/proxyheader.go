package proxy

import (
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"

	"askpg/ask"
	"askpg/wire"
)

// trustedNetworks reads listen.proxy_networks: IP networks, single addresses,
// and "unix" for clients of the Unix socket.
func (c *ListenConfig) trustedNetworks() (list []netip.Prefix, unix bool, err error) {
	for _, text := range c.ProxyNetworks {
		if text == "unix" {
			unix = true
			continue
		}
		p, err := netip.ParsePrefix(text)
		if err != nil {
			a, aerr := netip.ParseAddr(text)
			if aerr != nil {
				return nil, false, fmt.Errorf("listen.proxy_networks: %q is no network such as 10.1.0.0/16, no address, and not unix", text)
			}
			p = netip.PrefixFrom(a, a.BitLen())
		}
		list = append(list, p.Masked())
	}
	return list, unix, nil
}

// sendsProxyHeader says whether a connection comes from a load balancer, which
// begins it with a PROXY header.
func (set *settings) sendsProxyHeader(conn net.Conn) bool {
	a, ok := conn.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return set.proxyUnix
	}
	ip, _ := netip.AddrFromSlice(a.IP)
	ip = ip.Unmap()
	return slices.ContainsFunc(set.proxyNetworks, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// readProxyHeader reads the header that a load balancer sends, and nothing
// beyond it. The address is empty if the connection is the balancer's own.
func readProxyHeader(conn io.Reader) (address string, err error) {
	var fixed [wire.ProxyV2Fixed]byte
	if _, err := io.ReadFull(conn, fixed[:1]); err != nil {
		return "", err
	}
	var client netip.AddrPort
	switch wire.ProxyHeader(fixed[:1]) {
	case 1:
		line := make([]byte, 1, wire.ProxyV1Max)
		line[0] = fixed[0]
		for len(line) < cap(line) && line[len(line)-1] != '\n' {
			line = line[:len(line)+1]
			if _, err := io.ReadFull(conn, line[len(line)-1:]); err != nil {
				return "", err
			}
		}
		client, err = wire.ParseProxyV1(line)
	case 2:
		if _, err := io.ReadFull(conn, fixed[1:]); err != nil {
			return "", err
		}
		n, verr := wire.ProxyV2Len(fixed)
		if verr != nil {
			err = verr
			break
		}
		header := make([]byte, wire.ProxyV2Fixed+n)
		copy(header, fixed[:])
		if _, err := io.ReadFull(conn, header[wire.ProxyV2Fixed:]); err != nil {
			return "", err
		}
		client, err = wire.ParseProxyV2(header)
	default:
		err := ask.Errorf(ask.CodeProtocolViolation, "no PROXY header").
			WithDetail("The connection comes from a network in listen.proxy_networks of askpg, and such connections begin with a PROXY header.").
			WithHint("Turn the PROXY protocol on in the load balancer (send-proxy-v2), or take its network out of listen.proxy_networks.")
		if fixed[0] == wire.TLSRecord {
			err.Message += " before TLS"
		}
		return "", err
	}
	if err != nil {
		return "", ask.Errorf(ask.CodeProtocolViolation, "%v", err).WithHint("Have the load balancer send a PROXY header of version 1 or 2.")
	}
	if client.IsValid() {
		address = netip.AddrPortFrom(client.Addr().Unmap(), client.Port()).String()
	}
	return address, nil
}

// errUntrustedProxy is for a PROXY header of somebody who is not trusted to
// tell another's address.
func errUntrustedProxy(address string) error {
	return ask.Errorf(ask.CodeProtocolViolation, "a PROXY header is not accepted from here").
		WithDetail("It comes from %s.", address).
		WithHint("Add the load balancer's network to listen.proxy_networks of askpg, or turn the PROXY protocol off in it.")
}

// withAddress returns an application name that tells the client's address too,
// of which PostgreSQL keeps all.
func withAddress(name, address string) string {
	if name == "" {
		return address
	}
	suffix := " - " + address
	if len(name)+len(suffix) > maxName {
		name = name[:max(0, maxName-len(suffix))]
	}
	return name + suffix
}
