package eval_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgtype"

	"askpg/ask"
	"askpg/eval"
)

// table makes a result of rows such as "1|a", in which ~ is NULL and the
// columns are of the given types.
func table(oids []uint32, rows ...string) *ask.Result {
	r := &ask.Result{Complete: true}
	for _, oid := range oids {
		r.Columns = append(r.Columns, ask.Column{TypeOID: oid})
	}
	for _, row := range rows {
		var values [][]byte
		for v := range strings.SplitSeq(row, "|") {
			if v == "~" {
				values = append(values, nil)
			} else {
				values = append(values, []byte(v))
			}
		}
		r.Rows = append(r.Rows, values)
	}
	return r
}

const (
	text, integer, numeric, float, boolean = pgtype.TextOID, pgtype.Int4OID, pgtype.NumericOID, pgtype.Float8OID, pgtype.BoolOID
	date, timestamp, timestamptz, padded   = pgtype.DateOID, pgtype.TimestampOID, pgtype.TimestamptzOID, pgtype.BPCharOID
)

func types(oids ...uint32) []uint32 { return oids }

func TestCompare(t *testing.T) {
	for _, test := range []struct {
		name      string
		gold, got *ask.Result
		ordered   bool
		want      string // of the letters s, p, c: strict, permuted, contained
	}{
		{"Equal", table(types(integer, text), "1|a", "2|b"), table(types(integer, text), "1|a", "2|b"), false, "spc"},
		{"OtherOrder", table(types(integer), "1", "2"), table(types(integer), "2", "1"), false, "spc"},
		{"OtherOrderMatters", table(types(integer), "1", "2"), table(types(integer), "2", "1"), true, "c"},
		{"Permuted", table(types(integer, text), "1|a", "2|b"), table(types(text, integer), "b|2", "a|1"), false, "pc"},
		{"PermutedOrdered", table(types(integer, text), "1|a", "2|b"), table(types(text, integer), "a|1", "b|2"), true, "pc"},
		{"SameColumnsOtherRows", table(types(integer, integer), "1|2", "2|1"), table(types(integer, integer), "1|1", "2|2"), false, ""},
		{"FurtherColumn", table(types(text), "a", "b"), table(types(integer, text), "1|a", "2|b"), false, "c"},
		{"MissingColumn", table(types(integer, text), "1|a"), table(types(text), "a"), false, ""},
		{"Bag", table(types(integer), "1", "1", "2"), table(types(integer), "1", "2", "2"), false, ""},
		{"Duplicate", table(types(integer), "1"), table(types(integer), "1", "1"), false, ""},
		{"BothEmpty", table(types(integer)), table(types(text)), false, "spc"},
		{"GoldEmpty", table(types(integer)), table(types(integer), "1"), false, ""},
		{"SixDigits", table(types(float), "0.33333333"), table(types(numeric), "0.33333349"), false, "spc"},
		{"FiveDigits", table(types(float), "0.33333"), table(types(numeric), "0.33335"), false, ""},
		{"Scale", table(types(numeric), "230.0000000000"), table(types(integer), "230"), false, "spc"},
		{"Integers", table(types(integer), "12345678"), table(types(integer), "12345679"), false, ""},
		{"Exponent", table(types(float), "1e+06"), table(types(integer), "1000000"), false, "spc"},
		{"NumericText", table(types(text), "42"), table(types(integer), "42"), false, "spc"},
		{"NotANumber", table(types(text), "1-2"), table(types(text), "1-3"), false, ""},
		{"Boolean", table(types(boolean), "t", "f"), table(types(integer), "1", "0"), false, "spc"},
		{"TextT", table(types(text), "t"), table(types(integer), "1"), false, ""},
		{"Null", table(types(text), "~"), table(types(text), ""), false, ""},
		{"NullZero", table(types(integer), "~"), table(types(integer), "0"), false, ""},
		{"Case", table(types(text), "Anna"), table(types(text), "anna"), false, ""},
		{"Padded", table(types(padded), "ab  "), table(types(text), "ab"), false, "spc"},
		{"Midnight", table(types(date), "2024-01-01"), table(types(timestamp), "2024-01-01 00:00:00"), false, "spc"},
		{"Noon", table(types(date), "2024-01-01"), table(types(timestamp), "2024-01-01 12:00:00"), false, ""},
		{"Zone", table(types(timestamp), "2024-01-01 00:00:00"), table(types(timestamptz), "2024-01-01 00:00:00+00"), false, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := letters(eval.Compare(test.gold, test.got, test.ordered)); got != test.want {
				t.Fatalf("got %q, want %q", got, test.want)
			}
		})
	}
}

func letters(m eval.Match) string {
	s := ""
	for _, x := range []struct {
		letter string
		set    bool
	}{{"s", m.Strict}, {"p", m.Perm}, {"c", m.Contained}} {
		if x.set {
			s += x.letter
		}
	}
	return s
}

func TestCompareAny(t *testing.T) {
	golds := []*ask.Result{table(types(text), "a"), table(types(text, integer), "a|1")}
	if m := eval.CompareAny(golds, table(types(integer, text), "1|a"), false); m.Strict || !m.Perm {
		t.Fatalf("got %+v, want permuted and not strict", m)
	}
}

// Whatever the values, shuffled rows and columns are the same result, and one
// changed value is another.
func TestCompare_Shuffled(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		width, height := 1+r.IntN(6), 1+r.IntN(12)
		rows := make([][]string, height)
		for i := range rows {
			for range width {
				rows[i] = append(rows[i], string(rune('a'+r.IntN(3))))
			}
		}
		order := r.Perm(width)
		shuffled := make([][]string, height)
		for i, from := range r.Perm(height) {
			for _, c := range order {
				shuffled[i] = append(shuffled[i], rows[from][c])
			}
		}
		oids := make([]uint32, width)
		for i := range oids {
			oids[i] = text
		}
		join := func(rows [][]string) (joined []string) {
			for _, row := range rows {
				joined = append(joined, strings.Join(row, "|"))
			}
			return joined
		}
		gold := table(oids, join(rows)...)
		if !eval.Compare(gold, table(oids, join(shuffled)...), false).Perm {
			t.Fatalf("%v and %v differ", rows, shuffled)
		}
		shuffled[r.IntN(height)][r.IntN(width)] = "z"
		if m := eval.Compare(gold, table(oids, join(shuffled)...), false); m.Perm || m.Strict {
			t.Fatalf("%v and %v are equal", rows, shuffled)
		}
	}
}
