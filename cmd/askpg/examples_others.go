package main

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
	"askpg/catalog"
	"askpg/catalog/words"
	"askpg/store"
	"askpg/translator"
	"askpg/translator/refs"
)

// maxOthersPlanned bounds the examples of other roles that are planned for one question.
const maxOthersPlanned = 5

// others decides which examples of other roles the asker of a question may be told.
//
// That his role can run an example's SQL proves nothing of its words: they may be values of a table of the same
// name, of rows that row security hides, or of no table. So both must hold:
//   - The SQL reads the same relations and columns for him as for the role that asked, by the server's analysis, and at
//     least one. Each shows the same rows to every role, and has no private column.
//   - Each word of question and SQL is the asker's own, a name or comment of what is read, a value of what is read,
//     or one of the language's most frequent words.
type others struct {
	*app
	q       *ask.Question
	planned int
}

func (o *others) tellsNothingNew(ctx context.Context, x *store.Example) bool {
	if x.Role == "" || x.OnlyFor != "" || o.planned == maxOthersPlanned {
		return false
	}
	snap, err := o.catalog.SnapshotFor(ctx, &o.q.Session)
	if err != nil {
		return false
	}
	read := refs.Of(x.SQL, snap, translator.SearchPath(o.q.Session.Settings["search_path"], o.q.Session.Role)).Relations
	if len(read) == 0 || slices.ContainsFunc(read, func(r *catalog.Relation) bool { return !r.Shared() || !r.Open() }) ||
		!newKnownWords(snap, read, o.q).hold(x) {
		return false
	}
	o.planned++
	his := o.reads(ctx, o.q.Session, x.SQL)
	if len(his) != len(read) || slices.ContainsFunc(read, func(r *catalog.Relation) bool { _, ok := his[r.OID]; return !ok }) {
		return false
	}
	theirs := o.reads(ctx, ask.Session{Database: x.Database, Role: x.Role, SessionUser: x.Role, Settings: x.Settings}, x.SQL)
	return maps.EqualFunc(his, theirs, slices.Equal)
}

// reads returns the columns of each relation that a statement reads for a session, by the server's analysis. It returns
// nil if the statement does not plan, or if that is not known.
func (o *others) reads(ctx context.Context, s ask.Session, sql string) map[uint32][]int16 {
	plan, _, _, err := o.execute(ctx, s, sql, false)
	if err != nil || plan.Reads == nil {
		return nil
	}
	return plan.Reads.Columns
}

// knownWords are the words that tell an asker nothing new, as stems.
type knownWords struct {
	snap  *catalog.Snapshot
	read  []*catalog.Relation
	stems map[string]bool
}

func newKnownWords(snap *catalog.Snapshot, read []*catalog.Relation, q *ask.Question) *knownWords {
	k := &knownWords{snap, read, map[string]bool{"0": true, "1": true, "100": true}} // which units and shares need
	k.add(q.Text, q.Hint)
	for _, r := range read {
		k.add(r.Schema, r.Name.Name, r.Comment)
		k.add(words.Split(r.Name.Name)...)
		for _, c := range r.Columns {
			k.add(c.Name, c.Comment)
			k.add(words.Split(c.Name)...)
		}
	}
	return k
}

func (k *knownWords) add(texts ...string) {
	for _, text := range texts {
		for _, t := range words.Tokens(text) {
			k.stems[words.Stem(t.Text)] = true
		}
	}
}

// hold reports whether all words of an example are known. Values of what it reads are.
func (k *knownWords) hold(x *store.Example) bool {
	tree, err := ask.Parse(x.SQL)
	if err != nil {
		return false
	}
	called := map[string]bool{} // functions and types, which the guard has allowed
	ask.Nodes(tree, func(n *pg_query.Node) {
		if c := n.GetAConst().GetSval(); c != nil && k.isValue(c.Sval) {
			k.add(c.Sval)
		}
		for _, name := range slices.Concat(n.GetFuncCall().GetFuncname(), n.GetTypeCast().GetTypeName().GetNames()) {
			called[name.GetString_().GetSval()] = true
		}
	})
	return k.all(x.Question) && k.allOfSQL(x.SQL, called)
}

// isValue reports whether a column of what is read is known to hold a text.
func (k *knownWords) isValue(text string) bool {
	for _, r := range k.read {
		if slices.ContainsFunc(r.Columns, func(c *catalog.Column) bool { held, _ := refs.Held(k.snap, c, text); return held }) {
			return true
		}
	}
	return false
}

func (k *knownWords) all(text string) bool {
	return !slices.ContainsFunc(words.Tokens(text), func(t words.Token) bool {
		return !k.stems[words.Stem(t.Text)] && (strings.ContainsFunc(t.Text, unicode.IsDigit) || !words.IsFrequent(t.Text))
	})
}

// allOfSQL is all for a statement: its keywords, what it calls, and aliases of two characters are known. A comment is
// not, as it may say anything.
func (k *knownWords) allOfSQL(sql string, called map[string]bool) bool {
	scanned, err := ask.Scan(sql)
	if err != nil {
		return false
	}
	for _, t := range scanned.Tokens {
		text := sql[t.Start:t.End]
		switch {
		case t.Token == pg_query.Token_SQL_COMMENT || t.Token == pg_query.Token_C_COMMENT:
			return false
		case t.KeywordKind != pg_query.KeywordKind_NO_KEYWORD:
		case t.Token == pg_query.Token_IDENT && (called[strings.ToLower(text)] || utf8.RuneCountInString(text) <= 2):
		case !k.all(text):
			return false
		}
	}
	return true
}

// sameTables says whether the names of an example's SQL mean the same relations along two search_paths: a session's, and
// the one that it was verified with. One that names no search_path, as a line of a file may, is taken as it is.
func (a *app) sameTables(ctx context.Context, x *store.Example, s *ask.Session) bool {
	verified, known := x.Settings["search_path"]
	theirs, his := translator.SearchPath(verified, x.Role), translator.SearchPath(s.Settings["search_path"], s.Role)
	if !known || slices.Equal(theirs, his) {
		return true
	}
	snap, err := a.catalog.SnapshotFor(ctx, s)
	tree, invalid := ask.Parse(x.SQL)
	if err != nil || invalid != nil {
		return false
	}
	defined := map[string]bool{} // by WITH
	ask.Nodes(tree, func(n *pg_query.Node) { defined[n.GetCommonTableExpr().GetCtename()] = true })
	same := true
	ask.Nodes(tree, func(n *pg_query.Node) {
		r := n.GetRangeVar()
		if r == nil || r.Schemaname != "" {
			return
		}
		found := schemasOf(snap, his, r.Relname)
		switch {
		case found != schemasOf(snap, theirs, r.Relname):
			same = false
		case found[0] == "": // hidden by an admin, or a partition, if it is not the statement's or the server's own
			same = same && (defined[r.Relname] || strings.HasPrefix(r.Relname, "pg_"))
		case slices.ContainsFunc(found[:], func(schema string) bool { return schema != "" && snap.Lookup(schema, r.Relname) == nil }):
			same = false // the server fails there, or goes on along the path
		}
	})
	return same
}

// schemasOf returns the schema in which a name is found along a search_path: of what there is, seen or not, and of the same without
// the schemas that the replica leaves out of the path where it logs in for others.
func schemasOf(snap *catalog.Snapshot, path []string, name string) (schemas [2]string) {
	for _, schema := range slices.Backward(path) {
		n := catalog.Name{Schema: schema, Name: name}
		if snap.Lookup(schema, name) == nil && !slices.ContainsFunc([][]catalog.Name{snap.Denied, snap.Unusable, snap.Untrusted}, func(list []catalog.Name) bool { return slices.Contains(list, n) }) {
			continue
		}
		schemas[0] = schema
		if !slices.Contains(snap.Exposed, schema) {
			schemas[1] = schema
		}
	}
	return schemas
}
