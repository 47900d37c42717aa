package catalog

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// version is what the system catalogs of a database were like at one time.
type version struct {
	token   string    // of sqlVersion
	settled string    // transaction snapshot, "" unless it says all
	checked time.Time // when the check began
}

// Checks that take longer are made in the background while the database is in
// use, so that no question waits for them.
const (
	slowCheck  = 5 * time.Millisecond
	watchAfter = 30 * time.Second // without a question the watch ends
)

// version returns the database's version, at most Freshness old.
//
// If no transaction has come to an end since the last check, the catalogs are
// as they were; that costs a fraction of a millisecond. A transaction snapshot
// says so if nothing was in progress: on a standby it lists no transactions in
// progress, so two equal ones could differ in which of them has ended. Else
// sqlVersion reads all rows of the catalogs, which takes about 2 ms in a small
// database and grows with the number of columns.
func (c *Catalog) version(ctx context.Context, o owner) (version, error) {
	c.mu.Lock()
	old := c.versions[o.database]
	c.mu.Unlock()
	if time.Since(old.checked) < c.cfg.Freshness.Duration() {
		return old, nil
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.CheckTimeout.Duration())
	defer cancel()
	v := version{checked: time.Now()}
	err := c.src.As(ctx, o.database, o.role, func(tx pgx.Tx) error {
		var err error
		v.token, v.settled, err = readVersion(ctx, tx, old)
		return err
	})
	elapsed := time.Since(v.checked)
	c.m.check.Observe(elapsed.Seconds())
	if err != nil {
		return version{}, fmt.Errorf("checking the catalog of database %q as role %q: %w", o.database, o.role, err)
	}
	c.mu.Lock()
	if c.versions[o.database].checked.Before(v.checked) {
		c.versions[o.database] = v
	}
	c.mu.Unlock()
	if elapsed > slowCheck && c.cfg.Freshness > 0 {
		c.watch(o)
	}
	return v, nil
}

func readVersion(ctx context.Context, tx pgx.Tx, old version) (token, settled string, err error) {
	if err := tx.QueryRow(ctx, sqlSettled).Scan(&settled); err != nil {
		return "", "", fmt.Errorf("reading the transaction snapshot: %w", err)
	}
	parts := strings.Split(settled, ":") // xmin:xmax:in progress
	if len(parts) != 3 || parts[0] != parts[1] {
		settled = ""
	}
	if settled != "" && settled == old.settled {
		return old.token, settled, nil
	}
	if err := tx.QueryRow(ctx, sqlVersion).Scan(&token); err != nil {
		return "", "", fmt.Errorf("reading the version: %w", err)
	}
	return token, settled, nil
}

// watch keeps the owner's snapshot current until nobody has asked for it for a
// while. It ends with the Catalog.
func (c *Catalog) watch(o owner) {
	c.mu.Lock()
	_, running := c.asked[o]
	if running || c.closed {
		c.mu.Unlock()
		return
	}
	c.asked[o] = time.Now()
	c.loads.Add(1)
	c.mu.Unlock()
	go func() {
		defer c.loads.Done()
		tick := time.NewTicker(c.cfg.Freshness.Duration())
		defer tick.Stop()
		for {
			select {
			case <-c.ctx.Done():
			case <-tick.C:
			}
			c.mu.Lock()
			done := c.ctx.Err() != nil || time.Since(c.asked[o]) > watchAfter || c.cache[o] == nil
			if done {
				delete(c.asked, o)
			}
			c.mu.Unlock()
			if done {
				return
			}
			if _, err, _ := c.flight.Do(o.flight(), func() (any, error) { return c.refresh(c.ctx, o) }); err != nil && c.ctx.Err() == nil {
				c.log.Warn("catalog check failed", "database", o.database, "role", o.role, "error", err)
			}
		}
	}()
}

// flight names what callers who ask at the same time share.
func (o owner) flight() string { return o.database + "\x00" + o.role }
