package catalog

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/catalog/guarded"
	"askpg/catalog/joins"
	"askpg/catalog/search"
)

// load makes a snapshot of the database's metadata.
//
// old is what was read before of the same database, by this role or by
// another; it may be the zero value.
func (c *Catalog) load(ctx context.Context, o owner, meta *metadata, old cached) (cached, error) {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.LoadTimeout.Duration())
	defer cancel()
	began := time.Now()
	var k cached
	err := c.retry(ctx, func() error {
		k = cached{owner: o, meta: meta, valuesRead: time.Now(), implied: joins.Verdicts{}, file: c.semantics()}
		maps.Copy(k.implied, old.implied)
		return c.src.As(ctx, o.database, o.role, func(tx pgx.Tx) error {
			// Bounds and common values are compared as text.
			if _, err := tx.Exec(ctx, sqlStyle); err != nil {
				return fmt.Errorf("setting the date style: %w", err)
			}
			var err error
			if k.rights, err = readRights(ctx, tx, o); err != nil {
				return err
			}
			return c.assemble(ctx, tx, &k, old)
		})
	})
	c.m.load.Observe(time.Since(began).Seconds())
	if err != nil {
		return cached{}, fmt.Errorf("reading the catalog of database %q as role %q: %w", o.database, o.role, err)
	}
	c.log.Debug("catalog read", "database", o.database, "role", o.role, "version", k.snap.Version,
		"relations", len(k.snap.Relations), "values", k.snap.Values.Len(), "elapsed", time.Since(began))
	return k, nil
}

// assemble makes the snapshot k.snap of k.meta and k.rights. Where it is the
// same as old's, old's is kept. Else it takes over from old what has not
// changed, until old's statistics and values are too old.
func (c *Catalog) assemble(ctx context.Context, tx pgx.Tx, k *cached, old cached) error {
	current := old.snap != nil && time.Since(old.valuesRead) < c.cfg.ValuesAge.Duration() && old.file == k.file
	r := project(k.meta, k.rights)
	r.functions = slices.DeleteFunc(r.functions, func(f Function) bool { return c.admit == nil || !c.admit(&f) })
	s := build(r, &c.cfg, k.file.semantics, k.database, k.role, nil)
	s.As = k.rights.as
	if k.meta.recovery { // a copy that is no standby has OIDs of its own
		s.roleOID = k.rights.oid
	}
	k.snap = s
	if guard, ok := tx.(guarded.Guard); ok {
		var err error
		if s.Exposed, err = guard.Exposed(ctx); err != nil {
			return fmt.Errorf("reading who may create objects: %w", err)
		}
	}
	if current && old.snap.Version == s.Version && slices.Equal(old.snap.Exposed, s.Exposed) {
		k.valuesRead = old.valuesRead
		if k.snap = old.snap; old.snap.Role != k.role || old.snap.roleOID != s.roleOID || old.snap.As != s.As {
			k.snap = old.snap.forRole(k.role, s.roleOID, s.As)
		}
		return nil
	}
	return c.complete(ctx, tx, k, old, current)
}

// manyRelations is from how many relations on only the changed ones are
// searched for implied keys.
const manyRelations = 2000

// complete adds to a new snapshot what is read of the database's statistics and
// rows. If old is current, it takes over what has not changed since.
func (c *Catalog) complete(ctx context.Context, tx pgx.Tx, k *cached, old cached, current bool) error {
	s := k.snap
	var unchanged map[*Relation]bool // relations of old
	var values *Values
	var index *search.Index
	if c.cfg.MinedJoins {
		joins.Decode(s.Relations, c.cfg.ImpliedTime.Duration())
	}
	if err := readCodeTables(ctx, tx, &c.cfg, s); err != nil {
		return fmt.Errorf("reading code tables: %w", err)
	}
	if current {
		k.valuesRead = old.valuesRead
		unchanged, values, index = replaceUnchanged(s, old.snap), old.snap.Values, old.snap.searchIndex(nil)
	}
	s.index()
	if err := guarded.TrustAll(ctx, tx, s.Relations); err != nil {
		return fmt.Errorf("reading who owns what: %w", err)
	}
	if err := loadStats(ctx, tx, &c.cfg, s, unchanged); err != nil {
		return fmt.Errorf("reading pg_stats: %w", err)
	}
	if err := sampleProfiles(ctx, tx, &c.cfg, s, unchanged); err != nil {
		return fmt.Errorf("reading samples: %w", err)
	}
	findPackedDates(s, unchanged)
	if err := c.findKeys(ctx, tx, k, old, unchanged); err != nil {
		return err
	}
	s.graph = joins.NewGraph(s.Relations, s.ForeignKeys)
	s.Values = &Values{}
	if c.cfg.Values {
		var err error
		if s.Values, err = search.LoadValues(ctx, tx, c.cfg.valueLimits(), s.Relations, values, unchanged); err != nil {
			return fmt.Errorf("reading values: %w", err)
		}
	}
	fillCommon(s, &c.cfg, unchanged)
	s.searchIndex(index)
	return nil
}

// findKeys adds to a snapshot the keys that nobody declared, and weighs all.
func (c *Catalog) findKeys(ctx context.Context, tx pgx.Tx, k *cached, old cached, unchanged map[*Relation]bool) error {
	s := k.snap
	f := joins.Finder{Relations: s.Relations, Keys: s.ForeignKeys, Avoided: s.avoided, Lookup: s.Lookup, Limit: c.cfg.ImpliedTime.Duration()}
	var searched map[*Relation]bool // relations whose implied keys are known
	if len(s.Relations) > manyRelations && unchanged != nil {
		searched = unchanged
		f.TakeOver(old.snap.ForeignKeys, unchanged)
	}
	if c.cfg.MinedJoins {
		if err := f.Mine(ctx, tx, slices.Contains(s.extensions, "pg_stat_statements")); err != nil {
			return fmt.Errorf("reading pg_stat_statements: %w", err)
		}
	}
	if c.cfg.ImpliedJoins {
		if err := f.FindImplied(ctx, tx, k.implied, searched, unchanged); err != nil {
			return fmt.Errorf("looking for implied joins: %w", err)
		}
	}
	s.ForeignKeys = f.Keys
	joins.Weigh(s.ForeignKeys)
	return nil
}
