package guard

import "strings"

// WithParameters returns a guard of the same policy whose statements may have
// parameters. Their types are judged by Parameters.
func (g *Guard) WithParameters() *Guard {
	return &Guard{policy: g.policy, rules: g.rules, extensions: g.extensions, schemas: g.schemas, functions: g.functions, relations: g.relations,
		walks: map[string]*walk{}, parameters: true}
}

// Anywhere returns a guard of the same policy for statements that were tried on a
// replica and then run on the primary. What they do there must be what they did here.
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
