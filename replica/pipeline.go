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

	// open is where the reader of the rows is put, in place of reading them: of the last step, whose rows have these formats.
	open    **pgconn.ResultReader
	formats []int16

	prepare   bool                          // prepare the SQL in place of running it
	types     []uint32                      // of its parameters; nil to have the server find out
	described **pgconn.StatementDescription // where what was prepared is put; may be nil
	name      string                        // under this name
	drop      bool                          // drop the prepared statement of the name, if there is one
	sync      bool                          // ends its transaction scope before the next step
}

// run sends the steps in one go (extended protocol, one Sync) and reads their
// results. The first error ends it: the server skips the rest.
func run(ctx context.Context, conn *pgconn.PgConn, steps ...step) (err error) {
	p := conn.StartPipeline(ctx)
	err = exchange(p, steps)
	if cerr := p.Close(); err == nil {
		err = cerr
	}
	return err
}

func exchange(p *pgconn.Pipeline, steps []step) error {
	for _, s := range steps {
		s.send(p)
	}
	if err := p.Sync(); err != nil {
		return err
	}
	for _, s := range steps {
		if err := s.take(p); err != nil {
			return err
		}
	}
	return nil
}

// send adds the step to what goes out with the pipeline's next Sync.
func (s *step) send(p *pgconn.Pipeline) {
	switch {
	case s.stored != "":
		p.SendQueryPrepared(s.stored, s.params, nil, s.formats)
	case s.prepare:
		p.SendPrepare(s.name, s.sql, s.types)
	case s.drop:
		p.SendDeallocate(s.name)
	default:
		p.SendQueryParams(s.sql, s.params, nil, nil, nil)
	}
	if s.sync {
		p.SendPipelineSync()
	}
}

// take reads what the server says to the step.
func (s *step) take(p *pgconn.Pipeline) error {
	res, err := p.GetResults()
	if err == nil {
		switch rr := res.(type) {
		case *pgconn.ResultReader:
			if s.open != nil {
				*s.open = rr
			} else {
				err = read(rr, s.row)
			}
		case *pgconn.StatementDescription:
			if s.described != nil {
				*s.described = rr
			}
		case *pgconn.CloseComplete:
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
		_, err = p.GetResults()
	}
	return err
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
