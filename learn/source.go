package learn

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"

	"askpg/catalog/guarded"
)

// Limits of what is read.
const (
	maxFile       = 64 << 20 // bytes
	maxStatements = 10000    // of pg_stat_statements, those called most
	readTime      = 30 * time.Second
)

// ReadSQL reads statements of a file of SQL. A comment before a statement may
// say how often it ran, who ran it and where it is from, as
//
//	-- calls: 1520; by: bi_reader; source: dashboard "Finance"
//
// Without it a statement counts as one call, from the file's name.
func ReadSQL(in io.Reader, name string) ([]*Statement, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("%s has more than %d MB; split it", name, maxFile>>20)
	}
	sql := string(data)
	scan, err := ask.Scan(sql)
	if err != nil {
		return nil, fmt.Errorf("%s is no file of SQL: %w", name, err)
	}
	var out []*Statement
	next := Statement{Calls: 1, Source: name, From: name}
	start := int32(-1)
	end := func(at int32) {
		if start >= 0 {
			s := next
			s.SQL = sql[start:at]
			out = append(out, &s)
		}
		next, start = Statement{Calls: 1, Source: name, From: name}, -1
	}
	for _, t := range scan.Tokens {
		switch {
		case t.Token == pg_query.Token_SQL_COMMENT || t.Token == pg_query.Token_C_COMMENT:
			if start < 0 {
				next.annotate(sql[t.Start:t.End])
			}
		case t.Token == pg_query.Token_ASCII_59:
			end(t.Start)
		case start < 0:
			start = t.Start
		}
	}
	end(int32(len(sql)))
	return out, nil
}

// annotate reads a comment before a statement.
func (s *Statement) annotate(comment string) {
	for part := range strings.SplitSeq(strings.TrimSuffix(strings.TrimLeft(comment, "-/* "), "*/"), ";") {
		key, value, ok := strings.Cut(part, ":")
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "calls":
			if n, err := strconv.ParseInt(value, 10, 64); ok && err == nil && n > 0 {
				s.Calls = n
			}
		case "by":
			s.By = value
		case "source":
			s.Source = value
		}
	}
}

const sqlStatements = `
select s.query, sum(s.calls)::int8, coalesce(r.rolname::text, '')
from %s.pg_stat_statements s left join pg_roles r on r.oid = s.userid
where s.dbid = (select d.oid from pg_database d where d.datname = current_database())
  and s.query <> '<insufficient privilege>'
group by 1, 3 order by 2 desc, 1 limit $1`

// ReadStatistics reads pg_stat_statements, as far as the transaction's role
// may. Its texts have parameters in place of constants, so that they tell of
// joins, dates and NULLs, and of no values.
func ReadStatistics(ctx context.Context, tx pgx.Tx) ([]*Statement, error) {
	return guarded.Statistics(ctx, tx, readTime, sqlStatements, []any{maxStatements}, func(row pgx.CollectableRow) (*Statement, error) {
		s := &Statement{Source: "pg_stat_statements", From: "pg_stat_statements"}
		return s, row.Scan(&s.SQL, &s.Calls, &s.By)
	})
}
