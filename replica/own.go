package replica

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// The statements of askpg's own that are prepared on every connection that
// questions run on.
const (
	ownState  = "askpg.state"
	ownSet    = "askpg.set"
	ownNarrow = "askpg.narrow"
	ownPath   = "askpg.path"
	ownExport = "askpg.export"
	ownBegin  = "askpg.begin"
	ownStill  = "askpg.still"
)

const (
	setSQL    = `select pg_catalog.set_config(($1::pg_catalog.text[])[i], ($2::pg_catalog.text[])[i], $3::pg_catalog.bool) from pg_catalog.generate_subscripts($1::pg_catalog.text[], 1) as i`
	pathSQL   = `select s from pg_catalog.unnest(pg_catalog.current_schemas(true)) as s`
	exportSQL = `select pg_catalog.pg_export_snapshot()`
)

// ownDigestSQL sums up all prepared statements of a session but a question's, whose text it
// returns if it has been prepared by the protocol. It is not prepared
// itself: what could replace a prepared statement could replace that one.
const ownDigestSQL = `select md5(string_agg(concat_ws(' ', name, parameter_types, from_sql, statement), E'\n' order by name) filter (where name <> '` + statementName + `')),
	coalesce(string_agg(case when not from_sql and parameter_types = '{}' then statement end, '') filter (where name = '` + statementName + `'), '') from pg_catalog.pg_prepared_statements`

// prepares are steps that prepare askpg's own statements and take down what
// they look like.
func (s *server) prepares() []step {
	return []step{
		{name: ownState, prepare: true, sql: statusSQL}, {name: ownSet, prepare: true, sql: setSQL},
		{name: ownNarrow, prepare: true, sql: narrowSQL}, {name: ownPath, prepare: true, sql: pathSQL}, {name: ownExport, prepare: true, sql: exportSQL},
		{name: ownStill, prepare: true, sql: stillSQL}, {name: ownBegin, prepare: true, sql: beginSQL},
		{sql: ownDigestSQL, row: func(v [][]byte) error { s.own = string(v[0]); return nil }},
	}
}

var errForeign = errors.New("the connection's prepared statements are not askpg's own")

// clean ends the transaction of a connection and makes it what it was when it
// was opened: what DISCARD ALL does, but for the plans and askpg's own prepared
// statements, which have to be the ones that it prepared. A statement that got past all walls
// cannot leave another in their place. Then the connection puts on what its next
// question is likely to need, if anything, and keeps the statement that was prepared for
// this one if it is what keep says; empty keeps none.
func clean(ctx context.Context, conn *pgconn.PgConn, srv *server, next *dress, keep string) error {
	var own, kept string
	srv.worn, srv.kept = "", ""
	steps := []step{{sql: "ROLLBACK", sync: true},
		{sql: "SET SESSION AUTHORIZATION DEFAULT"}, {sql: "RESET ALL"}, {sql: "CLOSE ALL"}, {sql: "UNLISTEN *"},
		{sql: "SELECT pg_catalog.pg_advisory_unlock_all()"}, {sql: "DISCARD TEMP"}, {sql: "DISCARD SEQUENCES"},
	}
	if next == nil || keep == "" {
		steps, keep = append(steps, step{name: statementName, drop: true}), ""
	}
	steps = append(steps, step{sql: ownDigestSQL, row: func(v [][]byte) error { own, kept = string(v[0]), string(v[1]); return nil }})
	if next != nil {
		steps = append(steps, next.on(false)...)
	}
	err := run(ctx, conn, steps...)
	_, sql, _ := strings.Cut(keep, "\x00")
	if err == nil && (own != srv.own || kept != sql) {
		err = errForeign
	}
	if err == nil && next != nil {
		srv.worn, srv.kept = next.key, keep
	}
	return err
}

const beginSQL = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
