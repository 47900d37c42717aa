package main

import (
	"reflect"
	"slices"
	"strings"
)

// restartSettings are the settings that a reload leaves as they are: each that is named here, and
// all of a section that is named with its dot.
var restartSettings = []string{
	"listen.address", "listen.event_loops", "listen.max_startups",
	"replica.", "catalog.",
	"store.url", "store.schema", "store.required", "store.spill", "store.max_spill_bytes", "store.queue", "store.connections",
	"store.write_timeout", "store.check_examples",
	"admin.address", "admin.max_connections", "admin.read_timeout", "admin.write_timeout", "admin.idle_timeout",
}

// embeddingModel names what needs a restart where another [[model]] makes vectors for the catalog.
const embeddingModel = "model (that of the role embed, for the catalog)"

func needsRestart(key string) bool {
	return slices.ContainsFunc(restartSettings, func(s string) bool {
		return key == s || strings.HasSuffix(s, ".") && strings.HasPrefix(key, s)
	})
}

// walkSettings calls visit for each setting of two values of one configuration struct. An array of tables is one
// setting.
func walkSettings(a, b reflect.Value, prefix string, visit func(key string, a, b reflect.Value)) {
	for i := range a.NumField() {
		f := a.Type().Field(i)
		name := tomlName(f)
		switch {
		case name == "":
		case f.Type.Kind() == reflect.Struct && !isText(f.Type):
			sub := prefix + name + "."
			if f.Anonymous && f.Tag.Get("toml") == "" {
				sub = prefix
			}
			walkSettings(a.Field(i), b.Field(i), sub, visit)
		default:
			visit(prefix+name, a.Field(i), b.Field(i))
		}
	}
}

// differingSettings names the settings that differ between the configuration in force and another one: those that a
// reload takes over, and those that need a restart. Of arrays of tables it names the settings that differ in tables of
// the same place.
func differingSettings(inForce, other *Config) (reload, restart []string) {
	walkSettings(reflect.ValueOf(inForce).Elem(), reflect.ValueOf(other).Elem(), "", func(key string, a, b reflect.Value) {
		switch {
		case reflect.DeepEqual(a.Interface(), b.Interface()) || a.Kind() == reflect.Slice && a.Len()+b.Len() == 0:
		case needsRestart(key):
			restart = append(restart, key)
		default:
			reload = append(reload, withinTables(key, a, b)...)
		}
	})
	return reload, restart
}

func withinTables(key string, a, b reflect.Value) (keys []string) {
	if a.Kind() != reflect.Slice || a.Type().Elem().Kind() != reflect.Struct || a.Len() != b.Len() {
		return []string{key}
	}
	for i := range a.Len() {
		walkSettings(a.Index(i), b.Index(i), key+".", func(key string, a, b reflect.Value) {
			if !reflect.DeepEqual(a.Interface(), b.Interface()) && !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		})
	}
	return keys
}

// withoutRestart returns a configuration with what needs a restart as it is in force.
func withoutRestart(inForce, other Config) Config {
	walkSettings(reflect.ValueOf(&inForce).Elem(), reflect.ValueOf(&other).Elem(), "", func(key string, a, b reflect.Value) {
		if needsRestart(key) {
			b.Set(a)
		}
	})
	other.Translator.Privacy = other.Privacy
	return other
}
