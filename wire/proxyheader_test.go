package wire_test

import (
	"encoding/binary"
	"hash/crc32"
	"net/netip"
	"strings"
	"testing"

	"askpg/wire"
)

// v2 makes a header of version 2.
func v2(command, family byte, body string) []byte {
	b := append([]byte("\r\n\r\n\x00\r\nQUIT\n"), command, family, 0, 0)
	binary.BigEndian.PutUint16(b[14:], uint16(len(body)))
	return append(b, body...)
}

const (
	tcp4 = "\xc0\x00\x02\x01\x0a\x00\x00\x01\x12\x34\x15\x38"
	tcp6 = "\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01" + "\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02" + "\x12\x34\x15\x38"
)

func withCRC(b []byte) []byte {
	b = append(b, 3, 0, 4, 0, 0, 0, 0)
	binary.BigEndian.PutUint16(b[14:], uint16(len(b)-16))
	binary.BigEndian.PutUint32(b[len(b)-4:], crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
	return b
}

func TestParseProxy(t *testing.T) {
	broken := withCRC(v2(0x21, 0x11, tcp4))
	broken[20]++
	for _, tt := range []struct {
		name, header, client, err string
	}{
		{"v1 TCP4", "PROXY TCP4 192.0.2.1 10.0.0.1 4660 5432\r\n", "192.0.2.1:4660", ""},
		{"v1 TCP6", "PROXY TCP6 2001:db8::1 2001:db8::2 4660 5432\r\n", "[2001:db8::1]:4660", ""},
		{"v1 unknown", "PROXY UNKNOWN\r\n", "", ""},
		{"v1 unknown with addresses", "PROXY UNKNOWN ffff:f...f:ffff ffff:f...f:ffff 65535 65535\r\n", "", ""},
		{"v1 longest", "PROXY TCP6 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535\r\n", "[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]:65535", ""},
		{"v1 too long", "PROXY UNKNOWN " + strings.Repeat("x", 100) + "\r\n", "", "at most 107"},
		{"v1 no CRLF", "PROXY TCP4 192.0.2.1 10.0.0.1 4660 5432\n", "", "no line"},
		{"v1 no fields", "PROXY TCP4\r\n", "", "fields"},
		{"v1 UDP", "PROXY UDP4 192.0.2.1 10.0.0.1 4660 5432\r\n", "", "protocol"},
		{"v1 address", "PROXY TCP4 192.0.2.256 10.0.0.1 4660 5432\r\n", "", "address"},
		{"v1 family", "PROXY TCP4 2001:db8::1 10.0.0.1 4660 5432\r\n", "", "address"},
		{"v1 zone", "PROXY TCP6 fe80::1%eth0 fe80::2 4660 5432\r\n", "", "address"},
		{"v1 port", "PROXY TCP4 192.0.2.1 10.0.0.1 65536 5432\r\n", "", "port"},
		{"v1 leading zero", "PROXY TCP4 192.0.2.1 10.0.0.1 04660 5432\r\n", "", "port"},
		{"v1 other port", "PROXY TCP4 192.0.2.1 10.0.0.1 4660 x\r\n", "", "port"},
		{"v1 blanks", "PROXY TCP4  192.0.2.1 10.0.0.1 4660 5432\r\n", "", "fields"},
		{"v2 TCP4", string(v2(0x21, 0x11, tcp4)), "192.0.2.1:4660", ""},
		{"v2 TCP6", string(v2(0x21, 0x21, tcp6)), "[2001:db8::1]:4660", ""},
		{"v2 extensions", string(v2(0x21, 0x11, tcp4+"\x02\x00\x03abc\x04\x00\x00")), "192.0.2.1:4660", ""},
		{"v2 checksum", string(withCRC(v2(0x21, 0x11, tcp4))), "192.0.2.1:4660", ""},
		{"v2 wrong checksum", string(broken), "", "checksum"},
		{"v2 short checksum", string(v2(0x21, 0x11, tcp4+"\x03\x00\x01x")), "", "checksum"},
		{"v2 unix", string(v2(0x21, 0x31, strings.Repeat("\x00", 216))), "", ""},
		{"v2 unspecified", string(v2(0x21, 0, "whatever")), "", ""},
		{"v2 local", string(v2(0x20, 0, "")), "", ""},
		{"v2 local with addresses", string(v2(0x20, 0x11, tcp4)), "", ""},
		{"v2 command", string(v2(0x22, 0x11, tcp4)), "", "command"},
		{"v2 version", string(v2(0x11, 0x11, tcp4)), "", "version"},
		{"v2 family", string(v2(0x21, 0x41, tcp4)), "", "family"},
		{"v2 cut off", string(v2(0x21, 0x11, tcp4[:11])), "", "addresses"},
		{"v2 TCP6 cut off", string(v2(0x21, 0x21, tcp6[:35])), "", "addresses"},
		{"v2 TCP6 with addresses of TCP4", string(v2(0x21, 0x21, tcp4)), "", "addresses"},
		{"v2 unix cut off", string(v2(0x21, 0x31, strings.Repeat("\x00", 215))), "", "addresses"},
		{"v2 extension cut off", string(v2(0x21, 0x11, tcp4+"\x02\x00")), "", "cut off"},
		{"v2 extension too long", string(v2(0x21, 0x11, tcp4+"\x02\x00\x09abc")), "", "cut off"},
		{"v2 length", string(append(v2(0x21, 0x11, tcp4), 0)), "", "in place of"},
		{"v2 signature", "\r\n\r\n\x00\r\nQUIX\n\x21\x11\x00\x00", "", "signature"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			parse := wire.ParseProxyV1
			if tt.header[0] == '\r' {
				parse = wire.ParseProxyV2
			}
			got, err := parse([]byte(tt.header))
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) || got.IsValid() && tt.err != "checksum" && !strings.Contains(tt.err, "cut off") {
					t.Fatalf("%v, %v; want %q", got, err, tt.err)
				}
				return
			}
			want, _ := netip.ParseAddrPort(tt.client)
			if err != nil || got != want {
				t.Fatalf("%v, %v; want %v", got, err, want)
			}
		})
	}
}

func TestProxyHeader(t *testing.T) {
	for b, want := range map[string]int{
		"P": 1, "PROX": 1, "PROXY TCP4": 1, "\r": 2, "\r\n\r\n": 2, "\r\n\r\n\x00\r\nQUIT\nxx": 2,
		"\x00\x00\x00\x08": 0, "\x16": 0, "POST": 0, "PROXYTCP4": 0, "\r\n\r\r": 0,
	} {
		if got := wire.ProxyHeader([]byte(b)); got != want {
			t.Errorf("%q: %d, want %d", b, got, want)
		}
	}
}

// FuzzProxyHeader reads any header: nothing panics, and an address that comes
// out was in it.
func FuzzProxyHeader(f *testing.F) {
	f.Add([]byte("PROXY TCP4 192.0.2.1 10.0.0.1 4660 5432\r\n"))
	f.Add([]byte("PROXY TCP6 2001:db8::1 2001:db8::2 4660 5432\r\n"))
	f.Add([]byte("PROXY UNKNOWN\r\n"))
	f.Add(v2(0x21, 0x11, tcp4))
	f.Add(v2(0x21, 0x21, tcp6+"\x04\x00\x01x"))
	f.Add(withCRC(v2(0x21, 0x11, tcp4)))
	f.Add(v2(0x20, 0, ""))
	f.Fuzz(func(t *testing.T, b []byte) {
		if a, err := wire.ParseProxyV1(b); err == nil && a.IsValid() {
			if !strings.Contains(string(b), " "+a.Addr().String()+" ") && a.Addr().Is4() || len(b) > wire.ProxyV1Max {
				t.Fatalf("%q: %v", b, a)
			}
		}
		if a, err := wire.ParseProxyV2(b); err == nil && a.IsValid() {
			if ip := a.Addr().AsSlice(); string(b[16:16+len(ip)]) != string(ip) {
				t.Fatalf("%q: %v", b, a)
			}
		}
	})
}

func TestSetParameter(t *testing.T) {
	const v3 = 3 << 16
	for _, tt := range []struct{ name, body, want string }{
		{"added", "user\x00u\x00\x00", "user\x00u\x00application_name\x00x\x00\x00"},
		{"replaced", "application_name\x00old\x00user\x00u\x00\x00", "application_name\x00x\x00user\x00u\x00\x00"},
		{"a value of that name", "user\x00application_name\x00\x00", "user\x00application_name\x00application_name\x00x\x00\x00"},
		{"twice, the last one holds", "application_name\x00a\x00application_name\x00b\x00\x00", "application_name\x00x\x00application_name\x00x\x00\x00"},
		{"no end", "user\x00u\x00", "user\x00u\x00"},
		{"cut off", "user", "user"},
		{"bytes behind the end", "user\x00u\x00\x00more", "user\x00u\x00\x00more"},
		{"too long", "user\x00" + strings.Repeat("u", 9984) + "\x00\x00", "user\x00" + strings.Repeat("u", 9984) + "\x00\x00"},
	} {
		got := wire.SetParameter(packet(v3, tt.body), "application_name", "x")
		if string(got) != string(packet(v3, tt.want)) {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}
