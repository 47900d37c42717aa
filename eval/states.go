package eval

import (
	"context"
	"fmt"
)

// A state is a database with the same schema and other rows: a wrong query
// that happens to give the right rows on one of them gives itself away on
// another (Zhong et al. 2020, "Semantic evaluation for text-to-SQL with
// distilled test suites"). Here the states are random subsets of the rows.

// stateName returns the name of a database's i-th state; the 0th is itself.
func stateName(db string, i int) string {
	if i == 0 {
		return db
	}
	return fmt.Sprintf("%s_state%d", db, i)
}

// makeState creates the i-th state of a database: a copy from which about a
// third of each table's rows are taken, always the same ones. Foreign keys may
// end up pointing nowhere, as they do in the data of the question sets.
func (c *Cluster) makeState(ctx context.Context, db string, i int) error {
	name := stateName(db, i)
	if err := c.exec(ctx, "", fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s", quoted(name), quoted(db))); err != nil {
		return err
	}
	return c.exec(ctx, name, fmt.Sprintf(`DO $$
DECLARE t text;
BEGIN
	SET LOCAL session_replication_role = replica;
	FOR t IN SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE c.relkind = 'r' AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\_%%' LOOP
		EXECUTE format('DELETE FROM %%s AS r WHERE hashtext(r::text || %[1]d) %%%% 3 = 0', t);
	END LOOP;
END $$`, i))
}
