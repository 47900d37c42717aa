package replica

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"
)

// The statements of askpg's own that are prepared on every connection that
// questions run on.
const (
	ownState     = "askpg.state"
	ownSet       = "askpg.set"
	ownNarrow    = "askpg.narrow"
	ownPath      = "askpg.path"
	ownExport    = "askpg.export"
	ownBegin     = "askpg.begin"
	ownUnchanged = "askpg.unchanged"
)

const (
	// setSQL sets what has not its value already: to set a locale has the C library look it up. The role it always sets.
	setSQL = `select pg_catalog.set_config(n, v, $3::pg_catalog.bool) from rows from (pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.text[])) as s (n, v)
		where n operator(pg_catalog.=) 'role' or coalesce(pg_catalog.current_setting(n, true) operator(pg_catalog.<>) v, true)`
	pathSQL   = `select s from pg_catalog.unnest(pg_catalog.current_schemas(true)) as s`
	exportSQL = `select pg_catalog.pg_export_snapshot()`
)

// ownStatementsSQL reads all prepared statements of a session. It is not prepared
// itself: what could replace a prepared statement could replace that one.
const ownStatementsSQL = `select name, parameter_types, from_sql, statement from pg_catalog.pg_prepared_statement()`

// ownStatements is a step that adds the prepared statements of a session to a list.
func ownStatements(list *[]string) step {
	return step{sql: ownStatementsSQL, row: func(v [][]byte) error {
		*list = append(*list, string(bytes.Join(v, []byte{0})))
		return nil
	}}
}

// prepares are steps that prepare askpg's own statements and take down what
// they look like.
func (s *server) prepares() []step {
	return []step{
		{name: ownState, prepare: true, sql: statusSQL}, {name: ownSet, prepare: true, sql: setSQL},
		{name: ownNarrow, prepare: true, sql: narrowSQL}, {name: ownPath, prepare: true, sql: pathSQL}, {name: ownExport, prepare: true, sql: exportSQL},
		{name: ownUnchanged, prepare: true, sql: unchangedSQL}, {name: ownBegin, prepare: true, sql: beginSQL},
		ownStatements(&s.own),
	}
}

var errForeign = errors.New("the connection's prepared statements are not askpg's own")

// clean ends the transaction of a connection and makes it what it was when it was opened. It
// does what DISCARD ALL does, but keeps the plans and askpg's own prepared statements. These
// have to be the ones that askpg prepared. A statement that got past all walls cannot leave
// another in their place.
func clean(ctx context.Context, conn *pgconn.PgConn, srv *server) error {
	var own []string
	err := run(ctx, conn, step{sql: "ROLLBACK", sync: true},
		step{sql: "SET SESSION AUTHORIZATION DEFAULT"}, step{sql: "RESET ALL"}, step{sql: "CLOSE ALL"}, step{sql: "UNLISTEN *"},
		step{sql: "SELECT pg_catalog.pg_advisory_unlock_all()"}, step{sql: "DISCARD TEMP"}, step{sql: "DISCARD SEQUENCES"},
		step{name: statementName, drop: true},
		ownStatements(&own))
	slices.Sort(own)
	if err == nil && !slices.Equal(own, srv.own) {
		err = errForeign
	}
	return err
}

const beginSQL = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
