package eval

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// place is where a database of a set was loaded.
type place struct {
	database string // on the server
	schema   string // that the gold SQL expects in the search path; "" for the usual one
}

// prefix keeps databases of the run apart from others on a server that stays.
func (o *Options) prefix(s *Set) string {
	if o.Server == "" && len(o.Sets) == 1 {
		return ""
	}
	return "eval_" + s.Name + "_"
}

// placeOf returns where the set's database db is.
func (s *Set) placeOf(o *Options, db string) place {
	if o.Warehouse {
		return place{database: "eval_warehouse", schema: s.Name + "_" + db}
	}
	return place{database: o.prefix(s) + db}
}

// places returns the databases on the server, each once.
func (s *Set) places(o *Options) []place {
	var places []place
	for _, db := range s.Databases {
		p := s.placeOf(o, db)
		if len(places) == 0 || places[len(places)-1].database != p.database {
			places = append(places, p)
		}
	}
	return places
}

// createWarehouse loads every database of the set as a schema of one database,
// which it creates if it is missing.
func (s *Set) createWarehouse(ctx context.Context, c *Cluster) error {
	o := &Options{Warehouse: true}
	conn, err := c.connect(ctx, "")
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	name := s.placeOf(o, "").database
	var exists bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", name).Scan(&exists); err != nil {
		return err
	}
	if !exists {
		if _, err := conn.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{name}.Sanitize()+" ENCODING 'UTF8' TEMPLATE template0"); err != nil {
			return err
		}
	}
	for _, db := range s.Databases {
		// A script may set things for its session: each gets a connection of its own.
		conn, err := c.connect(ctx, name)
		if err != nil {
			return err
		}
		err = s.fill(ctx, conn, db)
		conn.Close(context.WithoutCancel(ctx))
		if err != nil {
			return fmt.Errorf("loading database %s: %w", db, err)
		}
		conn, err = c.connect(ctx, name)
		if err != nil {
			return err
		}
		_, err = conn.Exec(ctx, fmt.Sprintf("ALTER SCHEMA public RENAME TO %s; CREATE SCHEMA public", pgx.Identifier{s.placeOf(o, db).schema}.Sanitize()), pgx.QueryExecModeSimpleProtocol)
		conn.Close(context.WithoutCancel(ctx))
		if err != nil {
			return fmt.Errorf("making a schema of database %s: %w", db, err)
		}
	}
	return nil
}
