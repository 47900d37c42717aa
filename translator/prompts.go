package translator

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"askpg/catalog"
	"askpg/translator/llm"
	"askpg/translator/prompt"
	"askpg/translator/refs"
	"askpg/translator/token"
)

// variant is a kind of prompt.
type variant struct {
	name  string
	style prompt.Style
	frame prompt.Frame
	order prompt.Order
}

// autoVariants differ in rendering, order and task, so that what they agree
// on owes little to either.
var autoVariants = []variant{
	{"ddl", prompt.DDL, prompt.Direct, prompt.Order{}},
	{"profile-plan", prompt.Profile, prompt.Plan, prompt.Order{Reverse: true}},
	{"reference-divide", prompt.Reference, prompt.Divide, prompt.Order{Shuffle: 1}},
}

// smallVariant is the one form that small models get: the tables as they know them from their training, and few rules. Every
// sample has the same prompt, which a server on one's own machine then reads once.
var smallVariant = variant{name: "short", style: prompt.DDL, frame: prompt.Short}

// variantOf returns what auto's i-th prompt is for a model.
func variantOf(m model, i int) variant {
	if m.Small {
		return smallVariant
	}
	return autoVariants[i%len(autoVariants)]
}

// large leaves out small models, which auto asks for nothing but SQL.
func large(models []model) []model {
	return slices.DeleteFunc(slices.Clone(models), func(m model) bool { return m.Small })
}

// sampleSpec says what a model is asked for.
type sampleSpec struct {
	model       model
	prompt      string // the variant's name
	frame       prompt.Frame
	form        *llm.Form // of the answer
	messages    []llm.Message
	sample      int // number of the first sample of this prompt
	n           int
	temperature *float64
	once        bool // a candidate that fails is not sent back
	own         bool // the vote is this model's: no other stands in for it
}

// firstSpecs renders the prompts of the first wave.
func (s *state) firstSpecs(ctx context.Context, models []model) ([]*sampleSpec, error) {
	if len(models) == 0 {
		return nil, nil
	}
	if err := s.loadDemos(ctx); err != nil {
		return nil, err
	}
	if err := s.loadSamples(ctx); err != nil {
		return nil, err
	}
	n := min(len(autoVariants), s.set.maxSamples)
	if !models[0].Small && s.touchesNothing() {
		n, s.vague = min(n, 1), true
	}
	made := make([]*sampleSpec, n)
	failed := make([]error, n)
	var g errgroup.Group
	for i := range n {
		g.Go(func() error {
			failed[i] = caught(func() (err error) {
				m := models[i%len(models)]
				made[i], err = s.autoSample(m, i, m.Small && i >= len(models))
				return err
			})()
			return nil
		})
	}
	_ = g.Wait() // none fails the others
	var specs []*sampleSpec
	for i, spec := range made {
		if failed[i] != nil {
			s.notice(failed[i].Error())
			continue
		}
		specs = append(specs, spec)
	}
	return specs, nil
}

// autoSample renders auto's i-th prompt for a model. again says that the model had this prompt before: then its order and
// the temperature are others, for a small model the temperature alone.
func (s *state) autoSample(m model, i int, again bool) (*sampleSpec, error) {
	v := variantOf(m, i)
	if again && !m.Small {
		v.order.Shuffle = uint64(i + 1)
	}
	sample := 1 + i/len(autoVariants)
	if m.Small {
		sample = 1 + i
	}
	spec, err := s.spec(m, v, sample)
	if err == nil && again {
		spec.temperature = new(s.t.cfg.Temperature)
	}
	return spec, err
}

// spec renders a variant's prompt for a model.
func (s *state) spec(m model, v variant, sample int) (*sampleSpec, error) {
	in := s.input(m, v)
	in.NarrowFrom, in.Naming = s.t.cfg.NarrowFrom, namedTokens
	missing := s.saidMissing()
	if len(missing) > 0 {
		in.Naming = widelyNamedTokens
	}
	in.Near, in.Beside = s.nearRelations(missing)
	in.About = s.nearColumns()
	spec, err := s.specOf(m, v.name, in)
	if err == nil {
		spec.sample = sample
	}
	return spec, err
}

// specOf renders a prompt for one sample of a model.
func (s *state) specOf(m model, name string, in prompt.Input) (*sampleSpec, error) {
	s.noteDemos(in.Demos)
	p, err := prompt.Render(in)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.narrowed = s.narrowed || p.Part
	for _, r := range p.Shown {
		s.described[r], s.listed[r] = true, true
	}
	for _, r := range p.Named {
		s.listed[r] = true
	}
	s.mu.Unlock()
	if p.Left > 0 {
		s.notice(fmt.Sprintf("the schema is larger than the window of model %s: %d of %d relations were left out of its prompt",
			m.Name(), p.Left, p.Left+len(p.Shown)))
	}
	form := sqlForm
	if in.Frame == prompt.Short {
		form = shortForm
	}
	return &sampleSpec{model: m, prompt: name, frame: in.Frame, form: form, sample: 1, n: 1, messages: opening(p)}, nil
}

// input returns what a prompt is rendered from: the question, what the catalog
// knows of it, and the samples and examples that were loaded.
func (s *state) input(m model, v variant) prompt.Input {
	in := prompt.Input{
		Snapshot: s.snap, Question: s.q.Text, Hint: s.q.Hint, History: s.q.History, Hits: s.hits, Privacy: s.t.cfg.Privacy,
		SearchPath: s.set.searchPath, Now: s.q.Asked.In(s.set.location), TimeZone: s.set.zone,
		Style: v.style, Frame: v.frame, Order: v.order, Budget: m.Window - m.MaxTokens - token.Count(sqlForm.Note),
		Samples: s.rows, Paper: s.votesOnly, Demos: slices.Clone(s.demos),
	}
	if s.snap.Values.Len() > 0 && s.t.cfg.Privacy.Values != prompt.ValuesNone {
		in.Notes = unknownQuotations(s.q.Text, s.hits)
	}
	return in
}

// linkedInput is input with the linked schema only.
func (s *state) linkedInput(m model, v variant) prompt.Input {
	in := s.input(m, v)
	in.Tables, in.Cols, in.Demos = s.tables, s.columns, nil
	return in
}

// touchesNothing says whether no word of the question leads the catalog's search anywhere: then prompts describe the whole schema,
// which costs most, and the question is likely about something else.
func (s *state) touchesNothing() bool {
	near, _ := s.nearRelations(nil)
	return s.t.cfg.NarrowFrom > 0 && len(near) == 0 && len(s.hits) == 0 && len(s.q.History) == 0
}

// What relations that are told by name take of a prompt, and of one after models have said that something is missing.
const (
	namedTokens       = 700
	widelyNamedTokens = 8000
)

// saidMissing returns what models have said the data lacks, also before the schema was
// shown more widely.
func (s *state) saidMissing() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(slices.Clone(s.doubted), s.missing...)
}

// nearRelations returns the relations that the question is likely about. near are those that the
// catalog finds for it, for the questions before it and for what models said was missing. The relations that these
// name are among them, and those that earlier SQL of the conversation reads. beside are those that come next. It returns
// nil, which stands for all, where narrowing is off and where nothing is found.
func (s *state) nearRelations(missing []string) (near, beside []*catalog.Relation) {
	if s.t.cfg.NarrowFrom == 0 {
		return nil, nil
	}
	text := []string{s.q.Text, s.q.Hint}
	var read []*catalog.Relation
	for _, h := range s.q.History {
		text = append(text, h.Question)
		read = append(read, refs.Of(h.SQL, s.snap, s.set.searchPath).Relations...)
	}
	near, beside = s.snap.Relevant(strings.Join(text, " "), s.t.cfg.NarrowTables)
	if len(near) == 0 && len(missing) == 0 {
		return nil, nil // nothing says what matters
	}
	for _, m := range missing {
		for _, word := range relationWord.FindAllString(m, maxMissingWords) {
			if r := s.relationNamed(word); r != nil {
				read = append(read, r)
			}
		}
		found, more := s.snap.Relevant(m, s.t.cfg.NarrowTables)
		read, beside = append(read, found...), append(beside, more...)
	}
	for _, r := range read {
		if !slices.Contains(near, r) {
			near = append(near, r)
		}
	}
	return near, beside
}

// nearColumns returns the columns that the question is likely about.
func (s *state) nearColumns() map[*catalog.Column]bool {
	out := map[*catalog.Column]bool{}
	for _, c := range s.snap.Search(s.q.Text+" "+s.q.Hint, describedColumns) {
		out[c] = true
	}
	for _, h := range s.hits {
		out[h.Column] = true
	}
	return out
}

// describedColumns is how many columns near a question have examples and bounds.
const describedColumns = 40

// relationWord is a word that may name a relation.
var relationWord = regexp.MustCompile(`[\p{L}_][\p{L}\p{N}_$.]*`)

// maxMissingWords bounds the words of one text that are looked up as relations.
const maxMissingWords = 40

// loadDemos looks for verified examples of similar questions whose SQL tells nothing private. If there are more than a
// prompt has room for, a model with role embed ranks those that are near by words.
func (s *state) loadDemos(ctx context.Context) error {
	if s.t.examples == nil || s.t.cfg.Demos == 0 {
		return nil
	}
	k := s.t.cfg.Demos
	e, embeds := s.t.embedder()
	n := k
	if embeds {
		n = max(k, embedded)
	}
	demos, err := s.t.examples.Similar(ctx, &s.q, n)
	if err != nil {
		s.t.log.Warn("similar examples could not be read", "id", s.q.ID, "error", err)
		return ctx.Err()
	}
	demos = slices.DeleteFunc(slices.Clone(demos), func(d Example) bool { return s.snap.TellsPrivate(d.SQL, s.set.searchPath) })
	if embeds && len(demos) > k {
		texts := []string{s.q.Text}
		for _, d := range demos {
			texts = append(texts, d.Question)
		}
		if v, ok := s.vectorsOf(ctx, e, texts); ok {
			demos = ranked(demos, v[0], v[1:])
		}
	}
	s.demos = demos[:min(k, len(demos))]
	return ctx.Err()
}
