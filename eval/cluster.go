package eval

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/internal/pgserver"
)

// The roles that a run makes on its servers.
const (
	askerRole   = "askpg_eval_asker" // asks the questions; may read everything in the databases
	serviceRole = "askpg_eval"       // the service login: NOINHERIT, a member of askerRole
)

// Cluster is the servers that hold the databases of a run.
type Cluster struct {
	Primary string // URL of a superuser, database postgres
	Replica string // the same on the standby, or on the primary if there is none
	Standby bool   // Replica is a standby
	stop    func() error
}

// ServiceURL returns the URL by which the service login reaches the replica.
func (c *Cluster) ServiceURL() (string, error) {
	u, err := url.Parse(c.Replica)
	if err != nil {
		return "", err
	}
	u.User, u.Path = url.User(serviceRole), "/"
	return u.String(), nil
}

// startCluster starts a primary and a standby of the run's own, or takes the
// running ones that the URLs name.
func startCluster(ctx context.Context, primary, replica string, log func(string)) (*Cluster, error) {
	if primary != "" {
		return &Cluster{Primary: primary, Replica: cmp.Or(replica, primary), Standby: replica != "", stop: func() error { return nil }}, nil
	}
	cluster, err := pgserver.Start(ctx, pgserver.Options{Log: log, Settings: map[string]string{
		// Statistics come when the run asks for them, not when a worker wakes up:
		// plans, and with them the order of tied rows, stay the same.
		"autovacuum": "off", "jit": "off",
	}})
	if err != nil {
		return nil, err
	}
	return &Cluster{
		Primary: cluster.Primary.URL(pgserver.Superuser, "postgres"),
		Replica: cluster.Standby.URL(pgserver.Superuser, "postgres"),
		Standby: true, stop: cluster.Close,
	}, nil
}

// on calls f with a superuser's connection to a database on the primary, "" for that of the URL.
func (c *Cluster) on(ctx context.Context, db string, f func(*pgx.Conn) error) error {
	config, err := pgx.ParseConfig(c.Primary)
	if err != nil {
		return err
	}
	config.Database = cmp.Or(db, config.Database)
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return f(conn)
}

// exec runs a statement, or several, in a database on the primary.
func (c *Cluster) exec(ctx context.Context, db, sql string) error {
	return c.on(ctx, db, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, sql, pgx.QueryExecModeSimpleProtocol)
		return err
	})
}

// load creates the roles and every database of the set.
func (c *Cluster) load(ctx context.Context, s *Set, o *Options, log func(string)) error {
	for _, statement := range []string{
		"CREATE ROLE " + askerRole + " LOGIN",
		"CREATE ROLE " + serviceRole + " LOGIN NOINHERIT",
		"GRANT " + askerRole + " TO " + serviceRole,
		"ALTER ROLE " + serviceRole + " SET log_min_messages = 'fatal'", // as askpg check --print-setup has it
	} {
		if err := c.exec(ctx, "", statement); err != nil && !strings.Contains(err.Error(), "already exists") {
			return err
		}
	}
	log("loading " + s.Name)
	if err := c.create(ctx, s, o); err != nil {
		return err
	}
	granted := map[string]bool{"": true}
	for _, q := range s.Questions {
		if !granted[q.Role] {
			granted[q.Role] = true
			if err := c.exec(ctx, "", "GRANT "+quoted(q.Role)+" TO "+serviceRole); err != nil {
				return fmt.Errorf("role of question %s: %w", q.ID, err)
			}
		}
	}
	for _, db := range s.places(o) {
		if err := c.finish(ctx, db.database, len(o.Strategies) > 0); err != nil {
			return fmt.Errorf("database %s: %w", db.database, err)
		}
		for i := 1; i <= o.States; i++ {
			if err := c.makeState(ctx, db.database, i); err != nil {
				return fmt.Errorf("state %d of database %s: %w", i, db.database, err)
			}
		}
	}
	return nil
}

// finish lets the asker read everything in a database. Statistics are
// collected only where somebody plans by them.
func (c *Cluster) finish(ctx context.Context, db string, analyze bool) error {
	err := c.exec(ctx, db, `DO $$
DECLARE s text;
BEGIN
	FOR s IN SELECT quote_ident(nspname) FROM pg_namespace WHERE nspname <> 'information_schema' AND nspname NOT LIKE 'pg\_%' LOOP
		EXECUTE 'GRANT USAGE ON SCHEMA ' || s || ' TO `+askerRole+`';
		EXECUTE 'GRANT SELECT ON ALL TABLES IN SCHEMA ' || s || ' TO `+askerRole+`';
	END LOOP;
END $$`)
	if err == nil && analyze {
		err = c.exec(ctx, db, "ANALYZE")
	}
	return err
}

// catchUp waits until the standby has replayed everything.
func (c *Cluster) catchUp(ctx context.Context) error {
	if !c.Standby {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	return pgserver.CatchUp(ctx, c.Primary, c.Replica)
}

// drop removes the databases that the run made on a server that stays.
func (c *Cluster) drop(ctx context.Context, s *Set, o *Options) error {
	for _, db := range s.places(o) {
		for i := 0; i <= o.States; i++ {
			if err := c.exec(ctx, "", "DROP DATABASE IF EXISTS "+quoted(stateName(db.database, i))); err != nil {
				return err
			}
		}
	}
	return nil
}
