package main

import (
	"encoding"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// settingsFile is a configuration file whose settings are assigned. Its errors name the line and the key, and quote nothing of a value,
// which may be a password.
type settingsFile struct {
	path, text string
	known      []string // keys
	problems   []problem
}

type problem struct {
	line int // 0 if it is not known
	text string
}

func (f *settingsFile) fail(key string, entry int, format string, args ...any) {
	line := lineOf(f.text, key, entry)
	where := "configuration " + f.path
	if line > 0 {
		where += fmt.Sprintf(", line %d", line)
	}
	f.problems = append(f.problems, problem{line, where + ": " + fmt.Sprintf(format, args...)})
}

// errors returns the problems in the order of the file.
func (f *settingsFile) errors() (errs []error) {
	sort.SliceStable(f.problems, func(i, j int) bool { return f.problems[i].line < f.problems[j].line })
	for _, p := range f.problems {
		errs = append(errs, fmt.Errorf("%s", p.text))
	}
	return errs
}

// table assigns a table of the file to a struct. entry is the number of the entry, from 1, if the table is one of an array of tables, else 0.
func (f *settingsFile) table(v reflect.Value, values map[string]any, prefix string, entry int) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		key := prefix + name
		field, ok := fieldNamed(v, name)
		if ok {
			f.assign(field, values[name], key, entry)
		} else {
			f.unknown(values[name], key, entry)
		}
	}
}

// unknown says what a key could mean that is none, and each key below it.
func (f *settingsFile) unknown(value any, key string, entry int) {
	if below, ok := value.(map[string]any); ok && len(below) > 0 {
		for name, value := range below {
			f.unknown(value, key+"."+name, entry)
		}
		return
	}
	text := fmt.Sprintf("unknown setting %q", key)
	if near := nearest(key, f.known); near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	f.fail(key, entry, "%s", text)
}

// fieldNamed returns the field of a setting, in upper or lower case as the file may write it.
func fieldNamed(v reflect.Value, name string) (reflect.Value, bool) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Anonymous && f.Tag.Get("toml") == "" {
			if found, ok := fieldNamed(v.Field(i), name); ok {
				return found, true
			}
		} else if known := tomlName(f); known != "" && strings.EqualFold(known, name) {
			return v.Field(i), true
		}
	}
	return reflect.Value{}, false
}

// assign sets a setting to a value of the file.
func (f *settingsFile) assign(v reflect.Value, value any, key string, entry int) {
	wrong := func(want string) { f.fail(key, entry, "%s is %s; it must be %s", key, kindOf(value), want) }
	if u, ok := reflect.TypeAssert[encoding.TextUnmarshaler](v.Addr()); ok {
		text, ok := value.(string)
		if !ok {
			wrong(`a text in quotes, as a time is: "10s"`)
		} else if err := u.UnmarshalText([]byte(text)); err != nil {
			f.fail(key, entry, "%s: %v", key, err)
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		if values, ok := value.(map[string]any); ok {
			f.table(v, values, key+".", entry)
		} else {
			wrong("a table: [" + key + "]")
		}
	case reflect.Slice:
		f.list(v, value, key, wrong)
	case reflect.Map:
		values, ok := value.(map[string]any)
		if !ok {
			wrong("a table: [" + key + "]")
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		for name, value := range values {
			element := reflect.New(v.Type().Elem()).Elem()
			f.assign(element, value, key+"."+name, entry)
			v.SetMapIndex(reflect.ValueOf(name), element)
		}
	case reflect.String:
		if text, ok := value.(string); ok {
			v.SetString(text)
		} else {
			wrong("a text in quotes")
		}
	case reflect.Bool:
		if b, ok := value.(bool); ok {
			v.SetBool(b)
		} else {
			wrong("true or false, without quotes")
		}
	case reflect.Int, reflect.Int64:
		if n, ok := value.(int64); ok && !v.OverflowInt(n) {
			v.SetInt(n)
		} else {
			wrong("a whole number, without quotes")
		}
	case reflect.Float64:
		switch n := value.(type) {
		case float64:
			v.SetFloat(n)
		case int64:
			v.SetFloat(float64(n))
		default:
			wrong("a number, without quotes")
		}
	default:
		panic("a setting of a type that no file can set: " + key)
	}
}

// list sets a list of texts, or an array of tables whose entries begin with their defaults.
func (f *settingsFile) list(v reflect.Value, value any, key string, wrong func(string)) {
	if v.Type().Elem().Kind() == reflect.Struct {
		entries, ok := value.([]map[string]any)
		if !ok {
			wrong("an array of tables: [[" + key + "]]")
			return
		}
		for i, values := range entries {
			appendDefault(v)
			f.table(v.Index(i), values, key+".", i+1)
		}
		return
	}
	items, ok := value.([]any)
	list := reflect.MakeSlice(v.Type(), 0, len(items))
	for _, item := range items {
		text, isText := item.(string)
		ok = ok && isText
		list = reflect.Append(list, reflect.ValueOf(text).Convert(v.Type().Elem()))
	}
	if !ok {
		wrong(`a list of texts, as in ["a", "b"]`)
		return
	}
	v.Set(list)
}

// kindOf says what kind a value of a file is. It says nothing of the value itself, which may be a secret, unless it is
// true or false.
func kindOf(value any) string {
	switch value.(type) {
	case string:
		return "a text"
	case bool:
		return fmt.Sprintf("set to %t", value)
	case int64:
		return "a whole number"
	case float64:
		return "a number"
	case []any:
		return "a list"
	case map[string]any, []map[string]any:
		return "a table"
	}
	return "a date or time"
}

var (
	tableHeader = regexp.MustCompile(`^\s*\[\[?\s*([^\[\]]+?)\s*\]\]?`)
	keyOfLine   = regexp.MustCompile(`^\s*([A-Za-z0-9_.\-"' ]+?)\s*=`)
)

// lineOf returns the line of a file that sets a key, from 1. It looks in the entry of its array of tables if that is not
// 0. It is 0 where the key is written in a way that is not looked for, such as in a table on one line.
func lineOf(text, key string, entry int) int {
	table, entries := "", map[string]int{}
	for i, line := range strings.Split(text, "\n") {
		name := table
		if m := tableHeader.FindStringSubmatch(line); m != nil {
			table = m[1] + "."
			entries[table]++
			name = m[1]
		} else if m := keyOfLine.FindStringSubmatch(line); m != nil {
			name += m[1]
		} else {
			continue
		}
		if name == key && (entry == 0 || entries[table] == entry) {
			return i + 1
		}
	}
	return 0
}
