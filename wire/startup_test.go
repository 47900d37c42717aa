package wire_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"askpg/wire"
)

func packet(code uint32, body string) []byte {
	b := binary.BigEndian.AppendUint32(make([]byte, 4), code)
	b = append(b, body...)
	binary.BigEndian.PutUint32(b, uint32(len(b)))
	return b
}

func TestParseStartup(t *testing.T) {
	const v3 = 3 << 16
	tests := []struct {
		name string
		b    []byte
		want wire.Startup
		err  string
	}{
		{name: "3.0", b: packet(v3, "user\x00u\x00database\x00d\x00application_name\x00a\x00options\x00-c x=y\x00\x00"),
			want: wire.Startup{Code: v3, User: "u", Database: "d", ApplicationName: "a"}},
		{name: "database is the user's", b: packet(v3, "user\x00u\x00\x00"), want: wire.Startup{Code: v3, User: "u", Database: "u"}},
		{name: "3.9999", b: packet(v3|9999, "user\x00u\x00_pq_.test\x00v\x00\x00"), want: wire.Startup{Code: v3 | 9999, User: "u", Database: "u"}},
		{name: "replication", b: packet(v3, "user\x00u\x00replication\x00database\x00\x00"), want: wire.Startup{Code: v3, User: "u", Database: "u", Replication: true}},
		{name: "replication true", b: packet(v3, "user\x00u\x00replication\x00true\x00\x00"), want: wire.Startup{Code: v3, User: "u", Database: "u", Replication: true}},
		{name: "replication off", b: packet(v3, "user\x00u\x00replication\x00off\x00\x00"), want: wire.Startup{Code: v3, User: "u", Database: "u"}},
		{name: "replication f", b: packet(v3, "user\x00u\x00replication\x00F\x00\x00"), want: wire.Startup{Code: v3, User: "u", Database: "u"}},
		{name: "no terminator", b: packet(v3, "user\x00u"), want: wire.Startup{Code: v3}},
		{name: "2.0", b: packet(2<<16, "x"), want: wire.Startup{Code: 2 << 16}},
		{name: "ssl", b: packet(wire.SSLCode, ""), want: wire.Startup{Code: wire.SSLCode}},
		{name: "ssl too long", b: packet(wire.SSLCode, "x"), err: "encryption request"},
		{name: "gss", b: packet(wire.GSSENCCode, ""), want: wire.Startup{Code: wire.GSSENCCode}},
		{name: "cancel", b: packet(wire.CancelCode, "pidskey!"), want: wire.Startup{Code: wire.CancelCode, Key: []byte("pidskey!")}},
		{name: "cancel of 3.2", b: packet(wire.CancelCode, "pids"+strings.Repeat("k", 256)), want: wire.Startup{Code: wire.CancelCode, Key: []byte("pids" + strings.Repeat("k", 256))}},
		{name: "cancel without key", b: packet(wire.CancelCode, "pids"), err: "cancel request"},
		{name: "cancel too long", b: packet(wire.CancelCode, "pids"+strings.Repeat("k", 257)), err: "cancel request"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := wire.ParseStartup(tt.b)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("error %v, want %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if string(got.Key) != string(tt.want.Key) {
				t.Fatalf("key %q", got.Key)
			}
			got.Key, tt.want.Key = nil, nil
			if got.Code != tt.want.Code || got.User != tt.want.User || got.Database != tt.want.Database ||
				got.ApplicationName != tt.want.ApplicationName || got.Replication != tt.want.Replication {
				t.Fatalf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

// Packets with one key get each other's server connections.
func TestStartupKey(t *testing.T) {
	const v3 = 3 << 16
	base := packet(v3, "user\x00u\x00database\x00d\x00options\x00-c x=y\x00\x00")
	for _, tt := range []struct {
		name string
		b    []byte
		same bool
	}{
		{"itself", base, true},
		{"another order", packet(v3, "options\x00-c x=y\x00database\x00d\x00user\x00u\x00\x00"), true},
		{"another user", packet(v3, "user\x00v\x00database\x00d\x00options\x00-c x=y\x00\x00"), false},
		{"another database", packet(v3, "user\x00u\x00database\x00e\x00options\x00-c x=y\x00\x00"), false},
		{"other options", packet(v3, "user\x00u\x00database\x00d\x00options\x00-c x=z\x00\x00"), false},
		{"a name for a value", packet(v3, "user\x00u\x00d\x00database\x00options\x00-c x=y\x00\x00"), false},
		{"one more parameter", packet(v3, "user\x00u\x00database\x00d\x00options\x00-c x=y\x00role\x00r\x00\x00"), false},
		{"one less", packet(v3, "user\x00u\x00database\x00d\x00\x00"), false},
		{"another version", packet(v3|2, "user\x00u\x00database\x00d\x00options\x00-c x=y\x00\x00"), false},
		{"bytes behind the end", packet(v3, "user\x00u\x00database\x00d\x00options\x00-c x=y\x00\x00x"), false},
		{"no end", packet(v3, "user\x00u\x00database\x00d\x00options\x00-c x=y\x00"), false},
		{"an end in a name", packet(v3, "user\x00u\x00database\x00d\x00options\x00-c x=y\x00role"), false},
	} {
		if got := wire.StartupKey(tt.b) == wire.StartupKey(base); got != tt.same {
			t.Errorf("%s: the same key %v, want %v", tt.name, got, tt.same)
		}
	}
	// The server takes the last of two with one name, in either case of it.
	a := packet(v3, "user\x00u\x00DateStyle\x00iso\x00datestyle\x00german\x00\x00")
	b := packet(v3, "user\x00u\x00datestyle\x00german\x00DateStyle\x00iso\x00\x00")
	if wire.StartupKey(a) == wire.StartupKey(b) {
		t.Error("the order of a parameter that comes twice is lost")
	}
}

func TestStartupLen(t *testing.T) {
	for n, ok := range map[uint32]bool{0: false, 4: false, 7: false, 8: true, 10004: true, 10005: false, 0x16030100: false, 0xffffffff: false} {
		var b [4]byte
		binary.BigEndian.PutUint32(b[:], n)
		if _, err := wire.StartupLen(b); (err == nil) != ok {
			t.Fatalf("%d: %v", n, err)
		}
	}
}

func FuzzStartup(f *testing.F) {
	f.Add(packet(3<<16, "user\x00u\x00database\x00d\x00\x00"))
	f.Add(packet(wire.CancelCode, "pidskey!"))
	f.Add(packet(wire.SSLCode, ""))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := wire.ParseStartup(b)
		if err == nil && s.Code == wire.CancelCode && (len(s.Key) < 8 || len(s.Key) > 260) {
			t.Fatalf("key of %d bytes", len(s.Key))
		}
	})
}
