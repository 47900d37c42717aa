package replica

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"askpg/ask"

	"github.com/jackc/pgx/v5/pgconn"
)

//go:embed setup.sql.tmpl
var setupText string

var setupTemplate = template.Must(template.New("setup").Funcs(template.FuncMap{"ident": quoteIdent, "lit": ask.QuoteLiteral}).Parse(setupText))

// Setup returns the SQL that makes the service login right: to be run once on
// the primary by a superuser, roles being those whose questions shall run.
func (c *Config) Setup(roles []string) (string, error) {
	pc, err := pgconn.ParseConfig(c.URL)
	if err != nil {
		return "", ask.URLError("replica.url", err)
	}
	if c.SuperuserRole != "" && !slices.Contains(roles, c.SuperuserRole) {
		roles = append(slices.Clone(roles), c.SuperuserRole)
	}
	names := append([]string{pc.User}, roles...)
	quote := "$askpg$" // of the blocks that names stand in, which none may end
	for slices.ContainsFunc(names, func(name string) bool { return strings.Contains(name, quote) }) {
		quote = "$_" + quote[1:]
	}
	var b strings.Builder
	err = setupTemplate.Execute(&b, map[string]any{"Quote": quote, "Login": pc.User, "Roles": roles, "SuperuserRole": c.SuperuserRole, "TempFiles": fmt.Sprintf("%dkB", c.TempFileLimit>>10)})
	return b.String(), err
}
