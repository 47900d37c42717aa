package token

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// known is a text with how many tokens vocabularies take for it.
type known struct {
	text          string
	cl100k, o200k int
}

// texts reads testdata/texts.tsv: tokens in cl100k_base, in o200k_base, and
// the text with its line breaks as \n.
func texts(tb testing.TB) (out []known) {
	tb.Helper()
	b, err := os.ReadFile("testdata/texts.tsv")
	if err != nil {
		tb.Fatal(err)
	}
	for l := range strings.Lines(string(b)) {
		f := strings.SplitN(strings.TrimSuffix(l, "\n"), "\t", 3)
		cl, err1 := strconv.Atoi(f[0])
		o, err2 := strconv.Atoi(f[1])
		if len(f) != 3 || err1 != nil || err2 != nil {
			tb.Fatalf("malformed line %q", l)
		}
		out = append(out, known{strings.ReplaceAll(f[2], `\n`, "\n"), cl, o})
	}
	return out
}

// The estimate is never below what the vocabularies take, and not so far
// above that windows stay empty.
func TestCount_known(t *testing.T) {
	estimated, taken := 0, 0
	for _, k := range texts(t) {
		n, most := Count(k.text), max(k.cl100k, k.o200k)
		if n < most {
			t.Errorf("%d tokens, but %d in cl100k and %d in o200k: %q", n, k.cl100k, k.o200k, k.text)
		}
		estimated, taken = estimated+n, taken+most
	}
	ratio := float64(estimated) / float64(taken)
	t.Logf("%d tokens estimated for %d: %.3f", estimated, taken, ratio)
	if ratio > 1.35 {
		t.Errorf("%.3f times the tokens taken", ratio)
	}
}

// whatever are texts that no vocabulary was asked about.
var whatever = []string{"", " ", "a ", " a", "  \t x", "\r\n\r\n", "aB1é_ß顧😀", "\xff\xfe", "é\xc3", "((( )))", "\x00\x7f", "xQzXqZ  12  ,, ;;\n"}

// The count of a text grows or stays with each character: what fits still
// fits when its end is cut off.
func TestCount_monotone(t *testing.T) {
	for _, s := range append(plain(t), whatever...) {
		monotone(t, s)
	}
}

func plain(tb testing.TB) (out []string) {
	for _, k := range texts(tb) {
		out = append(out, k.text)
	}
	return out
}

// edges are the places where a text may be cut, its end included.
func edges(s string) (out []int) {
	for i := range s {
		out = append(out, i)
	}
	return append(out, len(s))
}

func monotone(t *testing.T, s string) {
	t.Helper()
	last := 0
	for _, i := range edges(s) {
		n := Count(s[:i])
		if n < last {
			t.Fatalf("%d tokens in %q, %d before its last character", n, s[:i], last)
		}
		last = n
	}
}

func FuzzCount(f *testing.F) {
	for _, s := range append(plain(f), whatever...) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 300 {
			return
		}
		monotone(t, s)
		if n := Count(s); n > 4*len(s) || n == 0 && s != "" {
			t.Fatalf("%d tokens in %d bytes: %q", n, len(s), s)
		}
	})
}

func BenchmarkCount(b *testing.B) {
	s := strings.Join(plain(b), "\n")
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Count(s)
	}
}
