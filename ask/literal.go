package ask

import (
	"cmp"
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// Type OIDs of the values that do not stand in a question as PostgreSQL writes them (PostgreSQL's pg_type.dat).
const (
	oidBool        = 16
	oidDate        = 1082
	oidTimestamp   = 1114
	oidTimestamptz = 1184
	oidUnknown     = 0 // the client says nothing of the type
)

// numberTypes are the OIDs of the types of numbers.
var numberTypes = []uint32{20, 21, 23, 26, 700, 701, 1700}

// typeNames are the names that drivers write behind constants, of the types whose values QuoteValue reads.
var typeNames = map[string]uint32{
	"bool": oidBool, "boolean": oidBool, "date": oidDate,
	"timestamp": oidTimestamp, "timestamp without time zone": oidTimestamp, "timestamptz": oidTimestamptz, "timestamp with time zone": oidTimestamptz,
	"int2": 21, "int4": 23, "int8": 20, "smallint": 21, "integer": 23, "int": 23, "bigint": 20, "oid": 26, "float4": 700, "real": 700, "float8": 701, "double precision": 701, "numeric": 1700, "decimal": 1700,
}

// plainNumber is a number as PostgreSQL writes it, and powerNumber one with an exponent, as Java does.
var (
	plainNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,39})(\.[0-9]{1,40})?$`)
	powerNumber = regexp.MustCompile(`^-?[0-9]{1,40}(\.[0-9]{1,40})?[eE][+-]?[0-9]{1,2}$`)
)

// QuoteValue returns a value of a type, in PostgreSQL's text format, as it stands in a question.
// Numbers, days and truth values stand as people write them. Anything else is between quotation
// marks, so that it is told from the question's own words. If the type is 0, as drivers say of
// arrays too, nothing is known but how the value looks.
func QuoteValue(value string, typeOID uint32) string {
	isNumber := slices.Contains(numberTypes, typeOID)
	switch word := strings.ToLower(value); {
	case word == "true" && (typeOID == oidUnknown || typeOID == oidBool), word == "t" && typeOID == oidBool:
		return "true"
	case word == "false" && (typeOID == oidUnknown || typeOID == oidBool), word == "f" && typeOID == oidBool:
		return "false"
	case (isNumber || typeOID == oidUnknown) && plainNumber.MatchString(value):
		return value
	case isNumber && powerNumber.MatchString(value):
		if n, ok := new(big.Rat).SetString(value); ok {
			return strings.TrimSuffix(strings.TrimRight(n.FloatString(140), "0"), ".")
		}
	case slices.Contains([]uint32{oidUnknown, oidDate, oidTimestamp, oidTimestamptz}, typeOID):
		if day := aDay.FindStringSubmatch(value); day != nil {
			return day[1]
		}
		if list, ok := QuoteList(value, oidUnknown); ok && typeOID == oidUnknown {
			return list
		}
		if m := aMoment.FindStringSubmatch(value); m != nil {
			value = m[1] + " " + m[2]
			if typeOID != oidTimestamp { // as PostgreSQL, which passes the offset over there
				value += strings.Replace(m[3], "Z", "+00", 1)
			}
		}
	}
	return "'" + strings.ReplaceAll(value, "'", "''") + "'"
}

// Days and moments as drivers write them. The offset behind a day, which java.sql.Date has, says nothing. Fractions of a
// second that are 0 are cut off. So are an offset's seconds, which go-pg writes.
var (
	aDay    = regexp.MustCompile(`^([0-9]{4}-[01][0-9]-[0-3][0-9])(?: ?(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?))?$`)
	aMoment = regexp.MustCompile(`^([0-9]{4}-[01][0-9]-[0-3][0-9])[T ]([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]*[1-9])?)?)(?:\.0+|0+)? ?(Z|[+-][0-9]{2}(?::?[0-9]{2})?)?(?::00)?$`)
)

// QuoteList returns the elements of an array of one dimension, in PostgreSQL's text format, as they stand in a question. ok is false for an empty one, and
// for one with nulls.
func QuoteList(array string, elementOID uint32) (list string, ok bool) {
	if len(array) < 3 || array[0] != '{' || array[len(array)-1] != '}' {
		return "", false
	}
	body := array[1 : len(array)-1]
	var values []string
	for more := true; more; {
		m := arrayElement.FindStringSubmatch(body)
		if m == nil || m[1] == "" && strings.EqualFold(m[2], "null") {
			return "", false
		}
		value := m[2]
		if m[1] != "" {
			value = escaped.ReplaceAllString(m[1][1:len(m[1])-1], "$1")
		}
		values = append(values, QuoteValue(value, elementOID))
		body, more = body[len(m[0]):], m[3] == ","
	}
	return strings.Join(values, ", "), body == ""
}

var (
	arrayElement = regexp.MustCompile(`^(?s:("(?:[^"\\]|\\.)*")|([^"{},\\]+))(,|$)`)
	escaped      = regexp.MustCompile(`(?s)\\(.)`)
)

// constant is one as drivers write bound values into a text: '…'::type, ('…'::type), ('…'), ('…')::type, E'…', and JDBC's {d '…'} as DATE '…'. psycopg2 and JDBC's
// preferQueryMode=simple do. It begins where a word could.
var constant = regexp.MustCompile(`(^|[\s,=<>\[(])(\( ?)?(?:(DATE|TIMESTAMP) )?([eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*')(?:::"?(\w+(?: precision| varying| with(?:out)? time zone)?)"?(\[\])?)?(\)(?:::"?\w+"?(?:\[\])?)?)?`)

// constants are several as drivers write a list of them, once they have been read: ARRAY['a','b'], ('a', 'b').
var constants = regexp.MustCompile(`\b(?i:ARRAY)\[((?:` + element + `)(?:, ?(?:` + element + `))*)\](?:::\w+\[\])?|(^|[\s,=<>])\(((?:` + element + `)(?:, ?(?:` + element + `))+)\)`)

const element = `'(?:[^']|'')*'|-?[0-9][0-9.:-]*|true|false`

// readConstants returns a question in which the constants that a driver has written into the text stand as QuoteValue writes them.
func readConstants(question string) string {
	if !strings.ContainsAny(question, "'[(") {
		return question
	}
	var b strings.Builder
	at := 0
	for _, m := range constant.FindAllStringSubmatchIndex(question, -1) {
		part := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return question[m[2*i]:m[2*i+1]]
		}
		open, quoted, name, isArray, closed := part(2), part(4), strings.ToLower(cmp.Or(part(5), part(3))), part(6) != "", part(7)
		enclosed := open != "" && closed != ""
		_, known := typeNames[strings.TrimPrefix(name, "_")]
		if !enclosed && (name == "" && quoted[0] == '\'' && !aMoment.MatchString(strings.Trim(quoted, "'")) || name != "" && !known && !isArray) {
			continue // a person's
		}
		if enclosed {
			open, closed = "", ""
		}
		b.WriteString(question[at:m[3]] + open + readConstant(quoted, name, isArray) + closed)
		at = m[1]
	}
	question = b.String() + question[at:]
	return constants.ReplaceAllString(question, "$1$2$3")
}

// readConstant reads a constant of a type, or of none if its name is empty, or an array of it.
func readConstant(quoted, name string, array bool) string {
	body := strings.TrimLeft(quoted, "eE")
	value := strings.ReplaceAll(body[1:len(body)-1], "''", "'")
	if body != quoted {
		value = escaped.ReplaceAllString(value, "$1")
	}
	element := strings.TrimPrefix(name, "_")
	oid, known := typeNames[element]
	switch {
	case name == "" && plainNumber.MatchString(value):
		oid = oidText // JDBC casts numbers
	case name == "":
		oid = oidUnknown
	case !known:
		oid = oidText
	}
	if array || element != name {
		if list, ok := QuoteList(value, oid); ok {
			return list
		}
		oid = oidText
	}
	return QuoteValue(value, oid)
}
