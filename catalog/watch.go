package catalog

import "time"

const (
	// roundsPerFreshness is how many rounds of checks are made in each
	// Freshness: what a round finds has to be read before it is late.
	roundsPerFreshness = 2
	// watchAfter is how long after the last question a watch ends.
	watchAfter = 30 * time.Second
)

// watch keeps the database's metadata current, and the snapshots that are made
// of it, until nobody has asked for one for a while. It ends with the Catalog.
func (c *Catalog) watch(d *database, o owner) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d.asked[o] = time.Now()
	if d.watched || c.closed {
		return
	}
	d.watched = true
	c.loads.Go(func() {
		for c.watchOnce(d) {
		}
	})
}

// watchOnce waits for the next check of a watched database and makes it. It
// returns false when the watch is over.
func (c *Catalog) watchOnce(d *database) bool {
	c.mu.Lock()
	last, steps := d.lastAsked(), max(1, len(d.unchanged))
	if last == nil {
		d.watched = false
	}
	c.mu.Unlock()
	if last == nil {
		return false
	}
	select {
	case <-c.ctx.Done():
		return false
	case <-time.After(c.cfg.Freshness.Duration() / time.Duration(roundsPerFreshness*steps)):
	}
	if err := c.follow(d, last.role); err != nil && c.ctx.Err() == nil {
		c.log.Warn("catalog check failed", "database", d.name, "role", last.role, "error", err)
		c.mu.Lock()
		delete(d.asked, *last) // the role may have been dropped; the next check is another's
		c.mu.Unlock()
	}
	return true
}

// lastAsked returns for whom a snapshot was asked for last, nil if that is too long ago.
func (d *database) lastAsked() (last *owner) {
	for o, at := range d.asked {
		switch {
		case time.Since(at) > watchAfter:
			delete(d.asked, o)
		case last == nil || at.After(d.asked[*last]):
			last = &o
		}
	}
	return last
}

// follow makes one check of a watched database. Where something has changed, it
// makes the snapshots of the roles that use the database anew; so it does with
// those whose values are too old.
func (c *Catalog) follow(d *database, role string) error {
	if err := c.checkAndRead(d, role); err != nil {
		return err
	}
	c.mu.Lock()
	var owners []owner
	for o := range d.asked {
		if c.stale(o) {
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

// checkAndRead checks one step of the database's metadata and reads it anew if
// it has changed, or if there is none.
func (c *Catalog) checkAndRead(d *database, role string) error {
	d.reading.Lock()
	defer d.reading.Unlock()
	c.mu.Lock()
	known := d.meta != nil
	c.mu.Unlock()
	if known {
		changed, err := c.check(c.ctx, d, role, false)
		if err != nil || !changed {
			return err
		}
	}
	_, err := c.read(c.ctx, d, role)
	return err
}

// stale reports whether a snapshot of the owner is kept and is not of the
// database's metadata, or too old. The caller holds c.mu.
func (c *Catalog) stale(o owner) bool {
	k, ok := c.cache.Peek(o)
	d := c.databases[o.database]
	if !ok || d == nil {
		return false
	}
	return k.meta != d.meta || time.Since(k.valuesRead) > c.cfg.ValuesAge.Duration()
}
