package eval_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/eval"
	"askpg/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// zoo is a small question set with two databases.
func zoo(t *testing.T) string {
	return writeFiles(t, map[string]string{
		"databases/zoo.sql":  `CREATE TABLE animal (id int, name text, legs int); INSERT INTO animal SELECT i, 'animal ' || i, 2 + i % 3 * 2 FROM generate_series(1, 60) i;`,
		"databases/pond.sql": `CREATE TABLE fish (name text, weight numeric); INSERT INTO fish VALUES ('carp', 2.5), ('pike', 4), ('tench', 1);`,
		"questions.jsonl": `{"id":"z1","db":"zoo","question":"how many animals","gold":["SELECT count(*) FROM animal"],"difficulty":"easy"}
{"id":"z2","db":"zoo","question":"animals with four legs","gold":["SELECT name FROM animal WHERE legs = 4"],"difficulty":"easy"}
{"id":"z3","db":"zoo","question":"legs and number of animals","gold":["SELECT legs, count(*) FROM animal GROUP BY legs"],"difficulty":"hard"}
{"id":"p1","db":"pond","question":"heaviest fish","gold":["SELECT name FROM fish ORDER BY weight DESC LIMIT 1"],"difficulty":"hard"}
{"id":"p2","db":"pond","question":"fish by weight","gold":["SELECT name FROM fish ORDER BY weight"],"difficulty":"hard","ordered":true}
`,
		"unanswerable.jsonl":       `{"id":"u1","db":"pond","question":"how deep is the pond"}`,
		"predictions/alpha.jsonl":  "{\"id\":\"z1\",\"sql\":\"SELECT 60\"}\n{\"id\":\"z2\",\"sql\":\"SELECT name FROM animal WHERE legs = 4\"}\n{\"id\":\"p1\",\"sql\":\"SELECT 'pike'\"}\n",
		"predictions/beta.jsonl":   "{\"id\":\"z1\",\"sql\":\"SELECT count(*) FROM animal\"}\n{\"id\":\"z2\",\"sql\":\"SELECT name FROM animals\"}\n{\"id\":\"p1\",\"sql\":\"SELECT name FROM fish LIMIT 1\"}\n",
		"predictions/gamma.jsonl":  "{\"id\":\"z1\",\"sql\":\"SELECT 3\"}\n{\"id\":\"z2\",\"sql\":\"SELECT name FROM animal WHERE legs = 6\"}\n{\"id\":\"p1\",\"sql\":\"SELECT name FROM fish WHERE weight > 5\"}\n",
		"predictions/unused.jsonl": "",
	})
}

// book answers from a list of SQL by question; what is not in it is refused.
// It answers no more than limit questions.
type book struct {
	answers map[string]string
	asked   atomic.Int32
	limit   int32
	stop    func()
}

func (b *book) Translate(ctx context.Context, q ask.Question) (*ask.Translation, error) {
	if n := b.asked.Add(1); b.limit > 0 && n > b.limit {
		b.stop()
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if q.Options["strategy"] == "broken" {
		return nil, errors.New("broken")
	}
	sql, ok := b.answers[q.Text]
	if !ok {
		return nil, ask.Errorf(ask.CodeNoCandidate, "not understood")
	}
	return &ask.Translation{
		SQL: sql, Confidence: .75, Usage: ask.Usage{Calls: 2, PromptTokens: 10, Cost: .5},
		Candidates: []ask.Candidate{
			{SQL: sql, Fingerprint: "a", Fate: ask.FateChosen, Votes: 1, Origin: ask.Origin{Model: "m", Prompt: "p", Sample: 1}},
			{SQL: "SELECT name FROM fish ORDER BY weight", Fingerprint: "b", Fate: ask.FateOutvoted, Votes: 1, Origin: ask.Origin{Model: "m", Prompt: "p", Sample: 2}},
		},
	}, nil
}

var bookOfZoo = map[string]string{
	"how many animals":           "SELECT count(*) FROM animal",
	"animals with four legs":     "SELECT name FROM animal WHERE legs = 6",
	"legs and number of animals": "SELECT count(*), legs FROM animal GROUP BY legs",
	"fish by weight":             "SELECT name FROM fish ORDER BY weight DESC",
	"how deep is the pond":       "SELECT 3",
}

func open(tr ask.Translator) func(context.Context, *eval.Cluster) (ask.Translator, func(), error) {
	return func(context.Context, *eval.Cluster) (ask.Translator, func(), error) { return tr, func() {}, nil }
}

func run(t *testing.T, o eval.Options) *eval.Report {
	t.Helper()
	r, err := eval.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func shared(t *testing.T) (primary, replica string) {
	c := pgtest.Shared(t)
	return c.Primary.URL(pgtest.Superuser, "postgres"), c.Standby.URL(pgtest.Superuser, "postgres")
}

func TestRun_Strategy(t *testing.T) {
	var progress bytes.Buffer
	out := t.TempDir()
	primary, replica := shared(t)
	r := run(t, eval.Options{
		Sets: []string{zoo(t)}, Out: out, Strategies: []string{"book", "broken"}, Open: open(&book{answers: bookOfZoo}),
		Server: primary, Replica: replica, Progress: &progress, Timings: 3,
	})
	set := r.Sets[0]
	s, err := r.Summary(set, "book")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []struct {
		name      string
		got, want float64
	}{
		{"questions", float64(s.Questions), 5}, {"strict", s.Strict, .2}, {"perm", s.Perm, .4}, {"contained", s.Contained, .6}, {"BIRD", s.BIRD, .4},
		{"valid", s.Valid, 1}, {"coverage", s.Coverage, .8}, {"precision", s.Precision, .5}, {"refused", s.Refused, 0}, {"any right", s.AnyRight, .6},
		{"ECE", s.ECE, .25}, {"calls", s.Calls, 10. / 6}, {"cost", s.Cost, 2.5 / 6},
	} {
		if d := f.got - f.want; d > 1e-9 || d < -1e-9 {
			t.Errorf("%s is %v, want %v", f.name, f.got, f.want)
		}
	}
	if s.RVES <= 0 {
		t.Errorf("R-VES is %v of timed answers", s.RVES)
	}
	causes := map[string]eval.Cause{}
	for _, f := range r.Failures {
		if f.System == "book" {
			causes[f.Question] = f.Cause
		} else if f.Cause != eval.CauseFailed {
			t.Errorf("%s of a broken system: cause %q", f.Question, f.Cause)
		}
	}
	for question, want := range map[string]eval.Cause{"z2": eval.CauseLiteral, "p1": eval.CauseRefused, "p2": eval.CauseOrder, "u1": eval.CauseAnswered} {
		if causes[question] != want {
			t.Errorf("%s: cause %q, want %q", question, causes[question], want)
		}
	}
	if b, _ := r.Summary(set, "broken"); b.Perm != 0 || b.Coverage != 0 || b.Refused != 0 || b.Failed != 6 {
		t.Errorf("a broken system: %+v", b)
	}
	if len(r.Pairs) != 1 || r.Pairs[0].OnlyA != 2 || r.Pairs[0].OnlyB != 0 {
		t.Errorf("pairs: %+v", r.Pairs)
	}
	if !strings.Contains(progress.String(), "6 of 6 questions") {
		t.Errorf("progress: %s", progress.String())
	}
	checkFiles(t, out)
	conn, err := pgx.Connect(t.Context(), primary)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	var left int
	if err := conn.QueryRow(t.Context(), "select count(*) from pg_database where datname like 'eval%'").Scan(&left); err != nil || left != 0 {
		t.Fatalf("%d databases left on the server, %v", left, err)
	}
}

// checkFiles checks that the report's files can be read, and that its HTML
// needs nothing from elsewhere.
func checkFiles(t *testing.T, dir string) {
	t.Helper()
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if err := json.Unmarshal(read("report.json"), new(eval.Report)); err != nil {
		t.Error(err)
	}
	if lines := bytes.Count(read("report.csv"), []byte("\n")); lines != 13 {
		t.Errorf("report.csv has %d lines, want 13", lines)
	}
	page := read("report.html")
	if external := regexp.MustCompile(`(?i)(src|href)="?https?:`).Find(page); external != nil {
		t.Errorf("report.html loads %s", external)
	}
	drawings := regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAll(page, -1)
	if len(drawings) != 5 {
		t.Errorf("report.html has %d plots, want 5", len(drawings))
	}
	for _, drawing := range drawings {
		if bytes.Contains(drawing, []byte("NaN")) || bytes.Contains(drawing, []byte("Inf")) {
			t.Errorf("plot of what is no number: %.300s", drawing)
		}
		d := xml.NewDecoder(bytes.NewReader(drawing))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%v in %.300s", err, drawing)
			}
		}
	}
}

// A run that is killed again and again reports what an uninterrupted one does.
func TestRun_Resume(t *testing.T) {
	primary, replica := shared(t)
	o := eval.Options{Sets: []string{zoo(t)}, Out: t.TempDir(), Strategies: []string{"book", "other"}, Server: primary, Replica: replica, Workers: 2}
	o.Open = open(&book{answers: bookOfZoo})
	want := run(t, o)

	o.Out = t.TempDir()
	rounds := 0
	for ; ; rounds++ {
		ctx, cancel := context.WithCancel(t.Context())
		o.Open = open(&book{answers: bookOfZoo, limit: 3, stop: cancel})
		got, err := eval.Run(ctx, o)
		cancel()
		if err == nil {
			if rounds < 2 {
				t.Fatalf("the run was not interrupted: %d rounds", rounds)
			}
			if g, w := timeless(t, got), timeless(t, want); g != w {
				t.Fatalf("resumed:\n%s\nuninterrupted:\n%s", g, w)
			}
			break
		}
		if rounds > 12 {
			t.Fatalf("no end after %d rounds: %v", rounds, err)
		}
		// A kill can cut the last line short.
		f, err := os.OpenFile(filepath.Join(o.Out, "journal.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		f.WriteString(`{"set":"half a li`)
		f.Close()
	}

	b := &book{answers: bookOfZoo}
	o.Open = open(b)
	run(t, o)
	if b.asked.Load() != 0 {
		t.Fatalf("a finished run asked %d questions again", b.asked.Load())
	}
	o.Settings = "another model"
	if _, err := eval.Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "another folder") {
		t.Fatalf("a run with other settings took the journal: %v", err)
	}
}

// timeless is a report without its times.
func timeless(t *testing.T, r *eval.Report) string {
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`"(elapsed|P50|P95|Elapsed)":\d+`).ReplaceAllString(string(data), `"$1":0`)
}

func TestRun_Predictions(t *testing.T) {
	primary, replica := shared(t)
	r := run(t, eval.Options{Sets: []string{zoo(t)}, Out: t.TempDir(), Predictions: []string{"alpha", "beta", "gamma"}, Server: primary, Replica: replica})
	for _, test := range []struct {
		system      string
		perm, valid float64
	}{
		{"alpha", .6, 1}, {"beta", .2, 2. / 3}, {"gamma", 0, 1},
		// z1: two of three; z2: alpha and gamma tie, beta fails; p1: all three differ.
		{"plain majority", (1 + .5 + 1./3) / 5, 1},
	} {
		s, err := r.Summary(r.Sets[0], test.system)
		if err != nil {
			t.Fatal(err)
		}
		if d := s.Perm - test.perm; d > 1e-9 || d < -1e-9 {
			t.Errorf("%s: perm %v, want %v", test.system, s.Perm, test.perm)
		}
		if s.Valid != test.valid {
			t.Errorf("%s: valid %v, want %v", test.system, s.Valid, test.valid)
		}
	}
	v, err := r.Summary(r.Sets[0], "askpg's vote")
	if err != nil || v.Perm < .2 || v.AnyRight != .6 {
		t.Errorf("askpg's vote: %+v, %v", v, err)
	}
	_, err = eval.Run(t.Context(), eval.Options{Sets: []string{zoo(t)}, Out: t.TempDir(), Predictions: []string{"delta"}, Server: primary, Replica: replica})
	if err == nil || !strings.Contains(err.Error(), "alpha") {
		t.Errorf("an unknown system: got %v, want an error that names the known ones", err)
	}
}

// A constant is right on the database that it was read from, and on no other.
func TestRun_States(t *testing.T) {
	primary, replica := shared(t)
	r := run(t, eval.Options{Sets: []string{zoo(t)}, Out: t.TempDir(), Predictions: []string{"alpha", "beta"}, Databases: []string{"zoo"}, Server: primary, Replica: replica, States: 2})
	for system, want := range map[string]float64{"alpha": 1. / 3, "beta": 1. / 3} {
		s, err := r.Summary(r.Sets[0], system)
		if err != nil {
			t.Fatal(err)
		}
		if s.Suite != want {
			t.Errorf("%s: %v right on every state, want %v (on the first %v)", system, s.Suite, want, s.Perm)
		}
	}
}

func TestRun_Warehouse(t *testing.T) {
	primary, replica := shared(t)
	set := zoo(t)
	name := filepath.Base(set)
	r := run(t, eval.Options{
		Sets: []string{set}, Out: t.TempDir(), Strategies: []string{"book"}, Server: primary, Replica: replica, Warehouse: true,
		Open: open(&book{answers: map[string]string{
			"how many animals": `SELECT count(*) FROM "` + name + `_zoo".animal`,
			"heaviest fish":    `SELECT name FROM "` + name + `_pond".fish ORDER BY weight DESC LIMIT 1`,
			"fish by weight":   `SELECT name FROM fish ORDER BY weight`,
		}}),
	})
	s, err := r.Summary(name, "book")
	if err != nil || s.Perm != .4 || s.Refused != 1 {
		t.Fatalf("got %+v, %v; want two of five right and the unanswerable refused", s, err)
	}
}

func TestRun_Options(t *testing.T) {
	set := zoo(t)
	for _, test := range []struct {
		name string
		o    eval.Options
		want string
	}{
		{"NoSet", eval.Options{Out: "x", Strategies: []string{"a"}}, "--set"},
		{"NoOut", eval.Options{Sets: []string{set}, Strategies: []string{"a"}}, "--out"},
		{"Nothing", eval.Options{Sets: []string{set}, Out: "x"}, "--strategy"},
		{"NoTranslator", eval.Options{Sets: []string{set}, Out: "x", Strategies: []string{"a"}}, "no translator"},
		{"ReplicaAlone", eval.Options{Sets: []string{set}, Out: "x", Predictions: []string{"a"}, Replica: "y"}, "--server"},
		{"Missing", eval.Options{Sets: []string{filepath.Join(set, "no")}, Out: "x", Predictions: []string{"a"}}, "neither questions.jsonl"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := eval.Run(t.Context(), test.o); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %v, want an error with %q", err, test.want)
			}
		})
	}
}

// So many questions are asked as are wanted, spread over the set, the
// unanswerable ones among them; what failed is asked again when that is wanted.
func TestRun_Limit(t *testing.T) {
	primary, replica := shared(t)
	for _, test := range []struct {
		name               string
		limit, refusals    int
		questions, refused int
	}{
		{"Both", 2, 1, 2, 1}, {"NoRefusals", 3, -1, 3, 0}, {"More", 9, 9, 5, 1}, {"OnlyFewer", 0, -1, 5, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := &book{answers: bookOfZoo}
			r := run(t, eval.Options{
				Sets: []string{zoo(t)}, Out: t.TempDir(), Strategies: []string{"book"}, Open: open(b), Server: primary, Replica: replica,
				Limit: test.limit, Refusals: test.refusals,
			})
			s, err := r.Summary(r.Sets[0], "book")
			if err != nil || s.Questions != test.questions || s.Unanswerable != test.refused || int(b.asked.Load()) != test.questions+test.refused {
				t.Fatalf("%d questions and %d unanswerable ones, %d asked, %v", s.Questions, s.Unanswerable, b.asked.Load(), err)
			}
		})
	}
}

func TestRun_Again(t *testing.T) {
	primary, replica := shared(t)
	o := eval.Options{Sets: []string{zoo(t)}, Out: t.TempDir(), Strategies: []string{"broken"}, Open: open(&book{}), Server: primary, Replica: replica}
	run(t, o)
	b := &book{}
	o.Open, o.Again = open(b), true
	r := run(t, o)
	if s, _ := r.Summary(r.Sets[0], "broken"); b.asked.Load() != 6 || s.Failed != 6 {
		t.Fatalf("%d questions asked again, %d failed; want all 6", b.asked.Load(), s.Failed)
	}
}
