package ask

import (
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Statement is a statement of a client's own in which chosen SQL stands in the
// place of ask('…'), with what the client binds to it.
type Statement struct {
	SQL     string
	Types   []uint32 // of its parameters, as in Parse: 0 where the server is to find out
	Values  [][]byte // of its parameters, nil for NULL, in the client's encoding
	Formats []int16  // of the values, as in Bind
}

// Reading is a statement that only reads.
type Reading struct {
	// Names are the relations that it names without a schema, WITH queries
	// among them: a temporary table may be meant.
	Names []string
	// Temporary is a relation that it names with a schema of temporary ones; empty if
	// there is none.
	Temporary string
}

// ReadStatement reads what a text is. ok is false unless it is one SELECT,
// VALUES or TABLE that neither writes, nor locks, nor makes a table.
func ReadStatement(sql string) (r Reading, ok bool) {
	tree, err := Parse(sql)
	if err != nil || len(tree.Stmts) != 1 || tree.Stmts[0].Stmt.GetSelectStmt() == nil {
		return r, false
	}
	ok = true
	Walk(tree.ProtoReflect(), func(m protoreflect.Message) {
		switch n := m.Interface().(type) {
		case *pg_query.IntoClause, *pg_query.LockingClause, *pg_query.InsertStmt, *pg_query.UpdateStmt, *pg_query.DeleteStmt, *pg_query.MergeStmt:
			ok = false
		case *pg_query.RangeVar:
			switch {
			case n.Schemaname == "":
				r.Names = append(r.Names, n.Relname)
			case strings.HasPrefix(n.Schemaname, "pg_temp"):
				r.Temporary = n.Schemaname + "." + n.Relname
			}
		}
	})
	return r, ok
}
