package ask

import "net/netip"

// Subscriber returns what an address, host and port, is counted for: an IPv4 address, or the 64 bits of an IPv6 address that one
// subscriber has; "" if it is none, as of a Unix socket.
func Subscriber(address string) string {
	from, err := netip.ParseAddrPort(address)
	if err != nil {
		return ""
	}
	ip := from.Addr().Unmap().WithZone("")
	if ip.Is4() {
		return ip.String()
	}
	return netip.PrefixFrom(ip, 64).Masked().String()
}
