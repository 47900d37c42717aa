package guard

import "strings"

// WithParameters returns a guard of the same policy whose statements may have
// parameters. Their types are judged by Parameter.
func (g *Guard) WithParameters() *Guard {
	return &Guard{policy: g.policy, rules: g.rules, extensions: g.extensions, schemas: g.schemas, functions: g.functions, relations: g.relations,
		walks: map[string]*walk{}, parameters: true}
}

// Anywhere returns a guard of the same policy for statements that were tried on
// a replica and then run on the primary: what they do there must be what they did here.
// Beside all that the policy asks, their functions are immutable or on its list
// (anywhere), and they read no catalogs, whose statistics tell servers apart.
func (g *Guard) Anywhere() *Guard {
	return &Guard{policy: g.policy, rules: g.rules, extensions: g.extensions, schemas: g.schemas, functions: g.functions, relations: g.relations,
		walks: map[string]*walk{}, anywhere: true}
}

const whereItRuns = "what it returns may depend on the server or the session in which it runs"

// tells returns what is wrong with a function whose result may depend on where
// it runs. In the bodies of views and policies what the policy lists for bodies, and
// the functions of trusted owners, are theirs.
func (g *Guard) tells(f *Function, at place) *Problem {
	if f.Volatile == 'i' {
		return nil
	}
	if f.OID < firstUserOID {
		if u, ok := g.rules.anywhere.find(f.Schema, f.Name); ok && u.allow && f.Volatile == 's' {
			return nil
		}
		if b, ok := g.rules.bodies.find(f.Schema, f.Name); ok && b.allow && at != inStatement {
			return nil
		}
	} else if at == inTrustedBody && f.Trusted && f.Volatile == 's' {
		return nil
	}
	return &Problem{What: f.String(), Why: whereItRuns}
}

// isTime says whether an SQLValueFunction is one of the time; the others tell
// who and where the session is.
func isTime(op string) bool {
	for _, name := range []string{"CURRENT_DATE", "CURRENT_TIME", "LOCALTIME"} {
		if strings.HasPrefix(op, "SVFOP_"+name) { // CURRENT_TIMESTAMP and the ones with a precision too
			return true
		}
	}
	return false
}

// parameterTypes are the built-in types that parameters may have: the input and
// receive functions of none of them run anything of a user's. Pseudo-types and those
// that name objects are left out.
var parameterTypes = func() map[uint32]bool {
	m := map[uint32]bool{}
	for _, oid := range []uint32{
		16, 17, 18, 19, 20, 21, 23, 25, 26, 114, 142, 600, 601, 602, 603, 604, 628, 650, 700, 701, 718, 774, 790, 829, 869,
		1042, 1043, 1082, 1083, 1114, 1184, 1186, 1266, 1560, 1562, 1700, 2950, 3802, 3904, 3906, 3908, 3910, 3912, 3926, // scalars and ranges
		143, 199, 651, 719, 775, 791, 1000, 1001, 1002, 1003, 1005, 1007, 1009, 1014, 1015, 1016, 1017, 1018, 1019, 1020, 1021, 1022, 1027, 1028, 1040, 1041,
		1115, 1182, 1183, 1185, 1187, 1231, 1270, 1561, 1563, 2951, 3807, 3905, 3907, 3909, 3911, 3913, 3927, // their arrays
		4451, 4532, 4533, 4534, 4535, 4536, 6150, 6151, 6152, 6153, 6155, 6157, // multiranges and their arrays
	} {
		m[oid] = true
	}
	return m
}()

// Parameter says what is wrong with a parameter of the type; nil if nothing is.
// Beside built-in types it may be an enumeration or a type of an allowed extension,
// if none of its casts is refused.
func (g *Guard) Parameter(oid uint32, l Lookup) *Problem {
	if parameterTypes[oid] {
		return nil
	}
	t := l.TypeOf(oid)
	if t == nil || oid < firstUserOID {
		return &Problem{What: "parameter", Why: "its type is not on the list of allowed ones", Fix: castParameter}
	}
	what := "parameter of type " + t.Schema + "." + t.Name
	if t.Kind != 'e' && (t.Kind != 'b' || t.Extension == "" || !g.extensions[t.Extension] && !g.rules.extensions[t.Extension].allow) {
		return &Problem{What: what, Why: "only built-in types, enumerations and types of allowed extensions can be given", Fix: castParameter}
	}
	for _, c := range l.CastsOf(oid) {
		if c.Function == 0 {
			continue
		}
		f := l.FunctionOf(c.Function)
		if f == nil {
			return &Problem{What: what, Why: "a cast of it is not known", Fix: castParameter}
		}
		if _, p := g.function(f, inStatement); p != nil {
			return &Problem{What: what, Why: "one of its casts runs " + p.String(), Fix: castParameter}
		}
	}
	return nil
}

const castParameter = "Give the parameter as text and cast it in the statement, as in $1::text::mytype."
