package admin

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"askpg/store"
)

// maxChosen bounds how many rows of the queue are judged at once: a page has fewer.
const maxChosen = 2 * queueLines

// maxWhole is how long SQL may be that a row of the queue shows whole, in bytes.
const maxWhole = 1000

// Whole says whether a row shows all that a verdict would verify. What it does not is judged on the translation's own page.
func (l line) Whole() bool {
	return len(l.Question) <= maxRow && len(l.Hint) <= maxRow && len(l.SQL) <= maxWhole
}

// Seen names the translation and what the row shows of it that a verdict would verify.
func (l line) Seen() string {
	return l.ID + " " + digest("a row of the queue", strings.Join([]string{l.Question, l.Hint, l.SQL}, "\x00"))
}

// untaken is a row of the queue whose verdict was not taken.
type untaken struct{ ID, Question, Why string }

// judgeChosen does the same with each row of the queue that a reviewer has chosen: a verdict with one note, or an assignment. What
// is refused is told by row, and the row stays chosen.
func (s *Server) judgeChosen(w http.ResponseWriter, r *http.Request) {
	v := readVerdict(r, sender(r).reviewer())
	rows := r.PostForm["row"]
	switch {
	case v.action != "keep" && chosenDone[v.action] == "":
		answer(w, http.StatusBadRequest, "Rows of the queue can be approved, rejected or assigned.")
		return
	case len(rows) > maxChosen:
		answer(w, http.StatusBadRequest, "At most "+strconv.Itoa(maxChosen)+" rows are taken at once.")
		return
	}
	p := listPage{Chosen: map[string]bool{}, Note: v.note}
	away := false // the store, for which no further row waits
	for _, row := range rows {
		id, _, _ := strings.Cut(row, " ")
		if v.action == "keep" {
			p.Chosen[id] = true
			continue
		}
		var rec *store.Record
		var err error = errNotReached
		if !away {
			rec, err = s.judgeRow(r, row, v)
		}
		if err == nil {
			continue
		}
		u := untaken{ID: id, Question: store.ShortID(id)}
		if rec != nil {
			u.Question = rec.Question
		}
		if _, u.Why = notTaken(err); u.Why == "" {
			s.log.ErrorContext(r.Context(), "a verdict is not stored", "id", id, "verdict", v.action, "by", v.by.Name, "error", err)
			u.Why, away = err.Error(), true
		}
		p.Untaken, p.Chosen[id] = append(p.Untaken, u), true
	}
	switch {
	case v.action == "keep":
		s.renderList(w, r, http.StatusOK, store.PriorityFirst, p)
		return
	case len(rows) == 0:
		p.Problem = "No row is chosen."
	case len(p.Untaken) == 0:
		q := r.URL.Query()
		q.Set("done", v.action)
		q.Set("rows", strconv.Itoa(len(rows)))
		http.Redirect(w, r, "/review?"+q.Encode(), http.StatusSeeOther)
		return
	default:
		p.Problem = strconv.Itoa(len(p.Untaken)) + " of " + strconv.Itoa(len(rows)) + " not " + chosenDone[v.action] + ":"
	}
	s.renderList(w, r, http.StatusUnprocessableEntity, store.PriorityFirst, p)
}

var errNotReached = &refusal{"It was left as it is, as the store failed before."}

// chosenDone are what can be done with chosen rows, and how it is called afterwards.
var chosenDone = map[string]string{"approve": "approved", "reject": "rejected", "assign": "assigned"}

// judgeRow judges or assigns one row, if it is still what the reviewer has seen.
func (s *Server) judgeRow(r *http.Request, row string, v *verdict) (*store.Record, error) {
	ctx := r.Context()
	id, _, _ := strings.Cut(row, " ")
	rec, err := s.store.GetWithin(ctx, id, v.by.Scope)
	if errors.Is(err, store.ErrNotFound) {
		return nil, &refusal{"There is no such translation that you may judge."}
	}
	if err != nil {
		return nil, err
	}
	l := line{Record: *rec}
	switch {
	case l.Seen() != row || !l.Whole():
		return rec, &refusal{"It is not what the row showed. Open it to judge it."}
	case rec.Review != "":
		return rec, &refusal{"Somebody has judged it meanwhile: it is " + string(rec.Review) + "."}
	case v.action == "assign":
		if err = s.store.Assign(ctx, rec.ID, v.by.Scope, v.assignee); err == nil {
			s.log.InfoContext(ctx, "a translation was assigned", "id", rec.ID, "to", v.assignee, "by", v.by.Name, "how", v.by.How)
		}
		return rec, err
	case v.action == "reject":
		err = s.store.Reject(ctx, rec.ID, v.by, v.note)
	case rec.SQL == "":
		return rec, &refusal{"It has no answer to approve. Open it to correct it."}
	case len(rec.History) > 0:
		return rec, &refusal{"It follows up on earlier questions, which the row does not show. Open it to judge it."}
	default:
		if err := s.planned(ctx, rec); err != nil {
			return rec, err
		}
		_, err = s.store.Approve(ctx, rec.ID, nil, v.by, v.note)
	}
	if err == nil {
		s.logVerdict(ctx, rec, v)
	}
	return rec, err
}

// planned refuses a translation whose verified example no longer plans: to approve it again would verify SQL that fails, without the
// marks that it may have had.
func (s *Server) planned(ctx context.Context, rec *store.Record) error {
	l := []line{{Record: *rec}}
	if err := s.markStale(ctx, l); err != nil || l[0].Stale == "" {
		return err
	}
	return &refusal{"Its verified example no longer plans: " + l[0].Stale + ". Open it to correct it."}
}
