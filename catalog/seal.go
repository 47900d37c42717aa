package catalog

import (
	"maps"
	"slices"
	"strings"

	"askpg/ask/analysed"
)

// seal says what of a database goes to no model, and what no two roles share.
// It is the same for every role.
type seal struct {
	private map[object]bool // columns that are private, or may show what is
	closed  map[uint32]bool // views that read something private, or may: no value of them is shown
	own     map[uint32]bool // relations of which one role may see other values than another
}

// rawView is what a view's definition says. Unless it is pure, it calls a
// function of which it is not known that it reads nothing and does not ask who is
// asking, or it is not understood.
type rawView struct {
	definition string
	reads      map[uint32][]int16 // columns by relation
	pure, asks bool
}

// seeds are the columns that are private by their name or their comment.
func (img *image) seeds(cfg *Config) map[object]bool {
	img.seeding.Do(func() {
		img.seeded = map[object]bool{}
		matches := cfg.privateNames()
		for i := range img.relations {
			rel := &img.relations[i]
			for j := range img.columns[rel.oid] {
				c := &img.columns[rel.oid][j]
				if matches(Name{Schema: rel.schema, Name: rel.name}, c.name) || strings.Contains(img.comments[c.object], privateMark) {
					img.seeded[c.object] = true
				}
			}
		}
	})
	return img.seeded
}

// seal follows what is private, and what asks who is asking, to all that shows
// the same values: children and parents, keys, generated columns and views.
func (img *image) seal(cfg *Config, file *Semantics, database string) *seal {
	s := &seal{private: maps.Clone(img.seeds(cfg)), closed: map[uint32]bool{}, own: map[uint32]bool{}}
	named := file.private(database)
	known := make(map[uint32]*rawRelation, len(img.relations))
	var generated []*rawRelation
	for i := range img.relations {
		rel := &img.relations[i]
		known[rel.oid] = rel
		if rel.kind == ForeignTable { // its rows are another server's, who may know the asker
			s.own[rel.oid] = true
		}
		if slices.ContainsFunc(img.columns[rel.oid], func(c rawColumn) bool { return c.generated }) {
			generated = append(generated, rel)
		}
		for _, name := range named {
			for _, c := range img.columns[rel.oid] {
				if name == rel.name+"."+c.name || name == rel.schema+"."+rel.name+"."+c.name {
					s.private[c.object] = true
				}
			}
		}
	}
	for more := true; more; {
		more = false
		mark := func(o object) { more, s.private[o] = more || !s.private[o], true }
		for _, in := range img.inherits {
			if s.own[in.child] && !s.own[in.parent] {
				s.own[in.parent], more = true, true
			}
			if !s.any(img.columns[in.child]) && !s.any(img.columns[in.parent]) {
				continue
			}
			for _, c := range img.columns[in.child] {
				i := slices.IndexFunc(img.columns[in.parent], func(p rawColumn) bool { return p.name == c.name })
				if i < 0 {
					continue
				}
				if p := img.columns[in.parent][i]; s.private[c.object] != s.private[p.object] {
					mark(c.object)
					mark(p.object)
				}
			}
		}
		for i := range img.constraints {
			c := &img.constraints[i]
			for j, n := range c.foreignCols {
				if s.private[object{c.foreign, n}] && !s.private[object{c.relation, c.cols[j]}] {
					mark(object{c.relation, c.cols[j]})
				}
			}
		}
		for _, rel := range generated {
			if !s.any(img.columns[rel.oid]) {
				continue
			}
			for _, c := range img.columns[rel.oid] {
				if c.generated && !s.private[c.object] {
					mark(c.object)
				}
			}
		}
		for oid, v := range img.views {
			rel := known[oid]
			if rel == nil {
				continue
			}
			shows, closed, own := s.view(img, known, oid, v)
			own = own && rel.kind == View // what a materialised view holds is the same for all
			if closed && !s.closed[oid] || own && !s.own[oid] {
				s.closed[oid], s.own[oid], more = s.closed[oid] || closed, s.own[oid] || own, true
			}
			if shows == nil {
				continue
			}
			for _, c := range img.columns[oid] {
				if !shows[c.name] && !s.private[c.object] {
					mark(c.object)
				}
			}
		}
	}
	return s
}

// view says what a view's definition leads to. shows is nil if it reads no
// private column, else the names of the others that it reads: a column of the view
// by another name may show a private one.
func (s *seal) view(img *image, known map[uint32]*rawRelation, oid uint32, v rawView) (shows map[string]bool, closed, own bool) {
	closed, own = !v.pure, !v.pure || v.asks
	open := map[string]bool{}
	for from, nums := range v.reads {
		rel := known[from]
		switch {
		case from == oid: // rules name the view itself
			continue
		case rel == nil: // the server's own, which may hold copies of values
			closed, own = true, true
			continue
		}
		closed = closed || s.closed[from]
		own = own || s.own[from] || rel.secured
		for _, c := range img.columns[from] {
			switch {
			case !slices.Contains(nums, c.num) && !slices.Contains(nums, analysed.Whole):
			case s.private[c.object]:
				closed, shows = true, open
			default:
				open[c.name] = true
			}
		}
	}
	return shows, closed, own
}

func (s *seal) any(cols []rawColumn) bool {
	return slices.ContainsFunc(cols, func(c rawColumn) bool { return s.private[c.object] })
}

// fits says whether a relation of an earlier snapshot is sealed as it is now.
func (s *seal) fits(r *Relation, cols []rawColumn) bool {
	return r.Closed == s.closed[r.OID] && r.PerRole == s.own[r.OID] && r.HasPrivate == s.any(cols) &&
		!slices.ContainsFunc(r.Columns, func(c *Column) bool { return c.Private != s.private[object{r.OID, c.Num}] })
}

// private returns the names of the columns that the file makes private.
func (f *Semantics) private(database string) (names []string) {
	if f == nil {
		return nil
	}
	for i := range f.Columns {
		if c := &f.Columns[i]; c.Private && (c.Database == "" || c.Database == database) {
			first, _, _ := strings.Cut(c.Name, ",")
			names = append(names, strings.TrimSpace(first))
		}
	}
	return names
}
