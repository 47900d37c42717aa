package wire_test

import (
	"testing"

	"askpg/wire"
)

// BenchmarkOrder follows a prepared statement's execution, in both directions.
func BenchmarkOrder(b *testing.B) {
	var answers [][]byte
	answers = append(answers, message('2', ""), message('T', "x"), message('D', "x"), message('D', "x"), message('C', "SELECT 2\x00"), message('Z', "I"))
	var o wire.Order
	o.Reset()
	_ = o.Backend(message('Z', "I"))
	b.ReportAllocs()
	for b.Loop() {
		for _, typ := range []byte("BDES") {
			o.Frontend(typ)
		}
		for _, m := range answers {
			o.AnswersInjected(m[0])
			_ = o.Backend(m)
		}
	}
	if !o.Answered() {
		b.Fatal(o.Len())
	}
}
