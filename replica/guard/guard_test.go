package guard_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"askpg/ask"
	"askpg/replica/guard"
)

// world is a small database by hand: the guard's own logic, without a server.
type world struct {
	functions []guard.Function
	operators []guard.Operator
	types     []guard.Type
	relations []guard.Relation
	casts     []guard.Cast
	path      []string
	strange   map[guard.Mention]bool // names behind which somebody is who is not trusted
	strangers map[guard.Object]bool
	columns   map[uint32][]string // of relations
}

func (w *world) HaveColumn(_ context.Context, oids []uint32, name string) (bool, error) {
	return !slices.ContainsFunc(oids, func(oid uint32) bool { return !slices.Contains(w.columns[oid], name) }), nil
}

func (w *world) in(schema, of string) bool {
	return schema == of || schema == "" && slices.Contains(w.path, of)
}

func (w *world) Functions(schema, name string) (list []*guard.Function) {
	for _, s := range append([]string{schema}, w.path...) {
		for i, f := range w.functions {
			if f.Name == name && f.Schema == s && w.in(schema, s) {
				list = append(list, &w.functions[i])
			}
		}
	}
	return list
}

func (w *world) Operators(schema, name string) (list []*guard.Operator) {
	for i, o := range w.operators {
		if o.Name == name && w.in(schema, o.Schema) {
			list = append(list, &w.operators[i])
		}
	}
	return list
}

func (w *world) Types(schema, name string) (list []*guard.Type) {
	for i, t := range w.types {
		if t.Name == name && w.in(schema, t.Schema) {
			list = append(list, &w.types[i])
		}
	}
	return list
}

func (w *world) Relations(_ context.Context, names []guard.Name) ([]guard.Relation, error) {
	list := make([]guard.Relation, len(names))
	for i, n := range names {
		for _, r := range w.relations {
			if r.Name == n.Name && w.in(n.Schema, r.Schema) {
				list[i] = r
			}
		}
	}
	return list, nil
}

func (w *world) RelationsOf(_ context.Context, oids []uint32) (list []guard.Relation, err error) {
	for _, r := range w.relations {
		if slices.Contains(oids, r.OID) {
			list = append(list, r)
		}
	}
	return list, nil
}

func (w *world) FunctionOf(oid uint32) *guard.Function {
	for i, f := range w.functions {
		if f.OID == oid {
			return &w.functions[i]
		}
	}
	return nil
}

func (w *world) OperatorOf(oid uint32) *guard.Operator {
	for i, o := range w.operators {
		if o.OID == oid {
			return &w.operators[i]
		}
	}
	return nil
}

func (w *world) TypeOf(oid uint32) *guard.Type {
	for i, t := range w.types {
		if t.OID == oid {
			return &w.types[i]
		}
	}
	return nil
}

func (w *world) CastsOf(oid uint32) (list []guard.Cast) {
	for _, c := range w.casts {
		if c.Source == oid || c.Target == oid {
			list = append(list, c)
		}
	}
	return list
}

func newWorld() *world {
	return &world{
		path: []string{"pg_catalog", "public", "evil"},
		functions: []guard.Function{
			{OID: 1, Schema: "pg_catalog", Name: "lower", ArgTypes: "25", MinArgs: 1, MaxArgs: 1, Volatile: 'i'},
			{OID: 2, Schema: "pg_catalog", Name: "count", ArgTypes: "", MinArgs: 0, MaxArgs: 0, Volatile: 'i'},
			{OID: 3, Schema: "pg_catalog", Name: "pg_sleep", ArgTypes: "701", MinArgs: 1, MaxArgs: 1, Volatile: 'v'},
			{OID: 4, Schema: "pg_catalog", Name: "random", Volatile: 'v'},
			{OID: 5, Schema: "pg_catalog", Name: "brand_new", Volatile: 'v'},
			{OID: 6, Schema: "pg_catalog", Name: "int4pl", ArgTypes: "23 23", MinArgs: 2, MaxArgs: 2, Volatile: 'i'},
			{OID: 7, Schema: "pg_catalog", Name: "texteq", ArgTypes: "25 25", MinArgs: 2, MaxArgs: 2, Volatile: 'i'},
			{OID: 10, Schema: "pg_catalog", Name: "record_in", ArgTypes: "2275 26 23", MinArgs: 3, MaxArgs: 3, Volatile: 's'},
			{OID: 20001, Schema: "public", Name: "tax", ArgTypes: "1700", MinArgs: 1, MaxArgs: 1, Volatile: 'i'},
			{OID: 20002, Schema: "public", Name: "lower", ArgTypes: "23", MinArgs: 1, MaxArgs: 1, Volatile: 'i'},
			{OID: 20003, Schema: "public", Name: "lower", ArgTypes: "25", MinArgs: 1, MaxArgs: 1, Volatile: 'v'},
			{OID: 20004, Schema: "public", Name: "peek", ArgTypes: "25", MinArgs: 1, MaxArgs: 1, Volatile: 's', Definer: true},
			{OID: 20005, Schema: "public", Name: "similarity", ArgTypes: "25 25", MinArgs: 2, MaxArgs: 2, Volatile: 'i', Extension: "pg_trgm", Superuser: true, Trusted: true},
			{OID: 20006, Schema: "public", Name: "smuggled", ArgTypes: "25", MinArgs: 1, MaxArgs: 1, Volatile: 'i', Extension: "pg_trgm"},
			{OID: 20012, Schema: "public", Name: "pasted", ArgTypes: "25", MinArgs: 1, MaxArgs: 1, Volatile: 's', Extension: "cube", Superuser: true, Trusted: true, Procedural: true},
			{OID: 20013, Schema: "public", Name: "st_estimatedextent", ArgTypes: "25 25", MinArgs: 2, MaxArgs: 2, Volatile: 's', Extension: "postgis", Superuser: true, Trusted: true},
			{OID: 20014, Schema: "public", Name: "standardize_address", ArgTypes: "25", MinArgs: 1, MaxArgs: 1, Volatile: 'i', Extension: "address_standardizer", Superuser: true, Trusted: true},
			{OID: 20015, Schema: "public", Name: "isn_weak", ArgTypes: "16", MinArgs: 1, MaxArgs: 1, Volatile: 'i', Extension: "isn", Superuser: true, Trusted: true},
			{OID: 20007, Schema: "public", Name: "owner_fn", ArgTypes: "25", MinArgs: 1, MaxArgs: 1, Volatile: 's', Trusted: true},
			{OID: 20008, Schema: "pg_catalog", Name: "installed", Volatile: 'i'},
			{OID: 8, Schema: "pg_catalog", Name: "shadowed", ArgTypes: "1009", MinArgs: 1, MaxArgs: 1, Volatile: 'i'},
			{OID: 20010, Schema: "evil", Name: "shadowed", ArgTypes: "1009", MinArgs: 0, MaxArgs: -1, Volatile: 'i'},
			{OID: 9, Schema: "pg_catalog", Name: "same", ArgTypes: "25", MinArgs: 1, MaxArgs: 1, Volatile: 'i'},
			{OID: 20011, Schema: "evil", Name: "same", ArgTypes: "25", MinArgs: 1, MaxArgs: 1, Volatile: 'i'},
			{OID: 20009, Schema: "public", Name: "lower", ArgTypes: "25 25 25", MinArgs: 3, MaxArgs: 3, Volatile: 'v'},
		},
		operators: []guard.Operator{
			{OID: 51, Schema: "pg_catalog", Name: "+", Left: 23, Right: 23, Function: 6},
			{OID: 52, Schema: "pg_catalog", Name: "=", Left: 25, Right: 25, Function: 7},
			{OID: 20051, Schema: "public", Name: "~~~", Left: 25, Right: 25, Function: 20001},
		},
		types: []guard.Type{
			{OID: 20101, Schema: "public", Name: "checked", Kind: 'd', Check: guard.ReadTree("{FUNCEXPR :funcid 20004 :funcresulttype 16}")},
			{OID: 20102, Schema: "public", Name: "mood", Kind: 'e'},
			{OID: 20103, Schema: "public", Name: "pair", Kind: 'c', Parts: []uint32{20101}},
		},
		relations: []guard.Relation{
			{OID: 1260, Schema: "pg_catalog", Name: "pg_authid", Kind: 'r'},
			{OID: 1259, Schema: "pg_catalog", Name: "pg_class", Kind: 'r'},
			{OID: 20201, Schema: "public", Name: "orders", Kind: 'r'},
			{OID: 20202, Schema: "public", Name: "sleepy", Kind: 'v', Body: "({QUERY :commandType 1 :funcid 3 })", Trusted: true},
			{OID: 20203, Schema: "public", Name: "outer_view", Kind: 'v', Body: "({QUERY :relid 20202 })", Trusted: true},
			{OID: 20204, Schema: "public", Name: "his_view", Kind: 'v', Body: "({QUERY :funcid 20007 })", Trusted: true},
			{OID: 20205, Schema: "public", Name: "her_view", Kind: 'v', Body: "({QUERY :funcid 20007 })"},
			{OID: 20206, Schema: "public", Name: "abroad", Kind: 'f', Foreign: true},
			{OID: 20207, Schema: "public", Name: "circle", Kind: 'v', Body: "({QUERY :relid 20207 :relid 20201})"},
			{OID: 20209, Schema: "public", Name: "trusting_view", Kind: 'v', Body: "({QUERY :funcid 20001 })", Trusted: true},
			{OID: 20208, Schema: "public", Name: "outermost_view", Kind: 'v', Body: "({QUERY :relid 20203 })", Trusted: true},
		},
		columns: map[uint32][]string{20201: {"id", "pg_sleep", "mood"}, 20207: {"id", "pg_sleep"}},
		casts:   []guard.Cast{{Source: 20102, Target: 23, Function: 20004}},
	}
}

func TestGuard_Judge(t *testing.T) {
	for _, tt := range []struct {
		sql    string
		policy guard.Policy
		want   string // in the error; empty if allowed
	}{
		{"select 1", guard.Policy{}, ""},
		{"values (1), (2)", guard.Policy{}, ""},
		{"select 1 as \"" + strings.Repeat("é", 31) + "\"", guard.Policy{}, ""},
		{"select 1 as \"" + strings.Repeat("é", 40) + "\"", guard.Policy{}, "more than 63 bytes"},
		{"select 1 as " + strings.Repeat("é", 40), guard.Policy{}, "more than 63 bytes"},
		{"select 1 as " + strings.Repeat("e", 80), guard.Policy{}, ""},
		{"select '" + strings.Repeat("é ", 80) + "'", guard.Policy{}, ""},
		{"select 1 from orders" + strings.Repeat(" cross join orders", 99), guard.Policy{}, ""},
		{"select 1 from orders" + strings.Repeat(" cross join orders", 100), guard.Policy{}, "more than 100 relations"},
		{"select pg_get_partition_constraintdef(1)", guard.Policy{}, "evaluates the key"},
		{"table orders", guard.Policy{}, ""},
		{"select count(*) from orders o where lower(o.a) = 'x' and 1 + 1 = 2", guard.Policy{}, "lower(): made by a user"},
		{"select pg_catalog.lower('x'), random()", guard.Policy{}, ""},
		{"select shadowed('x')", guard.Policy{Functions: []string{"public.other"}}, "evil.shadowed"},
		{"select same('x')", guard.Policy{}, ""},
		{"select same(b => 'x')", guard.Policy{}, "evil.same"},
		{"select repeat('x', 1000)", guard.Policy{}, ""},
		{"select repeat('x', 1000001)", guard.Policy{}, "limit is 1000000"},
		{"select length(pg_catalog.repeat('x', (select 5000000000)::int))", guard.Policy{}, "limit is 1000000"},
		{"select rpad('x', 1e9::int)", guard.Policy{}, "limit is 1000000"},
		{"select lower('a', 'b', 'c')", guard.Policy{}, "volatile"},
		{"select brand_new()", guard.Policy{}, "not on the list"},
		{"select installed()", guard.Policy{}, "made by a user"},
		{"select pg_sleep(1)", guard.Policy{}, "holds the session"},
		{"select unknown_fn(1)", guard.Policy{}, ""},
		{"select pg_read_file('x')", guard.Policy{}, "files"},
		{"select tax(1)", guard.Policy{}, "made by a user"},
		{"select tax(1)", guard.Policy{Functions: []string{"public.tax"}}, ""},
		{"select tax(1)", guard.Policy{Schemas: []string{"public"}}, ""},
		{"select peek('x')", guard.Policy{Schemas: []string{"public"}}, "SECURITY DEFINER"},
		{"select peek('x')", guard.Policy{Functions: []string{"public.peek"}}, ""},
		{"select similarity('a', 'b')", guard.Policy{}, ""},
		{"select pasted('a')", guard.Policy{}, "procedural language"},
		{"select pasted('a')", guard.Policy{Functions: []string{"public.pasted"}}, ""},
		{"select st_estimatedextent('a', 'b')", guard.Policy{Extensions: []string{"postgis"}}, "does not name"},
		{"select standardize_address('a')", guard.Policy{}, "given as text"},
		{"select isn_weak(true)", guard.Policy{}, "changes the session"},
		{"select smuggled('a')", guard.Policy{}, "made by a user"},
		{"select 'a' ~~~ 'b'", guard.Policy{}, "tax"},
		{"select 'a' operator(public.~~~) 'b'", guard.Policy{}, "tax"},
		{"select 'x'::checked", guard.Policy{}, "peek"},
		{"select null::pair", guard.Policy{}, "peek"},
		{"select 'ok'::mood", guard.Policy{}, "peek"},
		{"select checked('x')", guard.Policy{}, "peek"},
		{"select x.tax from orders x", guard.Policy{}, "tax"},
		{"select * from pg_authid", guard.Policy{}, "password"},
		{"select * from pg_authid", guard.Policy{Relations: []string{"pg_catalog.pg_authid"}}, ""},
		{"select * from pg_class", guard.Policy{}, ""},
		{"select * from pg_catalog.pg_hidden", guard.Policy{}, "not on the list"},
		{"select * from sleepy", guard.Policy{}, "pg_sleep"},
		{"select * from outer_view", guard.Policy{}, "pg_sleep"},
		{"select * from trusting_view", guard.Policy{}, "tax"},
		{"select * from outermost_view", guard.Policy{}, "pg_sleep"},
		{"select * from orders tablesample tax(1)", guard.Policy{}, "tax"},
		{"select record_in('x', 2249, -1)", guard.Policy{}, "input function"},
		{"select * from his_view", guard.Policy{}, ""},
		{"select * from her_view", guard.Policy{}, "owner_fn"},
		{"select owner_fn('x')", guard.Policy{}, "owner_fn"},
		{"select * from circle", guard.Policy{}, ""},
		{"select * from abroad", guard.Policy{}, "foreign"},
		{"select * from abroad", guard.Policy{Relations: []string{"public.abroad"}}, ""},
		{"with orders as (select 1) select * from orders", guard.Policy{}, ""},
		{"select 1; select 2", guard.Policy{}, "2 statements"},
		{"", guard.Policy{}, "0 statements"},
		{"-- nothing", guard.Policy{}, "0 statements"},
		{"select $1", guard.Policy{}, "ParamRef"},
		{"select 1 into x", guard.Policy{}, "IntoClause"},
		{"select * from orders for update", guard.Policy{}, "LockingClause"},
		{"with x as (delete from orders) select 1", guard.Policy{}, "DeleteStmt"},
		{"explain select 1", guard.Policy{}, "ExplainStmt"},
		{"select '" + strings.Repeat("x", 70_000) + "'", guard.Policy{}, "bytes"},
		{"select 1" + strings.Repeat("+1", 4000), guard.Policy{}, "tokens"},
		{"select 1\x00", guard.Policy{}, "zero byte"},
		{"select '\xff'", guard.Policy{}, "UTF-8"},
	} {
		t.Run(tt.sql[:min(len(tt.sql), 60)], func(t *testing.T) {
			g, err := guard.New(tt.policy)
			if err != nil {
				t.Fatal(err)
			}
			v, err := g.Judge(context.Background(), tt.sql, newWorld())
			if err == nil {
				err = v.Err()
			}
			if tt.want == "" && err != nil {
				t.Fatalf("refused: %v", err)
			}
			if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Fatalf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// What stands for an operator is judged as the operator is.
func TestGuard_ImpliedOperators(t *testing.T) {
	g, err := guard.New(guard.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	for op, statements := range map[string][]string{
		"=": {"select 1 = 2", "select case 1 when 2 then 3 end", "select * from orders join orders o using (a)", "select * from orders natural join orders o",
			"select 1 in (2, 3)", "select 1 in (select 2)", "select 1 = any (array[2])", "select 1 = any (select 2)", "select nullif(1, 2)",
			"select 1 is distinct from 2", "select 1 is not distinct from 2"},
		"<>":  {"select 1 not in (2, 3)", "select 1 <> all (array[2])"},
		"<=":  {"select 1 between 0 and 2", "select 1 between symmetric 0 and 2"},
		">=":  {"select 1 between 0 and 2", "select 1 between symmetric 0 and 2"},
		"<":   {"select 1 not between 0 and 2", "select 1 not between symmetric 0 and 2", "select a from orders order by a using <"},
		">":   {"select 1 not between 0 and 2", "select 1 not between symmetric 0 and 2"},
		"~~":  {"select 'a' like 'b'"},
		"~~*": {"select 'a' ilike 'b'"},
		"!~~": {"select 'a' not like 'b'"},
		"~":   {"select 'a' similar to 'b'"},
	} {
		for _, sql := range statements {
			w := newWorld()
			w.operators = []guard.Operator{{OID: 20060, Schema: "public", Name: op, Left: 23, Right: 23, Function: 20001}}
			v, err := g.Judge(context.Background(), sql, w)
			if err == nil {
				err = v.Err()
			}
			if err == nil || !strings.Contains(err.Error(), "tax") {
				t.Errorf("%s with somebody's %s: %v", sql, op, err)
			}
		}
	}
}

func TestGuard_JudgeTree(t *testing.T) {
	g, err := guard.New(guard.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ tree, want string }{
		{"{QUERY :commandType 1 :utilityStmt <> :hasModifyingCTE false :funcid 1 :opno 51 :opfuncid 6 :relid 20201 }", ""},
		{"{QUERY :commandType 3 :utilityStmt <> }", "commandType"},
		{"{QUERY :commandType 1 :hasModifyingCTE true }", "hasModifyingCTE"},
		{"{QUERY :commandType 1 :hasForUpdate true}", "hasForUpdate"},
		{"{QUERY :commandType 1 :rtable ({RANGETBLENTRY :subquery {QUERY :commandType 4}})}", "commandType"},
		{"{QUERY :commandType 1 :funcid 3}", "pg_sleep"},
		{"{QUERY :commandType 1 :aggfnoid 20001}", "tax"},
		{"{QUERY :commandType 1 :winfnoid 20001}", "tax"},
		{"{QUERY :commandType 1 :opno 20051}", "tax"},
		{"{QUERY :commandType 1 :opnos (o 51 20051)}", "tax"},
		{"{QUERY :commandType 1 :sortop 20051}", "tax"},
		{"{QUERY :commandType 1 :funcid 999}", "not known"},
		{"{QUERY :commandType 1 :funcid 3}\n({QUERY :commandType 1})", "pg_sleep"},
		{"{QUERY :commandType 1 :opnos (o 51 20051)}\n({QUERY :commandType 1})", "tax"},
		{"{QUERY :commandType 1 :opnos (o 51 x :funcid 3)}", "not understood"},
		{"{QUERY :commandType 1 :opnos (o 51", "not understood"},
		{"{QUERY :commandType 1 :relid 1260}", "password"},
		{"{QUERY :commandType 1 :relid 20203}", "pg_sleep"},
		{"{QUERY :commandType 1 :resulttype 20101}", "peek"},
		{"{QUERY :commandType 1 :colnames (\"a\" \":opnos\" \"(o\") :funcid 3}", "pg_sleep"},
		{"", "not understood"},
		{"something else :funcid 1", "not understood"},
	} {
		// The server's log ends lines at blanks, wherever 78 bytes are full.
		for _, tree := range []string{tt.tree, strings.ReplaceAll(tt.tree, " ", "\n"), strings.ReplaceAll(tt.tree, " ", "\r\n\t")} {
			v, err := g.JudgeTree(context.Background(), tree, newWorld())
			if err == nil {
				err = v.Err()
			}
			if tt.want == "" && err != nil {
				t.Errorf("%s: refused: %v", tree, err)
			}
			if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%s: got %v, want %q", tree, err, tt.want)
			}
		}
	}
}

func TestVerdict_Err(t *testing.T) {
	g, _ := guard.New(guard.Policy{})
	v, err := g.Judge(context.Background(), "select tax(1), peek('x'), pg_sleep(1)", newWorld())
	if err != nil {
		t.Fatal(err)
	}
	e := ask.AsError(v.Err())
	if e == nil || e.Code != ask.CodeRefused || strings.Count(e.Detail, "\n") != 2 || !strings.Contains(e.Hint, "replica.allow_functions") {
		t.Fatalf("got %+v", e)
	}
	if _, err := guard.New(guard.Policy{Functions: []string{"tax"}}); err == nil {
		t.Fatal("a function without a schema was taken")
	}
}

// FuzzJudge has no text crash the guard or pass with what is not one query.
func FuzzJudge(f *testing.F) {
	for _, sql := range []string{"select 1", "with x as (delete from orders returning *) select * from x", "select a.b.c, (f(x)).y from generate_series(1, 2) with ordinality", "values (1) for update", "select u&'\\0061'", "select $$;$$; select"} {
		f.Add(sql)
	}
	g, err := guard.New(guard.Policy{})
	if err != nil {
		f.Fatal(err)
	}
	w := newWorld()
	f.Fuzz(func(t *testing.T, sql string) {
		v, err := g.Judge(context.Background(), sql, w)
		if err != nil || !v.Allowed() {
			return
		}
		tree, err := ask.Parse(sql)
		if err != nil || len(tree.Stmts) != 1 || tree.Stmts[0].Stmt.GetSelectStmt() == nil {
			t.Fatalf("allowed %q", sql)
		}
	})
}

// BenchmarkJudge is the cost for a statement of 2 kB, look-ups in memory.
func BenchmarkJudge(b *testing.B) {
	g, err := guard.New(guard.Policy{})
	if err != nil {
		b.Fatal(err)
	}
	w := newWorld()
	sql := "select o.a, count(*) from orders o where true"
	for i := 0; len(sql) < 2000; i++ {
		sql += " and (o.column_name = 'some value' or o.amount + 1 = 2)"
	}
	ctx := context.Background()
	b.Run("first", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if v, err := g.Judge(ctx, fmt.Sprint(sql, " and ", i, " = 1"), w); err != nil || len(v.Problems) > 0 {
				b.Fatal(err, v)
			}
		}
	})
	b.Run("again", func(b *testing.B) {
		for b.Loop() {
			if v, err := g.Judge(ctx, sql, w); err != nil || len(v.Problems) > 0 {
				b.Fatal(err, v)
			}
		}
	})
}

// FuzzJudgeTree has no text crash the reader of trees, nor one that names a
// refused function in a field pass.
func FuzzJudgeTree(f *testing.F) {
	f.Add("{QUERY :commandType 1 :utilityStmt <> :cteList <> ", " :opnos (o 51 52)}")
	f.Add("{QUERY :alias {ALIAS :aliasname a\\ :opnos :colnames (\"a\" \"(o\")}", "}")
	g, err := guard.New(guard.Policy{})
	if err != nil {
		f.Fatal(err)
	}
	w := newWorld()
	f.Fuzz(func(t *testing.T, before, after string) {
		tree := "{QUERY " + before + " {FUNCEXPR :funcid 3 :funcresulttype 16} " + after
		v, err := g.JudgeTree(context.Background(), tree, w)
		if err == nil && v.Allowed() {
			t.Fatalf("allowed %q", tree)
		}
	})
}

func (w *world) Owners(_ context.Context, mentions []guard.Mention, objects []guard.Object) (list []guard.Problem, err error) {
	for _, m := range mentions {
		if w.strange[m] {
			list = append(list, guard.Problem{What: m.Name.String(), Why: "strange", Code: ask.CodeInsufficientRights})
		}
	}
	for _, o := range objects {
		if w.strangers[o] {
			list = append(list, guard.Problem{What: fmt.Sprint(o), Why: "strange", Code: ask.CodeInsufficientRights})
		}
	}
	return list, nil
}
