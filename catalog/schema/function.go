package schema

// Function is one that users made and that a query of the role may call. What
// is built in is PostgreSQL's, and members of extensions are the extension's
// business.
type Function struct {
	Name
	OID       uint32
	Kind      byte   // as pg_proc.prokind: f, or a for an aggregate, w for a window function
	Arguments string // as a declaration has them: "customer integer, since date DEFAULT now()"
	Result    string // "numeric", "SETOF orders", "TABLE(month date, total numeric)"
	Volatile  byte   // as pg_proc.provolatile: i, s or v
	Definer   bool   // it runs with its owner's rights
	Comment   string
}
