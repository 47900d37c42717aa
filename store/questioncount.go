package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"math"
	"slices"
)

// A question that is asked often moves up in the queue: by repetitionStep for each time after the first, up to
// maxRepetitions of them. The table askings holds how often each question was asked, and which of its translations is
// in the queue.
const (
	repetitionStep = 0.05
	maxRepetitions = 10
)

// repetitionBonus is what a question that was asked n times has added to its priority.
func repetitionBonus(n int64) float64 {
	return repetitionStep * float64(min(max(n-1, 0), maxRepetitions))
}

// countKey says which question a count is of.
type countKey struct{ database, question string }

func (k countKey) compare(o countKey) int {
	return slices.Compare([]string{k.database, k.question}, []string{o.database, o.question})
}

func (r *Record) countKey() countKey { return countKey{r.Database, questionKey(r.Question, r.Hint)} }

// questionCount is a question of a batch.
type questionCount struct {
	key     countKey
	records []*Record
	best    *Record // of them by priority; the last one of equals

	total  int64  // how often it was asked, the batch included
	queued string // id of its translation in the queue, as the table has it; empty if none
}

// countQuestions counts the questions of new records, and leaves one translation of each question in the queue. All
// instances take the rows in the order of their keys, so that they do not lock each other out.
func (s *Store) countQuestions(ctx context.Context, tx *sql.Tx, records []*Record) error {
	byKey := map[countKey]*questionCount{}
	for _, r := range records {
		k := r.countKey()
		c := byKey[k]
		if c == nil {
			c = &questionCount{key: k, best: r}
			byKey[k] = c
		}
		c.records = append(c.records, r)
		if r.Priority >= c.best.Priority {
			c.best = r
		}
	}
	list := slices.SortedFunc(maps.Values(byKey), func(a, b *questionCount) int { return a.key.compare(b.key) })
	for part := range slices.Chunk(list, 200) {
		if err := s.addQuestionCounts(ctx, tx, part, byKey); err != nil {
			return fmt.Errorf("counting questions: %w", err)
		}
	}
	var earlier []string
	for _, c := range list {
		if c.queued != "" && !slices.ContainsFunc(c.records, func(r *Record) bool { return r.ID == c.queued }) {
			earlier = append(earlier, c.queued)
		}
	}
	queued, err := s.queuedPriorities(ctx, tx, earlier)
	if err != nil {
		return fmt.Errorf("counting questions: %w", err)
	}
	changed := map[string]float64{}
	for _, c := range list {
		if err := s.placeInQueue(ctx, tx, c, queued, changed); err != nil {
			return fmt.Errorf("counting questions: %w", err)
		}
	}
	return s.setPriorities(ctx, tx, changed)
}

// addQuestionCounts adds the questions of a batch to the table, and reads what it holds of them then.
func (s *Store) addQuestionCounts(ctx context.Context, tx *sql.Tx, list []*questionCount, byKey map[countKey]*questionCount) error {
	args := make([]any, 0, 4*len(list))
	for _, c := range list {
		args = append(args, c.key.database, c.key.question, len(c.records), "")
	}
	return s.each(ctx, tx, `insert into askings (database, question_key, n, top) values `+repeated("(?, ?, ?, ?)", len(list))+`
		on conflict (database, question_key) do update set n = askings.n + excluded.n returning database, question_key, n, top`, args, func(row *sql.Rows) error {
		var k countKey
		var queued string
		var n int64
		err := row.Scan(&k.database, &k.question, &n, &queued)
		if c := byKey[k]; c != nil {
			c.total, c.queued = n, queued
		}
		return err
	})
}

// queuedPriorities returns the priorities of those of the translations that are in the queue.
func (s *Store) queuedPriorities(ctx context.Context, tx *sql.Tx, ids []string) (map[string]float64, error) {
	priorities := map[string]float64{}
	for part := range slices.Chunk(ids, 200) {
		c := &clause{where: []string{"review = ''", "priority > 0"}}
		c.among("id", part)
		err := s.each(ctx, tx, `select id, priority from translations`+c.String(), c.args, func(row *sql.Rows) error {
			var id string
			var p float64
			err := row.Scan(&id, &p)
			priorities[id] = p
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return priorities, nil
}

// placeInQueue decides which translation of a question is in the queue, and at which priority. queued has the
// priorities of translations that were in it before the batch. changed takes the priorities that are to be set.
func (s *Store) placeInQueue(ctx context.Context, tx *sql.Tx, c *questionCount, queued, changed map[string]float64) error {
	for _, r := range c.records {
		if r != c.best && r.Priority > 0 {
			changed[r.ID] = 0
		}
	}
	best := 0.0
	if c.best.Priority > 0 {
		best = roundPriority(c.best.Priority + repetitionBonus(c.total))
	}
	before, inQueue := queued[c.queued]
	added := repetitionBonus(c.total) - repetitionBonus(c.total-int64(len(c.records)))
	switch raised := roundPriority(before + added); {
	case inQueue && raised >= best: // the translation that is in the queue stays, and moves up
		if raised != before {
			changed[c.queued] = raised
		}
		if c.best.Priority > 0 {
			changed[c.best.ID] = 0
		}
		return nil
	case best == 0:
		return nil
	case inQueue:
		changed[c.queued] = 0
	}
	if best != c.best.Priority {
		changed[c.best.ID] = best
	}
	_, err := tx.ExecContext(ctx, s.bind(`update askings set top = ? where database = ? and question_key = ?`), c.best.ID, c.key.database, c.key.question)
	return err
}

// roundPriority rounds to twentieths, so that the index by priority is written at few places.
func roundPriority(p float64) float64 { return math.Round(p*20) / 20 }

// setPriorities stores the priorities of translations by their ids, in the order of the ids.
func (s *Store) setPriorities(ctx context.Context, tx *sql.Tx, priorities map[string]float64) error {
	for _, id := range slices.Sorted(maps.Keys(priorities)) {
		if _, err := tx.ExecContext(ctx, s.bind(`update translations set priority = ? where id = ?`), priorities[id], id); err != nil {
			return fmt.Errorf("counting questions: %w", err)
		}
	}
	return nil
}

// readQuestionCounts sets Record.TimesAsked of the records of a page.
func (s *Store) readQuestionCounts(ctx context.Context, records []Record) error {
	for part := range slices.Chunk(records, 200) {
		var args []any
		at := map[countKey][]int{}
		for i := range part {
			k := part[i].countKey()
			if at[k] == nil {
				args = append(args, k.database, k.question)
			}
			at[k] = append(at[k], i)
		}
		err := s.each(ctx, s.read, `select database, question_key, n from askings where (database, question_key) in (values `+repeated("(?, ?)", len(args)/2)+`)`, args, func(row *sql.Rows) error {
			var k countKey
			var n int64
			err := row.Scan(&k.database, &k.question, &n)
			for _, i := range at[k] {
				part[i].TimesAsked = n
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("counts of questions: %w", err)
		}
	}
	return nil
}

// uncountDeleted takes the translations that are about to be deleted out of the counts. Those that were logged before
// there were counts are not in them (table askings_from).
func (s *Store) uncountDeleted(ctx context.Context, tx *sql.Tx, where string, limit int64, args ...any) error {
	var from int64
	if err := tx.QueryRowContext(ctx, `select max(seq) from askings_from`).Scan(&from); err != nil {
		return err
	}
	deleted := map[countKey]int64{}
	err := s.each(ctx, tx, fmt.Sprintf(`select seq, database, question, hint from translations %s order by seq limit %d`, where, limit), args, func(row *sql.Rows) error {
		var r Record
		err := row.Scan(&r.Seq, &r.Database, &r.Question, &r.Hint)
		if err == nil && r.Seq > from {
			deleted[r.countKey()]++
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, k := range slices.SortedFunc(maps.Keys(deleted), countKey.compare) {
		if _, err := tx.ExecContext(ctx, s.bind(`update askings set n = n - ? where database = ? and question_key = ?`), deleted[k], k.database, k.question); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, s.bind(`delete from askings where database = ? and question_key = ? and n <= 0`), k.database, k.question); err != nil {
			return err
		}
	}
	return nil
}
