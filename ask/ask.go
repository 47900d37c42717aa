// Package ask is the domain of askpg: a question, its translation, the errors that an asker can meet, and the reader of
// the ask forms in a SQL text. It does no I/O, and everything above it speaks in its types.
package ask

import (
	"context"
	"slices"
	"strings"
	"time"
)

// Translator turns a question into the SQL that answers it. Caching, budgets
// and logging are Translators around another Translator.
//
// An error is an *Error where the asker can act on it.
type Translator interface {
	Translate(ctx context.Context, q Question) (*Translation, error)
}

// TranslatorFunc makes a Translator of a function.
type TranslatorFunc func(ctx context.Context, q Question) (*Translation, error)

// Translate calls f.
func (f TranslatorFunc) Translate(ctx context.Context, q Question) (*Translation, error) {
	return f(ctx, q)
}

// Action is what the asker wants done with the translation.
type Action string

// The actions that an option in parentheses selects; the zero value is ActionRows.
const (
	ActionRows       Action = ""           // run the chosen SQL and return its rows
	ActionSQL        Action = "sql"        // return the SQL, run nothing for the client
	ActionCandidates Action = "candidates" // return the candidates as rows
	ActionExplain    Action = "explain"    // return the reasoning and the plan
	ActionRun        Action = "run"        // run candidate Question.Run of the session's last question
)

// Question is one question with everything that its answer depends on.
type Question struct {
	ID      string            // UUIDv7, also the translation's
	Text    string            // valid UTF-8, not empty
	Hint    string            // evidence that the asker gives, may be empty
	Action  Action            // what to do with the translation
	Run     int               // 1-based candidate of the last question, for ActionRun
	Fresh   bool              // neither cache nor a remembered answer may be used
	Options map[string]string // name=value settings for this question, over Session.Ask
	History []Turn            // earlier questions that this one follows up on, oldest first
	Session Session
	Client  Client
	Asked   time.Time
}

// Setting returns the askpg setting name (without "askpg.") that is in force
// for the question: its own options first, then the session's.
func (q *Question) Setting(name string) (string, bool) {
	if v, ok := q.Options[name]; ok {
		return v, true
	}
	v, ok := q.Session.Ask[name]
	return v, ok
}

// Turn is an earlier question of the same conversation and its answer.
type Turn struct {
	Question string `json:"question"`
	SQL      string `json:"sql"`
	Hint     string `json:"-"` // what follow-ups take over
}

// HintFor returns the hint of a question that follows up on the turn: its own lines first, as the first definition of a name counts.
func (t *Turn) HintFor(hint string) string {
	lines := Lines(hint, "\n")
	for _, line := range Lines(t.Hint, "\n") {
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// ResultSettings are the settings that shape results. A session's count for its questions too, where they run.
var ResultSettings = []string{
	"DateStyle", "IntervalStyle", "TimeZone", "bytea_output", "client_encoding", "extra_float_digits", "lc_monetary", "lc_numeric", "search_path",
}

// Session is what an answer takes over from the asker's own server session.
type Session struct {
	Database    string
	Role        string            // whose rights apply: current_user, if the login may become it
	RoleOID     uint32            // pg_authid.oid of Role on the primary, by which a role that was made anew under its name is told from it; 0 if it is not known
	SessionUser string            // who logged in
	Settings    map[string]string // the ResultSettings that he has
	Ask         map[string]string // askpg.* settings, without the prefix
	Login       *Login            `json:"-"` // by which askpg can log in as SessionUser; nil if it can't
}

// Client says who asked, for the log.
type Client struct {
	Address         string // host:port or "unix"
	ApplicationName string
	Annotations     []string // other comments around the question, such as those of BI tools
}

// Usage counts what models were asked for.
type Usage struct {
	Calls            int
	PromptTokens     int
	CompletionTokens int
	Cost             float64 // in the currency of the configured prices
}

// Add adds v to u.
func (u *Usage) Add(v Usage) {
	u.Calls += v.Calls
	u.PromptTokens += v.PromptTokens
	u.CompletionTokens += v.CompletionTokens
	u.Cost += v.Cost
}

// Spending is what one model was used for.
type Spending struct {
	Model string
	Usage
}

// Won says why a result won that has fewer votes than another one; "" if none has more.
type Won string

// The reasons for choosing a result with fewer votes.
const (
	WonByJudge Won = "judge" // a model that compared the results chose it
	WonByBlank Won = "blank" // the others with more votes are empty or NULL, which wrong constants give as well
)

// Translation is the outcome of a question: the chosen SQL, how sure the vote
// was, and everything that led there.
type Translation struct {
	ID         string
	SQL        string      // the chosen SQL; one SELECT without a trailing semicolon
	Columns    []Column    // of the chosen SQL's result
	Confidence float64     // 0..1: votes for the chosen group ÷ samples asked for, calibrated where a calibration is loaded
	Chosen     int         // index in Candidates
	Won        Won         // why the chosen result won, if another one has more votes
	Candidates []Candidate // every candidate, with its fate
	Strategy   string      // name of the strategy that answered
	Source     Source
	Understood string   // the answer's reading of the question in plain words, may be empty
	Whole      string   // the whole question that a follow-up was read as; "" if it was none, or a model answered
	Linked     []Link   // words of the question and the catalog objects that they stand for
	Demos      []string // questions of the demonstrations that prompts had, in the order of their first use
	Notices    []string // what a person should know: a fallback, a lag, a primary in place of a replica
	Reviewer   string   // who verified the answer, as Notices say; empty if nobody did
	Usage      Usage
	Spending   []Spending // Usage by model, in the order of their names
	Stages     []Stage
	Replica    Replica
	Plan       string  // EXPLAIN (text) of the chosen SQL, may be empty
	Result     *Result // the chosen SQL's rows if they were fetched; nil after a cache hit
	Schema     string  // catalog version that the translation was made for
	Fallback   bool    // a lesser engine answered because the one asked for could not; not worth remembering
	Key        string  // digest of all that the answer depends on, set by the cache, empty if it was not asked
	Elapsed    time.Duration
}

// Source says where an answer came from.
type Source string

// The sources of an answer.
const (
	SourceModel   Source = "model"
	SourceGrammar Source = "grammar"
	SourceCatalog Source = "catalog" // a question about the schema itself
	SourceExample Source = "example" // a verified example, exact match
	SourceCache   Source = "cache"
	SourceChoice  Source = "choice" // a candidate that the asker took by ask(run N)
)

// Link is a piece of the question and the catalog object that it was linked to.
type Link struct {
	Words  string `json:"words"`           // as written in the question; empty if linked by a join or a key
	Object string `json:"object"`          // schema.table, schema.table.column
	Value  string `json:"value,omitempty"` // the literal, where the words name a value
	Why    string `json:"why"`             // "name", "comment", "value", "synonym", "join"
}

// Stage is the time that a stage took.
type Stage struct {
	Name    string
	Elapsed time.Duration
}

// Replica says where the candidates ran.
type Replica struct {
	Name    string        // host:port
	Lag     time.Duration // replay lag when the question began; negative if it is not known
	Primary bool          // no standby: allow_primary was set
}

// Fate is what became of a candidate.
type Fate string

// The fates of a candidate.
const (
	FateChosen    Fate = "chosen"
	FateAgreed    Fate = "agreed"    // in the chosen group, but not its representative
	FateOutvoted  Fate = "outvoted"  // ran, with another result
	FateDuplicate Fate = "duplicate" // the same SQL as an earlier candidate, whose fingerprint it shares and votes with
	FateRefused   Fate = "refused"   // by the guard
	FateInvalid   Fate = "invalid"   // no SQL in the answer, or it does not plan
	FateGated     Fate = "gated"     // planned, but over the cost or row limit
	FateFailed    Fate = "failed"    // an error while it ran
	FateTimeout   Fate = "timeout"
	FateRepaired  Fate = "repaired"  // failed, and its repair is a later candidate
	FateNoAnswer  Fate = "no answer" // the model's call failed
	FateUnrun     Fate = "unrun"     // agreement came first
)

// Candidate is one SQL text proposed for a question and what became of it.
type Candidate struct {
	SQL         string
	Origin      Origin
	Fate        Fate
	Votes       int     // candidates with the same fingerprint, this one included
	Fingerprint string  // of the result; empty if it did not run
	Rows        int64   // rows returned, -1 if it did not run
	Cost        float64 // the planner's total cost, 0 if it did not plan
	Elapsed     time.Duration
	Err         *Error // why it fell, nil if it ran
	Understood  string // what it answers, in plain words; empty if there are none, or another candidate with its result has them
}

// Origin says who proposed a candidate.
type Origin struct {
	Model  string // "grammar" for the built-in engine
	Prompt string // name of the prompt, or of the interpretation
	Sample int    // 1-based
	Repair int    // 0, or the number of the repair that made it
}

// Column describes a result column as RowDescription does.
type Column struct {
	Name     string `json:"name"`
	TableOID uint32 `json:"table_oid"`
	Attnum   uint16 `json:"attnum"`
	TypeOID  uint32 `json:"type_oid"`
	TypeLen  int16  `json:"type_len"`
	TypeMod  int32  `json:"type_mod"`
}

// Reads is all that a statement reads, by the server's own analysis.
type Reads struct {
	Columns map[uint32][]int16 // numbers of the columns of each relation, by OID; 0 stands for whole rows
}

// Plan is what the planner says of a statement before it runs.
type Plan struct {
	Cost  float64 // total cost
	Rows  float64 // estimated rows
	Text  string  // EXPLAIN output
	Reads *Reads  // nil if that is not known
}

type spendingKey struct{}

// WithSpending returns a context whose Spent calls go to f, which must be safe
// for concurrent use.
func WithSpending(ctx context.Context, f func(model string, u Usage)) context.Context {
	return context.WithValue(ctx, spendingKey{}, f)
}

// Spent tells who asked a model for vectors what that cost. It says whether there is anybody.
func Spent(ctx context.Context, model string, u Usage) bool {
	f, ok := ctx.Value(spendingKey{}).(func(string, Usage))
	if ok {
		f(model, u)
	}
	return ok
}

type progressKey struct{}

// WithProgress returns a context whose Progress calls go to f, which must be
// safe for concurrent use.
func WithProgress(ctx context.Context, f func(message string)) context.Context {
	return context.WithValue(ctx, progressKey{}, f)
}

// Progress tells a waiting person what is being done; it does nothing if
// nobody listens.
func Progress(ctx context.Context, message string) {
	if f, ok := ctx.Value(progressKey{}).(func(string)); ok {
		f(message)
	}
}
