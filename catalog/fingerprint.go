package catalog

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
)

// fingerprint hashes all that DDL, GRANT and COMMENT can change, and nothing
// that ANALYZE or the data can change. The role's name is no part of it.
func (s *Snapshot) fingerprint() string {
	h := newHasher()
	h.strings(s.Database)
	h.ints(int64(s.ServerVersion))
	for _, r := range s.Relations {
		r.Fingerprint = relationFingerprint(r)
		h.strings(r.Fingerprint)
	}
	for _, k := range s.ForeignKeys {
		h.strings(k.Identity())
		h.ints(flags(k.Preferred))
	}
	for _, list := range [][]*Measure{s.Measures, s.Terms} {
		for _, m := range list {
			h.strings(m.Name, m.Description, m.Agreed, m.Aggregate.Text, m.Condition.Text, m.Relation.Name.Name)
			h.strings(m.Synonyms...)
			if m.Time != nil {
				h.ints(int64(m.Time.Num))
			}
		}
		h.ints(-1)
	}
	for _, q := range s.Queries {
		h.strings(q.Names...)
		h.strings(q.Description, q.SQL)
	}
	for i := range s.Functions {
		f := &s.Functions[i]
		h.strings(f.Schema, f.Name.Name, f.Arguments, f.Result, f.Comment)
		h.ints(int64(f.OID), int64(f.Kind), int64(f.Volatile), flags(f.Definer))
	}
	for _, c := range s.Collations {
		h.strings(c.Schema, c.Name.Name, c.Locale)
		h.ints(flags(c.Loose))
	}
	for _, list := range [][]Name{s.Denied, s.Unusable, s.Untrusted} {
		for _, n := range list {
			h.strings(n.Schema, n.Name)
		}
		h.ints(-1)
	}
	return hex.EncodeToString(h.sum())
}

func relationFingerprint(r *Relation) string {
	h := newHasher()
	h.strings(r.Schema, r.Name.Name, r.Comment, r.Definition, r.Condition.Text, r.Agreed)
	h.strings(r.Checks...)
	h.strings(r.Synonyms...)
	h.strings(r.Denied...)
	h.ints(int64(r.OID), int64(r.Owner), int64(r.Kind), flags(r.RowSecure, r.PerRole, r.Closed, r.HasPrivate, r.Plain), int64(len(r.Columns)))
	if r.Time != nil {
		h.ints(int64(r.Time.Num))
	}
	for _, c := range r.Columns {
		h.strings(c.Name, c.Type, c.Comment, c.Unit)
		h.strings(c.Enum...)
		h.strings(c.Allowed...)
		h.strings(c.Synonyms...)
		for _, l := range c.Labels {
			h.strings(l.Value, l.Text)
		}
		if c.Collation != nil {
			h.strings(c.Collation.Schema, c.Collation.Name.Name, c.Collation.Locale)
		}
		h.ints(int64(c.Num), flags(c.NotNull, c.Unique, c.Private, c.Generated, c.Identity))
	}
	for _, key := range append([][]*Column{r.PrimaryKey}, r.Unique...) {
		for _, c := range key {
			h.ints(int64(c.Num))
		}
		h.ints(-1)
	}
	return string(h.sum())
}

// hasher hashes values, each with its length, so that two lists of values have
// the same hash only if they are equal.
type hasher struct {
	hash hash.Hash
	buf  []byte
}

func newHasher() *hasher { return &hasher{hash: sha256.New()} }

func (h *hasher) sum() []byte {
	h.flush()
	return h.hash.Sum(nil)[:16]
}

func (h *hasher) strings(list ...string) {
	h.ints(int64(len(list)))
	for _, s := range list {
		h.ints(int64(len(s)))
		h.buf = append(h.buf, s...)
	}
}

func (h *hasher) ints(list ...int64) {
	for _, n := range list {
		h.buf = binary.AppendVarint(h.buf, n)
	}
	if len(h.buf) > 1<<14 {
		h.flush()
	}
}

func (h *hasher) flush() {
	h.hash.Write(h.buf)
	h.buf = h.buf[:0]
}

func flags(list ...bool) (n int64) {
	for i, f := range list {
		if f {
			n |= 1 << i
		}
	}
	return n
}
