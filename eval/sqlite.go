package eval

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	_ "github.com/mattn/go-sqlite3" // the form in which BIRD and Spider publish their databases
)

// sqliteFile returns the path of a database in the folders that BIRD and
// Spider keep them in, "" if it is in none.
func (s *Set) sqliteFile(db string) string {
	for _, folder := range []string{"database", "dev_databases", "test_database", "databases", "."} {
		for _, extension := range []string{".sqlite", ".sqlite3", ".db"} {
			path := filepath.Join(s.Dir, folder, db, db+extension)
			if matches, _ := filepath.Glob(path); len(matches) > 0 {
				return path
			}
		}
	}
	return ""
}

// copySQLite copies the tables of a SQLite file, with their primary and
// foreign keys where the data keep to them. SQLite's types bind nothing: a
// column gets the type that it is declared with if all its values are of it,
// else text.
func copySQLite(ctx context.Context, conn *pgx.Conn, path string) error {
	db, err := sql.Open("sqlite3", "file:"+path+"?mode=ro&immutable=1")
	if err != nil {
		return err
	}
	defer db.Close()
	names, err := query(ctx, db, "SELECT name FROM sqlite_master WHERE type = ? AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name", "table", one)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := copyTable(ctx, conn, db, name); err != nil {
			return fmt.Errorf("table %s: %w", name, err)
		}
	}
	// Foreign keys refer to primary keys, whichever table comes first.
	for _, add := range []func(context.Context, *pgx.Conn, *sql.DB, string) error{addPrimaryKey, addForeignKeys} {
		for _, name := range names {
			if err := add(ctx, conn, db, name); err != nil {
				return fmt.Errorf("keys of table %s: %w", name, err)
			}
		}
	}
	return nil
}

// query returns the rows of a query, each read into what targets returns.
func query[T any](ctx context.Context, db *sql.DB, query, table string, targets func(*T) []any) ([]T, error) {
	rows, err := db.QueryContext(ctx, query, table)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []T
	for rows.Next() {
		var t T
		if err := rows.Scan(targets(&t)...); err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, rows.Err()
}

func one(s *string) []any { return []any{s} }

// sqliteColumn is a column of a table; kind is PostgreSQL's type.
type sqliteColumn struct{ name, declared, kind string }

func copyTable(ctx context.Context, conn *pgx.Conn, db *sql.DB, table string) error {
	columns, err := query(ctx, db, "SELECT name, type FROM pragma_table_info(?) ORDER BY cid", table, func(c *sqliteColumn) []any { return []any{&c.name, &c.declared} })
	if err != nil {
		return err
	}
	var definitions, selected, names []string
	for i := range columns {
		c := &columns[i]
		if c.kind, err = kindOf(ctx, db, table, c); err != nil {
			return err
		}
		definitions = append(definitions, folded(c.name)+" "+c.kind)
		names = append(names, folded(c.name))
		selected = append(selected, "CAST("+quoted(c.name)+" AS TEXT)")
	}
	if _, err := conn.Exec(ctx, fmt.Sprintf("CREATE TABLE %s (%s)", folded(table), strings.Join(definitions, ", "))); err != nil {
		return err
	}
	rows, err := db.QueryContext(ctx, fmt.Sprintf("SELECT %s FROM %s", strings.Join(selected, ", "), quoted(table)))
	if err != nil {
		return err
	}
	defer rows.Close()
	source := &copySource{rows: rows, columns: columns}
	_, err = conn.PgConn().CopyFrom(ctx, source, fmt.Sprintf("COPY %s (%s) FROM STDIN", folded(table), strings.Join(names, ", ")))
	return err
}

// kindOf returns the type for a column, from its declaration and its values.
func kindOf(ctx context.Context, db *sql.DB, table string, c *sqliteColumn) (string, error) {
	var integers, reals, others, notDates, notTimes int
	name := quoted(c.name)
	err := db.QueryRowContext(ctx, fmt.Sprintf(`SELECT count(*) FILTER (WHERE typeof(%[1]s) = 'integer'), count(*) FILTER (WHERE typeof(%[1]s) = 'real'),
		count(*) FILTER (WHERE typeof(%[1]s) IN ('text', 'blob')),
		count(*) FILTER (WHERE %[1]s IS NOT NULL AND (typeof(%[1]s) <> 'text' OR %[1]s NOT GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]')),
		count(*) FILTER (WHERE %[1]s IS NOT NULL AND (typeof(%[1]s) <> 'text' OR %[1]s NOT GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9] [0-2][0-9]:[0-5][0-9]:[0-5][0-9]*'))
		FROM %[2]s`, name, quoted(table))).Scan(&integers, &reals, &others, &notDates, &notTimes)
	if err != nil {
		return "", err
	}
	declared := strings.ToUpper(c.declared)
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(declared, w) })
	}
	switch {
	case has("DATE", "TIME") && integers+reals == 0 && others > 0 && notDates == 0:
		return "date", nil
	case has("DATE", "TIME") && integers+reals == 0 && others > 0 && notTimes == 0:
		return "timestamp", nil
	case others > 0:
		return "text", nil
	case reals > 0:
		return "double precision", nil
	case integers > 0 && has("REAL", "FLOA", "DOUB"):
		return "double precision", nil
	case integers > 0 && has("DEC", "NUMERIC"):
		return "numeric", nil
	case integers > 0 && !has("CHAR", "TEXT", "CLOB"):
		return "bigint", nil
	case integers == 0 && has("INT"):
		return "bigint", nil
	}
	return "text", nil
}

// copySource writes rows in COPY's text format.
type copySource struct {
	rows    *sql.Rows
	columns []sqliteColumn
	rest    []byte
}

// Read implements io.Reader.
func (s *copySource) Read(p []byte) (int, error) {
	for len(s.rest) == 0 {
		if !s.rows.Next() {
			return 0, cmp.Or(s.rows.Err(), io.EOF)
		}
		values := make([]sql.NullString, len(s.columns))
		targets := make([]any, len(values))
		for i := range values {
			targets[i] = &values[i]
		}
		if err := s.rows.Scan(targets...); err != nil {
			return 0, err
		}
		for i, v := range values {
			if i > 0 {
				s.rest = append(s.rest, '\t')
			}
			if !v.Valid {
				s.rest = append(s.rest, `\N`...)
				continue
			}
			s.rest = append(s.rest, copyEscaper.Replace(validText(v.String))...)
		}
		s.rest = append(s.rest, '\n')
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

var copyEscaper = strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`, "\x00", "")

// validText makes UTF-8 of text that is not: Latin-1 is what it then is.
func validText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}

// addPrimaryKey adds a table's primary key. One that the data or the types do
// not allow is left out, as SQLite may never have looked at it.
func addPrimaryKey(ctx context.Context, conn *pgx.Conn, db *sql.DB, table string) error {
	names, err := query(ctx, db, "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", table, one)
	if err != nil {
		return err
	}
	if len(names) > 0 {
		_, _ = conn.Exec(ctx, fmt.Sprintf("ALTER TABLE %s ADD PRIMARY KEY (%s)", folded(table), foldedList(names)))
	}
	return nil
}

// addForeignKeys adds a table's foreign keys, those that the data keep to.
func addForeignKeys(ctx context.Context, conn *pgx.Conn, db *sql.DB, table string) error {
	type reference struct{ table, from, to string } // from and to are lists of names in JSON
	references, err := query(ctx, db, `SELECT "table", json_group_array("from"), json_group_array("to") FILTER (WHERE "to" <> '')
		FROM (SELECT * FROM pragma_foreign_key_list(?) ORDER BY id, seq) GROUP BY id, "table"`, table, func(r *reference) []any { return []any{&r.table, &r.from, &r.to} })
	if err != nil {
		return err
	}
	for _, r := range references {
		var from, to []string
		if err := errors.Join(json.Unmarshal([]byte(r.from), &from), json.Unmarshal([]byte(r.to), &to)); err != nil {
			return err
		}
		key := ""
		if len(to) > 0 {
			key = "(" + foldedList(to) + ")"
		}
		_, _ = conn.Exec(ctx, fmt.Sprintf("ALTER TABLE %s ADD FOREIGN KEY (%s) REFERENCES %s %s", folded(table), foldedList(from), folded(r.table), key))
	}
	return nil
}

// folded writes a name as PostgreSQL folds it where it can stand unquoted, for
// that is how the golds write it.
func folded(name string) string {
	for _, r := range name {
		if !(r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return quoted(name)
		}
	}
	return quoted(strings.ToLower(name))
}

// foldedList writes names with commas between them.
func foldedList(names []string) string {
	var list []string
	for _, name := range names {
		list = append(list, folded(name))
	}
	return strings.Join(list, ", ")
}

func quoted(name string) string { return pgx.Identifier{name}.Sanitize() }
