package eval

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"askpg/ask"
)

// Run measures what the options say, writes report.html, report.json and
// report.csv into the options' folder, and returns the report. A run that was
// interrupted goes on from its journal in that folder when it is started again
// with the same options.
func Run(ctx context.Context, o Options) (*Report, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	sets, err := loadSets(&o)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Out, 0o755); err != nil {
		return nil, err
	}
	key, err := o.runKey(sets)
	if err != nil {
		return nil, err
	}
	j, err := openJournal(filepath.Join(o.Out, "journal.jsonl"), key)
	if err != nil {
		return nil, err
	}
	defer j.file.Close()
	if o.Again {
		j.forget((*Outcome).disturbed)
	}
	tasks, err := makeTasks(&o, sets)
	if err != nil {
		return nil, err
	}
	if left := slices.DeleteFunc(slices.Clone(tasks), func(t task) bool { return t.done(j) }); len(left) > 0 {
		if err := measure(ctx, &o, sets, left, j); err != nil {
			return nil, err
		}
	}
	report := newReport(sets, tasks, j)
	return report, report.write(o.Out)
}

func loadSets(o *Options) ([]*Set, error) {
	var sets []*Set
	for _, dir := range o.Sets {
		s, err := Load(dir)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(sets, func(t *Set) bool { return t.Name == s.Name }) {
			return nil, fmt.Errorf("eval: two question sets are called %q", s.Name)
		}
		if len(o.Databases) > 0 {
			s.Questions = slices.DeleteFunc(s.Questions, func(q Question) bool { return !slices.Contains(o.Databases, q.Database) })
			s.Databases = slices.DeleteFunc(s.Databases, func(db string) bool { return !slices.Contains(o.Databases, db) })
		}
		s.limit(o.Limit, o.Refusals, o.Offset)
		sets = append(sets, s)
	}
	return sets, nil
}

// limit keeps so many of the answerable and of the unanswerable questions, each
// spread evenly over the set, and puts the unanswerable ones among the others:
// a run that ends early has seen both.
func (s *Set) limit(answerable, unanswerable, offset int) {
	if answerable == 0 && unanswerable == 0 {
		return
	}
	var a, u []Question
	for _, q := range s.Questions {
		if q.Unanswerable {
			u = append(u, q)
		} else {
			a = append(a, q)
		}
	}
	a, u = spread(a, answerable, offset), spread(u, unanswerable, offset)
	s.Questions = nil
	for i, j := 0, 0; i < len(a) || j < len(u); {
		if j*len(a) < i*len(u) || i == len(a) {
			s.Questions = append(s.Questions, u[j])
			j++
		} else {
			s.Questions = append(s.Questions, a[i])
			i++
		}
	}
	asked := map[string]bool{}
	for _, q := range s.Questions {
		asked[q.Database] = true
	}
	s.Databases = slices.DeleteFunc(s.Databases, func(db string) bool { return !asked[db] })
}

// spread returns n of the questions at even distances, all for n = 0, none for
// n below 0. Each is offset further on than it is at offset 0, the list being a ring: as long as
// the offset is below len(list)/n rounded down, no question comes at both.
func spread(list []Question, n, offset int) []Question {
	switch {
	case n < 0:
		return nil
	case n == 0 || n >= len(list):
		return list
	}
	out := make([]Question, n)
	for i := range out {
		out[i] = list[(i*len(list)/n+offset)%len(list)]
	}
	return out
}

// task is one question with the systems that are to answer it.
type task struct {
	set       *Set
	question  *Question
	recorded  []recorded
	translate []string // strategies
}

// systems returns the names of the task's systems in the order of the report.
func (t *task) systems() []string {
	var names []string
	for _, r := range t.recorded {
		names = append(names, r.name)
	}
	if len(t.recorded) > 1 {
		names = append(names, pluralityName, voteName)
	}
	return append(names, t.translate...)
}

func (t *task) done(j *journal) bool {
	return !slices.ContainsFunc(t.systems(), func(name string) bool { return j.get(outcomeKey{t.set.Name, t.question.ID, name}) == nil })
}

func makeTasks(o *Options, sets []*Set) ([]task, error) {
	var tasks []task
	for _, s := range sets {
		answers, err := s.recordedAnswers(o.Predictions)
		if err != nil {
			return nil, err
		}
		for i := range s.Questions {
			q := &s.Questions[i]
			t := task{set: s, question: q, translate: o.Strategies}
			for _, a := range answers {
				if sql, ok := a.answers[q.ID]; ok {
					t.recorded = append(t.recorded, recorded{a.name, sql})
				} else if !q.Unanswerable {
					t.recorded = append(t.recorded, recorded{a.name, ""})
				}
			}
			tasks = append(tasks, t)
		}
	}
	return tasks, nil
}

// measure starts the servers, loads the databases and works off the tasks.
func measure(ctx context.Context, o *Options, sets []*Set, tasks []task, j *journal) (err error) {
	p := newProgress(o.Progress, o.Terminal, len(tasks))
	defer p.end()
	cluster, err := startCluster(ctx, o.Server, o.Replica, p.say)
	if err != nil {
		return err
	}
	defer cluster.stop()
	for _, s := range sets {
		if o.Server != "" && !o.Keep {
			if err := cluster.drop(ctx, s, o); err != nil {
				return err
			}
			defer func() {
				if e := cluster.drop(context.WithoutCancel(ctx), s, o); err == nil {
					err = e
				}
			}()
		}
		if err := cluster.load(ctx, s, o, p.say); err != nil {
			return err
		}
	}
	if err := cluster.catchUp(ctx); err != nil {
		return err
	}
	var translator ask.Translator
	if len(o.Strategies) > 0 {
		t, stop, err := o.Open(ctx, cluster)
		if err != nil {
			return err
		}
		defer stop()
		translator = t
	}

	return workOff(ctx, o, cluster.Replica, translator, tasks, j, p)
}

// workOff has the workers answer the tasks on the server at a URL, and ends with the first error.
func workOff(ctx context.Context, o *Options, replica string, translator ask.Translator, tasks []task, j *journal, p *progress) error {
	queue := make(chan task)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(queue)
		for _, t := range tasks {
			select {
			case queue <- t:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for range o.Workers {
		group.Go(func() error {
			r, err := newRunner(replica)
			if err != nil {
				return err
			}
			defer r.close()
			w := &worker{o: o, runner: r, translator: translator}
			for t := range queue {
				if err := w.do(ctx, &t, j); err != nil {
					return fmt.Errorf("question %s: %w", t.question.ID, err)
				}
				p.step()
			}
			return nil
		})
	}
	return group.Wait()
}

// worker answers questions one after the other.
type worker struct {
	o          *Options
	runner     *runner
	translator ask.Translator
}

func (w *worker) do(ctx context.Context, t *task, j *journal) error {
	key, err := w.answerKey(ctx, t)
	if err != nil {
		return err
	}
	record := func(o *Outcome) error {
		if err := ctx.Err(); err != nil {
			return err // what a cancelled run sees is no outcome
		}
		o.Set, o.Question = t.set.Name, t.question.ID
		o.NoGold = !t.question.Unanswerable && len(key.golds[0]) == 0
		o.Cause = causeOf(t.question, o)
		return j.add(o)
	}
	if len(t.recorded) > 0 {
		outcomes, err := w.replay(ctx, t, key)
		if err != nil {
			return err
		}
		for _, o := range outcomes {
			if err := record(o); err != nil {
				return err
			}
		}
	}
	for _, strategy := range t.translate {
		if j.get(outcomeKey{t.set.Name, t.question.ID, strategy}) != nil {
			continue
		}
		o, err := w.ask(ctx, t, key, strategy)
		if err != nil {
			return err
		}
		if err := record(o); err != nil {
			return err
		}
	}
	return nil
}

// ask puts the question to the translator.
func (w *worker) ask(ctx context.Context, t *task, key *answerKey, strategy string) (*Outcome, error) {
	role := cmp.Or(t.question.Role, askerRole)
	q := ask.Question{
		ID: ask.NewID(), Text: t.question.Text, Hint: t.question.Hint, Fresh: true,
		Options: map[string]string{"strategy": strategy},
		Session: ask.Session{
			Database: key.place.database, Role: role, SessionUser: role,
			Settings: map[string]string{"search_path": `"$user", public`, "TimeZone": "UTC", "DateStyle": "ISO, MDY", "IntervalStyle": "postgres", "client_encoding": "UTF8"},
		},
		Client: ask.Client{ApplicationName: "askpg eval"},
		Asked:  time.Now(),
	}
	limited, cancel := context.WithTimeout(ctx, w.o.Timeout)
	defer cancel()
	started := time.Now()
	tr, err := w.translator.Translate(limited, q)
	o := &Outcome{System: strategy, Elapsed: time.Since(started)}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		o.Code, o.Message = ask.CodeOf(err), err.Error()
		if tr == nil {
			tr = ask.TranslationOf(err)
		}
	}
	if tr != nil {
		defer tr.Result.Release()
		o.Confidence, o.Stages, o.Usage = tr.Confidence, tr.Stages, tr.Usage
		if tr.Elapsed > 0 {
			o.Elapsed = tr.Elapsed
		}
		if err := w.candidates(ctx, o, tr, key); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return o, nil
	}
	if tr.Result != nil && tr.Result.Complete {
		o.SQL, o.Answered = tr.SQL, true
		return o, w.compare(ctx, o, key, tr.Result)
	}
	_, err = w.score(ctx, o, key, tr.SQL)
	return o, err
}

// candidates notes the candidates and whether each is right: those of the same
// fingerprint are, or are not, together.
func (w *worker) candidates(ctx context.Context, o *Outcome, tr *ask.Translation, key *answerKey) error {
	right := map[string]bool{}
	for _, c := range tr.Candidates {
		out := candidateOutcome{Origin: origin(c.Origin), SQL: c.SQL, Fate: c.Fate, Votes: c.Votes}
		if c.Err != nil {
			out.Error = c.Err.Error()
		}
		same := cmp.Or(c.Fingerprint, c.SQL)
		switch c.Fate {
		case ask.FateChosen, ask.FateAgreed, ask.FateOutvoted, ask.FateDuplicate: // it gave rows
			if _, ok := right[same]; !ok {
				var err error
				if right[same], err = w.isRight(ctx, key, c.SQL); err != nil {
					return err
				}
			}
			out.Right = right[same]
			o.AnyRight = o.AnyRight || out.Right
		}
		o.Candidates = append(o.Candidates, out)
	}
	return nil
}

func origin(o ask.Origin) string {
	s := o.Model
	if o.Prompt != "" {
		s += "/" + o.Prompt
	}
	if o.Sample > 0 {
		s += fmt.Sprintf("/%d", o.Sample)
	}
	if o.Repair > 0 {
		s += fmt.Sprintf(" repaired %d", o.Repair)
	}
	return s
}
