package replica

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
)

// step is one statement of askpg's own, sent with others in one round trip.
type step struct {
	sql    string
	params [][]byte                       // text format
	row    func(values [][]byte) error    // called for each row; nil to ignore them
	fail   func(pg *pgconn.PgError) error // explains the server's error; nil to keep it
	stored string                         // name of a prepared statement to run in place of the SQL

	prepare bool   // prepare the SQL in place of running it
	name    string // under this name
	sync    bool   // ends its transaction scope before the next step
}

// run sends the steps in one go (extended protocol, one Sync) and reads their
// results. The first error ends it: the server skips the rest.
func run(ctx context.Context, conn *pgconn.PgConn, steps ...step) (err error) {
	p := conn.StartPipeline(ctx)
	defer func() {
		if cerr := p.Close(); err == nil {
			err = cerr
		}
	}()
	for _, s := range steps {
		switch {
		case s.stored != "":
			p.SendQueryPrepared(s.stored, s.params, nil, nil)
		case s.prepare:
			p.SendPrepare(s.name, s.sql, nil)
		default:
			p.SendQueryParams(s.sql, s.params, nil, nil, nil)
		}
		if s.sync {
			p.SendPipelineSync()
		}
	}
	if err := p.Sync(); err != nil {
		return err
	}
	for i := 0; i < len(steps); i++ {
		s := steps[i]
		res, err := p.GetResults()
		if err == nil {
			switch rr := res.(type) {
			case *pgconn.ResultReader:
				err = read(rr, s.row)
			case *pgconn.StatementDescription:
			default:
				err = fmt.Errorf("pipeline: unexpected %T", res)
			}
		}
		if err != nil {
			var pg *pgconn.PgError
			if s.fail != nil && errors.As(err, &pg) {
				return s.fail(pg)
			}
			return err
		}
		if s.sync {
			if _, err := p.GetResults(); err != nil {
				return err
			}
		}
	}
	return nil
}

func read(rr *pgconn.ResultReader, row func([][]byte) error) error {
	var failed error
	for rr.NextRow() {
		if row != nil && failed == nil {
			failed = row(rr.Values())
		}
	}
	if _, err := rr.Close(); err != nil {
		return err
	}
	return failed
}
