package catalog_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/reflect/protoreflect"

	"askpg/ask"
	"askpg/catalog"
	"askpg/internal/pgtest"
	"askpg/internal/warehouse"
)

type goldQuestion struct {
	ID, DB, Question, Hint string
	Gold                   []string
}

// gold is what a gold query reads: tables, columns and text literals.
type gold struct {
	tables   map[*catalog.Relation]bool
	columns  map[*catalog.Column]bool
	literals []string
}

// questionSets returns the questions' files of the sets in ASKPG_BENCH, none if
// it is not set.
func questionSets(t *testing.T) []string {
	t.Helper()
	bench := os.Getenv("ASKPG_BENCH")
	if bench == "" {
		t.Skip("ASKPG_BENCH does not name a folder of question sets")
	}
	files, err := filepath.Glob(filepath.Join(bench, "*", "questions.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no question sets in %s: %v", bench, err)
	}
	return files
}

// TestSearch_Recall measures lexical search on the question sets in
// ASKPG_BENCH: whether all tables and columns of the first gold query are
// among the first ones found, and whether its literals are found as values.
func TestSearch_Recall(t *testing.T) {
	files := questionSets(t)
	c := newCatalog(t, settings())
	var all recall
	for _, file := range files {
		var r recall
		set := filepath.Base(filepath.Dir(file))
		snaps := map[string]*catalog.Snapshot{}
		for _, q := range readQuestions(t, file) {
			s := snaps[q.DB]
			if s == nil {
				s = snapshot(t, c, loadBench(t, filepath.Join(filepath.Dir(file), "databases", q.DB+".sql")), pgtest.Superuser)
				snaps[q.DB] = s
			}
			g, err := readGold(s, q.Gold[0])
			if err != nil {
				t.Fatalf("%s: %v", q.ID, err)
			}
			r.measure(t, s, q, g, 5, 25)
		}
		t.Logf("%-9s %v", set, &r)
		all.add(&r)
	}
	t.Logf("%-9s %v", "all", &all)
	if v := all.share(all.tables, all.questions); v < 0.97 {
		t.Errorf("tables among the first 5: %.3f, want .97", v)
	}
	if v := all.share(all.columns, all.questions); v < 0.93 {
		t.Errorf("columns among the first 25: %.3f, want .93", v)
	}
	if v := all.share(all.found, all.literals); v < 0.90 {
		t.Errorf("literals found: %.3f, want .90", v)
	}
}

// TestSearch_RecallHidden hides each of the databases in a warehouse of 10,000 tables, whose names are made of the same
// everyday words. It measures whether all tables of the first gold query are among the first ten found.
func TestSearch_RecallHidden(t *testing.T) {
	files := questionSets(t)
	large := warehouse.Snapshot(10000)
	c := newCatalog(t, settings())
	var all recall
	for _, file := range files {
		var r recall
		set := filepath.Base(filepath.Dir(file))
		snaps := map[string]*catalog.Snapshot{}
		for _, q := range readQuestions(t, file) {
			s := snaps[q.DB]
			if s == nil {
				s = hide(snapshot(t, c, loadBench(t, filepath.Join(filepath.Dir(file), "databases", q.DB+".sql")), pgtest.Superuser), large)
				clear(snaps) // one is large enough
				snaps[q.DB] = s
			}
			g, err := readGold(s, q.Gold[0])
			if err != nil {
				t.Fatalf("%s: %v", q.ID, err)
			}
			g.columns, g.literals = nil, nil
			r.measure(t, s, q, g, 10, 25)
		}
		t.Logf("%-9s %4d questions: tables %.3f", set, r.questions, r.share(r.tables, r.questions))
		all.add(&r)
	}
	t.Logf("%-9s %4d questions: tables %.3f", "all", all.questions, all.share(all.tables, all.questions))
	if v := all.share(all.tables, all.questions); v < 0.90 {
		t.Errorf("tables among the first 10: %.3f, want .90", v)
	}
}

// TestRelevant_Recall measures what a narrowed prompt describes, on the question sets
// in ASKPG_BENCH: whether all tables of the first gold query are near the question, and
// near or beside it, where all databases of a set are one. ASKPG_SETS may name the sets.
func TestRelevant_Recall(t *testing.T) {
	files := questionSets(t)
	const n = 10 // translator.narrow_tables
	c := newCatalog(t, settings())
	var all recall
	for _, file := range files {
		var r recall
		full, brief, nearEnough, set := 0, 0, 0, filepath.Base(filepath.Dir(file))
		if sets := os.Getenv("ASKPG_SETS"); sets != "" && !slices.Contains(strings.Split(sets, ","), set) {
			continue
		}
		questions := readQuestions(t, file)
		var large *catalog.Snapshot
		snaps := map[string]*catalog.Snapshot{}
		for _, q := range questions {
			if snaps[q.DB] != nil {
				continue
			}
			s := snapshot(t, c, loadBench(t, filepath.Join(filepath.Dir(file), "databases", q.DB+".sql")), pgtest.Superuser)
			if snaps[q.DB] = s; large == nil {
				large = s
			} else {
				large = hide(s, large)
			}
		}
		for _, q := range questions {
			g, err := readGold(snaps[q.DB], q.Gold[0])
			if err != nil {
				t.Fatalf("%s: %v", q.ID, err)
			}
			near, beside := large.Relevant(q.Question+" "+q.Hint, n)
			full += len(near)
			brief += len(beside)
			r.questions++
			missing, far := "", false
			for rel := range g.tables {
				far = far || !slices.Contains(near, rel)
				if !slices.Contains(near, rel) && !slices.Contains(beside, rel) {
					missing += " " + rel.Name.Name
				}
			}
			if !far {
				nearEnough++
			}
			if missing == "" {
				r.tables++
			} else if os.Getenv("ASKPG_MISSES") != "" {
				t.Logf("%s %s: %q lacks%s", q.ID, q.DB, q.Question, missing)
			}
		}
		t.Logf("%-13s %4d questions, %d tables: near %.3f with %.1f, near or beside %.3f with %.1f more", set, r.questions, len(large.Relations),
			r.share(nearEnough, r.questions), float64(full)/float64(r.questions), r.share(r.tables, r.questions), float64(brief)/float64(r.questions))
		all.add(&r)
	}
	if v := all.share(all.tables, all.questions); v < 0.99 {
		t.Errorf("tables around the question: %.3f, want .99", v)
	}
}

// hide returns the small database as a part of the large one.
func hide(small, large *catalog.Snapshot) *catalog.Snapshot {
	s := &catalog.Snapshot{Version: small.Version, Database: small.Database, Role: small.Role, ServerVersion: small.ServerVersion}
	s.Relations = append(append(s.Relations, large.Relations...), small.Relations...)
	slices.SortFunc(s.Relations, func(a, b *catalog.Relation) int {
		return cmp.Or(strings.Compare(a.Schema, b.Schema), strings.Compare(a.Name.Name, b.Name.Name))
	})
	s.ForeignKeys = append(append(s.ForeignKeys, large.ForeignKeys...), small.ForeignKeys...)
	s.Values = catalog.NewValues(func(yield func(*catalog.Column, string) bool) {
		for _, of := range []*catalog.Snapshot{small, large} {
			for c, v := range of.Values.All() {
				if !yield(c, v) {
					return
				}
			}
		}
	})
	return s
}

type recall struct{ questions, tables, columns, literals, found int }

func (r *recall) add(o *recall) {
	r.questions += o.questions
	r.tables += o.tables
	r.columns += o.columns
	r.literals += o.literals
	r.found += o.found
}

func (*recall) share(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}

func (r *recall) String() string {
	return fmt.Sprintf("%4d questions: tables %.3f, columns %.3f, literals %.3f of %d",
		r.questions, r.share(r.tables, r.questions), r.share(r.columns, r.questions), r.share(r.found, r.literals), r.literals)
}

func (r *recall) measure(t *testing.T, s *catalog.Snapshot, q goldQuestion, g *gold, tables, columns int) {
	text := q.Question + " " + q.Hint
	r.questions++
	seen := map[*catalog.Relation]bool{}
	for _, m := range s.SearchRelations(text, tables) {
		seen[m.Relation] = true
	}
	var missing []string
	for rel := range g.tables {
		if !seen[rel] {
			missing = append(missing, rel.Name.Name)
		}
	}
	if missing == nil {
		r.tables++
	}
	found := map[*catalog.Column]bool{}
	for _, c := range s.Search(text, columns) {
		found[c] = true
	}
	n := len(missing)
	for col := range g.columns {
		if !found[col] {
			missing = append(missing, col.Relation.Name.Name+"."+col.Name)
		}
	}
	if len(missing) == n {
		r.columns++
	}
	hits := map[string]bool{}
	for _, h := range s.Values.Find(text) {
		hits[h.Value] = true
	}
	for _, lit := range g.literals {
		if !holds(s, lit) || !mentioned(text, lit) {
			continue
		}
		r.literals++
		if hits[lit] {
			r.found++
		} else {
			missing = append(missing, "'"+lit+"'")
		}
	}
	if missing != nil && os.Getenv("ASKPG_MISSES") != "" {
		sort.Strings(missing)
		t.Logf("%s %s: %q lacks %s", q.ID, q.DB, q.Question, strings.Join(missing, ", "))
	}
}

// holds reports whether some indexed column has the literal as a value.
func holds(s *catalog.Snapshot, literal string) bool {
	for _, r := range s.Relations {
		for _, c := range r.Columns {
			if has, _ := s.Values.Has(c, literal); has {
				return true
			}
		}
	}
	return false
}

// mentioned reports whether a word of the literal is in the question at all,
// be it in another form.
func mentioned(question, literal string) bool {
	for _, w := range catalog.Words(literal) {
		for _, in := range catalog.Words(question) {
			if in == w || len(w) >= 4 && strings.HasPrefix(in, w[:4]) {
				return true
			}
		}
	}
	return false
}

func readQuestions(t *testing.T, file string) []goldQuestion {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []goldQuestion
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var q goldQuestion
		if err := json.Unmarshal(sc.Bytes(), &q); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		out = append(out, q)
	}
	return out
}

func loadBench(t *testing.T, file string) string {
	t.Helper()
	script, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return pgtest.NewDatabase(t, string(script)+"\n;set search_path = public; analyze;")
}

// readGold resolves the names of a query against the snapshot.
func readGold(s *catalog.Snapshot, sql string) (*gold, error) {
	tree, err := pg_query.Parse(sql)
	if err != nil {
		return nil, err
	}
	g := &gold{map[*catalog.Relation]bool{}, map[*catalog.Column]bool{}, nil}
	aliases := map[string]*catalog.Relation{}
	var refs [][]string
	for _, stmt := range tree.Stmts {
		ask.Walk(stmt.ProtoReflect(), func(m protoreflect.Message) {
			switch n := m.Interface().(type) {
			case *pg_query.RangeVar:
				if r := s.Lookup("public", n.Relname); r != nil {
					g.tables[r] = true
					aliases[n.Relname] = r
					if n.Alias != nil {
						aliases[n.Alias.Aliasname] = r
					}
				}
			case *pg_query.ColumnRef:
				var ref []string
				for _, f := range n.Fields {
					if str := f.GetString_(); str != nil {
						ref = append(ref, str.Sval)
					}
				}
				refs = append(refs, ref)
			case *pg_query.A_Const:
				if v := n.GetSval(); v != nil {
					g.literals = append(g.literals, strings.Trim(v.Sval, "%"))
				}
			}
		})
	}
	for _, ref := range refs {
		switch len(ref) {
		case 1:
			for r := range g.tables {
				if c := r.Column(ref[0]); c != nil {
					g.columns[c] = true
				}
			}
		case 2:
			if r := aliases[ref[0]]; r != nil {
				if c := r.Column(ref[1]); c != nil {
					g.columns[c] = true
				}
			}
		}
	}
	return g, nil
}
