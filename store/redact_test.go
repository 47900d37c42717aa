package store_test

import (
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"askpg/ask"
	"askpg/store"
)

// plainFields are the texts of a record that hold nothing of the question or the data.
var plainFields = []string{
	"action", "application", "candidates.code", "candidates.fate", "candidates.fingerprint", "candidates.model", "candidates.prompt", "client", "code", "database",
	"linked.object", "linked.why", "login", "options", "replica", "reviewer", "role", "schema_version", "settings", "source", "spending.model", "stages.name", "strategy", "won",
}

// TestStore_RedactsEveryField: with store.redact no field of a record has a constant that stood in any text of a question and its
// translation.
func TestStore_RedactsEveryField(t *testing.T) {
	cfg := sqliteConfig(t)
	cfg.Redact = true
	s := open(t, cfg)
	e := store.Entry{Translation: &ask.Translation{}, Err: &ask.Error{}}
	fillTexts(reflect.ValueOf(&e).Elem(), "select 'zebrafish'")
	e.Question.ID, e.Question.Asked, e.Translation.Chosen = ask.NewID(), time.Now(), 0
	text, err := json.Marshal(get(t, s, add(t, s, e)))
	if err != nil {
		t.Fatal(err)
	}
	var record any
	if err := json.Unmarshal(text, &record); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	findText(record, "", "zebrafish", found)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if !slices.Contains(plainFields, name) {
			t.Errorf("%s holds a constant: store/redact.go has to take it out, unless it is nothing of the question or the data. Then name the field in plainFields", name)
		}
	}
	for _, name := range plainFields {
		if !found[name] {
			t.Errorf("%s is named in plainFields, and is not a text of a record that stays as it is", name)
		}
	}
}

// fillTexts sets every text in v, with one element in each list and map. Bytes are a text.
func fillTexts(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		fillTexts(v.Elem(), text)
	case reflect.Struct:
		for _, f := range v.Fields() {
			if f.CanSet() {
				fillTexts(f, text)
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(text))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fillTexts(v.Index(0), text)
	case reflect.Map:
		key, element := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fillTexts(key, "key")
		fillTexts(element, text)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, element)
	case reflect.Interface:
		if v.IsNil() && v.Type().Implements(reflect.TypeFor[error]()) {
			v.Set(reflect.ValueOf(errors.New(text)))
		} else if !v.IsNil() {
			fillTexts(v.Elem(), text)
		}
	}
}

// findText notes the fields of a JSON value that hold a text. Lists and maps of texts count as one field.
func findText(v any, name, text string, found map[string]bool) {
	switch v := v.(type) {
	case string:
		if strings.Contains(v, text) {
			found[strings.TrimSuffix(name, ".key")] = true
		}
	case []any:
		for _, element := range v {
			findText(element, name, text, found)
		}
	case map[string]any:
		for field, value := range v {
			findText(value, strings.TrimPrefix(name+"."+field, "."), text, found)
		}
	}
}
