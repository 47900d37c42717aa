package translator

import (
	"bytes"
	"context"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/catalog"
	"askpg/translator/prompt"
)

// sampleRows is how many rows of a relation a prompt shows.
const sampleRows = 3

// sampleLength bounds the bytes that are kept of a value; prompts show less of it.
const sampleLength = 1000

// maxSampled bounds the relations that are sampled for one question.
const maxSampled = 40

// sampleKey is what sample rows are kept by: prompts stay the same while the schema does.
type sampleKey struct {
	database, role, version string
	schema, name            string
}

// maxCached bounds the relations whose sample rows are kept.
const maxCached = 2000

// loadSamples reads sample rows of the relations that matter for the
// question, as the asker and within the executor's limits, if privacy lets rows go to models.
func (s *state) loadSamples(ctx context.Context) error {
	if s.t.cfg.Privacy.Values != prompt.ValuesSamples || s.rows != nil {
		return nil
	}
	s.rows = prompt.Samples{}
	relations := prompt.Rank(s.snap, s.snap.Relations, s.q.Text+" "+s.q.Hint, s.hits)
	for _, r := range relations[:min(len(relations), maxSampled)] {
		rows, err := s.sampleOf(ctx, r)
		if err != nil {
			return err
		}
		if len(rows.Cells) > 0 {
			s.rows[r] = rows
		}
	}
	return nil
}

func (s *state) sampleOf(ctx context.Context, r *catalog.Relation) (prompt.Rows, error) {
	k := sampleKey{s.snap.Database, s.snap.Role, s.snap.Version, r.Schema, r.Name.Name}
	if rows, ok := s.t.samples.Get(k); ok {
		return rows, nil
	}
	exec, err := s.snapshot()
	if err != nil {
		return prompt.Rows{}, err
	}
	var rows prompt.Rows
	var cols []string
	for _, c := range r.Columns {
		if !c.Private && !r.Closed {
			rows.Columns = append(rows.Columns, c.Name)
			cols = append(cols, pgx.Identifier{c.Name}.Sanitize())
		}
	}
	if len(cols) == 0 {
		return rows, nil
	}
	limit := sampleRows
	if len(r.Columns) <= prompt.MaxCodeColumns && r.Rows >= 0 && r.Rows <= prompt.MaxCodes {
		limit = prompt.MaxCodes + 1
	}
	result, err := exec.Run(ctx, "SELECT "+strings.Join(cols, ", ")+" FROM "+r.QuotedName()+" LIMIT "+strconv.Itoa(limit))
	if err != nil {
		s.t.log.Debug("a relation could not be sampled", "relation", r.Schema+"."+r.Name.Name, "code", ask.CodeOf(err))
		return prompt.Rows{}, ctx.Err()
	}
	defer result.Release()
	for _, row := range result.Rows {
		kept := make([][]byte, len(row))
		for i, v := range row {
			if len(v) > sampleLength {
				v = bytes.ToValidUTF8(v[:sampleLength], nil)
			}
			kept[i] = bytes.Clone(v)
		}
		rows.All = append(rows.All, kept)
	}
	rows.Cells = rows.All[:min(len(rows.All), sampleRows)]
	if !result.Complete || limit == sampleRows || len(rows.All) == limit {
		rows.All = nil
	}
	if r.Shared() { // else the session's settings may decide what is seen
		s.t.samples.Put(k, rows)
	}
	return rows, nil
}
