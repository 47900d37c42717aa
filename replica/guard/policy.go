package guard

import (
	_ "embed"
	"fmt"
	"path"
	"strings"
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

// rule is one line of the policy.
type rule struct {
	allow   bool
	pattern string
	reason  string
}

// rules are the policy's lines by kind, in order: the first that matches decides.
type rules struct {
	nodes      map[string]rule
	functions  []rule
	relations  []rule
	extensions []rule
	volatile   []rule
	bodies     []rule          // functions in views, policies and checks
	exact      map[string]rule // function rules without a wildcard
	sizes      map[string]rule // by bare function name
}

func parseRules(text string) (*rules, error) {
	r := &rules{nodes: map[string]rule{}, exact: map[string]rule{}, sizes: map[string]rule{}}
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
			if _, err := path.Match(name, ""); err != nil {
				return nil, fmt.Errorf("policy line %d: %q: %w", i+1, name, err)
			}
			u := rule{allow: f[0] == "allow", pattern: name, reason: reason}
			switch f[1] {
			case "size":
				r.sizes[name] = u
			case "node":
				r.nodes[name] = u
			case "function":
				if strings.ContainsAny(name, "*?[") {
					r.functions = append(r.functions, u)
				} else if _, twice := r.exact[name]; twice {
					return nil, fmt.Errorf("policy line %d: %q is listed twice", i+1, name)
				} else {
					r.exact[name] = u
				}
			case "relation":
				r.relations = append(r.relations, u)
			case "volatile":
				r.volatile = append(r.volatile, u)
			case "body":
				r.bodies = append(r.bodies, u)
			case "extension":
				r.extensions = append(r.extensions, u)
			default:
				return nil, fmt.Errorf("policy line %d: unknown kind %q", i+1, f[1])
			}
		}
	}
	return r, nil
}

// match returns the first rule whose pattern matches the name.
func match(list []rule, name string) (rule, bool) {
	for _, u := range list {
		if ok, _ := path.Match(u.pattern, name); ok {
			return u, true
		}
	}
	return rule{}, false
}

func (r *rules) function(name string) (rule, bool) {
	if u, ok := r.exact[name]; ok {
		return u, true
	}
	return match(r.functions, name)
}
