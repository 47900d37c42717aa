package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// database is what is known of one database for all roles.
type database struct {
	name string

	reading sync.Mutex // held while the server is asked

	// the rest is guarded by Catalog.mu
	meta      *metadata
	state     txState
	checked   time.Time           // when the last check began
	unchanged []time.Time         // for each step of the baseline, the last time it is known to have been as in meta
	asked     map[owner]time.Time // while it is watched, when each asked last
	watched   bool
}

// current returns since when the metadata may be out of date.
func (d *database) current() time.Time {
	if d.meta == nil || len(d.unchanged) == 0 {
		return time.Time{}
	}
	return slices.MinFunc(d.unchanged, time.Time.Compare)
}

// setMetadata sets metadata that was read from then on. The caller holds
// Catalog.mu.
func (d *database) setMetadata(meta *metadata, read time.Time) {
	d.meta, d.state, d.checked = meta, meta.baseline.state, read
	d.unchanged = slices.Repeat([]time.Time{read}, len(meta.baseline.steps))
}

// A check that takes longer than slowCheck is made in the background while the
// database is in use, so that no question waits for it. So is that of a catalog
// that takes several steps.
const slowCheck = 5 * time.Millisecond

func (c *Catalog) database(name string) *database {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.databases[name]
	if d == nil {
		d = &database{name: name, asked: map[owner]time.Time{}}
		c.databases[name] = d
	}
	return d
}

// freshness returns how old what is known may be before it is checked.
func (c *Catalog) freshness(d *database) time.Duration {
	if d.watched {
		return 2 * c.cfg.Freshness.Duration()
	}
	return c.cfg.Freshness.Duration()
}

// metadata returns the database's metadata, checked within Freshness or read
// anew.
func (c *Catalog) metadata(ctx context.Context, d *database, o owner) (*metadata, error) {
	d.reading.Lock()
	defer d.reading.Unlock()
	c.mu.Lock()
	meta, current, limit := d.meta, d.current(), c.freshness(d)
	c.mu.Unlock()
	if meta != nil && time.Since(current) < limit {
		return meta, nil
	}
	slow := false
	if meta != nil {
		began := time.Now()
		changed, err := c.check(ctx, d, o.role, true)
		if err != nil {
			return nil, err
		}
		slow = time.Since(began) > slowCheck
		if changed {
			meta = nil
		}
	}
	if meta == nil {
		var err error
		if meta, err = c.read(ctx, d, o.role); err != nil {
			return nil, err
		}
	}
	if c.cfg.Freshness > 0 && (slow || len(meta.baseline.steps) > 1) {
		c.watch(d, o)
	}
	return meta, nil
}

// check reports whether the database's catalogs are no longer as they are in
// its metadata. It scans the step of the baseline that was not scanned for
// longest, or all steps, but none of which the transaction's state shows that
// nothing has changed. The caller holds d.reading.
func (c *Catalog) check(ctx context.Context, d *database, role string, all bool) (changed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.CheckTimeout.Duration())
	defer cancel()
	began := time.Now()
	c.mu.Lock()
	k := check{baseline: d.meta.baseline, state: d.state, last: d.checked, unchanged: slices.Clone(d.unchanged), began: began, all: all}
	c.mu.Unlock()
	err = c.src.As(ctx, d.name, role, func(tx pgx.Tx) error { return k.run(ctx, tx) })
	c.m.check.Observe(time.Since(began).Seconds())
	if err != nil {
		return false, fmt.Errorf("checking the catalog of database %q as role %q: %w", d.name, role, err)
	}
	if !k.changed {
		c.mu.Lock()
		d.checked, d.state, d.unchanged = began, k.state, k.unchanged
		c.mu.Unlock()
	}
	return k.changed, nil
}

// check is one check of a database. Its fields are as those of database.
type check struct {
	baseline  *baseline
	state     txState
	last      time.Time // when the last check began
	unchanged []time.Time
	began     time.Time
	all       bool // scan all steps, not one
	changed   bool
}

func (k *check) run(ctx context.Context, tx pgx.Tx) error {
	now, _, err := readTxState(ctx, tx)
	if err != nil {
		return err
	}
	if now.sameCatalogs(&k.state) { // as they were at the last check
		for i, at := range k.unchanged {
			if !at.Before(k.last) {
				k.unchanged[i] = k.began
			}
		}
	}
	k.state = now
	for !k.changed {
		i := k.oldest()
		if !k.unchanged[i].Before(k.began) {
			return nil
		}
		s := &k.baseline.steps[i]
		digests, err := s.scan(ctx, tx, k.baseline.oldestXID)
		if err != nil {
			return err
		}
		k.changed = !slices.Equal(digests, s.digests)
		k.unchanged[i] = k.began
		if !k.all {
			return nil
		}
	}
	return nil
}

// oldest returns the step that was not scanned for longest.
func (k *check) oldest() int {
	oldest := 0
	for i, at := range k.unchanged {
		if at.Before(k.unchanged[oldest]) {
			oldest = i
		}
	}
	return oldest
}

// read reads the database's metadata, on top of what there is. DDL that comes
// in between can make a catalog function fail on an object that was dropped;
// then it is read again. The caller holds d.reading.
func (c *Catalog) read(ctx context.Context, d *database, role string) (*metadata, error) {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.LoadTimeout.Duration())
	defer cancel()
	c.mu.Lock()
	old := d.meta
	c.mu.Unlock()
	if old != nil && time.Since(old.read) > c.cfg.ValuesAge.Duration() {
		old = nil
	}
	var meta *metadata
	var began time.Time
	err := c.retry(ctx, func() error {
		began = time.Now()
		return c.src.As(ctx, d.name, role, func(tx pgx.Tx) (err error) {
			meta, err = loadMetadata(ctx, tx, old)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("reading the catalog of database %q as role %q: %w", d.name, role, err)
	}
	c.m.metadata(old != nil).Observe(time.Since(began).Seconds())
	c.mu.Lock()
	defer c.mu.Unlock()
	d.setMetadata(meta, began)
	return meta, nil
}

// retry calls f again, twice at most, where it fails for an object that was
// dropped meanwhile.
func (c *Catalog) retry(ctx context.Context, f func() error) error {
	for attempt := 1; ; attempt++ {
		err := f()
		if err == nil || attempt == 3 || ctx.Err() != nil || !isDropped(err) {
			return err
		}
	}
}

// isDropped reports whether the error is that of an object dropped while the
// catalog was read.
func isDropped(err error) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return false
	}
	switch pg.Code {
	case "XX000", "42P01", "42703", "42704", "3F000":
		return true
	}
	return false
}
