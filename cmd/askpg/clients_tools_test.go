package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"askpg/internal/pgtest"
)

// TestClients_Tools asks through programs that put something of their own around what a person writes: ORMs, query builders, notebooks'
// libraries, a terminal. Each asks in every form that it can send, with values, in cursors and pages, sees the SQL, and gets an error whole;
// what it gets is compared with what the SQL gives it on the server. One that is not on this machine is skipped.
func TestClients_Tools(t *testing.T) {
	r := start(t, nil)
	direct := fmt.Sprint(pgtest.Shared(t).Primary.Port)
	python := func(name string, modules ...string) [2][]string {
		return [2][]string{{"/usr/bin/python3", "-c", "import " + strings.Join(modules, ", ")}, {"/usr/bin/python3", "testdata/clients/" + name + "_tool.py"}}
	}
	node := func(tool string, modules ...string) [2][]string {
		return [2][]string{{"node", "-e", "require('" + strings.Join(modules, "'); require('") + "')"}, {"node", "testdata/clients/tools.js", tool}}
	}
	jars := "/usr/share/java/" + strings.Join([]string{"postgresql.jar", "hibernate3.jar", "hibernate-commons-annotations.jar", "dom4j.jar", "geronimo-jta-1.2-spec.jar",
		"geronimo-jpa_2.0_spec.jar", "slf4j-api.jar", "slf4j-nop.jar", "commons-collections3.jar", "antlr.jar"}, ":/usr/share/java/")
	for name, tool := range map[string][2][]string{ // what succeeds if it is here, and how it is run
		"SQLAlchemy, pandas": python("sqlalchemy", "sqlalchemy", "psycopg2"),
		"Django":             python("django", "django", "psycopg2"),
		"pg8000":             python("pg8000", "pg8000; assert hasattr(pg8000.Connection, 'handle_NOTICE_RESPONSE')"),
		"Pony, Peewee":       python("orms", "pony.orm", "peewee", "psycopg2"),
		"pgcli":              python("pgcli", "pgcli", "os; assert os.path.exists('/usr/bin/pgcli')"),
		"DBD::Pg":            {{"perl", "-MDBD::Pg", "-e", "1"}, {"perl", "testdata/clients/dbi_tool.pl"}},
		"PDO":                {{"php", "-r", "exit(extension_loaded('pdo_pgsql') && extension_loaded('pgsql') ? 0 : 1);"}, {"php", "testdata/clients/pdo_tool.php"}},
		"Doctrine, Laravel":  {{"php", "-r", "require 'Doctrine/DBAL/autoload.php'; require 'Illuminate/Database/autoload.php';"}, {"php", "testdata/clients/phporm_tool.php"}},
		"Hibernate":          {{"sh", "-c", "ls $(echo " + jars + " | tr : ' ') && command -v javac"}, {"java", "-cp", jars, "testdata/clients/HibernateTool.java"}},
		"LibreOffice Base":   python("base", "uno", "os", "pyodbc; assert 'PostgreSQL Unicode' in pyodbc.drivers() and os.path.exists('/usr/bin/soffice')"),
		"ActiveRecord":       {{"ruby", "-e", "require 'active_record'; require 'pg'"}, {"ruby", "testdata/clients/activerecord_tool.rb"}},
		"Sequel":             {{"ruby", "-e", "require 'sequel'; require 'pg'"}, {"ruby", "testdata/clients/sequel_tool.rb"}},
		"GDAL":               {{"ogr2ogr", "--version"}, {"/usr/bin/python3", "testdata/clients/gdal_tool.py"}},
		"RPostgreSQL":        {{"Rscript", "-e", "library(RPostgreSQL)"}, {"Rscript", "testdata/clients/rpostgresql_tool.R"}},
		"gorm":               {{"go", "-C", "testdata/clients/gorm", "build", "-o", os.DevNull, "."}, {"go", "-C", "testdata/clients/gorm", "run", "."}},
		"sqlc":               {{"go", "-C", "testdata/clients/sqlc", "build", "-o", os.DevNull, "."}, {"go", "-C", "testdata/clients/sqlc", "run", "."}},
		"Sequelize":          node("sequelize", "pg", "sequelize"),
		"knex":               node("knex", "pg", "pg-query-stream", "knex"),
		"pg-promise":         node("pg-promise", "pg", "pg-query-stream", "pg-promise"),
		"slonik":             node("slonik", "pg", "slonik"),
		"Kysely":             node("kysely", "pg", "pg-cursor", "kysely"),
		"Drizzle":            node("drizzle", "pg", "postgres", "drizzle-orm"),
		"Prisma":             node("prisma", "pg", "@prisma/adapter-pg"),
		"Cube":               node("cube", "pg", "@cubejs-backend/postgres-driver"),
		"Evidence":           node("evidence", "pg", "@evidence-dev/postgres"),
		"TypeORM":            node("typeorm", "pg", "pg-query-stream", "typeorm"),
	} {
		t.Run(name, func(t *testing.T) {
			run := func(command []string, args ...string) ([]byte, error) {
				ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
				defer cancel()
				cmd := exec.CommandContext(ctx, command[0], append(command[1:len(command):len(command)], args...)...)
				cmd.Env = append(os.Environ(), "NODE_PATH="+nodePath())
				cmd.WaitDelay = time.Second
				return cmd.CombinedOutput()
			}
			if out, err := run(tool[0]); err != nil {
				t.Skipf("%s is not on this machine: %.300s", name, out)
			}
			out, err := run(tool[1], r.port, direct)
			if err != nil || strings.Contains(string(out), "FAILED") || !strings.Contains(string(out), "ok ") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
