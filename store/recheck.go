package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"askpg/ask"
)

// Schemas says which version of the schema a role sees: it changes whenever an
// example could stop planning, or plan again.
type Schemas func(ctx context.Context, database, role string) (version string, err error)

// Check plans a statement as a role, after the guard.
type Check func(ctx context.Context, database, role string, settings map[string]string, sql string) error

const (
	recheckAtOnce  = 200 // examples that a round plans at most, one after another
	recheckTimeout = 30 * time.Second
)

// RecheckExamples plans the examples again whose role sees another schema than
// when they were planned last, every Config.CheckExamples until the store is
// closed. Call it once.
func (s *Store) RecheckExamples(version Schemas, check Check) {
	every := s.config().CheckExamples.Duration()
	if every == 0 {
		return
	}
	s.regularly(every, func(ctx context.Context) {
		if err := s.recheck(ctx, version, check); err != nil && ctx.Err() == nil {
			s.log.Warn("the verified examples are not checked against the schema", "error", err)
		}
	})
}

// recheck makes one round. An example that can't be planned for another reason
// than its SQL, such as a replica that is away, stays as it is for the next one.
func (s *Store) recheck(ctx context.Context, version Schemas, check Check) error {
	list, err := s.Examples(ctx, "", "")
	if err != nil {
		return err
	}
	type owner struct{ database, role string }
	versions := map[owner]string{}
	planned := 0
	for i := range list {
		e := &list[i]
		o := owner{e.Database, e.Role}
		if e.Role == "" || planned == recheckAtOnce || ctx.Err() != nil {
			continue
		}
		v, ok := versions[o]
		if !ok {
			bound, cancel := context.WithTimeout(ctx, recheckTimeout)
			if v, err = version(bound, o.database, o.role); err != nil {
				v = "" // the replica is away, or the role has gone
				s.log.DebugContext(ctx, "the schema that a role sees cannot be read", "database", o.database, "role", o.role, "error", err)
			}
			cancel()
			versions[o] = v
		}
		if v == "" || v == e.SchemaVersion {
			continue
		}
		planned++
		bound, cancel := context.WithTimeout(ctx, recheckTimeout)
		err := check(bound, e.Database, e.Role, e.Settings, e.SQL)
		cancel()
		switch {
		case err == nil:
			err = s.setExampleStatus(ctx, e, Verified, v, "")
		case isStatementError(err):
			err = s.setExampleStatus(ctx, e, Stale, v, ask.AsError(err).Message)
		default:
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isStatementError says whether a statement can't be planned because of what it is: an
// object that is gone, a right that was taken, the guard.
func isStatementError(err error) bool {
	code := ask.CodeOf(err)
	return strings.HasPrefix(code, "42") || code == ask.CodeRefused
}

// setExampleStatus stores the status of an example under a version of the schema. One that
// becomes stale brings its translation back into the reviewers' queue, unless
// that was corrected: a verdict that withdraws its SQL must stand. One that
// plans again takes it out.
func (s *Store) setExampleStatus(ctx context.Context, e *Example, to Status, version, note string) error {
	changed := to != e.Status
	if !changed {
		note = e.Note
	}
	err := s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		n, err := s.change(ctx, tx, `update examples set status = ?, note = ?, schema_version = ?, updated = case when status = ? then updated else ? end where id = ? and status = ?`,
			string(to), storable(note), version, string(to), s.time(time.Now()), e.ID, string(e.Status))
		if err != nil || n == 0 || !changed || e.Translation == "" {
			return err // another instance was faster, or a reviewer
		}
		query, w := fmt.Sprintf(`update translations set review = '', priority = priority + %d where id = ? and review = 'approved'`, stalePriority), Remark{Kind: "stale"}
		if to == Verified {
			query, w = fmt.Sprintf(`update translations set review = 'approved', priority = case when priority >= %[1]d then priority - %[1]d else 0 end where id = ? and review = ''`, stalePriority), Remark{Kind: "plans again"}
		}
		if _, err := tx.ExecContext(ctx, s.bind(query), e.Translation); err != nil {
			return err
		}
		w.Translation, w.By, w.Reason = e.Translation, "askpg", note
		return s.addRemark(ctx, tx, &w)
	})
	if err != nil {
		return fmt.Errorf("example %s: %w", e.ID, err)
	}
	s.changed(ctx)
	if changed {
		s.log.WarnContext(ctx, "a schema change gave a verified example another status", "example", e.ID, "question", e.Question, "status", to, "reason", note)
	}
	return nil
}
