package proxy

import (
	"context"

	"askpg/ask"
)

// Executor runs a chosen query for a client, as the session's role and with
// its settings.
type Executor interface {
	// Open starts a query whose rows come in the given formats, as in Bind.
	// The context ends it.
	Open(ctx context.Context, s ask.Session, sql string, formats []int16) (Rows, error)
	// OpenStatement does so with a client's own statement around chosen SQL.
	OpenStatement(ctx context.Context, s ask.Session, st ask.Statement, formats []int16) (Rows, error)
	// Describe returns the types of such a statement's parameters, some of which the client
	// may have declared, and its columns.
	Describe(ctx context.Context, s ask.Session, sql string, types []uint32) (parameters []uint32, columns []ask.Column, err error)
	// ForPrimary returns chosen SQL as it may run on the primary in the
	// session itself, whatever that session's settings are.
	ForPrimary(ctx context.Context, s ask.Session, sql string) (string, error)
}

// Rows is a result set that is read row by row.
type Rows interface {
	Columns() []ask.Column
	Next() bool
	Values() [][]byte // valid until Next
	Err() error
	Notices() []string
	Replica() ask.Replica // where they are read; its Lag is negative if it is not known
	Close()
}

// fetched makes Rows of rows that are at hand.
type fetched struct {
	result *ask.Result
	next   int
}

func (f *fetched) Columns() []ask.Column { return f.result.Columns }

func (f *fetched) Next() bool {
	f.next++
	return f.next <= len(f.result.Rows)
}

func (f *fetched) Values() [][]byte     { return f.result.Rows[f.next-1] }
func (f *fetched) Err() error           { return nil }
func (f *fetched) Notices() []string    { return f.result.Notices }
func (f *fetched) Replica() ask.Replica { return ask.Replica{} }
func (f *fetched) Close()               { f.result.Release() }
