// Package guard judges a SQL text that a model wrote before a server sees it.
// It is an allow-list over the whole parse tree. Every function, operator,
// type and relation is resolved to what the server would use.
//
// The tree is PostgreSQL's own (libpg_query), walked by reflection, so that a
// node nobody thought of is refused and not skipped. Names are resolved by a
// Lookup in the database itself. Where types would have to be known to tell
// two overloads apart, all that could be meant must be allowed.
package guard

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"askpg/ask"
)

// defaultMaxBytes bounds a statement if the policy does not; ask.MaxTokens
// does too.
const defaultMaxBytes = 64 << 10

// Guard judges statements by a policy. It is safe for concurrent use.
type Guard struct {
	policy     Policy
	rules      *rules
	extensions map[string]bool
	schemas    map[string]bool
	functions  map[Name]bool
	relations  map[Name]bool
	parameters bool // statements may have parameters, see WithParameters
	anywhere   bool // statements may run elsewhere too, see Anywhere

	mu    sync.Mutex
	walks map[string]*walk
}

// New returns a guard for the policy.
func New(p Policy) (g *Guard, err error) {
	shapes() // so that the first question does not wait for it
	p.MaxBytes = cmp.Or(p.MaxBytes, defaultMaxBytes)
	g = &Guard{policy: p, rules: builtinRules(), extensions: set(p.Extensions), schemas: set(p.Schemas), walks: map[string]*walk{}}
	if g.functions, err = names(p.Functions); err != nil {
		return nil, err
	}
	g.relations, err = names(p.Relations)
	return g, err
}

// names reads names that are written schema.name.
func names(list []string) (map[Name]bool, error) {
	m := make(map[Name]bool, len(list))
	for _, s := range list {
		schema, name, ok := strings.Cut(s, ".")
		if !ok {
			return nil, fmt.Errorf("guard: %q must be written schema.name", s)
		}
		m[Name{schema, name}] = true
	}
	return m, nil
}

func set(list []string) map[string]bool {
	m := make(map[string]bool, len(list))
	for _, s := range list {
		m[s] = true
	}
	return m
}

// Problem is one reason to refuse a statement.
type Problem struct {
	What string // the object: "function pg_catalog.pg_sleep"
	Why  string
	Fix  string // what an admin can do, empty if nothing
	Code string // SQLSTATE of the refusal, ask.CodeRefused if empty
}

func (p Problem) String() string { return p.What + ": " + p.Why }

// Use is one thing that a statement uses and the reason that it may.
type Use struct {
	What, Why string
}

// Verdict is the guard's judgement of a statement.
type Verdict struct {
	Problems []Problem // empty if the statement is allowed
	Uses     []Use     // what it uses and why that is allowed, from Explain alone
	// Unsure lists calls of which some overloads are allowed and others are
	// not. They are problems too, unless the server can say which it means.
	Unsure []Problem
}

// Allowed says whether the statement may run.
func (v *Verdict) Allowed() bool { return len(v.Problems) == 0 && len(v.Unsure) == 0 }

// Err returns nil if the statement is allowed, and why it is refused otherwise.
func (v *Verdict) Err() error {
	all := append(append([]Problem(nil), v.Problems...), v.Unsure...)
	if len(all) == 0 {
		return nil
	}
	e := ask.Errorf(cmp.Or(all[0].Code, ask.CodeRefused), "refused by the guard: %s", all[0])
	if len(all) > 1 {
		lines := make([]string, len(all))
		for i, p := range all {
			lines[i] = p.String()
		}
		_ = e.WithDetail("%s", strings.Join(lines, "\n"))
	}
	if all[0].Fix != "" {
		_ = e.WithHint("%s", all[0].Fix)
	}
	return e
}

// Judge judges one statement by its text. The error is an *ask.Error if the
// text does not parse, and whatever the lookup returned if it failed; a
// refusal is no error but a Verdict with problems.
func (g *Guard) Judge(ctx context.Context, sql string, l Lookup) (Verdict, error) {
	return g.judge(ctx, sql, l, false)
}

// Explain judges as Judge does and lists what the statement uses, for people.
func (g *Guard) Explain(ctx context.Context, sql string, l Lookup) (Verdict, error) {
	return g.judge(ctx, sql, l, true)
}

func (g *Guard) judge(ctx context.Context, sql string, l Lookup, explain bool) (Verdict, error) {
	var v Verdict
	if p := g.text(sql); p != nil {
		v.Problems = append(v.Problems, *p)
		return v, nil
	}
	w, err := g.read(sql)
	if err != nil {
		return v, err
	}
	if v.Problems = append(v.Problems, w.problems...); len(v.Problems) > 0 {
		return v, nil
	}
	j := g.judgement(l, &v, explain)
	err = j.names(ctx, w)
	return v, err
}

// maxWalks bounds the statements whose names are remembered: a candidate is
// judged when it is planned, when it runs, and when it answers.
const maxWalks = 256

// read parses a statement and takes down what it uses, which depends on
// nothing but the text.
func (g *Guard) read(sql string) (*walk, error) {
	g.mu.Lock()
	w := g.walks[sql]
	g.mu.Unlock()
	if w != nil {
		return w, nil
	}
	json, err := ask.ParseJSON(sql)
	if err != nil {
		return nil, err
	}
	w = newWalk(g.rules)
	w.parameters, w.anywhere = g.parameters, g.anywhere
	if err := w.read(json); err != nil {
		w.problem("statement", "%s", err)
	}
	w.words = words(sql)
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.walks) >= maxWalks {
		clear(g.walks)
	}
	g.walks[sql] = w
	return w, nil
}

// text refuses what must not reach the parser.
func (g *Guard) text(sql string) *Problem {
	switch {
	case len(sql) > g.policy.MaxBytes:
		return &Problem{What: fmt.Sprintf("statement of %d bytes", len(sql)), Why: fmt.Sprintf("the limit is %d", g.policy.MaxBytes)}
	case strings.IndexByte(sql, 0) >= 0:
		return &Problem{What: "zero byte", Why: "the parser would stop there and the rest would not be judged"}
	case longName(sql):
		return &Problem{What: "name of more than 63 bytes", Why: "a server with another encoding clips it at another place than the parser here, and would look up another name"}
	case !utf8.ValidString(sql):
		return &Problem{What: "invalid UTF-8", Why: "the server could read it as something else"}
	}
	return nil
}

// maxName is the longest name (NAMEDATALEN - 1) in bytes.
const maxName = 63

// longName says whether a text may hold a name that is clipped. That is a run of characters
// of names, or what stands in double quotes, that is longer than maxName and not ASCII alone.
// Where it is ASCII, all encodings clip it at the same place.
func longName(sql string) bool {
	run, plain, quoted := 0, true, false
	for i := 0; i < len(sql); i++ {
		c := sql[i]
		switch {
		case c == '"':
			quoted, run, plain = !quoted, 0, true
		case quoted || isWord(c) || c == '$' || c >= 0x80:
			run++
			plain = plain && c < 0x80
			if run > maxName && !plain {
				return true
			}
		default:
			run, plain = 0, true
		}
	}
	return false
}

// JudgeTree judges a statement by the tree that the server's own analysis made
// of it (debug_print_parse): what it resolved every call, operator, cast and
// relation to. It decides what Judge is unsure of; it does not stand in for
// Judge, since a text has to be judged before a server analyses it.
func (g *Guard) JudgeTree(ctx context.Context, tree string, l Lookup) (Verdict, error) {
	return g.judgeTree(ctx, tree, l, false)
}

// ExplainTree judges as JudgeTree does and lists what the statement uses, for
// people.
func (g *Guard) ExplainTree(ctx context.Context, tree string, l Lookup) (Verdict, error) {
	return g.judgeTree(ctx, tree, l, true)
}

func (g *Guard) judgeTree(ctx context.Context, tree string, l Lookup, explain bool) (Verdict, error) {
	var v Verdict
	j := g.judgement(l, &v, explain)
	if !strings.HasPrefix(strings.TrimSpace(tree), "{QUERY") {
		v.Problems = append(v.Problems, Problem{What: "statement", Why: "the server's analysis of it is not understood, or reading a constant of it runs a query"})
		return v, nil
	}
	var next []uint32
	refs := scanTree(tree)
	if err := j.owners(ctx, nil, refs.objects()); err != nil {
		return v, err
	}
	j.refs(refs, "", inStatement, &next)
	found, err := l.RelationsOf(ctx, next)
	if err != nil {
		return v, err
	}
	if err := j.relations(ctx, found); err != nil || !j.search {
		return v, err
	}
	return v, j.searches(ctx, true)
}
