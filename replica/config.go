package replica

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
)

// Config says where questions run and within which limits.
type Config struct {
	// URL is the service login at the replicas: several hosts are tried in
	// their order, and the database is the asker's.
	URL string `toml:"url"`
	// Login is as whom questions are run. LoginUser: as the user who asks, with the key that
	// his proof gave askpg (auth.method = "scram"). LoginService: as the login of URL, which
	// takes the asker's role by SET ROLE. LoginUser is LoginService where askpg has no key,
	// and for who has rights that questions must not have.
	Login string `toml:"login"`
	// AllowPrimary lets questions run on a server that is no standby; every
	// answer says so.
	AllowPrimary bool `toml:"allow_primary"`
	// MaxLag is how far behind the primary a replica may be.
	MaxLag ask.Duration `toml:"max_lag"`
	// ConnectTimeout bounds one attempt to reach one host.
	ConnectTimeout ask.Duration `toml:"connect_timeout"`
	// RetryAfter is how long a host that could not be used is passed over
	// while another one answers.
	RetryAfter ask.Duration `toml:"retry_after"`

	// SuperuserRole is whose rights apply to a question of a superuser, or of
	// a member of a privileged role; empty for the service login's own.
	SuperuserRole string `toml:"superuser_role"`
	// PrivilegedRoles are the roles whose members' questions run as
	// SuperuserRole.
	PrivilegedRoles []string `toml:"privileged_roles"`

	// StatementTimeout bounds one candidate, EXPLAIN included.
	StatementTimeout ask.Duration `toml:"statement_timeout"`
	// FetchTimeout bounds the statement whose rows go to the client, the time
	// that the client takes to read them included.
	FetchTimeout ask.Duration `toml:"fetch_timeout"`
	// QuestionTimeout bounds the snapshot of one question.
	QuestionTimeout ask.Duration `toml:"question_timeout"`
	// QuestionStatements, QuestionWork, QuestionRows and QuestionBytes bound what one
	// question does on the replicas, whatever a model says. They bound its checks,
	// candidates, samples and look-ups together, and their time, those side by side
	// added up. They bound the rows of candidates and what these take in memory. What
	// has run by then decides; the answer's own rows are under MaxRows and MaxBytes.
	QuestionStatements int          `toml:"question_statements"`
	QuestionWork       ask.Duration `toml:"question_work"`
	QuestionRows       int64        `toml:"question_rows"`
	QuestionBytes      int64        `toml:"question_bytes"`
	// QueueTimeout bounds the wait for a free place among the limits below.
	QueueTimeout ask.Duration `toml:"queue_timeout"`
	// WorkMem is the replica's work_mem for questions, in bytes.
	WorkMem int64 `toml:"work_mem"`
	// TempFileLimit is temp_file_limit in bytes, set where the service login
	// may; else it is the server's.
	TempFileLimit int64 `toml:"temp_file_limit"`
	// ParallelWorkers is max_parallel_workers_per_gather.
	ParallelWorkers int `toml:"parallel_workers"`

	// MaxCost is the highest planner cost of a candidate; 0 for no limit.
	MaxCost float64 `toml:"max_cost"`
	// MaxPlanRows is the highest estimate of rows returned; 0 for no limit.
	MaxPlanRows float64 `toml:"max_plan_rows"`
	// CandidateRows and CandidateBytes cap the result of a candidate.
	CandidateRows  int   `toml:"candidate_rows"`
	CandidateBytes int64 `toml:"candidate_bytes"`
	// MaxRows and MaxBytes cap what an answer sends to the client.
	MaxRows  int64 `toml:"max_rows"`
	MaxBytes int64 `toml:"max_bytes"`

	// RowBytes bounds one row, which is held in memory whole.
	RowBytes int64 `toml:"row_bytes"`
	// Memory bounds the rows that the whole process holds at a time, in bytes of memory. These
	// are rows of candidates, of answers that are kept for a client, and long ones on their
	// way to it. Each counts twice, as it is read and as it is compared or sent. A question
	// waits for room for a candidate before it begins; what does not fit then is refused with
	// 53200.
	Memory int64 `toml:"memory"`

	// Questions bounds the questions that hold a snapshot at a time.
	Questions int `toml:"questions"`
	// QuestionsPerRole bounds those of one role among them; 0 is half of Questions, and at
	// least 1.
	QuestionsPerRole int `toml:"questions_per_role"`
	// PerQuestion, PerRole and PerInstance bound the statements at a time.
	PerQuestion int `toml:"per_question"`
	PerRole     int `toml:"per_role"`
	PerInstance int `toml:"per_instance"`
	// IdleTimeout is how long an unused connection is kept.
	IdleTimeout ask.Duration `toml:"idle_timeout"`

	// IdleLogins is how many connections that are logged in as askers wait for their next
	// question at most, those of all users together.
	IdleLogins int `toml:"idle_logins"`

	// AllowExtensions, AllowSchemas, AllowFunctions and AllowRelations add to
	// what a statement may use, see guard.Policy.
	AllowExtensions []string `toml:"allow_extensions"`
	AllowSchemas    []string `toml:"allow_schemas"`
	AllowFunctions  []string `toml:"allow_functions"`
	AllowRelations  []string `toml:"allow_relations"`
	// TrustedOwners are trusted beside superusers and the database's owner: in a
	// session of the service login nothing is read or run that depends on an object of
	// anybody else. Their views and row security policies may call their own functions.
	TrustedOwners []string `toml:"trusted_owners"`
	// MaxStatementBytes bounds the text of a statement.
	MaxStatementBytes int `toml:"max_statement_bytes"`
}

// DefaultConfig returns the settings that apply where nothing is said; URL has
// no default.
func DefaultConfig() Config {
	return Config{
		Login:          LoginUser,
		MaxLag:         ask.Duration(30 * time.Second),
		ConnectTimeout: ask.Duration(5 * time.Second),
		RetryAfter:     ask.Duration(5 * time.Second),
		PrivilegedRoles: []string{
			"pg_read_all_data", "pg_write_all_data", "pg_read_server_files", "pg_write_server_files", "pg_execute_server_program",
			"pg_signal_backend", "pg_read_all_settings", "pg_read_all_stats", "pg_monitor", "pg_checkpoint", "pg_maintain",
			"pg_create_subscription", "pg_use_reserved_connections", "pg_signal_autovacuum_worker",
		},
		StatementTimeout:   ask.Duration(30 * time.Second),
		FetchTimeout:       ask.Duration(5 * time.Minute),
		QuestionTimeout:    ask.Duration(5 * time.Minute),
		QuestionStatements: 500,
		QuestionWork:       ask.Duration(2 * time.Minute),
		QuestionRows:       1_000_000,
		QuestionBytes:      256 << 20,
		QueueTimeout:       ask.Duration(10 * time.Second),
		WorkMem:            16 << 20,
		TempFileLimit:      1 << 30,
		ParallelWorkers:    0,
		MaxCost:            1e8,
		MaxPlanRows:        1e8,
		CandidateRows:      10_000,
		CandidateBytes:     16 << 20,
		MaxRows:            1_000_000,
		MaxBytes:           1 << 30,
		RowBytes:           32 << 20,
		Memory:             1 << 30,
		Questions:          32,
		PerQuestion:        4,
		PerRole:            8,
		PerInstance:        32,
		IdleTimeout:        ask.Duration(time.Minute),
		IdleLogins:         32,
		MaxStatementBytes:  64 << 10,
	}
}

// Validate says which field is wrong.
func (c *Config) Validate() error {
	if c.URL == "" {
		return fmt.Errorf("replica.url is missing: give the service login's URL, such as postgres://askpg@replica.example:5432/")
	}
	if err := ask.CheckURL("replica.url", c.URL); err != nil {
		return err
	}
	if _, err := pgconn.ParseConfig(c.URL); err != nil {
		return ask.URLError("replica.url", err)
	}
	const section = "replica."
	err := cmp.Or(
		ask.Positive(section+"max_lag", c.MaxLag), ask.Positive(section+"connect_timeout", c.ConnectTimeout), ask.Positive(section+"retry_after", c.RetryAfter),
		ask.Positive(section+"statement_timeout", c.StatementTimeout), ask.Positive(section+"fetch_timeout", c.FetchTimeout),
		ask.Positive(section+"question_timeout", c.QuestionTimeout), ask.Positive(section+"question_work", c.QuestionWork),
		ask.Positive(section+"queue_timeout", c.QueueTimeout), ask.Positive(section+"idle_timeout", c.IdleTimeout),
		ask.Positive(section+"candidate_rows", c.CandidateRows), ask.Positive(section+"candidate_bytes", c.CandidateBytes),
		ask.Positive(section+"max_rows", c.MaxRows), ask.Positive(section+"max_bytes", c.MaxBytes), ask.Positive(section+"row_bytes", c.RowBytes),
		ask.Positive(section+"question_statements", c.QuestionStatements), ask.Positive(section+"question_rows", c.QuestionRows),
		ask.Positive(section+"question_bytes", c.QuestionBytes), ask.Positive(section+"questions", c.Questions),
		ask.Positive(section+"per_question", c.PerQuestion), ask.Positive(section+"per_role", c.PerRole), ask.Positive(section+"per_instance", c.PerInstance),
		ask.Positive(section+"max_statement_bytes", c.MaxStatementBytes), ask.OneOf(section+"login", c.Login, LoginUser, LoginService),
		ask.AtLeast(section+"questions_per_role", c.QuestionsPerRole, 0), ask.AtLeast(section+"idle_logins", c.IdleLogins, 0),
		ask.AtLeast(section+"work_mem", c.WorkMem, 64<<10), ask.AtLeast(section+"temp_file_limit", c.TempFileLimit, 0),
		ask.AtLeast(section+"parallel_workers", c.ParallelWorkers, 0), ask.AtLeast(section+"max_cost", c.MaxCost, 0), ask.AtLeast(section+"max_plan_rows", c.MaxPlanRows, 0),
	)
	if err != nil {
		return err
	}
	if least := copies * max(c.CandidateBytes, c.RowBytes); c.Memory < least {
		return fmt.Errorf("replica.memory must be at least %d bytes, twice candidate_bytes and row_bytes, not %d", least, c.Memory)
	}
	for name, list := range map[string][]string{"allow_functions": c.AllowFunctions, "allow_relations": c.AllowRelations} {
		for _, s := range list {
			if !strings.Contains(s, ".") {
				return fmt.Errorf("replica.%s: %q must be written schema.name", name, s)
			}
		}
	}
	return nil
}
