package catalog_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/catalog"
	"askpg/internal/pgtest"
	"askpg/translator/prompt"
)

// What a role may read is decided by PostgreSQL; over random grants to random
// roles that are members of each other, the snapshot has just that, and
// nothing else is found by a search or among the values.
func TestCatalog_RandomGrants(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	var tables []string
	for s := range 3 {
		fmt.Fprintf(&b, "create schema s%d;\n", s)
		for i := range 4 {
			name := fmt.Sprintf("s%d.t%d", s, i)
			tables = append(tables, name)
			fmt.Fprintf(&b, "create table %s (a%d%d text, b%d%d text check (b%d%d in ('checked%d%d')), c%d%d int unique);\n", name, s, i, s, i, s, i, s, i, s, i)
			fmt.Fprintf(&b, "insert into %s values ('needle%d%d', 'checked%d%d', 1);\n", name, s, i, s, i)
		}
		fmt.Fprintf(&b, "alter table s%d.t1 add foreign key (c%d1) references s%d.t0 (c%d0);\n", s, s, s, s)
		fmt.Fprintf(&b, "create view s%d.v as select a%d0, b%d0 as viewed%d from s%d.t0;\n", s, s, s, s, s)
		tables = append(tables, fmt.Sprintf("s%d.v", s))
	}
	database := pgtest.NewDatabase(t, b.String()+"analyze")
	var roles []string
	for i := range 5 {
		roles = append(roles, newRole(t, database, fmt.Sprintf("r%d", i)))
	}
	c := catalog.New(settings(), newSource(t), quiet(), nil)
	t.Cleanup(c.Close)
	c.UseEmbedder(anyVectors{})
	cfg := settings()
	cfg.ValuesDistinct, cfg.LookupTime = 0, ask.Duration(time.Minute) // all columns are large
	cfg.LookupColumns = 100
	large := newCatalog(t, cfg)
	asked := 0
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, pgtest.Shared(t).Primary.URL(pgtest.Superuser, database))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)

	partial := 0 // relations of which a role may read some columns only
	for round := range 12 {
		var script []string
		for range 10 {
			role, table := roles[rnd.IntN(len(roles))], tables[rnd.IntN(len(tables))]
			verb, to := "grant", "to"
			if rnd.IntN(3) == 0 {
				verb, to = "revoke", "from"
			}
			switch rnd.IntN(8) {
			case 0, 7:
				script = append(script, fmt.Sprintf("%s usage on schema s%d %s %s", verb, rnd.IntN(3), to, role))
			case 1:
				script = append(script, fmt.Sprintf("%s select on %s %s %s", verb, table, to, role))
			case 2, 5, 6:
				if !strings.HasSuffix(table, "v") {
					script = append(script, fmt.Sprintf("%s select (%c%c%c) on %s %s %s", verb, "abc"[rnd.IntN(3)], table[1], table[4], table, to, role))
				}
			case 3:
				i := rnd.IntN(len(roles) - 1)
				script = append(script, fmt.Sprintf("%s %s %s %s", verb, roles[i], to, roles[i+1+rnd.IntN(len(roles)-i-1)]))
			case 4:
				script = append(script, fmt.Sprintf("alter table %s owner to %s", strings.Replace(table, ".v", ".t0", 1), role),
					fmt.Sprintf("alter role %s %s", role, []string{"inherit", "noinherit"}[rnd.IntN(2)]))
			}
		}
		primary(t, database, strings.Join(script, ";\n"))
		for _, role := range roles {
			allowed := readable(t, ctx, conn, role)
			s := snapshot(t, c, database, role)
			for _, r := range s.Relations {
				if r.Kind == catalog.Table && len(r.Columns) < 3 {
					partial++
				}
			}
			when := fmt.Sprintf("round %d, role %s, after\n%s", round, role, strings.Join(script, ";\n"))
			s.Prepare(ctx, "all that there is")
			checkSnapshot(t, s, allowed, when)
			checkPrompt(t, s, allowed, when)
			for i := range 3 {
				question := fmt.Sprintf("which a%d%d holds needle%d%d", i, round%4, i, round%4)
				for _, h := range large.Lookup(ctx, snapshot(t, large, database, role), question) {
					asked++
					if name := h.Column.Relation.Schema + "." + h.Column.Relation.Name.Name + "." + h.Column.Name; !allowed[name] {
						t.Errorf("%s: a large column was asked that may not be read: %s", when, name)
					}
				}
			}
			if t.Failed() {
				return
			}
		}
	}
	if asked < 20 {
		t.Errorf("large columns gave %d values only", asked)
	}
	if partial < 20 {
		t.Errorf("column privileges mattered %d times only", partial)
	}
}

// readable asks PostgreSQL which columns a role may read.
func readable(t *testing.T, ctx context.Context, conn *pgx.Conn, role string) map[string]bool {
	t.Helper()
	rows, err := conn.Query(ctx, `select format('%s.%s.%s', n.nspname, c.relname, a.attname)
		from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
		where n.nspname ~ '^s[0-9]$' and a.attnum > 0 and c.relkind in ('r', 'v')
		  and has_schema_privilege($1, n.oid, 'usage') and has_column_privilege($1, c.oid, a.attnum, 'select')`, role)
	if err != nil {
		t.Fatal(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]bool{}
	for _, n := range names {
		m[n] = true
	}
	return m
}

// anyVectors finds all texts alike.
type anyVectors struct{}

func (anyVectors) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i := range out {
		out[i] = []float32{1, 0.5}
	}
	return out, nil
}

// checkPrompt looks for names in a prompt of columns that may not be read.
func checkPrompt(t *testing.T, s *catalog.Snapshot, allowed map[string]bool, when string) {
	t.Helper()
	known := map[string]bool{}
	for name := range allowed {
		known[name[strings.LastIndexByte(name, '.')+1:]] = true
	}
	for _, style := range []prompt.Style{prompt.DDL, prompt.Profile, prompt.Reference} {
		p, err := prompt.Render(prompt.Input{Snapshot: s, Question: "all that there is", Privacy: prompt.DefaultPrivacy(), Style: style, Frame: prompt.Direct})
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range columnNames.FindAllString(p.User, -1) {
			if !known[word] {
				t.Errorf("%s: %s is in a prompt of style %s", when, word, style)
			}
		}
		if len(allowed) > 0 && !strings.Contains(p.User, "needle") && !columnNames.MatchString(p.User) {
			t.Errorf("%s: the prompt of style %s shows nothing", when, style)
		}
	}
}

var columnNames = regexp.MustCompile(`\b([abc][0-2][0-3]|viewed[0-2])\b`)

func checkSnapshot(t *testing.T, s *catalog.Snapshot, allowed map[string]bool, when string) {
	t.Helper()
	full := func(c *catalog.Column) string { return c.Relation.Schema + "." + c.Relation.Name.Name + "." + c.Name }
	check := func(where string, cols ...*catalog.Column) {
		t.Helper()
		for _, c := range cols {
			if !allowed[full(c)] {
				t.Errorf("%s: %s is in %s", when, full(c), where)
			}
		}
	}
	seen := 0
	var question strings.Builder
	for _, r := range s.Relations {
		check("the snapshot", r.Columns...)
		check("a primary key", r.PrimaryKey...)
		for _, u := range r.Unique {
			check("a unique key", u...)
		}
		for _, def := range r.Checks {
			if !allowed[r.Schema+"."+r.Name.Name+".b"+r.Name.Name[1:]] && !strings.Contains(def, "b"+r.Schema[1:]+r.Name.Name[1:]) {
				t.Errorf("%s: check %s", when, def)
			}
			for i := range 3 {
				if name := fmt.Sprintf("b%d%s", i, r.Name.Name[1:]); strings.Contains(def, name) && r.Column(name) == nil {
					t.Errorf("%s: check %s names a column that is not readable", when, def)
				}
			}
		}
		seen += len(r.Columns)
		for _, c := range r.Columns {
			if c.Profile != nil && !allowed[full(c)] {
				t.Errorf("%s: profile of %s", when, full(c))
			}
		}
	}
	if seen != len(allowed) {
		t.Errorf("%s: %d columns in the snapshot, %d may be read", when, seen, len(allowed))
	}
	for _, k := range s.ForeignKeys {
		check("a foreign key", append(k.FromCols, k.ToCols...)...)
	}
	for i := range 3 {
		for j := range 4 {
			fmt.Fprintf(&question, "needle%d%d checked%d%d a%d%d b%d%d viewed%d ", i, j, i, j, i, j, i, j, i)
		}
	}
	for _, h := range s.Values.Find(question.String()) {
		check("the values", h.Column)
	}
	check("a search", s.Search(question.String(), 1000)...)
	for _, m := range s.SearchRelations("all that there is", 1000) {
		check("a search by meaning", m.Relation.Columns...)
	}
	for _, n := range s.Denied {
		for name := range allowed {
			if strings.HasPrefix(name, n.Schema+"."+n.Name+".") {
				t.Errorf("%s: %v is among the denied", when, n)
			}
		}
	}
}
