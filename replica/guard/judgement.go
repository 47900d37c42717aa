package guard

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// maxViews bounds how many relations are followed from one statement.
const maxViews = 500

// judgement is one statement's resolution of names.
type judgement struct {
	g       *Guard
	l       Lookup
	v       *Verdict
	explain bool            // list what is used
	seen    map[string]bool // what was told

	search bool            // a text search configuration or dictionary is named by a value, see Tree.search
	types  map[uint32]bool // made by users that the statement meets
}

func (g *Guard) judgement(l Lookup, v *Verdict, explain bool) *judgement {
	return &judgement{g: g, l: l, v: v, explain: explain, seen: map[string]bool{}, types: map[uint32]bool{}}
}

// first says whether something is told for the first time.
func (j *judgement) first(key string) bool {
	if j.seen[key] {
		return false
	}
	j.seen[key] = true
	return true
}

func (j *judgement) problem(p Problem) {
	if j.first("p:" + p.What) {
		j.v.Problems = append(j.v.Problems, p)
	}
}

func (j *judgement) unsure(p Problem) {
	if j.first("?" + p.What) {
		j.v.Unsure = append(j.v.Unsure, p)
	}
}

func (j *judgement) use(what fmt.Stringer, why string) {
	if !j.explain {
		return
	}
	if name := what.String(); j.first("u:" + name) {
		j.v.Uses = append(j.v.Uses, Use{name, why})
	}
}

// names judges everything that the walk has found.
func (j *judgement) names(ctx context.Context, w *walk) error {
	var rowTypes []Name
	for _, n := range sorted(w.types) {
		if len(j.l.Types(n.Schema, n.Name)) == 0 { // built in, or a table's row type
			rowTypes = append(rowTypes, n)
		}
	}
	names := sorted(w.relations)
	found, err := j.l.Relations(ctx, append(names[:len(names):len(names)], rowTypes...))
	if err != nil {
		return err
	}
	fields, err := j.attributes(ctx, w, names, found)
	if err != nil {
		return err
	}
	if err := j.owners(ctx, j.mentions(w, fields, found), nil); err != nil {
		return err
	}
	for _, c := range w.calls {
		j.call(c)
	}
	for _, n := range sorted(w.operators) {
		j.operator(n)
	}
	for _, n := range sorted(w.types) {
		for _, t := range j.l.Types(n.Schema, n.Name) {
			j.typ(t)
		}
	}
	for _, set := range []map[string]bool{fields, w.parts} {
		for _, f := range slices.Sorted(maps.Keys(set)) {
			j.field(f)
		}
	}
	for _, r := range found[len(names):] {
		for _, oid := range r.TypeOIDs {
			j.typ(j.l.TypeOf(oid))
		}
	}
	found = found[:len(names)]
	for i, n := range names {
		if found[i].OID == 0 {
			// Not there by that name: a WITH query, or the server's own error.
			// A name that says it is a catalog is refused all the same.
			j.relationRule(n)
		}
	}
	if err := j.relations(ctx, found); err != nil {
		return err
	}
	if j.search || j.takesSearch(w.calls) {
		if err := j.searches(ctx, j.search); err != nil {
			return err
		}
	}
	j.casts()
	return nil
}

// casts judges the functions of casts between the types that were met.
func (j *judgement) casts() {
	for oid := range j.types {
		for _, c := range j.l.CastsOf(oid) {
			other := c.Source + c.Target - oid
			if other >= firstUserOID && !j.types[other] {
				continue // it runs only where that type is met too
			}
			if c.Function != 0 {
				j.functionOf(c.Function, fmt.Sprintf("cast of type %d", oid), inStatement)
			}
		}
	}
}

// call judges a call by name: every overload that it may resolve to.
func (j *judgement) call(c call) {
	all := j.l.Functions(c.name.Schema, c.name.Name)
	if len(all) == 0 {
		// A call of a type's name is a cast; otherwise the server will say
		// that there is no such function, unless policy names it.
		for _, t := range j.l.Types(c.name.Schema, c.name.Name) {
			j.typ(t)
		}
		schema := cmp.Or(c.name.Schema, "pg_catalog")
		if u, ok := j.g.rules.functions.find(schema, c.name.Name); ok && !u.allow {
			j.problem(Problem{What: "function " + schema + "." + c.name.Name, Why: u.reason})
		}
		return
	}
	j.choose("function", c.name, narrow(all, c))
}

// narrow leaves out overloads that cannot be called with so many arguments,
// and those hidden by the same signature earlier in the path. If none is left
// all stay, since the server's rules are wider than these.
func narrow(all []*Function, c call) []*Function {
	args := c.args
	type signature struct {
		types string
		max   int // tells variadic ones apart
	}
	// Within one schema none hides another.
	var hidden map[signature]bool
	if !c.named && all[0].Schema != all[len(all)-1].Schema {
		hidden = map[signature]bool{}
	}
	list := make([]*Function, 0, len(all))
	for _, f := range all {
		if args >= 0 && (args < f.MinArgs && f.MaxArgs >= 0 || f.MaxArgs >= 0 && args > f.MaxArgs) {
			continue
		}
		if hidden != nil {
			key := signature{f.ArgTypes, f.MaxArgs}
			if hidden[key] {
				continue
			}
			hidden[key] = true
		}
		list = append(list, f)
	}
	if len(list) == 0 {
		return all
	}
	return list
}

// choose judges overloads of which one will be called.
func (j *judgement) choose(kind string, n Name, list []*Function) {
	var bad []Problem
	good := 0
	for _, f := range list {
		if why, p := j.function(f, inStatement); p != nil {
			bad = append(bad, *p)
		} else {
			good++
			j.use(f, why)
		}
	}
	if len(bad) == 0 {
		return
	}
	if good == 0 {
		for _, p := range bad {
			j.problem(p)
		}
		return
	}
	p := bad[0]
	p.Why += "; " + kind + " " + n.String() + " may mean it, depending on the types of the arguments"
	j.unsure(p)
}

func (j *judgement) operatorOf(oid uint32, from string, at place) {
	o := j.l.OperatorOf(oid)
	if o == nil {
		j.problem(Problem{What: fmt.Sprintf("operator %d", oid), Why: from + " uses it, and it is not known"})
		return
	}
	j.functionOf(o.Function, strings.TrimSpace("operator "+o.Schema+"."+o.Name+" "+from), at)
}

// operator judges an operator by name: every one that it may resolve to.
func (j *judgement) operator(n Name) {
	all := j.l.Operators(n.Schema, n.Name)
	if len(all) == 0 {
		return // the server will say so
	}
	// Within one schema none hides another.
	var hidden map[[2]uint32]bool
	if all[0].Schema != all[len(all)-1].Schema {
		hidden = map[[2]uint32]bool{}
	}
	list := make([]*Function, 0, len(all))
	for _, o := range all {
		if hidden != nil {
			key := [2]uint32{o.Left, o.Right}
			if hidden[key] {
				continue
			}
			hidden[key] = true
		}
		f := j.l.FunctionOf(o.Function)
		if f == nil {
			j.problem(Problem{What: "operator " + n.String(), Why: "its function is not known"})
			continue
		}
		list = append(list, f)
	}
	j.choose("operator", n, list)
}

// typ judges a type: those of users are followed to what they run.
func (j *judgement) typ(t *Type) {
	if t == nil || t.OID < firstUserOID || j.types[t.OID] {
		return
	}
	j.types[t.OID] = true
	what := "type " + t.Schema + "." + t.Name
	if t.Kind == 'b' && t.Extension != "" {
		if !j.g.extensions[t.Extension] && !j.g.rules.extensions[t.Extension].allow {
			j.problem(Problem{What: what, Why: "extension " + t.Extension + " is not allowed",
				Fix: fmt.Sprintf("If it is harmless, an admin can name %q in replica.allow_extensions.", t.Extension)})
		}
	}
	if t.Check != nil {
		j.refs(t.Check, what, inBody, nil)
	}
	for _, oid := range t.Parts {
		j.typ(j.l.TypeOf(oid))
	}
}

// field judges x.name, which calls name(x) if x has no such column. x need not
// be a row: (5).abs and f.upper, where f is a function in FROM that returns
// text, are calls.
func (j *judgement) field(name string) {
	for _, f := range j.l.Functions("", name) {
		if f.MinArgs > 1 || f.MaxArgs == 0 {
			continue
		}
		if _, p := j.function(f, inStatement); p != nil {
			p.Why += "; ." + name + " calls it if there is no such column"
			j.unsure(*p)
		}
	}
}
