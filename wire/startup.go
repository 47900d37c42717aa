package wire

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// maxStartupLen is the longest startup packet that PostgreSQL accepts: its
// MAX_STARTUP_PACKET_LENGTH does not count the length field.
const maxStartupLen = 10000 + 4

// TLSRecord is the first byte of a TLS handshake: a client that begins with it
// negotiates TLS directly, without an SSLRequest.
const TLSRecord = 0x16

// Codes in the place of a protocol version that make a startup packet a
// request of another kind.
const (
	CancelCode = 80877102
	SSLCode    = 80877103
	GSSENCCode = 80877104
)

// Startup is a startup packet, read as far as a relay has to.
type Startup struct {
	Code uint32 // protocol version, or one of the codes
	// Key is the process id and the secret of a CancelRequest.
	Key []byte
	// Of a startup message; the server judges whether they are well formed.
	User, Database, ApplicationName string
	Replication                     bool
}

// StartupLen returns the length of a startup packet, the length field
// included, from its first four bytes.
func StartupLen(b [4]byte) (int, error) {
	n := binary.BigEndian.Uint32(b[:])
	if n < 8 || n > maxStartupLen {
		return 0, fmt.Errorf("invalid length of startup packet: %d", n)
	}
	return int(n), nil
}

// ParseStartup reads a complete startup packet. It keeps no reference to it.
func ParseStartup(packet []byte) (Startup, error) {
	if len(packet) < 8 {
		return Startup{}, fmt.Errorf("invalid length of startup packet: %d", len(packet))
	}
	s := Startup{Code: binary.BigEndian.Uint32(packet[4:])}
	body := packet[8:]
	switch {
	case s.Code == CancelCode:
		if len(body) < 8 || len(body) > 4+256 {
			return s, fmt.Errorf("invalid length of cancel request: %d", len(packet))
		}
		s.Key = bytes.Clone(body)
		return s, nil
	case s.Code == SSLCode, s.Code == GSSENCCode:
		if len(body) != 0 {
			return s, fmt.Errorf("invalid length of encryption request: %d", len(packet))
		}
		return s, nil
	case s.Code>>16 < 3:
		return s, nil // the server refuses it in its own words
	}
	eachParameter(body, func(name, value, _ []byte) {
		switch string(name) {
		case "user":
			s.User = string(value)
		case "database":
			s.Database = string(value)
		case "application_name":
			s.ApplicationName = string(value)
		case "replication":
			on, ok := ParseBool(string(value))
			s.Replication = on || !ok
		}
	})
	s.Database = cmp.Or(s.Database, s.User)
	return s, nil
}

// eachParameter calls f for each parameter of a startup packet, whose whole text holds name and value. It says whether the packet is
// well formed to its end.
func eachParameter(body []byte, f func(name, value, text []byte)) bool {
	for len(body) > 0 && body[0] != 0 {
		name, rest, _ := CutString(body)
		value, rest, ok := CutString(rest)
		if !ok {
			return false
		}
		f(name, value, body[:len(body)-len(rest)])
		body = rest
	}
	return len(body) == 1
}

// StartupKey returns what is the same for two startup packets that ask for the
// same session: drivers send the parameters in any order, some in another one
// each time. Of parameters with the same name, which the server takes without
// regard to case, the order stays. A packet that is not well formed is like no
// other one.
func StartupKey(packet []byte) string {
	if len(packet) < 8 {
		return string(packet)
	}
	type parameter struct {
		name string
		text []byte
	}
	var list [16]parameter
	parameters := list[:0]
	if !eachParameter(packet[8:], func(name, _, text []byte) {
		parameters = append(parameters, parameter{strings.ToLower(string(name)), text})
	}) {
		return string(packet)
	}
	slices.SortStableFunc(parameters, func(a, b parameter) int { return strings.Compare(a.name, b.name) })
	key := append(make([]byte, 0, len(packet)), packet[:8]...)
	for _, p := range parameters {
		key = append(key, p.text...)
	}
	return string(append(key, 0))
}

// CutString reads a null-terminated string from the beginning of b. ok is
// false if b has no terminator.
func CutString(b []byte) (s, rest []byte, ok bool) {
	before, after, ok := bytes.Cut(b, []byte{0})
	if !ok {
		return nil, b, false
	}
	return before, after, true
}

// ParseBool reads a boolean as PostgreSQL's parse_bool does; ok is false if it is none.
func ParseBool(v string) (value, ok bool) {
	switch v = strings.ToLower(strings.TrimSpace(v)); {
	case v == "":
		return false, false
	case v == "1" || v == "on" || strings.HasPrefix("true", v) || strings.HasPrefix("yes", v):
		return true, true
	}
	return false, v == "0" || v == "of" || v == "off" || strings.HasPrefix("false", v) || strings.HasPrefix("no", v)
}

// SetParameter returns a startup packet in which a parameter has the given
// value. A packet that is not well formed, or would become too long, is
// returned as it is, for the server to judge.
func SetParameter(packet []byte, name, value string) []byte {
	if len(packet) < 8 || strings.IndexByte(value, 0) >= 0 {
		return packet
	}
	out := append(make([]byte, 0, len(packet)+len(name)+len(value)+2), packet[:8]...)
	found := false
	if !eachParameter(packet[8:], func(key, old, _ []byte) {
		if string(key) == name {
			old, found = []byte(value), true
		}
		out = append(append(append(append(out, key...), 0), old...), 0)
	}) {
		return packet
	}
	if !found {
		out = append(append(append(append(out, name...), 0), value...), 0)
	}
	out = append(out, 0)
	if len(out) > maxStartupLen {
		return packet
	}
	binary.BigEndian.PutUint32(out, uint32(len(out)))
	return out
}
