package wire_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"askpg/wire"
)

func message(typ byte, body string) []byte {
	b := append([]byte{typ, 0, 0, 0, 0}, body...)
	binary.BigEndian.PutUint32(b[1:], uint32(len(b)-1))
	return b
}

// stream is what a backend might send; types are its messages in order.
var stream = bytes.Join([][]byte{
	message('T', "columns"), message('D', string(make([]byte, 1000))), message('D', ""), message('C', "SELECT 2\x00"),
	message('C', "a tag that is longer than the head that is kept\x00"), message('Z', "T"), message('N', string(make([]byte, wire.HeadLen-wire.HeaderLen))),
}, nil)

const streamTypes = "TDDCCZN"

// walk reads b in pieces of the given sizes, the last of which repeats.
func walk(t testing.TB, b []byte, sizes []int) (types string, heads [][]byte) {
	t.Helper()
	var w wire.Walker
	for i := 0; len(b) > 0; i++ {
		size := min(sizes[min(i, len(sizes)-1)], len(b))
		piece := bytes.Clone(b[:size])
		b = b[size:]
		for len(piece) > 0 {
			n, complete, err := w.Step(piece)
			if err != nil {
				t.Fatal(err)
			}
			if n == 0 {
				t.Fatal("Step consumed nothing")
			}
			if complete {
				types += string(w.Type())
				heads = append(heads, bytes.Clone(w.Head()))
			}
			piece = piece[n:]
		}
	}
	if w.Open() {
		t.Fatal("the stream ends inside a message")
	}
	return types, heads
}

func TestWalker_AnyPieces(t *testing.T) {
	_, whole := walk(t, stream, []int{len(stream)})
	for size := 1; size < 300; size++ {
		types, heads := walk(t, stream, []int{size})
		if types != streamTypes {
			t.Fatalf("pieces of %d: types %s, want %s", size, types, streamTypes)
		}
		for i := range heads {
			if !bytes.Equal(heads[i], whole[i]) {
				t.Fatalf("pieces of %d: head %d is %q, want %q", size, i, heads[i], whole[i])
			}
		}
	}
}

func TestRun(t *testing.T) {
	row, long := message('D', "row"), message('D', "a longer row")
	for _, tt := range []struct {
		b    []byte
		want int
	}{
		{row, len(row)},
		{bytes.Repeat(row, 3), 3 * len(row)},
		{append(bytes.Repeat(row, 2), message('C', "")...), 2 * len(row)},
		{bytes.Repeat(row, 3)[:2*len(row)+4], 2 * len(row)},
		{bytes.Repeat(row, 3)[:2*len(row)+6], 2 * len(row)},
		{bytes.Repeat(long, 3)[:3*len(long)-1], 2 * len(long)},
		{row[:4], 0},
		{row[:6], 0},
		{append(bytes.Clone(row), 'D', 0, 0, 0, 3), len(row)},
		{append(bytes.Clone(row), 'D', 0xff, 0xff, 0xff, 0xff), len(row)},
	} {
		if got, _ := wire.Run(tt.b); got != tt.want {
			t.Fatalf("%q: %d, want %d", tt.b, got, tt.want)
		}
	}
}

func TestWalker_BadLength(t *testing.T) {
	for _, b := range [][]byte{{'Q', 0, 0, 0, 3}, {'Q', 0, 0, 0, 0}} {
		var w wire.Walker
		if _, _, err := w.Step(b); err != wire.ErrLength {
			t.Fatalf("%v: %v", b, err)
		}
		w = wire.Walker{}
		for i := range b {
			_, _, err := w.Step(b[i : i+1])
			if last := i == len(b)-1; (err == wire.ErrLength) != last {
				t.Fatalf("byte %d of %v: %v", i, b, err)
			}
		}
	}
}

func TestWalker_NoAllocation(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() {
		var w wire.Walker
		for b := stream; len(b) > 0; {
			n, _, _ := w.Step(b)
			b = b[n:]
		}
	}); n != 0 {
		t.Fatalf("%v allocations", n)
	}
}

// FuzzWalker checks that the pieces in which bytes come change nothing.
func FuzzWalker(f *testing.F) {
	f.Add(stream, []byte{1, 7, 200})
	f.Add([]byte{'Q', 0xff, 0xff, 0xff, 0xff, 1}, []byte{3})
	f.Add([]byte{'Q', 0, 0, 0, 4, 'S', 0, 0, 0, 3}, []byte{1})
	f.Fuzz(func(t *testing.T, b, sizes []byte) {
		type seen struct {
			head string
			end  int
		}
		run := func(sizes []byte) (list []seen, failed bool) {
			var w wire.Walker
			at := 0
			for i := 0; at < len(b); i++ {
				size := len(b) - at
				if len(sizes) > 0 {
					size = min(size, 1+int(sizes[i%len(sizes)]))
				}
				for piece := b[at : at+size]; len(piece) > 0; {
					n, complete, err := w.Step(piece)
					if err != nil {
						return list, true
					}
					if n <= 0 || n > len(piece) {
						t.Fatalf("Step consumed %d of %d", n, len(piece))
					}
					at += n
					piece = piece[n:]
					if complete {
						list = append(list, seen{string(w.Head()), at})
					}
				}
			}
			return list, false
		}
		want, wantErr := run(nil)
		got, gotErr := run(sizes)
		if gotErr != wantErr || len(got) != len(want) {
			t.Fatalf("%d messages, failed %v; want %d, %v", len(got), gotErr, len(want), wantErr)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("message %d: %+v, want %+v", i, got[i], want[i])
			}
		}
	})
}

// Run finds what stepping message by message finds, whatever the lengths are
// and wherever the bytes end.
func TestRun_LikeStepping(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		var b []byte
		usual := r.IntN(12)
		for range r.IntN(12) {
			typ, size := byte('D'), usual
			if r.IntN(12) == 0 {
				typ = 'C'
			}
			if r.IntN(4) == 0 {
				size = r.IntN(40)
			}
			b = append(b, message(typ, strings.Repeat("D", size))...)
		}
		b = b[:len(b)-r.IntN(min(len(b), 8)+1)]
		if len(b) == 0 {
			continue
		}
		wantN, wantMessages := runByStepping(b)
		if n, messages := wire.Run(b); n != wantN || messages != wantMessages {
			t.Fatalf("%q: %d bytes, %d messages; want %d, %d", b, n, messages, wantN, wantMessages)
		}
	}
}

func runByStepping(b []byte) (n, messages int) {
	for n < len(b) && b[n] == b[0] {
		size, err := wire.MessageLen(b[n:])
		if err != nil || size == 0 || size > int64(len(b)-n) {
			break
		}
		n += int(size)
		messages++
	}
	return n, messages
}

// Runs of every length around the number of headers that are compared at
// once, cut off at every byte, and with another message at every place.
func TestRun_EveryLength(t *testing.T) {
	check := func(b []byte) {
		b = bytes.Clone(b) // nothing behind it
		wantN, wantMessages := runByStepping(b)
		if n, messages := wire.Run(b); n != wantN || messages != wantMessages {
			t.Fatalf("%q: %d bytes, %d messages; want %d, %d", b, n, messages, wantN, wantMessages)
		}
	}
	for body := range 12 {
		m := message('D', strings.Repeat("D", body))
		for count := 1; count < 14; count++ {
			all := bytes.Repeat(m, count)
			for cut := range len(m) {
				check(all[:len(all)-cut])
			}
			for at := range count {
				for _, other := range [][]byte{message('C', strings.Repeat("D", body)), message('D', strings.Repeat("D", body+1)), {'D', 0, 0, 0, 3}} {
					check(bytes.Join([][]byte{all[:at*len(m)], other, all[at*len(m):]}, nil))
				}
			}
		}
	}
}

// FuzzRun checks that Run finds what stepping finds.
func FuzzRun(f *testing.F) {
	f.Add(stream)
	f.Add(bytes.Repeat(message('D', "ab"), 9))
	f.Add(append(bytes.Repeat(message('d', ""), 5), 'd', 0, 0, 0))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 0 {
			return
		}
		wantN, wantMessages := runByStepping(b)
		if n, messages := wire.Run(b); n != wantN || messages != wantMessages {
			t.Fatalf("%d bytes, %d messages; want %d, %d", n, messages, wantN, wantMessages)
		}
	})
}

func BenchmarkWalker(b *testing.B) {
	for _, size := range []int{10, 15, 170, 320, 2900, 30000} {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			buf := bytes.Repeat(message('D', string(make([]byte, size-wire.HeaderLen))), max(1, (16<<10)/size))
			b.SetBytes(int64(len(buf)))
			b.ReportAllocs()
			var w wire.Walker
			var o wire.Order
			o.Reset()
			_ = o.Backend(message('Z', "I"))
			o.Frontend('E') // what rows answer
			for b.Loop() {
				for rest := buf; len(rest) > 0; {
					if n, _ := wire.Run(rest); n > 0 {
						if err := o.Backend(rest[:n]); err != nil {
							b.Fatal(err)
						}
						rest = rest[n:]
						continue
					}
					n, complete, _ := w.Step(rest)
					if complete {
						_ = o.Backend(w.Head())
					}
					rest = rest[n:]
				}
			}
		})
	}
}

func TestErrorCode(t *testing.T) {
	for body, want := range map[string]string{
		"SERROR\x00VERROR\x00C42P01\x00Mrelation\x00\x00":    "42P01",
		"SFATAL\x00C57P01\x00Mx\x00\x00":                     "57P01",
		"Sエラーエラー\x00VERROR\x00C42P01\x00Mx\x00\x00":          "42P01",
		"SERROR\x00Mx\x00\x00":                               "",
		"S" + strings.Repeat("x", 60) + "\x00C42P01\x00\x00": "",
		"": "",
	} {
		var w wire.Walker
		m := message('E', body)
		if _, complete, err := w.Step(m); !complete || err != nil {
			t.Fatal(err)
		}
		if got := wire.ErrorCode(w.Head()); got != want {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
	}
}
