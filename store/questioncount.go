package store

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Often asked questions rise in the queue: by a twentieth for each further
// asking, up to ten of them.
const (
	repetitionStep = 0.05
	maxRepetitions = 10
)

// repetitionBonus is what n askings add to the priority of the one in the queue.
func repetitionBonus(n int64) float64 {
	return repetitionStep * float64(min(max(n-1, 0), maxRepetitions))
}

// questionCount is what a batch has of a question.
type questionCount struct {
	database, key string
	n             int64
	records       []*Record
	best          *Record // of them, by priority; the last one of equals

	all int64  // askings, those before as well
	top string // id of the translation in the queue
}

// countQuestions counts the questions of new records and leaves each question in
// the queue once. Keys are taken in one order by everybody, so that instances do
// not lock each other out.
func (s *Store) countQuestions(ctx context.Context, tx *sql.Tx, records []*Record) error {
	byKey := map[[2]string]*questionCount{}
	for _, r := range records {
		k := [2]string{r.Database, questionKey(r.Question, r.Hint)}
		a := byKey[k]
		if a == nil {
			a = &questionCount{database: k[0], key: k[1], best: r}
			byKey[k] = a
		}
		a.n, a.records = a.n+1, append(a.records, r)
		if r.Priority >= a.best.Priority {
			a.best = r
		}
	}
	list := make([]*questionCount, 0, len(byKey))
	for _, a := range byKey {
		list = append(list, a)
	}
	slices.SortFunc(list, func(a, b *questionCount) int {
		return slices.Compare([]string{a.database, a.key}, []string{b.database, b.key})
	})
	var tops []string
	for part := range slices.Chunk(list, 200) {
		if err := s.addQuestionCounts(ctx, tx, part, byKey); err != nil {
			return fmt.Errorf("askings: %w", err)
		}
	}
	for _, a := range list {
		if a.top != "" && !slices.ContainsFunc(a.records, func(r *Record) bool { return r.ID == a.top }) {
			tops = append(tops, a.top)
		}
	}
	standing, err := s.queuedPriorities(ctx, tx, tops)
	if err != nil {
		return fmt.Errorf("askings: %w", err)
	}
	priorities := map[string]float64{}
	for _, a := range list {
		if err := s.placeInQueue(ctx, tx, a, standing, priorities); err != nil {
			return fmt.Errorf("askings: %w", err)
		}
	}
	return s.setPriorities(ctx, tx, priorities)
}

// addQuestionCounts adds to the counts and reads what they are then.
func (s *Store) addQuestionCounts(ctx context.Context, tx *sql.Tx, list []*questionCount, byKey map[[2]string]*questionCount) error {
	args := make([]any, 0, 4*len(list))
	for _, a := range list {
		args = append(args, a.database, a.key, a.n, "")
	}
	rows, err := tx.QueryContext(ctx, s.bind(`insert into askings (database, question_key, n, top) values `+strings.TrimSuffix(strings.Repeat("(?, ?, ?, ?), ", len(list)), ", ")+`
		on conflict (database, question_key) do update set n = askings.n + excluded.n returning database, question_key, n, top`), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var database, key, top string
		var n int64
		if err := rows.Scan(&database, &key, &n, &top); err != nil {
			return err
		}
		if a := byKey[[2]string{database, key}]; a != nil {
			a.all, a.top = n, top
		}
	}
	return rows.Err()
}

// queuedPriorities returns the priorities of those translations that stand in the queue.
func (s *Store) queuedPriorities(ctx context.Context, tx *sql.Tx, ids []string) (map[string]float64, error) {
	standing := map[string]float64{}
	for part := range slices.Chunk(ids, 200) {
		args := make([]any, len(part))
		for i, id := range part {
			args[i] = id
		}
		rows, err := tx.QueryContext(ctx, s.bind(`select id, priority from translations where review = '' and priority > 0 and id in (?`+strings.Repeat(", ?", len(part)-1)+`)`), args...)
		if err != nil {
			return nil, err
		}
		for rows.Next() {
			var id string
			var p float64
			if err := rows.Scan(&id, &p); err != nil {
				rows.Close()
				return nil, err
			}
			standing[id] = p
		}
		rows.Close()
		if err := rows.Err(); err != nil {
			return nil, err
		}
	}
	return standing, nil
}

// placeInQueue says which asking of a question stands in the queue, and how high.
func (s *Store) placeInQueue(ctx context.Context, tx *sql.Tx, a *questionCount, standing, priorities map[string]float64) error {
	have, stands := standing[a.top]
	for _, r := range a.records {
		if r != a.best && r.Priority > 0 {
			priorities[r.ID] = 0
		}
	}
	mine := 0.0
	if a.best.Priority > 0 {
		mine = roundPriority(a.best.Priority + repetitionBonus(a.all))
	}
	switch raised := roundPriority(have + repetitionBonus(a.all) - repetitionBonus(a.all-a.n)); {
	case stands && raised >= mine:
		if raised != have {
			priorities[a.top] = raised
		}
		if a.best.Priority > 0 {
			priorities[a.best.ID] = 0
		}
		return nil
	case mine == 0:
		return nil
	case stands:
		priorities[a.top] = 0
	}
	if mine != a.best.Priority {
		priorities[a.best.ID] = mine
	}
	_, err := tx.ExecContext(ctx, s.bind(`update askings set top = ? where database = ? and question_key = ?`), a.best.ID, a.database, a.key)
	return err
}

// roundPriority rounds a priority, so that the index by it is written at few places.
func roundPriority(p float64) float64 { return math.Round(p*20) / 20 }

func (s *Store) setPriorities(ctx context.Context, tx *sql.Tx, priorities map[string]float64) error {
	ids := make([]string, 0, len(priorities))
	for id := range priorities {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		if _, err := tx.ExecContext(ctx, s.bind(`update translations set priority = ? where id = ?`), priorities[id], id); err != nil {
			return fmt.Errorf("askings: %w", err)
		}
	}
	return nil
}

// readQuestionCounts sets how often the questions of a page were asked.
func (s *Store) readQuestionCounts(ctx context.Context, records []Record) error {
	for part := range slices.Chunk(records, 200) {
		var args []any
		at := map[[2]string][]int{}
		for i := range part {
			k := [2]string{part[i].Database, questionKey(part[i].Question, part[i].Hint)}
			if at[k] == nil {
				args = append(args, k[0], k[1])
			}
			at[k] = append(at[k], i)
		}
		rows, err := s.read.QueryContext(ctx, s.bind(`select database, question_key, n from askings where (database, question_key) in (values `+strings.TrimSuffix(strings.Repeat("(?, ?), ", len(args)/2), ", ")+`)`), args...)
		if err != nil {
			return fmt.Errorf("askings: %w", err)
		}
		for rows.Next() {
			var database, key string
			var n int64
			if err := rows.Scan(&database, &key, &n); err != nil {
				rows.Close()
				return fmt.Errorf("askings: %w", err)
			}
			for _, i := range at[[2]string{database, key}] {
				part[i].TimesAsked = n
			}
		}
		rows.Close()
		if err := rows.Err(); err != nil {
			return fmt.Errorf("askings: %w", err)
		}
	}
	return nil
}

// uncountDeleted takes translations that are about to be deleted out of the counts.
func (s *Store) uncountDeleted(ctx context.Context, tx *sql.Tx, where string, limit int64, args ...any) error {
	var from int64
	if err := tx.QueryRowContext(ctx, `select max(seq) from askings_from`).Scan(&from); err != nil {
		return err
	}
	rows, err := tx.QueryContext(ctx, s.bind(fmt.Sprintf(`select seq, database, question, hint from translations %s order by seq limit %d`, where, limit)), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	gone := map[[2]string]int64{}
	for rows.Next() {
		var seq int64
		var database, question, hint string
		if err := rows.Scan(&seq, &database, &question, &hint); err != nil {
			return err
		}
		if seq > from {
			gone[[2]string{database, questionKey(question, hint)}]++
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	rows.Close()
	keys := make([][2]string, 0, len(gone))
	for k := range gone {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	for _, k := range keys {
		if _, err := tx.ExecContext(ctx, s.bind(`update askings set n = n - ? where database = ? and question_key = ?`), gone[k], k[0], k[1]); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, s.bind(`delete from askings where database = ? and question_key = ? and n <= 0`), k[0], k[1]); err != nil {
			return err
		}
	}
	return nil
}
