package admin

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"askpg/store"
)

// level is what somebody may do: a higher one, all that a lower one may.
type level int

const (
	noAccess      level = iota
	viewer              // sees the log
	reviewer            // gives verdicts
	administrator       // exports the audit of the verdicts, and says what words mean
)

var levels = map[string]level{"viewer": viewer, "reviewer": reviewer, "admin": administrator}

// String returns the role of a level.
func (l level) String() string { return []string{"", "viewer", "reviewer", "admin"}[l] }

// Access lets people in: who has one of its groups, names or its token may do what its role says, with a part of the log.
type Access struct {
	// Role is viewer, reviewer or admin.
	Role string `toml:"role"`
	// Groups are those that the OpenID provider says somebody is in.
	Groups []string `toml:"groups"`
	// Names are those in certificates of clients, as in Config.Viewers.
	Names []string `toml:"names"`
	// TokenFile names a file that holds a token.
	TokenFile string `toml:"token_file"`
	// Databases and AskingRoles are the part of the log: what these roles have asked at these databases. Empty is all.
	Databases   []string `toml:"databases"`
	AskingRoles []string `toml:"asking_roles"`
}

// grant is an Access as it is in force, or a shorter setting that says the same. It is the one place that says who may do what.
type grant struct {
	level  level
	part   store.Part
	token  string
	names  []string
	groups []string
}

// whole says whether a grant is for the whole log.
func (g *grant) whole() bool { return len(g.part.Databases)+len(g.part.Roles) == 0 }

// grants returns all of a configuration, with the tokens that its files hold. A person may have several.
func (c *Config) grants() ([]grant, error) {
	list := []grant{{level: reviewer, token: c.ReviewerToken, names: c.Reviewers}, {level: viewer, token: c.ViewerToken, names: c.Viewers}}
	for _, a := range c.Access {
		g := grant{level: levels[a.Role], part: store.Part{Databases: a.Databases, Roles: a.AskingRoles}, names: a.Names, groups: a.Groups}
		if a.TokenFile != "" {
			var err error
			if g.token, err = readSecret("admin.access.token_file", a.TokenFile); err != nil {
				return nil, err
			}
			if len(g.token) < minToken {
				return nil, fmt.Errorf("admin.access.token_file: %s holds %d characters; it must hold at least %d", a.TokenFile, len(g.token), minToken)
			}
			if slices.ContainsFunc(list, func(other grant) bool { return other.token == g.token }) {
				return nil, fmt.Errorf("admin.access.token_file: %s holds the token of another setting; nobody could tell who has it", a.TokenFile)
			}
		}
		list = append(list, g)
	}
	return list, nil
}

// minToken is how many characters a token has at least.
const minToken = 16

// readSecret returns what a file holds but for the blanks around it.
func readSecret(setting, file string) (string, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("%s: %w", setting, err)
	}
	text := strings.TrimSpace(string(b))
	if text == "" {
		return "", fmt.Errorf("%s: %s is empty", setting, file)
	}
	return text, nil
}

func (c *Config) validateAccess() error {
	for i, a := range c.Access {
		fail := func(format string, args ...any) error {
			return fmt.Errorf("admin.access %d: %s", i+1, fmt.Sprintf(format, args...))
		}
		switch {
		case levels[a.Role] == noAccess:
			return fail("role is %q; it is viewer, reviewer or admin", a.Role)
		case len(a.Groups)+len(a.Names) == 0 && a.TokenFile == "":
			return fail("groups, names and token_file are empty; it lets nobody in")
		case len(a.Groups) > 0 && c.OIDC.Issuer == "":
			return fail("groups is set and admin.oidc.issuer is not; nothing would vouch for the groups")
		case len(a.Names) > 0 && c.ClientCA == "":
			return fail("names is set and admin.client_ca is not; nothing would vouch for the names")
		}
		for _, list := range [][]string{a.Groups, a.Names, a.Databases, a.AskingRoles} {
			if slices.Contains(list, "") {
				return fail("a name in a list is empty")
			}
		}
	}
	return nil
}

// who is somebody who has shown who he is: his name, how he did, and what he may do with what.
type who struct {
	name   string // that verdicts keep
	how    string // local, certificate, token or oidc
	grants []grant
	cookie string // secret of the sign-in, empty if there is none
}

// most returns the most that he may do with any part of the log.
func (w *who) most() level {
	most := noAccess
	for _, g := range w.grants {
		most = max(most, g.level)
	}
	return most
}

// with returns what he may do with what a role has asked at a database.
func (w *who) with(database, role string) level {
	most := noAccess
	for _, g := range w.grants {
		if (store.Scope{g.part}).Covers(database, role) {
			most = max(most, g.level)
		}
	}
	return most
}

// scope returns the part of the log with which he may do so much.
func (w *who) scope(need level) store.Scope {
	scope := store.Scope{}
	for _, g := range w.grants {
		if g.level < need {
			continue
		}
		if g.whole() {
			return nil
		}
		scope = append(scope, g.part)
	}
	return scope
}

// reviewer returns him as the one who gives a verdict.
func (w *who) reviewer() store.Reviewer {
	return store.Reviewer{Name: w.name, How: w.how, Scope: w.scope(reviewer)}
}

// granted returns the grants that a condition holds for.
func (s *settings) granted(is func(*grant) bool) (list []grant) {
	for i := range s.grants {
		if is(&s.grants[i]) {
			list = append(list, s.grants[i])
		}
	}
	return list
}
