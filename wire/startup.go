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
	User, Database, ApplicationName, Options string
	Replication                              bool
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
	for len(body) > 0 && body[0] != 0 {
		name, rest, ok := cutString(body)
		if !ok {
			break
		}
		value, rest, ok := cutString(rest)
		if !ok {
			break
		}
		switch name {
		case "user":
			s.User = value
		case "database":
			s.Database = value
		case "application_name":
			s.ApplicationName = value
		case "options":
			s.Options = value
		case "replication":
			s.Replication = !isFalse(value)
		}
		body = rest
	}
	s.Database = cmp.Or(s.Database, s.User)
	return s, nil
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
	body := packet[8:]
	for len(body) > 0 && body[0] != 0 {
		name, rest, ok := CutString(body)
		if !ok {
			return string(packet)
		}
		if _, rest, ok = CutString(rest); !ok {
			return string(packet)
		}
		parameters = append(parameters, parameter{strings.ToLower(string(name)), body[:len(body)-len(rest)]})
		body = rest
	}
	if len(body) != 1 {
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

func cutString(b []byte) (string, []byte, bool) {
	s, rest, ok := CutString(b)
	return string(s), rest, ok
}

// isFalse reads a boolean as PostgreSQL's parse_bool does.
func isFalse(v string) bool {
	v = strings.ToLower(strings.TrimSpace(v))
	if v == "0" || v == "of" || v == "off" {
		return true
	}
	return v != "" && (strings.HasPrefix("false", v) || strings.HasPrefix("no", v))
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
	body := packet[8:]
	for len(body) > 0 && body[0] != 0 {
		key, rest, ok := CutString(body)
		if !ok {
			return packet
		}
		old, rest, ok := CutString(rest)
		if !ok {
			return packet
		}
		if string(key) == name {
			old, found = []byte(value), true
		}
		out = append(append(append(append(out, key...), 0), old...), 0)
		body = rest
	}
	if len(body) != 1 {
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
