package replica

import (
	"context"
)

const columnsSQL = `select 1 from pg_attribute where attrelid = any ($1::oid[]) and attname = $2 and attnum > 0 and not attisdropped`

func (l *lookup) HaveColumn(ctx context.Context, oids []uint32, name string) (bool, error) {
	n := 0
	err := l.pool.service(ctx, step{sql: columnsSQL, params: [][]byte{oidArray(oids), []byte(name)}, row: func([][]byte) error { n++; return nil }})
	return n == len(oids), err
}
