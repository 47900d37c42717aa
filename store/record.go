package store

import (
	"maps"
	"strings"
	"time"

	"askpg/ask"
)

// Outcome is how a question ended.
type Outcome string

// The outcomes of a question.
const (
	Answered Outcome = "answered"
	Unsure   Outcome = "unsure"   // confidence below the minimum
	Refused  Outcome = "refused"  // by the guard, or for want of rights
	Canceled Outcome = "canceled" // by the asker, or because he left
	Failed   Outcome = "failed"
)

// Outcomes are all of them, in the order in which they are shown.
var Outcomes = []Outcome{Answered, Unsure, Refused, Canceled, Failed}

// Review is what a reviewer said of a translation; empty if nobody has.
type Review string

// The verdicts of a reviewer.
const (
	Approved  Review = "approved"
	Rejected  Review = "rejected"
	Corrected Review = "corrected"
)

// Record is a logged question with all that came of it. Its JSON is what an
// export and the spill file hold; the field names are those of the tables. Its
// columns are in the order of its fields, in a CSV too. A new one goes to their
// end: programs may read the cells of a CSV by their position.
type Record struct {
	Seq         int64             `json:"seq,omitempty" sql:"-"` // order of logging, the key of paging
	ID          string            `json:"id"`
	Asked       time.Time         `json:"asked"`
	Database    string            `json:"database"`
	Role        string            `json:"role"`
	Login       string            `json:"login"` // session_user
	Client      string            `json:"client"`
	Application string            `json:"application"`
	Annotations []string          `json:"annotations"`
	Question    string            `json:"question"`
	Normalised  string            `json:"normalised"`
	Hint        string            `json:"hint"`
	Action      string            `json:"action"`
	Options     map[string]string `json:"options"`
	History     []ask.Turn        `json:"history"`
	Settings    map[string]string `json:"settings"`

	Outcome   Outcome `json:"outcome"`
	Code      string  `json:"code"` // SQLSTATE, empty if answered
	Message   string  `json:"message"`
	Detail    string  `json:"detail"`
	ErrorHint string  `json:"error_hint"`
	Cause     string  `json:"cause"` // what the asker was not told

	Strategy         string       `json:"strategy"`
	Source           string       `json:"source"`
	SQL              string       `json:"sql"`
	ResultColumns    []ask.Column `json:"result_columns"`
	Confidence       float64      `json:"confidence"`
	Chosen           int64        `json:"chosen"` // position of the chosen candidate, -1 if none
	Understood       string       `json:"understood"`
	Linked           []ask.Link   `json:"linked"`
	Demos            []string     `json:"demonstrations"` // questions of the demonstrations that prompts had
	Notices          []string     `json:"notices"`
	Reviewer         string       `json:"reviewer"` // who verified the example that answered, as Notices say; empty if none answered
	Won              ask.Won      `json:"won"`      // why the chosen result won although another one has more votes; empty if none has
	Calls            int64        `json:"calls"`
	PromptTokens     int64        `json:"prompt_tokens"`
	CompletionTokens int64        `json:"completion_tokens"`
	Cost             float64      `json:"cost"`
	Spending         []ModelUse   `json:"spending"` // Calls, tokens and Cost by model
	Stages           []Stage      `json:"stages"`
	Replica          string       `json:"replica"`
	ReplicaLag       float64      `json:"replica_lag_ms"`
	OnPrimary        bool         `json:"on_primary"`
	Plan             string       `json:"plan"`
	SchemaVersion    string       `json:"schema_version"`
	Fallback         bool         `json:"fallback"`
	AnswerKey        string       `json:"answer_key"`
	Elapsed          float64      `json:"elapsed_ms"`
	RowsReturned     int64        `json:"rows_returned"` // -1 if not known
	KeptRows         *Rows        `json:"kept_rows"`

	KeptPrompts []ask.Prompt `json:"kept_prompts"`

	Review   Review  `json:"review"`
	Feedback int64   `json:"feedback"` // good words of askers less bad ones
	Priority float64 `json:"priority"` // how much it is worth a reviewer's time
	RoleOID  int64   `json:"role_oid"` // pg_authid.oid of Role on the primary, 0 if it is not known
	Assigned string  `json:"assigned"` // reviewer who is to judge it, empty for nobody

	// TimesAsked is how often the question was asked, in a list by priority; 0 is not
	// known.
	TimesAsked int64 `json:"-"`

	Candidates []Candidate `json:"candidates,omitempty" sql:"-"`
}

// Candidate is a logged candidate.
type Candidate struct {
	Translation string  `json:"translation" sql:"-"` // Record.ID
	Position    int64   `json:"position"`            // 0-based
	SQL         string  `json:"sql"`
	Model       string  `json:"model"`
	Prompt      string  `json:"prompt"`
	Sample      int64   `json:"sample"`
	Repair      int64   `json:"repair"`
	Fate        string  `json:"fate"`
	Votes       int64   `json:"votes"`
	Fingerprint string  `json:"fingerprint"`
	Rows        int64   `json:"rows"` // -1 if it did not run
	Cost        float64 `json:"cost"` // the planner's
	Elapsed     float64 `json:"elapsed_ms"`
	Code        string  `json:"code"`
	Message     string  `json:"message"`
	Detail      string  `json:"detail"`
	ErrorHint   string  `json:"error_hint"`
}

// ModelUse is what a model was used for, as ask.Spending.
type ModelUse struct {
	Model            string  `json:"model"`
	Calls            int64   `json:"calls"`
	PromptTokens     int64   `json:"prompt_tokens"`
	CompletionTokens int64   `json:"completion_tokens"`
	Cost             float64 `json:"cost"`
}

// Stage is the time that a stage took.
type Stage struct {
	Name    string  `json:"name"`
	Elapsed float64 `json:"elapsed_ms"`
}

// Rows are result rows that a setting keeps for a while; nil is NULL.
type Rows struct {
	Columns  []string    `json:"columns"`
	Rows     [][]*string `json:"rows"`
	Complete bool        `json:"complete"`
}

// Entry is a question that was dealt with, to be logged.
type Entry struct {
	Question    ask.Question
	Translation *ask.Translation // nil if nothing was made
	Err         error            // that the asker got; nil if answered
	Elapsed     time.Duration
	Prompts     []ask.Prompt // that models were sent, to be kept for a while
}

// record lays an entry out for the tables. Text is made storable: no NUL, no
// invalid UTF-8.
func (e *Entry) record(cfg *Config) *Record {
	q := &e.Question
	r := &Record{
		ID: q.ID, Asked: q.Asked.UTC().Truncate(time.Microsecond), Database: q.Session.Database, Role: q.Session.Role, RoleOID: int64(q.Session.RoleOID), Login: q.Session.SessionUser,
		Client: q.Client.Address, Application: q.Client.ApplicationName, Annotations: q.Client.Annotations,
		Question: q.Text, Normalised: ask.Normalise(q.Text), Hint: q.Hint, Action: string(q.Action),
		Options: merged(q.Session.Ask, q.Options), Settings: q.Session.Settings,
		Outcome: Answered, Chosen: -1, RowsReturned: -1, Elapsed: ms(e.Elapsed),
	}
	if r.ID == "" {
		r.ID = ask.NewID()
	}
	if q.Asked.IsZero() {
		r.Asked = time.Now().UTC().Truncate(time.Microsecond)
	}
	if cfg.KeepPrompts > 0 {
		r.KeptPrompts = e.Prompts
	}
	// The lists are copied, as the record's are made storable, and those of the question and its translation are not its own.
	r.History = append(r.History, q.History...)
	if e.Err != nil {
		r.fail(e.Err)
	}
	if e.Translation != nil {
		r.translate(e.Translation, cfg)
	}
	if e.Err != nil {
		r.AnswerKey = ""
	}
	if cfg.Redact {
		r.redact()
	}
	r.Priority = roundPriority(priority(r))
	makeStorable(r)
	return r
}

func (r *Record) fail(err error) {
	r.Outcome, r.Code, r.Message = Failed, ask.CodeInternal, err.Error()
	if a := ask.AsError(err); a != nil {
		r.Code, r.Message, r.Detail, r.ErrorHint = a.Code, a.Message, a.Detail, a.Hint
		if a.Err != nil {
			r.Cause = a.Err.Error()
		}
	} else if isCanceled(err) {
		r.Code, r.Message = ask.CodeQueryCanceled, "canceled"
	}
	switch r.Code {
	case ask.CodeLowConfidence:
		r.Outcome = Unsure
	case ask.CodeRefused, ask.CodeInsufficientRights:
		r.Outcome = Refused
	case ask.CodeQueryCanceled:
		r.Outcome = Canceled
	}
}

func (r *Record) translate(t *ask.Translation, cfg *Config) {
	r.Strategy, r.Source, r.SQL, r.Confidence = t.Strategy, string(t.Source), t.SQL, t.Confidence
	r.Demos, r.Won, r.Reviewer = t.Demos, t.Won, t.Reviewer
	r.Understood, r.Notices, r.Plan, r.SchemaVersion = t.Understood, t.Notices, t.Plan, t.Schema
	r.Calls, r.PromptTokens, r.CompletionTokens, r.Cost = int64(t.Usage.Calls), int64(t.Usage.PromptTokens), int64(t.Usage.CompletionTokens), t.Usage.Cost
	for _, s := range t.Spending {
		r.Spending = append(r.Spending, ModelUse{s.Model, int64(s.Calls), int64(s.PromptTokens), int64(s.CompletionTokens), s.Cost})
	}
	r.Replica, r.ReplicaLag, r.OnPrimary = t.Replica.Name, ms(t.Replica.Lag), t.Replica.Primary
	r.Fallback, r.AnswerKey = t.Fallback, t.Key
	r.ResultColumns, r.Linked = append(r.ResultColumns, t.Columns...), append(r.Linked, t.Linked...)
	for _, s := range t.Stages {
		r.Stages = append(r.Stages, Stage{s.Name, ms(s.Elapsed)})
	}
	if t.Result != nil {
		if t.Result.Complete {
			r.RowsReturned = int64(len(t.Result.Rows))
		}
		r.KeptRows = keptRows(t.Result, cfg)
	}
	if len(t.Candidates) > 0 && t.SQL != "" {
		r.Chosen = int64(t.Chosen)
	}
	for i := range t.Candidates {
		r.Candidates = append(r.Candidates, newCandidate(r.ID, i, &t.Candidates[i]))
	}
}

func newCandidate(id string, i int, c *ask.Candidate) Candidate {
	out := Candidate{
		Translation: id, Position: int64(i), SQL: c.SQL, Model: c.Origin.Model, Prompt: c.Origin.Prompt, Sample: int64(c.Origin.Sample),
		Repair: int64(c.Origin.Repair), Fate: string(c.Fate), Votes: int64(c.Votes), Fingerprint: c.Fingerprint,
		Rows: c.Rows, Cost: c.Cost, Elapsed: ms(c.Elapsed),
	}
	if c.Err != nil {
		out.Code, out.Message, out.Detail, out.ErrorHint = c.Err.Code, c.Err.Message, c.Err.Detail, c.Err.Hint
	}
	return out
}

// keptRows cuts a result to what the settings allow to keep.
func keptRows(res *ask.Result, cfg *Config) *Rows {
	if cfg.KeepRows == 0 {
		return nil
	}
	kept := &Rows{Complete: res.Complete}
	for _, c := range res.Columns {
		kept.Columns = append(kept.Columns, c.Name)
	}
	bytes := 0
	for _, row := range res.Rows {
		for _, v := range row {
			bytes += len(v) + 4
		}
		if len(kept.Rows) == cfg.KeepRows || bytes > cfg.KeepRowsBytes {
			kept.Complete = false
			break
		}
		out := make([]*string, len(row))
		for i, v := range row {
			if v != nil {
				s := string(v)
				out[i] = &s
			}
		}
		kept.Rows = append(kept.Rows, out)
	}
	return kept
}

func merged(session, question map[string]string) map[string]string {
	if len(session) == 0 && len(question) == 0 {
		return nil
	}
	m := map[string]string{}
	maps.Copy(m, session)
	maps.Copy(m, question)
	return m
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// storable returns s without what PostgreSQL's text cannot hold.
func storable(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\x00", "\ufffd")
}
