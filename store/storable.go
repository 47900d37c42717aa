package store

import (
	"math"
	"reflect"
	"strings"
)

// makeStorable makes everything in r storable.
func makeStorable(r *Record) {
	r.Application, r.Database, r.Role = short(r.Application), short(r.Database), short(r.Role)
	makeTextsStorable(reflect.ValueOf(r))
}

// short cuts a name that an index has to take. PostgreSQL's own are shorter.
func short(name string) string {
	if len(name) <= 200 {
		return name
	}
	return strings.ToValidUTF8(name[:200], "") // which a server with UTF8 would not take otherwise
}

// makeTextsStorable makes the texts and numbers in v storable. Lists and maps become v's own: they may be the question's, which is
// not the record's to change.
func makeTextsStorable(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(storable(v.String()))
	case reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			v.SetFloat(0)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			makeTextsStorable(v.Elem())
		}
	case reflect.Struct:
		for _, f := range v.Fields() {
			if f.CanSet() {
				makeTextsStorable(f)
			}
		}
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(own, v)
		for i := range own.Len() {
			makeTextsStorable(own.Index(i))
		}
		v.Set(own)
	case reflect.Map: // of texts to texts
		if v.IsNil() {
			return
		}
		own := reflect.MakeMap(v.Type())
		for key, value := range v.Seq2() {
			own.SetMapIndex(reflect.ValueOf(storable(key.String())), reflect.ValueOf(storable(value.String())))
		}
		v.Set(own)
	}
}
