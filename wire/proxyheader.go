package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"net/netip"
	"strconv"
	"strings"
)

// The PROXY protocol (haproxy's doc/proxy-protocol.txt) tells the address of a
// client that comes through a load balancer. A header is read in exact pieces,
// as everything is that comes before a TLS handshake. The known libraries read
// ahead into a buffer of their own, which neither a handshake nor an event
// loop on the descriptor would see.
const (
	// ProxyV1Max is the longest header of version 1, its CRLF included.
	ProxyV1Max = 107
	// ProxyV2Fixed is the part of a header of version 2 that says how long
	// the rest is.
	ProxyV2Fixed = 16
)

// proxyV2Signature begins a header of version 2.
var proxyV2Signature = []byte("\r\n\r\n\x00\r\nQUIT\n")

var errProxyHeader = errors.New("invalid PROXY header")

func proxyError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errProxyHeader, fmt.Sprintf(format, args...))
}

// ProxyHeader returns the version of the PROXY header that a connection
// begins with, and 0 if it begins with a startup packet or a TLS record. b
// is its beginning, of at least one byte.
func ProxyHeader(b []byte) (version int) {
	switch {
	case b[0] == 'P' && bytes.HasPrefix([]byte("PROXY "), b[:min(len(b), 6)]):
		return 1
	case b[0] == '\r' && bytes.HasPrefix(proxyV2Signature, b[:min(len(b), len(proxyV2Signature))]):
		return 2
	}
	return 0
}

// ParseProxyV1 reads a header of version 1 up to and including its CRLF. The
// address is not valid if the sender does not know it.
func ParseProxyV1(header []byte) (client netip.AddrPort, err error) {
	line, ok := strings.CutSuffix(string(header), "\r\n")
	if !ok || len(header) > ProxyV1Max {
		return client, proxyError("no line of at most %d bytes", ProxyV1Max)
	}
	fields := strings.Split(line, " ")
	if fields[0] != "PROXY" || len(fields) < 2 {
		return client, proxyError("it does not begin with PROXY")
	}
	switch fields[1] {
	case "UNKNOWN":
		return client, nil
	case "TCP4", "TCP6":
	default:
		return client, proxyError("protocol %q", fields[1])
	}
	if len(fields) != 6 {
		return client, proxyError("%d fields in place of 6", len(fields))
	}
	for i := 2; i < 4; i++ {
		a, err := netip.ParseAddr(fields[i])
		if err != nil || a.Zone() != "" || a.Is4() != (fields[1] == "TCP4") {
			return netip.AddrPort{}, proxyError("address %q", fields[i])
		}
		port, err := strconv.ParseUint(fields[i+2], 10, 16)
		if err != nil || len(fields[i+2]) > 1 && fields[i+2][0] == '0' {
			return netip.AddrPort{}, proxyError("port %q", fields[i+2])
		}
		if i == 2 {
			client = netip.AddrPortFrom(a, uint16(port))
		}
	}
	return client, nil
}

// ProxyV2Len returns how many bytes follow the fixed part of a header of
// version 2.
func ProxyV2Len(fixed [ProxyV2Fixed]byte) (int, error) {
	if !bytes.HasPrefix(fixed[:], proxyV2Signature) {
		return 0, proxyError("no signature")
	}
	if v := fixed[12] >> 4; v != 2 {
		return 0, proxyError("version %d", v)
	}
	return int(binary.BigEndian.Uint16(fixed[14:])), nil
}

// proxyCRC is the type of the checksum among the header's extensions
// (PP2_TYPE_CRC32C).
const proxyCRC = 3

// ParseProxyV2 reads a whole header of version 2. The address is not valid if
// the connection is the sender's own or the client's address no IP address.
func ParseProxyV2(header []byte) (client netip.AddrPort, err error) {
	if len(header) < ProxyV2Fixed {
		return client, proxyError("%d bytes", len(header))
	}
	n, err := ProxyV2Len([ProxyV2Fixed]byte(header))
	if err != nil {
		return client, err
	}
	body := header[ProxyV2Fixed:]
	if len(body) != n {
		return client, proxyError("%d bytes in place of %d", len(body), n)
	}
	local := false
	switch command := header[12] & 0xf; command {
	case 0:
		local = true
	case 1:
	default:
		return client, proxyError("command %d", command)
	}
	var addresses int
	switch header[13] {
	case 0x11, 0x12:
		if addresses = 12; n >= addresses {
			client = netip.AddrPortFrom(netip.AddrFrom4([4]byte(body)), binary.BigEndian.Uint16(body[8:]))
		}
	case 0x21, 0x22:
		if addresses = 36; n >= addresses {
			client = netip.AddrPortFrom(netip.AddrFrom16([16]byte(body)), binary.BigEndian.Uint16(body[32:]))
		}
	case 0x31, 0x32:
		addresses = 216
	case 0:
	default:
		if !local {
			return client, proxyError("address family and protocol 0x%02x", header[13])
		}
	}
	if local {
		return netip.AddrPort{}, nil // the rest is to be passed over
	}
	if n < addresses {
		return netip.AddrPort{}, proxyError("%d bytes of addresses in place of %d", n, addresses)
	}
	return client, checkProxyCRC(header, ProxyV2Fixed+addresses)
}

// checkProxyCRC walks the extensions and verifies a checksum if there is one.
func checkProxyCRC(header []byte, at int) error {
	if header[13] == 0 {
		return nil // what follows an unspecified address is unspecified
	}
	for at < len(header) {
		if at+3 > len(header) {
			return proxyError("an extension is cut off")
		}
		typ, n := header[at], int(binary.BigEndian.Uint16(header[at+1:]))
		at += 3
		if at+n > len(header) {
			return proxyError("an extension is cut off")
		}
		if typ == proxyCRC {
			if n != 4 {
				return proxyError("a checksum of %d bytes", n)
			}
			zeroed := bytes.Clone(header)
			copy(zeroed[at:], []byte{0, 0, 0, 0})
			if crc32.Checksum(zeroed, crc32.MakeTable(crc32.Castagnoli)) != binary.BigEndian.Uint32(header[at:]) {
				return proxyError("the checksum does not fit")
			}
		}
		at += n
	}
	return nil
}
