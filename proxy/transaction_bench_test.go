package proxy

import (
	"testing"

	"github.com/jackc/pgproto3/v2"
)

// BenchmarkTransaction follows a transaction of pgbench -S through the core in both directions, without sockets.
func BenchmarkTransaction(b *testing.B) {
	const text = "SELECT abalance FROM pgbench_accounts WHERE aid = 534213;"
	parse, bind, describe, execute, sync := &pgproto3.Parse{Query: text}, &pgproto3.Bind{}, &pgproto3.Describe{ObjectType: 'P'}, &pgproto3.Execute{}, &pgproto3.Sync{}
	row := []pgproto3.Message{
		&pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{{Name: []byte("abalance"), DataTypeOID: 23, DataTypeSize: 4, TypeModifier: -1}}},
		&pgproto3.DataRow{Values: [][]byte{[]byte("0")}}, &pgproto3.CommandComplete{CommandTag: []byte("SELECT 1")}, &pgproto3.ReadyForQuery{TxStatus: 'I'},
	}
	for _, tt := range []struct {
		name             string
		requests, answer []pgproto3.Message
	}{
		{"simple", []pgproto3.Message{&pgproto3.Query{String: text}}, row},
		{"extended", []pgproto3.Message{parse, bind, describe, execute, sync}, append([]pgproto3.Message{&pgproto3.ParseComplete{}, &pgproto3.BindComplete{}}, row...)},
		{"prepared", []pgproto3.Message{bind, describe, execute, sync}, append([]pgproto3.Message{&pgproto3.BindComplete{}}, row...)},
	} {
		b.Run(tt.name, func(b *testing.B) {
			s := benchSession()
			if _, err := s.fromServer(encode(nil, &pgproto3.CommandComplete{CommandTag: []byte("SELECT 0")})); err != nil {
				b.Fatal(err)
			}
			requests, answer := encode(nil, tt.requests...), encode(nil, tt.answer...)
			b.ReportAllocs()
			for b.Loop() {
				if step, ok := s.fromClient(requests); !ok || step.Forward != len(requests) {
					b.Fatal(step, ok)
				}
				if out, err := s.fromServer(answer); err != nil || len(out) != len(answer) {
					b.Fatal(len(out), err)
				}
			}
		})
	}
}
