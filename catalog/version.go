package catalog

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// database is what is known of one database for all roles.
type database struct {
	name string

	busy sync.Mutex // held while the server is asked

	// the rest is guarded by Catalog.mu
	img     *image
	gate    gate
	last    time.Time            // when the last check began
	seen    []time.Time          // for each of the watermark's steps, when it is known to have been as in the image
	asked   map[string]time.Time // while it is watched, when each role asked last
	watched bool
}

// current returns since when the image may be out of date.
func (d *database) current() time.Time {
	if d.img == nil || len(d.seen) == 0 {
		return time.Time{}
	}
	return slices.MinFunc(d.seen, time.Time.Compare)
}

// Checks that take longer are made in the background while the database is in
// use, so that no question waits for them. So are those of a catalog that takes
// several steps.
const (
	slowCheck  = 5 * time.Millisecond
	rounds     = 2                // of the steps in each Freshness: what a round finds has to be read before it is late
	watchAfter = 30 * time.Second // without a question the watch ends
)

func (c *Catalog) database(name string) *database {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.databases[name]
	if d == nil {
		d = &database{name: name, asked: map[string]time.Time{}}
		c.databases[name] = d
	}
	return d
}

// fresh returns how old what is known may be before it is checked.
func (c *Catalog) freshness(d *database) time.Duration {
	if d.watched {
		return 2 * c.cfg.Freshness.Duration()
	}
	return c.cfg.Freshness.Duration()
}

// image returns the database's image, checked within Freshness or read anew.
func (c *Catalog) image(ctx context.Context, d *database, role string) (*image, error) {
	d.busy.Lock()
	defer d.busy.Unlock()
	c.mu.Lock()
	img, current, limit := d.img, d.current(), c.freshness(d)
	c.mu.Unlock()
	if img != nil && time.Since(current) < limit {
		return img, nil
	}
	slow := false
	if img != nil {
		began := time.Now()
		changed, err := c.check(ctx, d, role, true)
		if err != nil {
			return nil, err
		}
		slow = time.Since(began) > slowCheck
		if changed {
			img = nil
		}
	}
	if img == nil {
		var err error
		if img, err = c.read(ctx, d, role); err != nil {
			return nil, err
		}
	}
	if c.cfg.Freshness > 0 && (slow || len(img.mark.steps) > 1) {
		c.watch(d, role)
	}
	return img, nil
}

// check reports whether the database's catalogs are no longer as they are in
// its image. It looks at one step of the watermark, the one that was not looked
// at for longest, or at all of them; and at none that the gate shows to be as
// it was. The caller holds d.busy.
func (c *Catalog) check(ctx context.Context, d *database, role string, all bool) (changed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.CheckTimeout.Duration())
	defer cancel()
	c.mu.Lock()
	mark, last, gate, seen := d.img.mark, d.last, d.gate, slices.Clone(d.seen)
	c.mu.Unlock()
	began := time.Now()
	err = c.src.As(ctx, d.name, role, func(tx pgx.Tx) error {
		now, _, err := readGate(ctx, tx)
		if err != nil {
			return err
		}
		if now.shut(&gate) {
			for i, at := range seen {
				if !at.Before(last) {
					seen[i] = began
				}
			}
		}
		gate = now
		for !changed {
			oldest := 0
			for i, at := range seen {
				if at.Before(seen[oldest]) {
					oldest = i
				}
			}
			if !seen[oldest].Before(began) {
				return nil
			}
			s := &mark.steps[oldest]
			digests, err := s.scan(ctx, tx, mark.base)
			if err != nil {
				return err
			}
			changed = !slices.Equal(digests, s.digests)
			seen[oldest] = began
			if !all {
				return nil
			}
		}
		return nil
	})
	c.m.check.Observe(time.Since(began).Seconds())
	if err != nil {
		return false, fmt.Errorf("checking the catalog of database %q as role %q: %w", d.name, role, err)
	}
	if !changed {
		c.mu.Lock()
		d.last, d.gate, d.seen = began, gate, seen
		c.mu.Unlock()
	}
	return changed, nil
}

// read reads the database's image, on top of the one there is. DDL that comes
// in between can make a catalog function fail on an object that is gone; then
// it is read again. The caller holds d.busy.
func (c *Catalog) read(ctx context.Context, d *database, role string) (*image, error) {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.LoadTimeout.Duration())
	defer cancel()
	c.mu.Lock()
	old := d.img
	c.mu.Unlock()
	if old != nil && time.Since(old.read) > c.cfg.ValuesAge.Duration() {
		old = nil
	}
	var img *image
	var began time.Time
	err := c.retry(ctx, func() error {
		began = time.Now()
		return c.src.As(ctx, d.name, role, func(tx pgx.Tx) (err error) {
			img, err = loadImage(ctx, tx, old)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("reading the catalog of database %q as role %q: %w", d.name, role, err)
	}
	c.m.image(old != nil).Observe(time.Since(began).Seconds())
	c.mu.Lock()
	defer c.mu.Unlock()
	d.img, d.gate, d.last = img, img.mark.gate, began
	d.seen = make([]time.Time, len(img.mark.steps))
	for i := range d.seen {
		d.seen[i] = began
	}
	return img, nil
}

// retry runs f again, twice at most, where it fails for an object that was
// dropped meanwhile.
func (c *Catalog) retry(ctx context.Context, f func() error) error {
	for attempt := 1; ; attempt++ {
		err := f()
		if err == nil || attempt == 3 || ctx.Err() != nil || !vanished(err) {
			return err
		}
	}
}

// watch keeps the database's image current, and the snapshots that are made of
// it, until nobody has asked for one for a while. It ends with the Catalog.
func (c *Catalog) watch(d *database, role string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d.asked[role] = time.Now()
	if d.watched || c.closed {
		return
	}
	d.watched = true
	c.loads.Add(1)
	go func() {
		defer c.loads.Done()
		for c.ctx.Err() == nil {
			c.mu.Lock()
			role, steps := d.lastAsked(), max(1, len(d.seen))
			if role == nil {
				d.watched = false
			}
			c.mu.Unlock()
			if role == nil {
				return
			}
			select {
			case <-c.ctx.Done():
				return
			case <-time.After(c.cfg.Freshness.Duration() / time.Duration(rounds*steps)):
			}
			if err := c.look(d, *role); err != nil && c.ctx.Err() == nil {
				c.log.Warn("catalog check failed", "database", d.name, "role", *role, "error", err)
				c.mu.Lock()
				delete(d.asked, *role) // it may be gone; another's turn
				c.mu.Unlock()
			}
		}
	}()
}

// lastAsked returns the role that has asked last, nil if that is too long ago.
func (d *database) lastAsked() (role *string) {
	for r, at := range d.asked {
		switch {
		case time.Since(at) > watchAfter:
			delete(d.asked, r)
		case role == nil || at.After(d.asked[*role]):
			role = &r
		}
	}
	return role
}

// look makes one check of a watched database. The snapshots of the roles that
// use it follow its changes, and their own age.
func (c *Catalog) look(d *database, role string) error {
	d.busy.Lock()
	c.mu.Lock()
	known := d.img != nil
	c.mu.Unlock()
	changed := !known
	var err error
	if known {
		changed, err = c.check(c.ctx, d, role, false)
	}
	if err == nil && changed {
		_, err = c.read(c.ctx, d, role)
	}
	d.busy.Unlock()
	if err != nil {
		return err
	}
	c.mu.Lock()
	var owners []owner
	for r := range d.asked {
		if o := (owner{d.name, r}); c.stale(o) {
			owners = append(owners, o)
		}
	}
	c.mu.Unlock()
	for _, o := range owners {
		if _, err, _ := c.flight.Do(o.flight(), func() (any, error) { return c.refresh(c.ctx, o) }); err != nil {
			return err
		}
	}
	return nil
}

// stale reports whether a snapshot of the owner is kept and is not of the
// database's image, or too old. The caller holds c.mu.
func (c *Catalog) stale(o owner) bool {
	k, ok := c.cache.Peek(o)
	d := c.databases[o.database]
	if !ok || d == nil {
		return false
	}
	return k.img != d.img || time.Since(k.valued) > c.cfg.ValuesAge.Duration()
}

// flight names what callers who ask at the same time share.
func (o owner) flight() string { return o.database + "\x00" + o.role }
