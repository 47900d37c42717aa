package replica_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// fuzzWorld is what there is to ask about: what is trusted, and what the tenant
// made, of every kind that he can make.
type fuzzWorld struct {
	*rand.Rand
	types     []*fuzzType // the first are the builtins
	relations []*fuzzRelation
	functions []string // names in SQL, also of aggregates
	operators []string
	made      map[string]string // what runs code of the tenant's, by the name that it records
	last      string            // names the object under way
	n         int
}

const ownBuiltins = 14

// pick returns one of a list.
func pick[T any](w *fuzzWorld, list []T) T { return list[w.IntN(len(list))] }

// any returns a type, an array now and then.
func (w *fuzzWorld) any() *fuzzType {
	t := pick(w, w.types)
	if w.IntN(2) == 0 { // rather one of the tenant's
		t = w.types[max(w.IntN(len(w.types)), min(ownBuiltins, len(w.types)-1))]
	}
	if w.IntN(6) == 0 {
		return arrayOf(t)
	}
	return t
}

// name returns a new name and the schema that it is in. Names are those of
// others too, which may come first on somebody's path.
func (w *fuzzWorld) name() (schema, name string) {
	schema = pick(w, []string{"tenant", "tenant", "tenant", "public", "public", "asker", "club"})
	names := []string{"lower", "upper", "round", "abs", "length", "count", "sum", "max", "now", "text", "int4", "date", "name", "concat", "coalesce_",
		"json_array", "json_object", "json_value", "json_query", "json_scalar", "overlay", "substring", "position", "trim", "normalize", "items", "price",
		"date_trunc", "to_char", "array_agg", "quote_nullable", "jsonb", "xmlexists", "a", "b", "c", "d", "e", "f", "g", "h", "x", `"A b"`, `"ünï"`, `"q""t"`}
	return schema, pick(w, names)
}

// typeName is a name for a type, and that of its arrays.
func (w *fuzzWorld) typeName() (name, array string) {
	schema, n := w.name()
	bare := strings.Trim(n, `"`)
	return schema + "." + n, schema + `."_` + bare + `"`
}

// run is an expression that records that it runs.
func (w *fuzzWorld) run(of string) string {
	return fmt.Sprintf("tenant.run(%s, %s)", quoteText(w.last), of)
}

// mark is what a procedural function records by: a call with constants of a
// function that is said to be immutable is made once a session.
func (w *fuzzWorld) mark() string {
	return fmt.Sprintf("recorder.mark(current_user, %s)", quoteText(w.last))
}

func quoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// object makes a statement that creates something, and what to keep in mind if
// it succeeds. It is the superuser's if trusted.
func (w *fuzzWorld) object() (ddl string, trusted bool, keep func()) {
	w.n++
	w.last = fmt.Sprintf("o%d", w.n)
	name, array := w.typeName()
	if w.IntN(3) == 0 && w.n > 20 {
		array = ""
	}
	addType := func(t *fuzzType) func() { return func() { w.types = append(w.types, t) } }
	columns := func() (cols []fuzzColumn, ddl string) {
		var list []string
		for i := range 1 + w.IntN(3) {
			c := fuzzColumn{string(rune('a' + i)), w.any()}
			cols = append(cols, c)
			list = append(list, c.name+" "+c.t.name)
		}
		return cols, strings.Join(list, ", ")
	}
	addRelation := func(name string, cols []fuzzColumn) func() {
		return func() {
			row := &fuzzType{name: name, kind: 'c', fields: cols, array: array}
			w.types = append(w.types, row)
			w.relations = append(w.relations, &fuzzRelation{name, cols, row})
		}
	}
	addFunction := func() { w.functions = append(w.functions, name) }
	own := func() *fuzzRelation { return w.relations[trustedRelations+w.IntN(len(w.relations)-trustedRelations)] }
	kind := w.IntN(26)
	if len(w.relations) == trustedRelations && kind >= 14 {
		kind = w.IntN(14)
	}
	switch kind {
	case 0, 1, 2:
		base := w.any()
		t := &fuzzType{name: name, array: array, kind: 'd', elem: base}
		return fmt.Sprintf("create domain %s as %s check (%s)", name, base.name, w.run(pick(w, []string{"value", "1", "null::text"}))), false, addType(t)
	case 3:
		return fmt.Sprintf("create type %s as enum ('a', 'b')", name), false, addType(&fuzzType{name: name, array: array, kind: 'e'})
	case 4:
		cols, list := columns()
		return fmt.Sprintf("create type %s as (%s)", name, list), false, addType(&fuzzType{name: name, array: array, kind: 'c', fields: cols})
	case 5:
		sub := w.any()
		more := ""
		if sub.name == "float8" {
			more = ", subtype_diff = tenant.diff"
		}
		return fmt.Sprintf("create type %s as range (subtype = %s%s)", name, sub.name, more), false, addType(&fuzzType{name: name, array: array, kind: 'r', elem: sub})
	case 6, 7, 8:
		cols, list := columns()
		if w.IntN(4) == 0 {
			list += ", check (" + w.run("1") + ")"
		}
		if w.IntN(4) == 0 {
			list += fmt.Sprintf(", z int default length(%s::text)", w.run("1"))
		}
		tail := ""
		if w.IntN(6) == 0 {
			tail = fmt.Sprintf(" partition by list ((%s))", w.run(cols[0].name))
			if w.IntN(2) == 0 {
				tail = fmt.Sprintf(" partition by %s (%s)", pick(w, []string{"list", "range", "hash"}), cols[0].name)
			}
			tail += fmt.Sprintf("; create table tenant.part%d partition of %s default", w.n, name)
		}
		var values []string
		for _, c := range cols {
			values = append(values, c.t.literal(w.Rand))
		}
		insert := fmt.Sprintf("; insert into %s (%s) values (%s)", name, names(cols), strings.Join(values, ", "))
		if strings.Contains(tail, "hash") {
			insert, tail = "", strings.Replace(tail, "default", "for values with (modulus 1, remainder 0)", 1)
		}
		return fmt.Sprintf("create table %s (%s)%s%s", name, list, tail, insert), false, addRelation(name, cols)
	case 9, 10, 11:
		args := []string{w.any().name}
		for range w.IntN(2) {
			args = append(args, w.any().name)
		}
		if w.IntN(8) == 0 {
			args = []string{"anyelement"}
		}
		back := pick(w, []string{w.any().name, "text", "int", "bool", "setof int", "numeric"})
		volatile := pick(w, []string{"immutable", "immutable", "stable", "volatile", "immutable strict", "stable security definer"})
		if w.IntN(2) == 0 {
			return fmt.Sprintf("create function %s(%s) returns %s %s language plpgsql as $$ begin perform %s; return%s null; end $$", name, strings.Join(args, ", "), back, volatile,
				w.mark(), strings.Repeat(" next", strings.Count(back, "setof"))), false, addFunction
		}
		return fmt.Sprintf("create function %s(%s) returns %s %s language sql as $$ select case when %s then null::%s end $$", name, strings.Join(args, ", "), back, volatile,
			w.run("1"), strings.TrimPrefix(back, "setof ")), false, addFunction
	case 12, 13:
		a, b := w.any(), w.any()
		if a.kind == 'b' && len(w.types) > ownBuiltins {
			a = w.types[ownBuiltins+w.IntN(len(w.types)-ownBuiltins)]
		}
		if to := pick(w, []string{"", "text", "json", "jsonb", "int"}); to != "" && w.IntN(3) > 0 {
			b = &fuzzType{name: to}
		}
		if w.IntN(3) == 0 {
			a, b = b, a
		}
		how := pick(w, []string{"", "", " as assignment", " as implicit"})
		return fmt.Sprintf("create function tenant.cast%d(%s) returns %s immutable language plpgsql as $$ begin perform %s; return null; end $$; create cast (%s as %s) with function tenant.cast%d(%s)%s",
			w.n, a.name, b.name, w.mark(), a.name, b.name, w.n, a.name, how), false, func() {}
	case 14, 15:
		symbol := pick(w, []string{"=", "<", ">", "<>", "+", "-", "*", "||", "~~", "->", "@>", "&&", "<@", "#=", "~", "@#@", "%"})
		schema, _ := w.name()
		a, b := w.any().name, w.any().name
		return fmt.Sprintf("create function tenant.op%d(%s, %s) returns %s immutable language plpgsql as $$ begin perform %s; return null; end $$; create operator %s.%s (function = tenant.op%d, leftarg = %s, rightarg = %s)",
			w.n, a, b, pick(w, []string{"bool", "bool", "text", "int"}), w.mark(), schema, symbol, w.n, a, b), false, func() { w.operators = append(w.operators, symbol, "operator("+schema+"."+symbol+")") }
	case 16:
		a := w.any().name
		return fmt.Sprintf("create function tenant.acc%d(int, %s) returns int immutable language plpgsql as $$ begin perform %s; return 1; end $$; create aggregate %s (%s) (sfunc = tenant.acc%d, stype = int)", w.n, a, w.mark(), name, a, w.n), false, addFunction
	case 17:
		r := own()
		return fmt.Sprintf("create index on %s ((%s)); create index on %s (a) where %s", r.name, w.run("a"), r.name, w.run("1")), false, func() {}
	case 18:
		r := own()
		return fmt.Sprintf("create statistics tenant.stat%d on (%s), (%s) from %s; analyze %s", w.n, w.run("1"), w.run("a"), r.name, r.name), false, func() {}
	case 19:
		r := own()
		return fmt.Sprintf("alter table %s enable row level security; create policy p%d on %s using (%s)", r.name, w.n, r.name, w.run("1")), false, func() {}
	case 20, 21:
		r := own()
		c := pick(w, r.cols)
		body := fmt.Sprintf("select %s, %s as extra from %s s where %s", names(r.cols), c.name, r.name, w.run("1"))
		cols := append(append([]fuzzColumn{}, r.cols...), fuzzColumn{"extra", c.t})
		what := pick(w, []string{"view", "view", "materialized view"})
		return fmt.Sprintf("create %s %s as %s", what, name, body), w.IntN(3) == 0, addRelation(name, cols)
	case 22: // a table of a trusted owner's with what is the tenant's in it
		cols, list := columns()
		name = fmt.Sprintf("public.trusted%d", w.n)
		array = ""
		more := pick(w, []string{"", fmt.Sprintf("; create index on %s ((%s))", name, w.run("1")), fmt.Sprintf("; create index on %s (a) where %s", name, w.run("1")),
			fmt.Sprintf("; alter table %s enable row level security; create policy p on %s using (%s)", name, name, w.run("1")), fmt.Sprintf("; alter table %s add check (%s)", name, w.run("1")),
			fmt.Sprintf("; create table tenant.child%d (check (%s)) inherits (%s); alter table tenant.child%d owner to tenant", w.n, w.run("1"), name, w.n)})
		return fmt.Sprintf("create table %s (%s)%s", name, list, more), true, addRelation(name, cols)
	case 23: // an operator class, which a superuser alone can make
		t := w.types[min(ownBuiltins+w.IntN(max(1, len(w.types)-ownBuiltins)), len(w.types)-1)]
		f := fmt.Sprintf("tenant.cmp%d", w.n)
		var b strings.Builder
		fmt.Fprintf(&b, "create function %s(%s, %s) returns int immutable language plpgsql as $$ begin perform %s; return 0; end $$; ", f, t.name, t.name, w.mark())
		fmt.Fprintf(&b, "create function %s_is(%s, %s) returns bool immutable language plpgsql as $$ begin return %s; end $$; ", f, t.name, t.name, w.mark())
		var members []string
		for i, symbol := range []string{"<", "<=", "=", ">=", ">"} {
			fmt.Fprintf(&b, "create operator tenant.%s (function = %s_is, leftarg = %s, rightarg = %s); ", symbol, f, t.name, t.name)
			members = append(members, fmt.Sprintf("operator %d tenant.%s", i+1, symbol))
		}
		fmt.Fprintf(&b, "create operator class tenant.oc%d default for type %s using btree as %s, function 1 %s(%s, %s); alter function %s(%s, %s) owner to tenant", w.n, t.name, strings.Join(members, ", "), f, t.name, t.name, f, t.name, t.name)
		return b.String(), true, func() { w.operators = append(w.operators, "operator(tenant.<)", "operator(tenant.=)") }
	case 24:
		return fmt.Sprintf("create table tenant.refers%d (id int references shop.items); create trigger t%d before insert on shop.items for each row execute function tenant.on_write()", w.n, w.n), false, func() {}
	}
	r := own()
	return fmt.Sprintf("create collation tenant.coll%d (locale = 'C'); create sequence tenant.seq%d; create rule r%d as on update to %s do instead select %s", w.n, w.n, w.n, r.name, w.run("1")), false, func() {}
}

func names(cols []fuzzColumn) string {
	var list []string
	for _, c := range cols {
		list = append(list, c.name)
	}
	return strings.Join(list, ", ")
}
