package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
)

// insert writes records in one transaction. Those whose id is there already stay as they are, and those that were erased
// since they were asked are left out.
func (s *Store) insert(ctx context.Context, records []*Record) error {
	var fresh []*Record
	err := s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		left, err := s.withoutErased(ctx, tx, records)
		if err != nil || len(left) == 0 {
			return err
		}
		insert := s.insertSQLite
		if s.dialect == postgres {
			insert = s.insertPostgres
		}
		if fresh, err = insert(ctx, tx, left); err != nil {
			return err
		}
		if err := s.countUses(ctx, tx, fresh); err != nil {
			return err
		}
		if err := s.addTotals(ctx, tx, fresh); err != nil {
			return err
		}
		return s.countQuestions(ctx, tx, fresh)
	})
	if err != nil {
		return err
	}
	s.uncopied.Add(int64(len(records)))
	s.metrics.appended.Add(float64(len(fresh)))
	return nil
}

var (
	insertRecord     = `insert into translations (` + columns("", recordFields) + `) values (` + repeated("?", len(recordFields)) + `) on conflict (id) do nothing`
	insertCandidates = `insert into candidates (translation, list) values (?, ?)`

	// One statement for a whole batch: a round trip, however many rows.
	insertRecordset = `with fresh as (
	insert into translations (` + columns("", recordFields) + `)
	select ` + columns("", recordFields) + ` from jsonb_to_recordset($1::jsonb) as r(` + recordset(recordFields) + `)
	on conflict (id) do nothing returning seq, id
), theirs as (
	insert into candidates (translation, ` + columns("", candidateFields) + `)
	select fresh.seq, ` + columns("c.", candidateFields) + `
	from jsonb_to_recordset($2::jsonb) as c(translation text, ` + recordset(candidateFields) + `) join fresh on fresh.id = c.translation
)
select id from fresh`
)

// insertSQLite returns the records that were not there before. The statements
// run without a deadline: the driver would start a goroutine for each. The driver keeps
// them prepared, as it does for Exec and not for Prepare.
func (s *Store) insertSQLite(_ context.Context, tx *sql.Tx, records []*Record) ([]*Record, error) {
	ctx := context.Background()
	var fresh []*Record
	for _, r := range records {
		res, err := tx.ExecContext(ctx, insertRecord, storedValues(sqlite, recordFields, r)...)
		if err != nil {
			return nil, fmt.Errorf("translation %s: %w", r.ID, err)
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			continue
		}
		seq, err := res.LastInsertId()
		if err != nil {
			return nil, err
		}
		if len(r.Candidates) > 0 {
			list, err := json.Marshal(mapped(r.Candidates, func(c Candidate) []any { return storedValues(sqlite, candidateFields, &c) }))
			if err != nil {
				return nil, fmt.Errorf("candidates of translation %s: %w", r.ID, err)
			}
			if _, err := tx.ExecContext(ctx, insertCandidates, seq, string(list)); err != nil {
				return nil, fmt.Errorf("candidates of translation %s: %w", r.ID, err)
			}
		}
		fresh = append(fresh, r)
	}
	return fresh, nil
}

func (s *Store) insertPostgres(ctx context.Context, tx *sql.Tx, records []*Record) ([]*Record, error) {
	candidates := []Candidate{}
	byID := map[string]*Record{}
	for _, r := range records {
		candidates = append(candidates, r.Candidates...)
		byID[r.ID] = r
	}
	rs, err := json.Marshal(records)
	if err != nil {
		return nil, err
	}
	cs, err := json.Marshal(candidates)
	if err != nil {
		return nil, err
	}
	ids, err := s.texts(ctx, tx, insertRecordset, string(rs), string(cs))
	if err != nil {
		return nil, err
	}
	return mapped(ids, func(id string) *Record { return byID[id] }), nil
}
