package guard

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// maxViews bounds how many relations are followed from one statement.
const maxViews = 500

// judgement is one statement's resolution of names.
type judgement struct {
	g    *Guard
	l    Lookup
	v    *Verdict
	seen map[string]bool

	touched map[uint32]bool // types made by users that the statement meets
}

func (j *judgement) types() map[uint32]bool {
	if j.touched == nil {
		j.touched = map[uint32]bool{}
	}
	return j.touched
}

func (j *judgement) problem(p Problem) {
	if key := "p:" + p.What; !j.seen[key] {
		j.seen[key] = true
		j.v.Problems = append(j.v.Problems, p)
	}
}

func (j *judgement) use(what, why string) {
	if key := "u:" + what; !j.seen[key] {
		j.seen[key] = true
		j.v.Uses = append(j.v.Uses, Use{what, why})
	}
}

// names judges everything that the walk has found.
func (j *judgement) names(ctx context.Context, w *walk) error {
	for _, c := range w.calls {
		j.call(c)
	}
	for _, n := range sorted(w.operators) {
		j.operator(n)
	}
	var rowTypes []Name
	for _, n := range sorted(w.types) {
		list := j.l.Types(n.Schema, n.Name)
		if len(list) == 0 { // built in, or a table's row type
			rowTypes = append(rowTypes, n)
		}
		for _, t := range list {
			j.typ(t)
		}
	}
	fields := make([]string, 0, len(w.fields))
	for f := range w.fields {
		fields = append(fields, f)
	}
	slices.Sort(fields)
	for _, f := range fields {
		j.field(f)
	}
	names := sorted(w.relations)
	found, err := j.l.Relations(ctx, append(names[:len(names):len(names)], rowTypes...))
	if err != nil {
		return err
	}
	for _, r := range found[len(names):] {
		for _, oid := range r.TypeOIDs {
			if t, ok := j.l.TypeOf(oid); ok {
				j.typ(t)
			}
		}
	}
	found = found[:len(names)]
	for i, n := range names {
		if found[i].OID == 0 {
			// Not there by that name: a WITH query, or the server's own error.
			// A name that says it is a catalog is refused all the same.
			j.relationRule(n.Schema + "." + n.Name)
		}
	}
	if err := j.relations(ctx, found); err != nil {
		return err
	}
	for oid := range j.types() {
		for _, c := range j.l.CastsOf(oid) {
			if c.Function != 0 {
				j.functionOf(c.Function, fmt.Sprintf("cast of type %d", oid), inStatement)
			}
		}
	}
	return nil
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
		schema := c.name.Schema
		if schema == "" {
			schema = "pg_catalog"
		}
		if u, ok := j.g.rules.function(schema + "." + c.name.Name); ok && !u.allow {
			j.problem(Problem{What: "function " + schema + "." + c.name.Name, Why: u.reason})
		}
		return
	}
	j.choose("function "+c.name.String(), narrow(all, c))
}

// narrow leaves out overloads that cannot be called with so many arguments,
// and those hidden by the same signature earlier in the path. If none is left
// all stay, since the server's rules are wider than these.
func narrow(all []Function, c call) []Function {
	args := c.args
	var list []Function
	type signature struct {
		types string
		max   int // tells variadic ones apart
	}
	hidden := map[signature]bool{}
	for _, f := range all {
		if args >= 0 && (args < f.MinArgs && f.MaxArgs >= 0 || f.MaxArgs >= 0 && args > f.MaxArgs) {
			continue
		}
		key := signature{f.ArgTypes, f.MaxArgs}
		if hidden[key] && !c.named {
			continue
		}
		hidden[key] = true
		list = append(list, f)
	}
	if len(list) == 0 {
		return all
	}
	return list
}

// choose judges overloads of which one will be called.
func (j *judgement) choose(what string, list []Function) {
	var bad []Problem
	good := 0
	for _, f := range list {
		if why, p := j.function(f, inStatement); p != nil {
			bad = append(bad, *p)
		} else {
			good++
			j.use(f.String(), why)
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
	p.Why += "; " + what + " may mean it, depending on the types of the arguments"
	if key := "?" + p.What; !j.seen[key] {
		j.seen[key] = true
		j.v.Unsure = append(j.v.Unsure, p)
	}
}

func (f Function) String() string {
	return "function " + f.Schema + "." + f.Name + "(" + f.Args + ")"
}

// firstUserOID is FirstNormalObjectId of access/transam.h: objects below it
// came with the server.
const firstUserOID = 16384

// place is where a function is called from.
type place byte

const (
	inStatement   place = iota
	inBody              // of a view, a policy, a domain's check
	inTrustedBody       // the same, made by a superuser or another trusted owner
)

// function says why f may be called, or what is wrong with calling it. In the
// body of a view or policy that a trusted owner made, the functions of trusted
// owners are trusted as he is.
func (j *judgement) function(f Function, at place) (string, *Problem) {
	name := f.Schema + "." + f.Name
	if j.g.functions[name] {
		return "named by the configuration", nil
	}
	fix := fmt.Sprintf("If it is harmless, an admin can name %q in replica.allow_functions.", name)
	u, ok := j.g.rules.function(name)
	if at != inStatement {
		if b, found := match(j.g.rules.bodies, name); found && b.allow && f.OID < firstUserOID {
			return b.reason, nil
		}
	}
	if ok {
		if u.allow && f.OID < firstUserOID {
			return u.reason, nil
		}
		if !u.allow {
			return "", &Problem{What: f.String(), Why: u.reason, Fix: fix}
		}
	}
	if f.OID < firstUserOID && takesCstring(f.ArgTypes) {
		return "", &Problem{What: f.String(), Why: "an input function of a type: it can be given one whose checks run a user's code", Fix: fix}
	}
	kind := map[byte]string{'i': "immutable", 's': "stable", 'v': "volatile"}[f.Volatile]
	if f.OID < firstUserOID && f.Extension == "" {
		if f.Volatile == 'v' {
			return "", &Problem{What: f.String(), Why: "volatile, and not on the list of harmless ones", Fix: fix}
		}
		return "built in, " + kind, nil
	}
	if f.Extension != "" {
		u, ok := match(j.g.rules.extensions, f.Extension)
		if ok && !u.allow && !j.g.extensions[f.Extension] {
			return "", &Problem{What: f.String(), Why: "extension " + f.Extension + ": " + u.reason, Fix: fix}
		}
		if (ok || j.g.extensions[f.Extension]) && f.Superuser && !f.Definer {
			if h, found := match(j.g.rules.volatile, f.Extension); f.Volatile != 'v' || found && h.allow {
				return kind + ", of extension " + f.Extension, nil
			}
			return "", &Problem{What: f.String(), Why: "volatile", Fix: fix}
		}
		fix = fmt.Sprintf("If it is harmless, an admin can name %q in replica.allow_extensions or %q in replica.allow_functions.", f.Extension, name)
	}
	switch {
	case f.Volatile == 'v':
		return "", &Problem{What: f.String(), Why: "volatile, and made by a user", Fix: fix}
	case at == inTrustedBody && f.Trusted:
		return kind + ", called by a view or policy whose owner is trusted", nil
	case f.Definer:
		return "", &Problem{What: f.String(), Why: "SECURITY DEFINER: it runs with the rights of its owner", Fix: fix}
	case j.g.schemas[f.Schema]:
		return kind + ", in a schema that the configuration names", nil
	}
	return "", &Problem{What: f.String(), Why: "made by a user, and neither it, its schema nor its extension is allowed",
		Fix: fmt.Sprintf("If it is harmless, an admin can name %q in replica.allow_functions or %q in replica.allow_schemas.", name, f.Schema)}
}

// takesCstring says whether one of the argument types is cstring (OID 2275).
func takesCstring(argTypes string) bool {
	return slices.Contains(strings.Fields(argTypes), "2275")
}

// functionOf judges a function by OID.
func (j *judgement) functionOf(oid uint32, from string, at place) {
	f, ok := j.l.FunctionOf(oid)
	if !ok {
		j.problem(Problem{What: fmt.Sprintf("function %d", oid), Why: from + " uses it, and it is not known"})
		return
	}
	why, p := j.function(f, at)
	if p != nil {
		if from != "" {
			p.Why += " (used by " + from + ")"
		}
		j.problem(*p)
		return
	}
	j.use(f.String(), why)
}

func (j *judgement) operatorOf(oid uint32, from string, at place) {
	o, ok := j.l.OperatorOf(oid)
	if !ok {
		j.problem(Problem{What: fmt.Sprintf("operator %d", oid), Why: from + " uses it, and it is not known"})
		return
	}
	j.functionOf(o.Function, strings.TrimSpace("operator "+o.Schema+"."+o.Name+" "+from), at)
}

// operator judges an operator by name: every one that it may resolve to.
func (j *judgement) operator(n Name) {
	var list []Function
	hidden := map[[2]uint32]bool{}
	for _, o := range j.l.Operators(n.Schema, n.Name) {
		key := [2]uint32{o.Left, o.Right}
		if hidden[key] {
			continue
		}
		hidden[key] = true
		f, ok := j.l.FunctionOf(o.Function)
		if !ok {
			j.problem(Problem{What: "operator " + n.String(), Why: "its function is not known"})
			continue
		}
		list = append(list, f)
	}
	j.choose("operator "+n.String(), list)
}

// typ judges a type: those of users are followed to what they run.
func (j *judgement) typ(t Type) {
	if t.OID < firstUserOID || j.types()[t.OID] {
		return
	}
	j.types()[t.OID] = true
	what := "type " + t.Schema + "." + t.Name
	if t.Kind == 'b' && t.Extension != "" {
		u, ok := match(j.g.rules.extensions, t.Extension)
		if !j.g.extensions[t.Extension] && (!ok || !u.allow) {
			j.problem(Problem{What: what, Why: "extension " + t.Extension + " is not allowed",
				Fix: fmt.Sprintf("If it is harmless, an admin can name %q in replica.allow_extensions.", t.Extension)})
		}
	}
	for _, check := range t.Checks {
		j.tree(check, what, inBody, nil)
	}
	for _, oid := range t.Parts {
		if part, ok := j.l.TypeOf(oid); ok {
			j.typ(part)
		}
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
			if key := "?" + p.What; !j.seen[key] {
				j.seen[key] = true
				j.v.Unsure = append(j.v.Unsure, *p)
			}
		}
	}
}
