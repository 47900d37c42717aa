package guard

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed policy.txt
var builtin string

// Policy says what a statement may use. What is not allowed is refused.
type Policy struct {
	// Extensions are further extensions whose functions, operators and casts
	// may be called if they are immutable or stable.
	Extensions []string
	// Schemas are schemas of the user's whose functions may be called if they
	// are immutable or stable and not SECURITY DEFINER.
	Schemas []string
	// Functions are functions, as schema.name, that may be called whatever
	// they are.
	Functions []string
	// Relations are catalogs and foreign tables, as schema.name, that may be
	// read although they are refused by default.
	Relations []string
	// MaxBytes bounds a statement, 0 for the default.
	MaxBytes int
}

// rule is one name of a line of the policy.
type rule struct {
	allow  bool
	schema string // pattern; empty for what has no schema
	name   string // pattern
	reason string
}

// rules are the policy's lines by kind.
type rules struct {
	nodes      map[string]rule
	extensions map[string]rule
	volatile   map[string]rule
	sizes      map[string]rule // by bare function name
	functions  objects
	relations  objects
	bodies     objects // functions in views, policies and checks
	anywhere   objects // functions that return the same wherever they run
}

// objects are rules for what lives in schemas: the whole names first, then the
// patterns in their order.
type objects struct {
	names    map[Name]rule
	patterns [256][]rule // those that a name with this first byte may match
}

func (o *objects) find(schema, name string) (rule, bool) {
	if u, ok := o.names[Name{schema, name}]; ok {
		return u, true
	}
	if name == "" {
		return rule{}, false
	}
	for _, u := range o.patterns[name[0]] {
		if glob(u.name, name) && glob(u.schema, schema) {
			return u, true
		}
	}
	return rule{}, false
}

func (o *objects) add(u rule) error {
	switch {
	case u.schema == "" || u.name == "":
		return fmt.Errorf("%q must be written schema.name", u.name)
	case strings.Contains(u.schema+u.name, "*"):
		for b := range o.patterns {
			if u.name[0] == '*' || int(u.name[0]) == b {
				o.patterns[b] = append(o.patterns[b], u)
			}
		}
	default:
		n := Name{u.schema, u.name}
		if _, twice := o.names[n]; twice {
			return fmt.Errorf("%q is listed twice", n)
		}
		if o.names == nil {
			o.names = map[Name]rule{}
		}
		o.names[n] = u
	}
	return nil
}

// glob says whether a name matches a pattern in which * is any text.
func glob(pattern, s string) bool {
	head, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == s
	}
	s, ok := strings.CutPrefix(s, head)
	for ok {
		var part string
		if part, rest, star = strings.Cut(rest, "*"); !star {
			return strings.HasSuffix(s, part)
		}
		_, s, ok = strings.Cut(s, part)
	}
	return false
}

// builtinRules returns the rules of policy.txt, which is a part of the program.
var builtinRules = sync.OnceValue(func() *rules {
	r, err := parseRules(builtin)
	if err != nil {
		panic(err)
	}
	return r
})

func parseRules(text string) (*rules, error) {
	r := &rules{nodes: map[string]rule{}, extensions: map[string]rule{}, volatile: map[string]rule{}, sizes: map[string]rule{}}
	bare := map[string]map[string]rule{"node": r.nodes, "extension": r.extensions, "volatile": r.volatile, "size": r.sizes}
	kinds := map[string]*objects{"function": &r.functions, "relation": &r.relations, "body": &r.bodies, "anywhere": &r.anywhere}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		head, reason, ok := strings.Cut(line, "#")
		f := strings.Fields(head)
		reason = strings.TrimSpace(reason)
		if !ok || reason == "" || len(f) < 3 || f[0] != "allow" && f[0] != "deny" {
			return nil, fmt.Errorf("policy line %d: want \"allow|deny kind name… # reason\", got %q", i+1, line)
		}
		for _, name := range f[2:] {
			u := rule{allow: f[0] == "allow", name: name, reason: reason}
			switch m, o := bare[f[1]], kinds[f[1]]; {
			case strings.ContainsAny(name, "?[\\"):
				return nil, fmt.Errorf("policy line %d: %q: only * is a wildcard", i+1, name)
			case o != nil:
				u.schema, u.name, _ = strings.Cut(name, ".")
				if err := o.add(u); err != nil {
					return nil, fmt.Errorf("policy line %d: %w", i+1, err)
				}
			case m == nil:
				return nil, fmt.Errorf("policy line %d: unknown kind %q", i+1, f[1])
			default:
				if _, twice := m[name]; twice || strings.Contains(name, "*") {
					return nil, fmt.Errorf("policy line %d: %q is listed twice, or is no plain name", i+1, name)
				}
				m[name] = u
			}
		}
	}
	return r, nil
}
