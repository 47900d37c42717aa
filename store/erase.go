package store

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Erasure says what is erased: the entries of a login, those before a time, or those of the login before the time.
type Erasure struct {
	Login        string    // "" for everybody's
	Before       time.Time // zero for all until now
	KeepExamples bool      // the verified examples that came from a login's questions stay, without its name
}

// Erased counts what an Erasure has taken.
type Erased struct {
	Translations, Remarks, Examples int64
}

var errErasureEmpty = errors.New("an erasure needs a login or a time")

// Erase takes translations out of the log, with their candidates, prompts, rows, feedback and words. Of a login it takes
// the verified examples that came from its questions too, and its name: out of remarks, examples, sums and budgets. Then
// the files of the database are written anew, so that no byte of it is left in them. Entries that spill files hold are
// dropped when they come. The logs and backups of a PostgreSQL server are its own.
func (s *Store) Erase(ctx context.Context, e Erasure) (Erased, error) {
	var done Erased
	if e.Login == "" && e.Before.IsZero() {
		return done, errErasureEmpty
	}
	until := e.Before
	if until.IsZero() {
		until = time.Now()
	}
	c := &clause{}
	if e.Login != "" {
		c.add("login = ?", e.Login)
	}
	if !e.Before.IsZero() {
		c.add("asked < ?", s.time(e.Before))
	}
	// First, so that nothing comes back out of a spill file meanwhile.
	if err := s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error { return s.addErasure(ctx, tx, e.Login, until) }); err != nil {
		return done, err
	}
	if e.Login != "" {
		if err := s.transact(ctx, func(ctx context.Context, tx *sql.Tx) (err error) {
			if done.Examples, err = s.eraseExamples(ctx, tx, c, &e); err != nil {
				return fmt.Errorf("examples: %w", err)
			}
			return s.eraseApplications(ctx, tx, c)
		}); err != nil {
			return done, err
		}
	}
	if err := s.transact(ctx, func(ctx context.Context, tx *sql.Tx) (err error) {
		res, err := tx.ExecContext(ctx, s.bind(`delete from feedback where translation in (select id from translations`+c.String()+`)`), c.args...)
		if err == nil {
			done.Remarks, err = res.RowsAffected()
		}
		return err
	}); err != nil {
		return done, fmt.Errorf("feedback: %w", err)
	}
	for {
		n, err := s.deleteOldest(ctx, deleteChunk, c.String(), c.args...)
		done.Translations += n
		if err != nil {
			return done, fmt.Errorf("translations: %w", err)
		}
		if n < deleteChunk {
			break
		}
	}
	if e.Login != "" && e.Before.IsZero() {
		if err := s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
			n, err := s.eraseName(ctx, tx, e.Login)
			done.Remarks += n
			return err
		}); err != nil {
			return done, fmt.Errorf("the name: %w", err)
		}
	}
	s.examplesChanged()
	return done, s.rewriteFiles(ctx)
}

// eraseExamples deletes the examples that came from translations, and the demonstrations and prompts of others that
// were shown their questions; or, if they are to stay, whence they came.
func (s *Store) eraseExamples(ctx context.Context, tx *sql.Tx, of *clause, e *Erasure) (int64, error) {
	from, args := `translation in (select id from translations`+of.String()+`)`, of.args
	if e.KeepExamples {
		_, err := tx.ExecContext(ctx, s.bind(`update examples set translation = '' where `+from), args...)
		return 0, err
	}
	if e.Before.IsZero() { // those whose translation is gone tell the role that asked
		from = `(` + from + ` or role = ? and not exists (select 1 from translations t where t.id = examples.translation and t.login <> ?))`
		args = append(slices.Clone(args), e.Login, e.Login)
	}
	shown := `json_each(translations.demonstrations)`
	if s.dialect == postgres {
		shown = `jsonb_array_elements_text(case jsonb_typeof(translations.demonstrations) when 'array' then translations.demonstrations else '[]' end)`
	}
	if _, err := tx.ExecContext(ctx, s.bind(`update translations set demonstrations = null, kept_prompts = null where demonstrations is not null
		and exists (select 1 from `+shown+` d join examples on examples.question = d.value where `+from+`)`), args...); err != nil {
		return 0, err
	}
	res, err := tx.ExecContext(ctx, s.bind(`delete from examples where `+from), args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// eraseApplications deletes the sums by the applications that only these translations came from.
func (s *Store) eraseApplications(ctx context.Context, tx *sql.Tx, of *clause) error {
	others := `not (` + strings.TrimPrefix(of.String(), " where ") + `)`
	_, err := tx.ExecContext(ctx, s.bind(`delete from totals where kind = 'application' and label in (select substr(application, 1, 200) from translations`+of.String()+`)
		and label not in (select substr(application, 1, 200) from translations where `+others+`)`), append(slices.Clone(of.args), of.args...)...)
	if err != nil {
		return fmt.Errorf("sums: %w", err)
	}
	return nil
}

// eraseName takes a name out of everything that is not the login's own: what it said of others' translations, verdicts
// and examples that it signed or asked for, notices that named it, its sums and budgets.
func (s *Store) eraseName(ctx context.Context, tx *sql.Tx, name string) (remarks int64, err error) {
	res, err := tx.ExecContext(ctx, s.bind(`delete from feedback where by_whom = ? and kind in ('good', 'bad')`), name)
	if err != nil {
		return 0, err
	}
	if remarks, err = res.RowsAffected(); err != nil {
		return 0, err
	}
	column := "notices"
	if s.dialect == postgres {
		column = "notices::text"
	}
	quoted, err := json.Marshal(name)
	if err != nil {
		return 0, err
	}
	for _, q := range []struct {
		query string
		args  []any
	}{
		{`update feedback set by_whom = 'erased', reason = '' where by_whom = ?`, []any{name}},
		{`update examples set reviewer = 'erased', note = '' where reviewer = ?`, []any{name}},
		{`update examples set role = '' where role = ?`, []any{name}},
		{`update translations set notices = null where notices is not null and ` + column + ` like ? escape '!'`, []any{"%reviewed by " + likeText(strings.Trim(string(quoted), `"`)) + " on %"}},
		{`delete from totals where scope = ? or kind = 'role' and label = ?`, []any{scopeRole(name), short(name)}},
		{`delete from budgets where subject = ?`, []any{roleSubject(name)}},
	} {
		if _, err := tx.ExecContext(ctx, s.bind(q.query), q.args...); err != nil {
			return remarks, err
		}
	}
	return remarks, nil
}

// likeText quotes a text for LIKE with the escape character !.
func likeText(text string) string {
	return strings.NewReplacer("!", "!!", "%", "!%", "_", "!_").Replace(text)
}

// deleteOrphans deletes what was said of translations that are gone.
func (s *Store) deleteOrphans(ctx context.Context, tx *sql.Tx) (int64, error) {
	res, err := tx.ExecContext(ctx, `delete from feedback where not exists (select 1 from translations t where t.id = feedback.translation)`)
	if err != nil {
		return 0, fmt.Errorf("feedback: %w", err)
	}
	return res.RowsAffected()
}

// rewriteFiles writes the tables anew without what was deleted. Other sessions wait meanwhile.
func (s *Store) rewriteFiles(ctx context.Context) error {
	if s.dialect == postgres {
		// VACUUM FULL would take along what an old snapshot, such as a standby's, may still see. A column whose type is set
		// anew by an expression has the table written from the rows that stand (PostgreSQL documentation, ALTER TABLE).
		for _, t := range [][2]string{{"translations", "cause"}, {"candidates", "error_hint"}, {"feedback", "reason"}, {"examples", "sample_key"}, {"askings", "top"}, {"totals", "label"}, {"budgets", "subject"}} {
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
	mac := hmac.New(sha256.New, []byte(salt))
	mac.Write([]byte(login))
	return hex.EncodeToString(mac.Sum(nil))
}

func (s *Store) addErasure(ctx context.Context, tx *sql.Tx, login string, until time.Time) error {
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

func (s *Store) readErasures(ctx context.Context) (list erasures, err error) {
	rows, err := s.read.QueryContext(ctx, `select salt, login, before from erasures`)
	if err != nil {
		return nil, fmt.Errorf("erasures: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var e erasure
		if err := rows.Scan(&e.salt, &e.login, timeValue{&e.before}); err != nil {
			return nil, fmt.Errorf("erasures: %w", err)
		}
		list = append(list, e)
	}
	return list, rows.Err()
}

// covers says whether an entry was erased before it came.
func (list erasures) covers(r *Record) bool {
	for _, e := range list {
		if r.Asked.Before(e.before) && (e.login == "" || e.login == loginDigest(e.salt, r.Login)) {
			return true
		}
	}
	return false
}
