package catalog

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"askpg/catalog/schema"
)

// classOf returns the class of a type: by pg_type.typcategory (PostgreSQL
// documentation, "pg_type"), and by name where the category holds types of
// several classes.
func classOf(t *rawType) Class {
	switch t.name {
	case "date":
		return Date
	case "timestamp", "timestamptz":
		return Timestamp
	case "time", "timetz":
		return Time
	case "uuid":
		return UUID
	case "json", "jsonb":
		return schema.JSON
	case "char": // "char", a single byte
		return Text
	}
	switch {
	case t.kind == 'e':
		return Enum
	case strings.HasPrefix(t.name, "reg"), t.name == "oid":
		return Other
	}
	switch t.category {
	case 'S':
		return Text
	case 'N':
		return Number
	case 'B':
		return Boolean
	case 'T':
		return Interval
	case 'A':
		return Array
	}
	return Other
}

// listCheck matches what pg_get_constraintdef prints for CHECK (c IN (…)),
// with one list of literals and nothing else.
var listCheck = regexp.MustCompile(`^CHECK \(\(+("(?:[^"]|"")+"|[^\s"():]+)\)?(?:::[a-z ]+)? = ANY \(\(?ARRAY\[(.*)\]\)?(?:::[a-z ]+\[\])?\)\)+( NOT VALID)?$`)

// oneCheck matches CHECK (c = 'a').
var oneCheck = regexp.MustCompile(`^CHECK \(\(+("(?:[^"]|"")+"|[^\s"():]+)\)?(?:::[a-z ]+)? = ('(?:[^']|'')*')(?:::[a-z ]+)?\)\)?( NOT VALID)?$`)

var literal = regexp.MustCompile(`^\(?'((?:[^']|'')*)'(?:::[a-z ]+)*\)?(?:::[a-z ]+)?(?:, |$)`)

// allowed returns the values that a CHECK of one column lists, nil if it says
// anything else.
func allowed(definition, column string) []string {
	m := listCheck.FindStringSubmatch(definition)
	if m == nil {
		m = oneCheck.FindStringSubmatch(definition)
	}
	if m == nil || strings.ReplaceAll(strings.Trim(m[1], `"`), `""`, `"`) != column {
		return nil
	}
	var values []string
	for rest := m[2]; rest != ""; {
		l := literal.FindStringSubmatch(rest)
		if l == nil {
			return nil
		}
		values = append(values, strings.ReplaceAll(l[1], "''", "'"))
		rest = rest[len(l[0]):]
	}
	return values
}

// bounds returns the least and greatest of values in text form, for classes
// whose order their text tells.
func bounds(class Class, values []string) (min, max string) {
	switch class {
	case Number:
		return numberBounds(values)
	case Date, Timestamp:
		return dateBounds(values)
	}
	return "", ""
}

func numberBounds(values []string) (min, max string) {
	var lo, hi float64
	for i, v := range values {
		f, err := strconv.ParseFloat(v, 64)
		if err != nil {
			return "", ""
		}
		if i == 0 || f < lo {
			lo, min = f, v
		}
		if i == 0 || f > hi {
			hi, max = f, v
		}
	}
	return min, max
}

// dateBounds: the order of ISO dates is that of their text, except before
// Christ.
func dateBounds(values []string) (min, max string) {
	if len(values) == 0 || slices.ContainsFunc(values, func(v string) bool {
		return strings.HasSuffix(v, "BC") || v == "infinity" || v == "-infinity"
	}) {
		return "", ""
	}
	return slices.Min(values), slices.Max(values)
}
