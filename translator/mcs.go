package translator

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"askpg/ask"
	"askpg/catalog"
	"askpg/translator/demo"
	"askpg/translator/llm"
	"askpg/translator/prompt"
	"askpg/translator/refs"
)

// prepareMCS sets what mcs does otherwise than auto: votes count alone, and a
// group is represented by its fastest member (Lee et al. 2024, equations 1 and 2).
func prepareMCS(ctx context.Context, s *state) error {
	s.votesOnly, s.preferFastest = true, true
	_, err := s.generators(ctx)
	return err
}

// generators returns the models that a published strategy asks, once it has read demonstrations and sample rows for them.
func (s *state) generators(ctx context.Context) ([]model, error) {
	models := s.t.up(llm.RoleGenerate)
	if len(models) == 0 {
		return nil, errNoModels()
	}
	if err := s.loadDemos(ctx); err != nil {
		return nil, err
	}
	return models, s.loadSamples(ctx)
}

func errNoModels() error {
	return ask.Errorf(ask.CodeNoModel, "this strategy needs a model, and none is configured").
		WithHint("Add a [[model]] section, or use strategy auto or grammar.")
}

// linkTables asks p_t prompts, each with the tables in another order, for n
// samples; what any of them names is linked (section 3.1.1).
func linkTables(ctx context.Context, s *state) error {
	c := s.t.cfg.MCS
	texts, err := s.linkSamples(ctx, prompt.LinkTables, c.TablePrompts, false)
	if err != nil {
		return err
	}
	var linked []*catalog.Relation
	for _, t := range texts {
		for _, name := range listIn(t, "tables") {
			if r := s.relationNamed(name); r != nil && !slices.Contains(linked, r) {
				linked = append(linked, r)
			}
		}
	}
	if len(linked) > 0 {
		s.tables = s.closeLinks(linked, nil)
	}
	return nil
}

// linkColumns does the same for the columns of the linked tables (section
// 3.1.2).
func linkColumns(ctx context.Context, s *state) error {
	texts, err := s.linkSamples(ctx, prompt.LinkColumns, s.t.cfg.MCS.ColumnPrompts, true)
	if err != nil {
		return err
	}
	linked := map[*catalog.Column]bool{}
	for _, t := range texts {
		for _, name := range listIn(t, "columns") {
			name = strings.ReplaceAll(name, `"`, "")
			i := strings.LastIndexByte(name, '.')
			if i < 0 {
				continue
			}
			if r := s.relationNamed(name[:i]); r != nil {
				for _, col := range r.Columns {
					if strings.EqualFold(col.Name, name[i+1:]) {
						linked[col] = true
					}
				}
			}
		}
	}
	if len(linked) == 0 {
		return nil
	}
	relations := slices.Clone(s.tables)
	for col := range linked {
		if !slices.Contains(relations, col.Relation) {
			relations = append(relations, col.Relation)
		}
	}
	s.columns = linked
	s.tables = s.closeLinks(s.dropIdle(relations, linked), linked)
	return nil
}

// linkSamples asks side by side and returns all samples.
func (s *state) linkSamples(ctx context.Context, t prompt.Task, prompts int, columns bool) ([]string, error) {
	c := s.t.cfg.MCS
	models := s.t.up(llm.RoleGenerate)
	ask.Progress(ctx, "linking the question to the schema")
	var mu sync.Mutex
	var texts []string
	g, gctx := errgroup.WithContext(ctx)
	for i := range prompts {
		m := models[i%len(models)]
		in := s.input(m, variant{style: prompt.DDL, order: prompt.Order{Shuffle: uint64(i + 1), Columns: columns}})
		in.Tables = s.tables
		g.Go(caught(func() error {
			got, err := s.task(gctx, m, t, in, nil, c.Samples, &c.Temperature)
			mu.Lock()
			defer mu.Unlock()
			texts = append(texts, got...)
			return err
		}))
	}
	return texts, g.Wait()
}

// generateMCS asks p_q prompts for n samples. One has demonstrations by the
// question's words, one by its masked words. The others have both, interleaved in changing
// order. Sample rows are CSV, where privacy lets rows go (section 3.2).
func generateMCS(ctx context.Context, s *state) error {
	c := s.t.cfg.MCS
	models := s.t.up(llm.RoleGenerate)
	masked := demo.Mask(s.q.Text, s.snap, s.hits)
	if s.t.pool != nil && c.Demos > 0 {
		// The paper has a model mask the question; the catalog's mask stands
		// in where it does not answer.
		texts, err := s.task(ctx, models[0], prompt.Mask, s.linkedInput(models[0], variant{style: prompt.DDL}), nil, 1, new(0.0))
		if err != nil {
			return err
		}
		if len(texts) > 0 && strings.TrimSpace(texts[0]) != "" {
			masked = oneLine(texts[0], 2000)
		}
	}
	byWords, bySkeleton := s.demonstrations(ctx, masked, c.Demos)
	ask.Progress(ctx, fmt.Sprintf("asking for %d × %d candidates", c.Prompts, c.Samples))
	var specs []*sampleSpec
	for i := range c.Prompts {
		m := models[i%len(models)]
		in := s.linkedInput(m, variant{style: prompt.Profile, frame: prompt.Plan, order: prompt.Order{Shuffle: uint64(i + 1)}})
		name := ""
		switch i {
		case 0:
			name, in.Demos = "question-similarity", byWords
		case 1:
			name, in.Demos = "masked-similarity", bySkeleton
		default:
			name, in.Demos = fmt.Sprintf("interleaved-%d", i-1), interleave(bySkeleton, byWords, c.Demos)
			if i%2 == 0 {
				in.Demos = interleave(byWords, bySkeleton, c.Demos)
			}
			if i > 3 {
				slices.Reverse(in.Demos)
			}
		}
		spec, err := s.specOf(m, name, in)
		if err != nil {
			s.notice(err.Error())
			continue
		}
		spec.n, spec.temperature, spec.once = c.Samples, &c.Temperature, true
		specs = append(specs, spec)
	}
	return s.wave(ctx, specs)
}

// selectMCS lets the model choose among the fastest of each group with at
// least the threshold's confidence, in descending confidence, by the majority of n answers
// (section 3.3).
func selectMCS(ctx context.Context, s *state) error {
	c := s.t.cfg.MCS
	return s.chooseAmong(ctx, s.t.up(llm.RoleJudge), c.Threshold, c.Samples, &c.Temperature, c.Demos)
}

// tablesOf are the relations that candidates read, for a selection prompt.
func (s *state) tablesOf(sqls []string) []*catalog.Relation {
	var out []*catalog.Relation
	for _, sql := range sqls {
		for _, r := range refs.Of(sql, s.snap, s.set.searchPath).Relations {
			if !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	return out
}
