package proxy

import (
	"errors"
	"testing"

	"github.com/jackc/pgproto3/v2"
)

// The answers to a query of the session's own are believed in exactly one shape.
func TestOwnRow(t *testing.T) {
	const nonce = "n0nce"
	row := func(values ...string) pgproto3.Message {
		var d pgproto3.DataRow
		for _, v := range values {
			d.Values = append(d.Values, []byte(v))
		}
		return &d
	}
	var (
		parsed   = &pgproto3.ParseComplete{}
		bound    = &pgproto3.BindComplete{}
		right    = row(nonce, "boss")
		complete = &pgproto3.CommandComplete{CommandTag: []byte("SELECT 1")}
		closed   = &pgproto3.CloseComplete{}
		ready    = &pgproto3.ReadyForQuery{TxStatus: 'I'}
		failure  = &pgproto3.ErrorResponse{Severity: "ERROR", Code: "42501", Message: "no"}
	)
	type list = []pgproto3.Message
	for name, tt := range map[string]struct {
		answers list
		flushed bool
		want    string // ok, server or forged
	}{
		"right":                        {answers: list{parsed, bound, right, complete, closed, closed, ready}, want: "ok"},
		"right, within a pipeline":     {answers: list{parsed, bound, right, complete, closed, closed}, flushed: true, want: "ok"},
		"error at Parse":               {answers: list{failure, ready}, want: "server"},
		"error at Execute":             {answers: list{parsed, bound, failure, ready}, want: "server"},
		"error at Sync":                {answers: list{parsed, bound, right, complete, closed, closed, failure, ready}, want: "server"},
		"error, within a pipeline":     {answers: list{parsed, failure}, flushed: true, want: "server"},
		"nothing":                      {want: "forged"},
		"no ReadyForQuery":             {answers: list{parsed, bound, right, complete, closed, closed}, want: "forged"},
		"ReadyForQuery not asked for":  {answers: list{parsed, bound, right, complete, closed, closed, ready}, flushed: true, want: "forged"},
		"wrong nonce":                  {answers: list{parsed, bound, row("nonce", "boss"), complete, closed, closed, ready}, want: "forged"},
		"no nonce":                     {answers: list{parsed, bound, row("", "boss"), complete, closed, closed, ready}, want: "forged"},
		"too wide":                     {answers: list{parsed, bound, row(nonce, "boss", "x"), complete, closed, closed, ready}, want: "forged"},
		"too narrow":                   {answers: list{parsed, bound, row(nonce), complete, closed, closed, ready}, want: "forged"},
		"no row":                       {answers: list{parsed, bound, complete, closed, closed, ready}, want: "forged"},
		"two rows":                     {answers: list{parsed, bound, right, right, complete, closed, closed, ready}, want: "forged"},
		"another row before it":        {answers: list{parsed, bound, row("x", "boss"), right, complete, closed, closed, ready}, want: "forged"},
		"out of order":                 {answers: list{bound, parsed, right, complete, closed, closed, ready}, want: "forged"},
		"one Close":                    {answers: list{parsed, bound, right, complete, closed, ready}, want: "forged"},
		"a RowDescription":             {answers: list{parsed, bound, &pgproto3.RowDescription{}, right, complete, closed, closed, ready}, want: "forged"},
		"error, and no ReadyForQuery":  {answers: list{parsed, failure}, want: "forged"},
		"two errors":                   {answers: list{failure, failure, ready}, want: "forged"},
		"the row behind an error":      {answers: list{failure, right, ready}, want: "forged"},
		"an error behind the end":      {answers: list{parsed, bound, right, complete, closed, closed, ready, failure}, want: "forged"},
		"a suspended portal":           {answers: list{parsed, bound, right, &pgproto3.PortalSuspended{}, closed, closed, ready}, want: "forged"},
		"a simple query's answer":      {answers: list{&pgproto3.RowDescription{}, right, complete, ready}, want: "forged"},
		"an empty answer of its shape": {answers: list{parsed, bound, &pgproto3.EmptyQueryResponse{}, closed, closed, ready}, want: "forged"},
	} {
		t.Run(name, func(t *testing.T) {
			values, err := ownRow(encode(nil, tt.answers...), nonce, 2, !tt.flushed)
			var se *serverError
			got := "forged"
			switch {
			case err == nil:
				got = "ok"
			case errors.As(err, &se):
				got = "server"
			}
			if got != tt.want {
				t.Fatalf("%s (%v), want %s", got, err, tt.want)
			}
			if err == nil && (len(values) != 2 || string(values[1]) != "boss") {
				t.Fatalf("%q", values)
			}
		})
	}
	whole := encode(nil, parsed, bound, right, complete, closed, closed, ready)
	for n := range len(whole) {
		if _, err := ownRow(whole[:n], nonce, 2, true); err == nil {
			t.Fatalf("%d of %d bytes are believed", n, len(whole))
		}
	}
}
