package vote_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgtype"

	"askpg/ask"
	"askpg/translator/vote"
)

// result makes a result of columns "name:type" and rows of cells divided by
// "|"; ∅ is NULL.
func result(columns string, rows ...string) *ask.Result {
	oids := map[string]uint32{"int": pgtype.Int4OID, "big": pgtype.Int8OID, "num": pgtype.NumericOID, "f8": pgtype.Float8OID,
		"text": pgtype.TextOID, "char": pgtype.BPCharOID, "bool": pgtype.BoolOID, "date": pgtype.DateOID,
		"ts": pgtype.TimestampOID, "tz": pgtype.TimestamptzOID, "json": pgtype.JSONBOID, "iv": pgtype.IntervalOID, "uuid": pgtype.UUIDOID}
	r := &ask.Result{Complete: true}
	for i, typ := range strings.Fields(columns) {
		oid, ok := oids[typ]
		if !ok {
			panic(typ)
		}
		r.Columns = append(r.Columns, ask.Column{Name: fmt.Sprint("c", i), TypeOID: oid})
	}
	for _, row := range rows {
		var cells [][]byte
		for c := range strings.SplitSeq(row, "|") {
			if c == "∅" {
				cells = append(cells, nil)
			} else {
				cells = append(cells, []byte(c))
			}
		}
		r.Rows = append(r.Rows, cells)
	}
	return r
}

func TestEqual(t *testing.T) {
	for _, tt := range []struct {
		name    string
		a, b    *ask.Result
		ordered bool
		want    bool
	}{
		{"same", result("int text", "1|a", "2|b"), result("int text", "1|a", "2|b"), false, true},
		{"rows in another order", result("int", "1", "2"), result("int", "2", "1"), false, true},
		{"rows in another order, ordered", result("int", "1", "2"), result("int", "2", "1"), true, false},
		{"columns in another order", result("int text", "1|a", "2|b"), result("text int", "b|2", "a|1"), false, true},
		{"columns in another order, ordered", result("int text", "1|a", "2|b"), result("text int", "a|1", "b|2"), true, true},
		{"cells swapped within a column", result("int int", "1|1", "2|2"), result("int int", "1|2", "2|1"), false, false},
		{"alike columns", result("int int", "1|2", "2|1"), result("int int", "2|1", "1|2"), false, true},
		{"a row twice", result("int", "1", "1"), result("int", "1"), false, false},
		{"one more column", result("int int", "1|1"), result("int", "1"), false, false},
		{"int and numeric", result("int", "3"), result("num", "3.00"), false, true},
		{"numeric and float", result("num", "3.3333333333333333"), result("f8", "3.33333333333333"), false, true},
		{"either side of a rounding edge", result("f8", "1.2345649999"), result("f8", "1.2345650001"), false, true},
		{"a rounding edge among rows", result("text f8", "a|1.2345649999", "b|2.5"), result("f8 text", "2.5|b", "1.2345650001|a"), false, true},
		{"fractions that differ", result("f8", "1.2345"), result("f8", "1.2346"), false, false},
		{"large whole numbers are exact", result("big", "12345678901"), result("big", "12345678902"), false, false},
		{"a whole number and a sum of floats", result("big", "1234567"), result("f8", "1234567.0000001"), false, true},
		{"bool and int", result("bool", "t"), result("int", "1"), false, true},
		{"number and its text", result("int", "42"), result("text", "42"), false, true},
		{"a code is no number", result("int", "7"), result("text", "007"), false, false},
		{"date and midnight", result("date", "2024-05-01"), result("ts", "2024-05-01 00:00:00"), false, true},
		{"date and midnight with zone", result("date", "2024-05-01"), result("tz", "2024-05-01 00:00:00+02"), false, true},
		{"timestamps with and without fraction", result("ts", "2024-05-01 10:00:00.50"), result("ts", "2024-05-01 10:00:00.5"), false, true},
		{"other day", result("date", "2024-05-01"), result("date", "2024-05-02"), false, false},
		{"padded char", result("char", "ab   "), result("text", "ab"), false, true},
		{"case counts", result("text", "Ab"), result("text", "ab"), false, false},
		{"NULL is not empty", result("text", "∅"), result("text", ""), false, false},
		{"NULL is not zero", result("int", "∅"), result("int", "0"), false, false},
		{"json keys", result("json", `{"a": 1, "b": 2}`), result("json", `{"b": 2, "a": 1}`), false, true},
		{"NaN", result("f8", "NaN"), result("num", "NaN"), false, true},
		{"empty", result("int"), result("text"), false, true},
		{"no empty and zero", result("int"), result("int", "0"), false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := vote.Equal(tt.a, tt.b, tt.ordered); got != tt.want {
				t.Fatalf("got %v, want %v", got, tt.want)
			}
			if got := vote.Equal(tt.b, tt.a, tt.ordered); got != tt.want {
				t.Fatalf("the other way round: got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestFingerprint_CutOff(t *testing.T) {
	a, b := result("int", "1"), result("int", "1")
	b.Complete = false
	if vote.Equal(a, b, false) {
		t.Fatal("a result that was cut off equals a complete one")
	}
}

// Shuffling rows and columns never changes a fingerprint; changing a cell
// always does.
func TestFingerprint_Properties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		width, height := 1+r.IntN(5), 1+r.IntN(6)
		a := &ask.Result{Complete: true, Columns: make([]ask.Column, width)}
		for i := range a.Columns {
			a.Columns[i].TypeOID = pgtype.TextOID
		}
		for range height {
			row := make([][]byte, width)
			for j := range row {
				row[j] = []byte{byte('a' + r.IntN(3))}
			}
			a.Rows = append(a.Rows, row)
		}
		columns, rows := r.Perm(width), r.Perm(height)
		b := &ask.Result{Complete: true, Columns: a.Columns}
		for _, i := range rows {
			row := make([][]byte, width)
			for j, k := range columns {
				row[j] = a.Rows[i][k]
			}
			b.Rows = append(b.Rows, row)
		}
		if vote.Fingerprint(a, false) != vote.Fingerprint(b, false) {
			t.Fatalf("shuffled differs: %q and %q", a.Rows, b.Rows)
		}
		i, j := r.IntN(height), r.IntN(width)
		b.Rows[i][j] = []byte("z")
		if vote.Fingerprint(a, false) == vote.Fingerprint(b, false) {
			t.Fatalf("a changed cell is not seen: %q and %q", a.Rows, b.Rows)
		}
	}
}

func FuzzFingerprint(f *testing.F) {
	f.Add("1|a\n2|b", uint32(23), true)
	f.Add("1.50|2024-01-01 00:00:00+01\n|", uint32(1700), false)
	f.Add("{\"a\":1}|t", uint32(3802), false)
	f.Fuzz(func(t *testing.T, text string, oid uint32, ordered bool) {
		r := &ask.Result{Complete: true, Columns: []ask.Column{{TypeOID: oid}, {TypeOID: pgtype.TextOID}}}
		for line := range strings.SplitSeq(text, "\n") {
			a, b, _ := strings.Cut(line, "|")
			r.Rows = append(r.Rows, [][]byte{[]byte(a), []byte(b)})
		}
		once, again := vote.Fingerprint(r, ordered), vote.Fingerprint(r, ordered)
		if once != again || !vote.Equal(r, r, ordered) {
			t.Fatal("a result differs from itself")
		}
	})
}
