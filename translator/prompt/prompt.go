// Package prompt writes the texts that ask a model for SQL: the schema in
// several renderings, demonstrations, the question and what is known about
// it. Everything that does not come from askpg itself (question, hint,
// comments, values) is quoted as data. The schema comes first, so that servers
// that keep the state of a common prefix read it once.
package prompt

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strings"
	"text/template"
	"time"

	"askpg/ask"
	"askpg/catalog"
	"askpg/translator/token"
)

// Style is a rendering of the schema.
type Style string

// The styles. They say the same in different words, so that what one model
// makes of them differs where it is unsure. renderers has what each is written by.
const (
	DDL       Style = "ddl"       // CREATE TABLE statements with comments
	Profile   Style = "profile"   // a line for each column with its values, like M-Schema (XiYan-SQL, 2024)
	Reference Style = "reference" // PET-SQL's reference-enhanced representation (Li et al. 2024, section 3.1)
)

// Frame is the task that a prompt sets.
type Frame string

// The frames.
const (
	Direct Frame = "direct" // answer with the SQL alone
	Plan   Frame = "plan"   // plan first, then the SQL
	Divide Frame = "divide" // divide the question, solve the parts, put them together
	Short  Frame = "short"  // for a small model: few rules, examples beside the question, and the request's form says how to answer
)

// Privacy says what of the data may leave for a model (values) and which
// models may be asked (models).
type Privacy struct {
	Values string `toml:"values"` // none: no data at all; stats: common values and bounds; samples: sample rows too
	Models string `toml:"models"` // all, or local: only models marked local
}

// The levels of Privacy.Values and Privacy.Models.
const (
	ValuesNone    = "none"
	ValuesStats   = "stats"
	ValuesSamples = "samples"
	modelsAll     = "all"
	ModelsLocal   = "local"
)

// DefaultPrivacy lets statistics go to every configured model, and no rows.
func DefaultPrivacy() Privacy { return Privacy{Values: ValuesStats, Models: modelsAll} }

// Validate names the first setting that can't stand.
func (p *Privacy) Validate() error {
	return cmp.Or(ask.OneOf("privacy.values", p.Values, ValuesNone, ValuesStats, ValuesSamples), ask.OneOf("privacy.models", p.Models, modelsAll, ModelsLocal))
}

// Input is what a prompt is made of.
type Input struct {
	Snapshot   *catalog.Snapshot
	Question   string
	Hint       string
	History    []ask.Turn // earlier questions that this one follows up on, oldest first
	Demos      []Demo
	Hits       []catalog.Hit // values of the database that the question mentions
	Samples    Samples
	Privacy    Privacy
	SearchPath []string // schemas whose names need no schema before them
	Now        time.Time
	TimeZone   string

	Style      Style
	Frame      Frame
	Order      Order
	Tables     []*catalog.Relation      // only these, if not nil
	Near       []*catalog.Relation      // only these in full, if Tables is nil and all relations take more than NarrowFrom tokens
	Beside     []*catalog.Relation      // then these are told by name first, of all the others
	NarrowFrom int                      // 0 for never
	Naming     int                      // tokens that relations told by name may take up; 0 for a share of Budget
	Cols       map[*catalog.Column]bool // only these of them, if not nil
	About      map[*catalog.Column]bool // only these have examples and bounds, if not nil
	Paper      bool                     // sample rows, cell values and rules are those of the published systems
	Budget     int                      // tokens that the prompt may take up; 0 for no limit
	Notes      []string                 // further lines of askpg's own before the question

	named   []*catalog.Relation // told by their names and those of their columns
	naming  string              // the lines of relations that are told by name
	partial bool                // not even the names of some relations are told

	detailed   map[*catalog.Relation]bool // described with values, once the schema is written
	references map[*catalog.Column]bool   // columns that refer to keys, once they were asked for
}

// Demo is a question with its verified SQL.
type Demo struct {
	Question string
	SQL      string
}

// Samples holds sample rows of relations, for privacy level samples.
type Samples map[*catalog.Relation]Rows

// Rows are sample rows: column names and cells, nil for NULL.
type Rows struct {
	Columns []string
	Cells   [][][]byte
	All     [][][]byte // every row of a small table; nil of others
}

// Prompt is a rendered prompt.
type Prompt struct {
	System string
	User   string
	Tokens int                 // estimated
	Shown  []*catalog.Relation // the relations that it describes
	Named  []*catalog.Relation // of which it tells the columns in a line
	Part   bool                // not even the names of some others are told
	Left   int                 // relations that did not fit the budget
}

//go:embed templates/*.tmpl
var files embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"fence":   fence,
	"comment": line,
	"add":     func(a, b int) int { return a + b },
}).ParseFS(files, "templates/*.tmpl"))

// Render writes a generation prompt. It fails if not even the question fits
// the budget.
func Render(in Input) (Prompt, error) {
	in.detailed = map[*catalog.Relation]bool{}
	in.narrow()
	system, err := execute("system.tmpl", data(in, ""))
	if err != nil {
		return Prompt{}, err
	}
	rest, err := execute("generate.tmpl", data(in, ""))
	if err != nil {
		return Prompt{}, err
	}
	return fitted(in, system, rest, func(schema string) (string, error) { return execute("generate.tmpl", data(in, schema)) })
}

// fitted writes a prompt around the schema that fits the budget; rest is the
// prompt without it.
func fitted(in Input, system, rest string, fill func(schema string) (string, error)) (Prompt, error) {
	used := token.Count(system) + token.Count(rest) + overhead
	budget := max(in.Budget-used, 0)
	for in.Budget == 0 || budget > 0 {
		schema := renderSchema(&in, budget)
		user, err := fill(schema.text)
		if err != nil {
			return Prompt{}, err
		}
		p := Prompt{System: system, User: user, Tokens: token.Count(system) + token.Count(user) + overhead,
			Shown: schema.shown, Named: in.named, Left: schema.left, Part: in.partial || schema.left > 0}
		// Tokens run over the seams, so that the whole may be more than its parts.
		excess := p.Tokens - in.Budget
		if in.Budget == 0 || excess <= 0 {
			return p, nil
		}
		budget -= excess
	}
	return Prompt{}, fmt.Errorf("the question alone takes %d tokens, the model's window leaves %d", used, in.Budget)
}

// overhead is what a server's chat template adds to two messages.
const overhead = 16

// Repair writes the message that follows an answer that failed, in the same
// conversation, which was begun in the frame. A failure of class 02 (no data) is of SQL that ran.
func Repair(frame Frame, sql string, failure *ask.Error, notes []string) (string, error) {
	return execute("repair.tmpl", map[string]any{
		"Frame": frame,
		"SQL":   sql, "Ran": strings.HasPrefix(failure.Code, "02"), "Message": failure.Message, "Detail": failure.Detail, "Hint": failure.Hint, "Notes": notes,
	})
}

type view struct {
	Input
	Version string
	Schema  string
	Defined []string // measures and terms
	Queries []Demo   // that say how something is computed
	Values  []string
	Calls   []string // functions of the database
	Today   string
	Ruled   bool // the rules of the SQL are told
	Defines bool // an administrator's definitions may be among what is told
}

func data(in Input, schema string) view {
	v := view{Input: in, Schema: schema, Version: version(in.Snapshot.ServerVersion)}
	v.Defined, v.Queries = definitionLines(&in), in.queries()
	v.Defines = len(v.Defined)+len(v.Queries) > 0 || slices.ContainsFunc(in.Snapshot.Relations, func(r *catalog.Relation) bool {
		return r.Condition.Text != "" && in.shows(r)
	})
	if !in.Now.IsZero() {
		v.Today = in.Now.Format("2006-01-02, a Monday")
	}
	if in.Privacy.Values != ValuesNone {
		v.Values = valueLines(&in)
	}
	for _, f := range in.Snapshot.SearchFunctions(in.Question+" "+in.Hint, maxCalls) {
		l := line(ident(f.Schema) + "." + ident(f.Name.Name) + "(" + f.Arguments + ") returns " + f.Result)
		if f.Comment != "" {
			l += ": " + shorten(line(f.Comment), 100)
		}
		v.Calls = append(v.Calls, l)
	}
	return v
}

// version prints server_version_num as people say it.
func version(num int) string {
	switch {
	case num <= 0:
		return "PostgreSQL"
	case num >= 100000:
		return fmt.Sprintf("PostgreSQL %d", num/10000)
	default:
		return fmt.Sprintf("PostgreSQL %d.%d", num/10000, num/100%100)
	}
}

// maxCalls bounds the functions that a prompt names.
const maxCalls = 3

// shows says whether a prompt may speak of the relation.
func (in *Input) shows(r *catalog.Relation) bool {
	if in.Tables == nil {
		return true
	}
	return slices.Contains(in.Tables, r) || slices.Contains(in.named, r)
}

func execute(name string, data any) (string, error) {
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, name, data); err != nil {
		return "", fmt.Errorf("template %s: %w", name, err)
	}
	return strings.TrimSpace(b.String()) + "\n", nil
}
