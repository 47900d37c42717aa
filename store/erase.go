package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Erasure says what is erased: the entries of a login, those from before a time, or those of the login from before it.
type Erasure struct {
	Login        string    // "" for everybody's
	Before       time.Time // zero for all until now; never in the future
	KeepExamples bool      // the verified examples that came from a login's questions stay, without its name
}

// Erased counts what an Erasure has taken.
type Erased struct {
	Translations, Remarks, Examples int64
	Names                           int64     // remarks, examples and translations of others that the name was taken out of
	Until                           time.Time // what was asked before it is erased
}

// erasedName stands where the name of a person stood.
const erasedName = "erased"

// check returns why nothing can be erased so.
func (e Erasure) check() error {
	switch {
	case e.Login == "" && e.Before.IsZero():
		return errors.New("an erasure needs a login or a time")
	case e.Before.After(time.Now()):
		return fmt.Errorf("nothing can be erased before %s, which is in the future: it would take what is still to be asked", e.Before.UTC().Format(time.DateOnly))
	}
	return nil
}

func (s *Store) erasedBy(e Erasure) *clause {
	c := &clause{}
	c.equals("login", e.Login)
	if !e.Before.IsZero() {
		c.add("asked < ?", s.time(e.Before))
	}
	return c
}

// CountErasure returns how many translations Erase would take.
func (s *Store) CountErasure(ctx context.Context, e Erasure) (n int64, err error) {
	if err := e.check(); err != nil {
		return 0, err
	}
	s.flush(ctx)
	of := s.erasedBy(e)
	err = s.read.QueryRowContext(ctx, s.bind(`select count(*) from translations`+of.String()), of.args...).Scan(&n)
	return n, err
}

// Erase takes translations out of the log, with their candidates, prompts, rows, feedback and words. Of a login it takes
// the verified examples that came from its questions too, and, if no time is given, its name: out of remarks, examples
// and others' translations. The sums and budgets of the role of that name go along, so that its budgets begin anew. Then
// the files of the database are written anew, so that no byte of it is left in them. Entries that spill files hold are
// dropped when they come. The logs and backups of a PostgreSQL server are its own.
func (s *Store) Erase(ctx context.Context, e Erasure) (Erased, error) {
	done := Erased{Until: e.Before}
	if err := e.check(); err != nil {
		return done, err
	}
	if done.Until.IsZero() {
		done.Until = time.Now()
	}
	s.flush(ctx)
	of := s.erasedBy(e)
	// First, so that nothing comes back out of a spill file meanwhile.
	if err := s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error { return s.addErasure(ctx, tx, e.Login, done.Until) }); err != nil {
		return done, err
	}
	if e.Login != "" {
		if err := s.transact(ctx, func(ctx context.Context, tx *sql.Tx) (err error) {
			if done.Examples, err = s.eraseExamples(ctx, tx, of, e); err != nil {
				return fmt.Errorf("examples: %w", err)
			}
			return s.eraseApplications(ctx, tx, of)
		}); err != nil {
			return done, err
		}
	}
	if err := s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error { return s.eraseLogins(ctx, tx, e) }); err != nil {
		return done, err
	}
	var err error
	if done.Remarks, err = s.changeAlone(ctx, `delete from feedback where translation in (select id from translations`+of.String()+`)`, of.args...); err != nil {
		return done, fmt.Errorf("feedback: %w", err)
	}
	for {
		n, err := s.deleteOldest(ctx, deleteChunk, of.String(), of.args...)
		done.Translations += n
		if err != nil {
			return done, fmt.Errorf("translations: %w", err)
		}
		if n < deleteChunk {
			break
		}
	}
	if e.Login != "" && e.Before.IsZero() {
		if err := s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error { return s.eraseName(ctx, tx, e.Login, &done) }); err != nil {
			return done, fmt.Errorf("the name: %w", err)
		}
	}
	s.changed(ctx)
	return done, s.rewriteFiles(ctx)
}

// eraseExamples deletes the examples that came from translations, and the demonstrations and prompts of others that
// were shown their questions. Examples that are to stay lose the translation's id instead.
func (s *Store) eraseExamples(ctx context.Context, tx *sql.Tx, of *clause, e Erasure) (int64, error) {
	from, args := `translation in (select id from translations`+of.String()+`)`, of.args
	if e.KeepExamples {
		_, err := s.change(ctx, tx, `update examples set translation = '' where `+from, args...)
		return 0, err
	}
	if e.Before.IsZero() { // of an example whose translation is gone, its role tells who asked
		from = `(` + from + ` or role = ? and not exists (select 1 from translations t where t.id = examples.translation and t.login <> ?))`
		args = append(slices.Clone(args), e.Login, e.Login)
	}
	shown := `json_each(translations.demonstrations)`
	if s.dialect == postgres {
		shown = `jsonb_array_elements_text(case jsonb_typeof(translations.demonstrations) when 'array' then translations.demonstrations else '[]' end)`
	}
	if _, err := s.change(ctx, tx, `update translations set demonstrations = null, kept_prompts = null where demonstrations is not null
		and exists (select 1 from `+shown+` d join examples on examples.question = d.value where `+from+`)`, args...); err != nil {
		return 0, err
	}
	return s.change(ctx, tx, `delete from examples where `+from, args...)
}

// eraseApplications deletes the sums by the applications that only these translations came from.
func (s *Store) eraseApplications(ctx context.Context, tx *sql.Tx, of *clause) error {
	others := `not (` + strings.TrimPrefix(of.String(), " where ") + `)`
	_, err := s.change(ctx, tx, `delete from totals where kind = 'application' and label in (select substr(application, 1, 200) from translations`+of.String()+`)
		and label not in (select substr(application, 1, 200) from translations where `+others+`)`, append(slices.Clone(of.args), of.args...)...)
	if err != nil {
		return fmt.Errorf("sums: %w", err)
	}
	return nil
}

// eraseLogins deletes the sums by login that an erasure is about, those of its last day too.
func (s *Store) eraseLogins(ctx context.Context, tx *sql.Tx, e Erasure) error {
	c := &clause{where: []string{"kind = 'login'"}}
	c.equals("label", short(e.Login))
	if !e.Before.IsZero() {
		c.add("day <= ?", e.Before.UTC().Format(time.DateOnly))
	}
	if _, err := s.change(ctx, tx, `delete from totals`+c.String(), c.args...); err != nil {
		return fmt.Errorf("sums: %w", err)
	}
	return nil
}

// eraseName takes a name out of what others have asked. That is what it said of their translations,
// verdicts and examples that it signed or asked for, and answers that named it as their reviewer.
// It is also what was assigned to it, and changes of the semantics file. Sums and budgets are kept
// by role, and those of the role that is called so are deleted.
func (s *Store) eraseName(ctx context.Context, tx *sql.Tx, name string, done *Erased) error {
	said, err := s.change(ctx, tx, `delete from feedback where by_whom = ? and kind in ('good', 'bad')`, name)
	if err != nil {
		return err
	}
	done.Remarks += said
	for _, query := range []string{
		`update feedback set by_whom = '` + erasedName + `', reason = '' where by_whom = ?`,
		`update examples set reviewer = '` + erasedName + `', note = '' where reviewer = ?`,
		`update examples set note = '' where note = '` + retiredBy + `' || ?`,
		`delete from examples where only_for = ?`,
		`update examples set role = '' where role = ?`,
		`delete from signins where name = ?`,
		`update translations set reviewer = '` + erasedName + `', notices = null where reviewer = ?`,
		`update translations set assigned = '' where assigned = ? and assigned <> ''`,
	} {
		n, err := s.change(ctx, tx, query, name)
		if err != nil {
			return err
		}
		done.Names += n
	}
	edits, err := s.eraseFromSemantics(ctx, tx, name)
	if err != nil {
		return err
	}
	done.Names += edits
	if _, err := s.change(ctx, tx, `delete from totals where scope = ? or kind = 'role' and label = ?`, scopeRole(name), short(name)); err != nil {
		return err
	}
	_, err = s.change(ctx, tx, `delete from budgets where subject = ?`, roleSubject(name))
	return err
}

// rewriteFiles writes the tables anew without what was deleted. Other sessions wait meanwhile.
func (s *Store) rewriteFiles(ctx context.Context) error {
	if s.dialect == postgres {
		// VACUUM FULL would take along what an old snapshot, such as a standby's, may still see. A column whose type is set
		// anew by an expression has the table written from the rows that stand (PostgreSQL documentation, ALTER TABLE).
		// Each table stands here with a text column that no view shows.
		for _, t := range [][2]string{{"translations", "cause"}, {"candidates", "error_hint"}, {"feedback", "id"}, {"examples", "sample_key"}, {"askings", "top"}, {"totals", "label"}, {"budgets", "subject"}, {"signins", "id"}, {"semantics_edits", "id"}} {
			if _, err := s.db.ExecContext(ctx, fmt.Sprintf(`alter table %[1]s alter column %[2]s type text using %[2]s || ''`, t[0], t[1])); err != nil {
				return fmt.Errorf("what was erased is out of the tables, but may still be in their files: %w", err)
			}
			if _, err := s.db.ExecContext(ctx, `analyze `+t[0]); err != nil {
				return err
			}
		}
		return nil
	}
	// Deleted words stay in the segments of the full-text index.
	for _, q := range []string{`insert into translations_text (translations_text) values ('rebuild')`, `vacuum`} {
		if _, err := s.db.ExecContext(ctx, q); err != nil {
			return fmt.Errorf("what was erased is out of the tables, but may still be in the file: %w", err)
		}
	}
	// A reader that goes on keeps the write-ahead log as it is; readers are brief.
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		var busy, pages, copied int
		if err := s.db.QueryRowContext(ctx, `pragma wal_checkpoint(truncate)`).Scan(&busy, &pages, &copied); err != nil {
			return err
		}
		if busy == 0 {
			return nil
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("what was erased may still be in the write-ahead log, which other sessions read: %w", ctx.Err())
		}
	}
}

func loginDigest(salt, login string) string {
	return hex.EncodeToString(authenticate([]byte(salt), []byte(login)))
}

func (s *Store) addErasure(ctx context.Context, tx *sql.Tx, login string, until time.Time) error {
	if s.dialect == postgres {
		// Who has read the erasures and is about to insert entries is waited for: what he inserts is erased with the rest.
		if _, err := tx.ExecContext(ctx, `lock table erasures in access exclusive mode`); err != nil {
			return err
		}
	}
	salt, digest := "", ""
	if login != "" {
		salt = rand.Text()
		digest = loginDigest(salt, login)
	}
	_, err := tx.ExecContext(ctx, s.bind(`insert into erasures (salt, login, before) values (?, ?, ?)`), salt, digest, s.time(until))
	return err
}

// An erasure that was made is applied to entries that come late. Its login is a digest; none is everybody.
type erasure struct {
	salt, login string
	before      time.Time
}

type erasures []erasure

// readErasures returns the erasures that cover what was asked at a time or later.
func (s *Store) readErasures(ctx context.Context, db querier, asked time.Time) (list erasures, err error) {
	list, err = collect(ctx, s, db, `select salt, login, before from erasures where before > ?`, []any{s.time(asked)},
		func(e *erasure) []any { return []any{&e.salt, &e.login, timeValue{&e.before}} })
	if err != nil {
		return nil, fmt.Errorf("erasures: %w", err)
	}
	return list, nil
}

// withoutErased returns the records without those that were erased since they were asked, and takes the names of people
// who were out of the others.
func (s *Store) withoutErased(ctx context.Context, tx *sql.Tx, records []*Record) ([]*Record, error) {
	first := slices.MinFunc(records, func(a, b *Record) int { return a.Asked.Compare(b.Asked) }).Asked
	list, err := s.readErasures(ctx, tx, first)
	if err != nil || len(list) == 0 {
		return records, err
	}
	records = slices.DeleteFunc(slices.Clone(records), list.covers)
	for _, r := range records {
		if r.Reviewer != "" && list.names(r, r.Reviewer) {
			r.eraseReviewer()
		}
	}
	return records, nil
}

// covers says whether an entry was erased before it came.
func (list erasures) covers(r *Record) bool {
	return slices.ContainsFunc(list, func(e erasure) bool { return e.login == "" && r.Asked.Before(e.before) }) || list.names(r, r.Login)
}

// names says whether a person was erased after an entry was asked.
func (list erasures) names(r *Record, name string) bool {
	return slices.ContainsFunc(list, func(e erasure) bool {
		return e.login != "" && r.Asked.Before(e.before) && e.login == loginDigest(e.salt, name)
	})
}

// eraseReviewer takes the name of its reviewer out of a record.
func (r *Record) eraseReviewer() { r.Reviewer, r.Notices = erasedName, nil }

// Erased says whether what a login asked at a time has been erased. It is an error if the store can't tell.
func (s *Store) Erased(ctx context.Context, login string, asked time.Time) (bool, error) {
	if err := s.ready(ctx); err != nil {
		return false, err
	}
	list, err := s.readErasures(ctx, s.read, asked)
	return err == nil && list.covers(&Record{Login: login, Asked: asked}), err
}
