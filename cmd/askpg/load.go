package main

import (
	"encoding"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/agnivade/levenshtein"

	"askpg/ask"
)

// envPrefix begins the environment variables that override settings:
// ASKPG_REPLICA_URL is [replica] url, ASKPG_MODEL_1_API_KEY_ENV is api_key_env
// of the first [[model]].
const envPrefix = "ASKPG_"

// unreadable says that nothing of a configuration file could be read.
type unreadable struct{ error }

// decodeConfig reads a TOML file over the values that into holds, then the environment over both. path may be empty.
// Every unknown key and every value that does not fit is an error that names it and its line. An error of an unknown key
// names the nearest known one. A file that is no TOML is one error, an unreadable.
func decodeConfig(path string, environ []string, into any) error {
	var errs []error
	if path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return unreadable{fmt.Errorf("configuration: %w", err)}
		}
		var tables map[string]any
		if _, err := toml.Decode(string(text), &tables); err != nil {
			return unreadable{fmt.Errorf("configuration %s: %w", path, unquoted(err))}
		}
		f := settingsFile{path: path, text: string(text), known: settingKeys(reflect.TypeOf(into).Elem(), "")}
		f.table(reflect.ValueOf(into).Elem(), tables, "", 0)
		errs = f.errors()
	}
	env := map[string]string{}
	for _, kv := range environ {
		if k, v, ok := strings.Cut(kv, "="); ok && strings.HasPrefix(k, envPrefix) {
			env[k] = v
		}
	}
	errs = append(errs, applyEnv(reflect.ValueOf(into).Elem(), envPrefix, env)...)
	errs = append(errs, misspelled(env, reflect.TypeOf(into).Elem())...)
	return errors.Join(errs...)
}

// tableNumber is the number of an array's table in the name of a variable.
var tableNumber = regexp.MustCompile(`_[0-9]+_`)

// misspelled returns an error for each variable that sets nothing and is at most two edits away from one that would. Others are
// for something else, such as those that Kubernetes sets for a Service, whose names end in _PORT.
func misspelled(env map[string]string, t reflect.Type) (errs []error) {
	var names []string
	for _, key := range settingKeys(t, "") {
		table, rest, _ := strings.Cut(key, ".")
		if f, ok := t.FieldByNameFunc(func(name string) bool { f, _ := t.FieldByName(name); return tomlName(f) == table }); ok && f.Type.Kind() == reflect.Slice {
			key = table + ".1." + rest
		}
		names = append(names, envPrefix+strings.ToUpper(strings.ReplaceAll(key, ".", "_")))
	}
	for _, variable := range slices.Sorted(maps.Keys(env)) {
		as := tableNumber.ReplaceAllString(variable, "_1_")
		near := nearest(as, names)
		if !strings.HasSuffix(variable, "_PORT") && near != "" && levenshtein.ComputeDistance(as, near) <= 2 {
			errs = append(errs, fmt.Errorf("environment %s sets nothing; did you mean %s?", variable, near))
		}
	}
	return errs
}

// unquoted says where a file is no TOML and why. It quotes nothing of the file:
// what is wrong may be the line of a password.
func unquoted(err error) error {
	var parse toml.ParseError
	if !errors.As(err, &parse) {
		return err
	}
	return fmt.Errorf("line %d, column %d%s: %s", parse.Position.Line, parse.Position.Col, behind(parse.LastKey), ask.RedactText(parse.Message))
}

// behind says which setting comes last before a place that is no TOML. Of a line without a key the parser takes something else for one.
func behind(key string) string {
	if !slices.Contains(settingKeys(reflect.TypeFor[Config](), ""), key) {
		return ""
	}
	return ", at " + key
}

func appendDefault(slice reflect.Value) {
	element := reflect.New(slice.Type().Elem()).Elem()
	if d, ok := elementDefaults[element.Type()]; ok {
		element.Set(d)
	}
	slice.Set(reflect.Append(slice, element))
}

// settingKeys lists the dotted names of a configuration struct's settings;
// those of an array of tables have the table's name.
func settingKeys(t reflect.Type, prefix string) []string {
	var keys []string
	v := reflect.New(t).Elem()
	walkSettings(v, v, prefix, func(key string, v, _ reflect.Value) {
		if isTables(v.Type()) {
			keys = append(keys, settingKeys(v.Type().Elem(), key+".")...)
		} else {
			keys = append(keys, key)
		}
	})
	return keys
}

// isTables says whether a setting is an array of tables.
func isTables(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct && !isText(t.Elem())
}

func tomlName(f reflect.StructField) string {
	if !f.IsExported() {
		return ""
	}
	switch tag, _, _ := strings.Cut(f.Tag.Get("toml"), ","); tag {
	case "-":
		return ""
	case "":
		return strings.ToLower(f.Name)
	default:
		return tag
	}
}

func isText(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// applyEnv sets what the environment has, and takes it out of env.
func applyEnv(v reflect.Value, prefix string, env map[string]string) (errs []error) {
	walkSettings(v, v, "", func(key string, v, _ reflect.Value) {
		name := prefix + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
		if isTables(v.Type()) {
			for n := 1; hasPrefix(env, fmt.Sprintf("%s_%d_", name, n)); n++ {
				if v.Len() < n {
					appendDefault(v)
				}
				errs = append(errs, applyEnv(v.Index(n-1), fmt.Sprintf("%s_%d_", name, n), env)...)
			}
		} else if text, ok := env[name]; ok {
			delete(env, name)
			if err := setValue(v, text); err != nil {
				errs = append(errs, fmt.Errorf("environment %s: %w", name, err))
			}
		}
	})
	return errs
}

func hasPrefix(env map[string]string, prefix string) bool {
	for k := range env {
		if strings.HasPrefix(k, prefix) {
			return true
		}
	}
	return false
}

func setValue(v reflect.Value, text string) error {
	if u, ok := reflect.TypeAssert[encoding.TextUnmarshaler](v.Addr()); ok {
		return u.UnmarshalText([]byte(text))
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("%q is neither true nor false", text)
		}
		v.SetBool(b)
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return fmt.Errorf("%q is no whole number", text)
		}
		v.SetInt(n)
	case reflect.Float64:
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("%q is no number", text)
		}
		v.SetFloat(n)
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.String {
			return fmt.Errorf("can only be set in the file")
		}
		list := reflect.MakeSlice(v.Type(), 0, 0)
		for _, item := range ask.SplitList(text) {
			list = reflect.Append(list, reflect.ValueOf(item).Convert(v.Type().Elem()))
		}
		v.Set(list)
	default:
		return fmt.Errorf("can only be set in the file")
	}
	return nil
}

// nearest returns the known key that is the fewest edits away from key, or ""
// if none is near.
func nearest(key string, known []string) string {
	sort.Strings(known)
	best, bestDistance := "", len(key)/2+1
	for _, k := range known {
		if d := levenshtein.ComputeDistance(key, k); d < bestDistance {
			best, bestDistance = k, d
		}
		// The right name in the wrong table.
		if base(k) == base(key) && bestDistance > 2 {
			best, bestDistance = k, 2
		}
		if abbreviates(key, k) && bestDistance > 1 {
			best, bestDistance = k, 1
		}
	}
	return best
}

// abbreviates says whether each word of a key is the beginning of one of another's: replica.super_role of replica.superuser_role.
func abbreviates(key, of string) bool {
	return slices.EqualFunc(strings.Split(key, "_"), strings.Split(of, "_"), func(word, whole string) bool { return strings.HasPrefix(whole, word) })
}

func base(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }
