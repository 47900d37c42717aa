package vote

import (
	"encoding/json"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgtype"
)

// value is a cell in canonical form: two cells that mean the same have the
// same text, whatever type a candidate gave them.
type value struct {
	text   string  // decides equality, up to the tolerance below
	number float64 // valid if inexact
	// inexact marks a number with a fraction: text is rounded to
	// significantDigits, and numbers either side of a rounding edge are
	// compared by closeNumbers.
	inexact bool
}

// significantDigits is the precision to which fractions are compared: what a
// sum or an average of floats keeps whatever the order of its addition.
const significantDigits = 6

const null = "\x00null"

// canonical returns the cell's canonical form. Numbers compare across int,
// numeric, float and numeric text; booleans equal 1 and 0; a date equals its
// midnight; timestamps with a time zone compare by the session's local time,
// in which all candidates of a question run; char(n) is trimmed; JSON compares
// by content.
func canonical(cell []byte, oid uint32) value {
	if cell == nil {
		return value{text: null}
	}
	s := string(cell)
	switch oid {
	case pgtype.BoolOID:
		if s == "t" || s == "true" {
			return value{text: "1"}
		}
		return value{text: "0"}
	case pgtype.Int2OID, pgtype.Int4OID, pgtype.Int8OID, pgtype.OIDOID,
		pgtype.NumericOID, pgtype.Float4OID, pgtype.Float8OID:
		if v, ok := number(s); ok {
			return v
		}
		return value{text: "n:" + s} // NaN, Infinity
	case pgtype.DateOID, pgtype.TimestampOID, pgtype.TimestamptzOID:
		if t, ok := moment(s, oid == pgtype.TimestamptzOID); ok {
			return value{text: t}
		}
		return value{text: s}
	case pgtype.BPCharOID:
		return text(strings.TrimRight(s, " "))
	case pgtype.TextOID, pgtype.VarcharOID, pgtype.NameOID, pgtype.UnknownOID:
		return text(s)
	case pgtype.JSONOID, pgtype.JSONBOID:
		if j, ok := canonicalJSON(s); ok {
			return value{text: "j:" + j}
		}
		return value{text: "j:" + s}
	case pgtype.UUIDOID:
		return value{text: strings.ToLower(s)}
	}
	return value{text: s}
}

// text is a string's canonical form: that of the number or the date that it
// spells, as candidates differ in what they cast to text, else itself.
func text(s string) value {
	if len(strings.TrimPrefix(s, "-")) <= maxPlain && plainNumber.MatchString(s) {
		if v, ok := number(s); ok {
			return v
		}
	}
	if len(s) >= 10 && len(s) <= 32 && s[4] == '-' && s[7] == '-' {
		if t, ok := moment(s, false); ok {
			return value{text: t}
		}
	}
	return value{text: "s:" + s}
}

// maxPlain is the length of the longest text that is read as a number, without its sign.
const maxPlain = 40

// plainNumber is a number as PostgreSQL prints it: 007 and +1 are no numbers, but codes.
var plainNumber = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$`)

// number returns the canonical form of a number: whole numbers exactly,
// fractions to significantDigits.
func number(s string) (value, bool) {
	if !strings.ContainsAny(s, ".eE") {
		if _, err := strconv.ParseInt(s, 10, 64); err == nil {
			return value{text: strings.TrimPrefix(s, "+")}, true
		}
		if i, ok := new(big.Int).SetString(s, 10); ok && len(s) < 400 {
			return value{text: i.String()}, true
		}
		return value{}, false
	}
	if whole, fraction, ok := strings.Cut(s, "."); ok && strings.Trim(fraction, "0") == "" {
		if whole == "-0" {
			whole = "0"
		}
		if _, err := strconv.ParseInt(whole, 10, 64); err == nil {
			return value{text: whole}, true
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return value{}, false
	}
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return value{text: strconv.FormatInt(int64(f), 10)}, true
	}
	return value{text: strconv.FormatFloat(f, 'e', significantDigits-1, 64), number: f, inexact: true}, true
}

// moment reads ISO dates and timestamps as PostgreSQL prints them under
// DateStyle ISO; other styles compare as text.
func moment(s string, zone bool) (string, bool) {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' {
		return "", false
	}
	date, rest := s[:10], s[10:]
	for i, c := range []byte(date) {
		if i != 4 && i != 7 && (c < '0' || c > '9') {
			return "", false
		}
	}
	if rest == "" {
		return "t:" + date, true
	}
	if rest[0] != ' ' && rest[0] != 'T' || len(rest) < 9 {
		return "", false
	}
	clock := rest[1:]
	if i := strings.LastIndexAny(clock, "+-"); i > 0 {
		if !zone && !digitsOrColon(clock[i+1:]) {
			return "", false
		}
		clock = clock[:i]
	}
	if !digitsOrColon(strings.Replace(clock, ".", "", 1)) {
		return "", false
	}
	if strings.Contains(clock, ".") {
		clock = strings.TrimRight(strings.TrimRight(clock, "0"), ".")
	}
	if clock == "00:00:00" {
		return "t:" + date, true
	}
	return "t:" + date + " " + clock, true
}

func digitsOrColon(s string) bool {
	return s != "" && strings.Trim(s, "0123456789:") == ""
}

func canonicalJSON(s string) (string, bool) {
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil || d.More() {
		return "", false
	}
	b, err := json.Marshal(v) // sorts keys
	return string(b), err == nil
}

// equal compares two canonical values with the tolerance for fractions.
func (a value) equal(b value) bool {
	if a.text == b.text {
		return true
	}
	if !a.inexact && !b.inexact {
		return false
	}
	x, ok1 := a.float()
	y, ok2 := b.float()
	return ok1 && ok2 && closeNumbers(x, y)
}

func (a value) float() (float64, bool) {
	if a.inexact {
		return a.number, true
	}
	f, err := strconv.ParseFloat(a.text, 64)
	return f, err == nil
}

// closeNumbers says whether two numbers agree to significantDigits, wherever
// the rounding edge lies.
func closeNumbers(x, y float64) bool {
	return math.Abs(x-y) <= 0.5*math.Pow10(1-significantDigits)*math.Max(math.Abs(x), math.Abs(y))
}
