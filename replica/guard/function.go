package guard

import (
	"fmt"
	"strings"
)

func (f *Function) String() string {
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
	places              // how many there are
)

// function says why f may be called, or what is wrong with calling it. In the
// body of a view or policy that a trusted owner made, the functions of trusted
// owners are trusted as he is.
func (j *judgement) function(f *Function, at place) (string, *Problem) {
	if j.g.anywhere {
		if p := j.g.tells(f, at); p != nil {
			return "", p
		}
	}
	if f.known == j.g && f.allowed[at] && !j.explain {
		return "", nil
	}
	return j.g.function(f, at)
}

// Know judges a function beforehand, so that statements which call it are
// judged sooner: by the same rules, and only what is allowed is remembered. Call
// it before the function is shared.
func (g *Guard) Know(f *Function) {
	f.known = g
	for at := range f.allowed {
		_, p := g.function(f, place(at))
		f.allowed[at] = p == nil
	}
}

func (g *Guard) function(f *Function, at place) (string, *Problem) {
	r := g.rules
	if g.functions[f.name()] {
		return "named by the configuration", nil
	}
	if at != inStatement && f.OID < firstUserOID {
		if b, ok := r.bodies.find(f.Schema, f.Name); ok && b.allow {
			return b.reason, nil
		}
	}
	if u, ok := r.functions.find(f.Schema, f.Name); ok {
		if u.allow && f.OID < firstUserOID {
			return u.reason, nil
		}
		if !u.allow {
			return "", f.refuse(u.reason)
		}
	}
	switch builtIn := f.OID < firstUserOID; {
	case builtIn && takes(f.ArgTypes, "2275"): // cstring
		return "", f.refuse("an input function of a type: it can be given one whose checks run a user's code")
	case f.Extension != "":
		return g.ofExtension(f, at)
	case builtIn && f.Volatile == 'v':
		return "", f.refuse("volatile, and not on the list of harmless ones")
	case builtIn:
		return "built in, " + volatility(f.Volatile), nil
	}
	return g.userMade(f, at)
}

// ofExtension judges a function that an extension brings.
func (g *Guard) ofExtension(f *Function, at place) (string, *Problem) {
	u, listed := g.rules.extensions[f.Extension]
	named := g.extensions[f.Extension] // by the configuration
	if listed && !u.allow && !named {
		return "", f.refuse("extension " + f.Extension + ": " + u.reason)
	}
	if !f.Superuser || f.Definer || !named && (!listed || f.Procedural) {
		return g.userMade(f, at)
	}
	if f.Volatile == 'v' && !g.rules.volatile[f.Extension].allow {
		return "", f.refuse("volatile")
	}
	return volatility(f.Volatile) + ", of extension " + f.Extension, nil
}

// userMade judges a function that neither PostgreSQL nor a trusted extension brings.
func (g *Guard) userMade(f *Function, at place) (string, *Problem) {
	kind := volatility(f.Volatile)
	var p *Problem
	switch {
	case f.MadeFor:
		return kind + ", constructs values of a range type", nil
	case f.Volatile == 'v':
		p = f.refuse("volatile, and made by a user")
	case at == inTrustedBody && f.Trusted:
		return kind + ", called by a view or policy whose owner is trusted", nil
	case f.Definer:
		p = f.refuse("SECURITY DEFINER: it runs with the rights of its owner")
	case g.schemas[f.Schema]:
		return kind + ", in a schema that the configuration names", nil
	case f.Procedural && f.Extension != "":
		p = f.refuse("written in a procedural language: it can run SQL that it makes from its arguments")
	default:
		p = f.refuse("made by a user, and neither it, its schema nor its extension is allowed")
		p.Fix = fmt.Sprintf("If it is harmless, an admin can name %q in replica.allow_functions or %q in replica.allow_schemas.", f.name().String(), f.Schema)
	}
	if f.Extension != "" {
		p.Fix = fmt.Sprintf("If it is harmless, an admin can name %q in replica.allow_extensions or %q in replica.allow_functions.", f.Extension, f.name().String())
	}
	return "", p
}

func (f *Function) name() Name { return Name{f.Schema, f.Name} }

// refuse makes a problem of a function, with what an admin can do about it.
func (f *Function) refuse(why string) *Problem {
	return &Problem{What: f.String(), Why: why, Fix: fmt.Sprintf("If it is harmless, an admin can name %q in replica.allow_functions.", f.name().String())}
}

func volatility(c byte) string {
	switch c {
	case 'i':
		return "immutable"
	case 's':
		return "stable"
	}
	return "volatile"
}

// takes says whether one of the argument types has the OID.
func takes(argTypes, oid string) bool {
	for of := range strings.SplitSeq(argTypes, " ") {
		if of == oid {
			return true
		}
	}
	return false
}

// functionOf judges a function by OID.
func (j *judgement) functionOf(oid uint32, from string, at place) {
	f := j.l.FunctionOf(oid)
	if f == nil {
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
	j.use(f, why)
}
