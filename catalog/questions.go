package catalog

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/catalog/search"
)

// UseEmbedder lets the search find relations by meaning beside their words.
// Call it once, before the first Snapshot.
func (c *Catalog) UseEmbedder(e Embedder) {
	c.embeddings = search.NewEmbeddings(c.cfg.Embeddings, e, c.log, c.m.embeddings)
	if c.begin() {
		go func() {
			defer c.loads.Done()
			c.embeddings.Run(c.ctx)
		}()
	}
}

// Lookup asks columns for the names and literals in a question. The index of
// values does not hold the columns, or not all of them. They are of the
// relations that the question is most likely about. It reads as the snapshot's
// role, within Config.LookupTime. What it finds is like what Values.Find
// finds; what cannot be asked in time is left out.
func (c *Catalog) Lookup(ctx context.Context, s *Snapshot, question string) (hits []Hit) {
	if !c.cfg.Lookup {
		return nil
	}
	lookup := s.searchIndex(nil).NewLookup(question, c.cfg.lookupLimits())
	if lookup == nil {
		return nil
	}
	began := time.Now()
	defer func() { c.m.lookup.Observe(time.Since(began).Seconds()) }()
	timed, cancel := context.WithTimeout(ctx, c.cfg.LookupTime.Duration())
	defer cancel()
	err := c.src.As(timed, s.Database, s.Role, func(tx pgx.Tx) (err error) {
		hits, err = lookup.Run(timed, tx)
		return err
	})
	if err != nil && ctx.Err() == nil {
		c.log.Debug("large columns were not asked", "database", s.Database, "role", s.Role, "error", err)
	}
	return hits
}
