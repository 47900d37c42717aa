// Package catalog knows a database as one role may see it: relations, columns,
// keys, comments, statistics, the values that columns hold, and how tables
// join. Snapshots are immutable and safe for concurrent use.
//
// Everything that comes out of a database (names, comments, values) is
// untrusted text to whoever shows it to a model.
package catalog

import (
	"context"
	"slices"
	"sync"

	"askpg/ask"
	"askpg/catalog/joins"
	"askpg/catalog/schema"
	"askpg/catalog/search"
)

// Snapshot is one database as one role may read it at one version.
type Snapshot struct {
	Version       string // changes with every DDL, GRANT or COMMENT that the role could notice
	Database      string
	Role          string
	roleOID       uint32      // of the role on the primary; 0 if that is not known
	As            string      // whose rights apply: Role is a superuser or a member of a privileged role; empty for its own
	ServerVersion int         // server_version_num
	Relations     []*Relation // readable ones, partitions folded into their parent, ordered by schema and name
	ForeignKeys   []*ForeignKey
	Denied        []Name             // relations that exist and that the role may not read at all; never shown to a model
	Unusable      []Name             // readable, but without data on this server: unlogged ones on a standby, unpopulated materialised views
	Untrusted     []Name             // left out, since their owners are not trusted: see Catalog.Snapshot; never shown to a model
	Values        *Values            // never nil
	Measures      []*Measure         // aggregates that an admin has named
	Terms         []*Measure         // rows and values of rows that an admin has named
	Queries       []*Query           // by which an admin says how something is computed
	Problems      []problem          // what of the semantics file does not fit this database and role
	extensions    []string           // installed ones, such as pg_trgm
	Functions     []Function         // that users made and a query of the role may call, ordered by schema and name
	Collations    []schema.Collation // that users made
	Exposed       []string           // schemas in which roles that are not trusted may create objects: names are written with them

	avoided    []string // identities of joins that an admin does not want
	indexed    sync.Once
	byName     map[Name]*Relation
	graph      *joins.Graph
	searchable sync.Once
	searched   *search.Index
}

// serves returns nil if the snapshot is of the session's role, and not of one that has its name now.
func (s *Snapshot) serves(session *ask.Session) error {
	if s.roleOID != 0 && session.RoleOID != 0 && s.roleOID != session.RoleOID {
		return ask.OtherRole(session.Role)
	}
	return nil
}

// Lookup returns the relation of a schema-qualified name, or nil.
func (s *Snapshot) Lookup(schema, name string) *Relation {
	s.index()
	return s.byName[Name{Schema: schema, Name: name}]
}

// index builds, once, what Lookup and Path look things up in. From then
// on the relations and keys of the snapshot must not be changed.
func (s *Snapshot) index() {
	s.indexed.Do(func() {
		s.byName = make(map[Name]*Relation, len(s.Relations))
		for _, r := range s.Relations {
			s.byName[r.Name] = r
		}
		s.graph = joins.NewGraph(s.Relations, s.ForeignKeys)
	})
}

// Path returns the shortest join path between two relations, nil if there is
// none or if they are the same. ambiguous is true if another path is as short.
func (s *Snapshot) Path(from, to *Relation) (path []Join, ambiguous bool) {
	s.index()
	return s.graph.Path(from, to)
}

// Paths returns the cheapest join paths between two relations, the cheapest first, at most n, of at most longest joins
// each. None goes by a relation twice. Those from a relation to itself leave it and come back, by another key.
func (s *Snapshot) Paths(from, to *Relation, n, longest int) []joins.Path {
	s.index()
	return s.graph.Paths(from, to, n, longest)
}

// searchIndex builds, once, what the searches look things up in, on top of the
// index of an earlier snapshot or of nil.
func (s *Snapshot) searchIndex(old *search.Index) *search.Index {
	s.searchable.Do(func() {
		s.index()
		s.searched = search.NewIndex(search.Contents{Relations: s.Relations, Measures: slices.Concat(s.Measures, s.Terms), Graph: s.graph, Values: s.Values}, old)
	})
	return s.searched
}

// Search returns the columns that a text is likely about, the likeliest first,
// at most limit. It finds them by names, comments, synonyms and values. With
// them come the keys and names of the relations that the text is likely about.
func (s *Snapshot) Search(text string, limit int) []*Column {
	return s.searchIndex(nil).FindColumns(text, limit)
}

// SearchRelations returns the relations that a text is likely about, the
// likeliest first, at most limit. Relations that connect the best ones are
// among them: nobody names a link table.
func (s *Snapshot) SearchRelations(text string, limit int) []search.RelationMatch {
	return s.searchIndex(nil).FindRelations(text, limit)
}

// Relevant returns the relations that a text is likely about, the best first. near
// are those among the n best of SearchRelations whose score comes near the best
// one, and small tables that say what their codes stand for. beside are the others
// of the n best, and what keys join to the first of them. They are at most 2n in
// all.
func (s *Snapshot) Relevant(text string, n int) (near, beside []*Relation) {
	return s.RelevantWith(text, s.Values.Find(text), n)
}

// RelevantWith is Relevant for a text of which it is known what values it mentions.
func (s *Snapshot) RelevantWith(text string, values []Hit, n int) (near, beside []*Relation) {
	return s.searchIndex(nil).Relevant(text, values, n)
}

// SearchFunctions returns the functions, at most limit, that have words of the
// text in their names or comments, those with the most first. A function
// without a word of the text in its name is not among them.
func (s *Snapshot) SearchFunctions(text string, limit int) []*Function {
	return search.FindFunctions(s.Functions, text, limit)
}

// Prepare lets searches for the text find relations by meaning, where an
// Embedder is used and the snapshot's vectors are made. It waits no longer than
// the configured deadline; searches for a text that is not prepared go by words
// alone.
func (s *Snapshot) Prepare(ctx context.Context, text string) {
	s.searchIndex(nil).Prepare(ctx, text)
}

// forRole returns the snapshot of another role with the same rights: all of it
// but the role's name is shared.
func (s *Snapshot) forRole(role string, oid uint32, as string) *Snapshot {
	index := s.searchIndex(nil)
	t := &Snapshot{
		Version: s.Version, Database: s.Database, Role: role, roleOID: oid, As: as, ServerVersion: s.ServerVersion,
		Relations: s.Relations, ForeignKeys: s.ForeignKeys, Denied: s.Denied, Unusable: s.Unusable, Untrusted: s.Untrusted, Values: s.Values,
		Measures: s.Measures, Terms: s.Terms, Queries: s.Queries, Problems: s.Problems, extensions: s.extensions, Functions: s.Functions, Collations: s.Collations, Exposed: s.Exposed,
		avoided: s.avoided,
	}
	t.indexed.Do(func() { t.byName, t.graph = s.byName, s.graph })
	t.searchable.Do(func() { t.searched = index })
	return t
}
