package translator

import (
	"context"
	"slices"

	"askpg/ask"
	"askpg/translator/demo"
	"askpg/translator/llm"
	"askpg/translator/prompt"
	"askpg/translator/refs"
	"askpg/translator/vote"
)

// preSQL asks the first model, the strongest by configuration, for SQL from
// the reference-enhanced prompt with demonstrations by question skeleton, at temperature 0
// (Li et al. 2024, sections 3.1 and 3.2).
func preSQL(ctx context.Context, s *state) error {
	s.votesOnly = true
	models, err := s.generators(ctx)
	if err != nil {
		return err
	}
	ask.Progress(ctx, "asking "+models[0].Name()+" for a preliminary SQL")
	spec, err := s.petSpec(ctx, models[0], "presql")
	if err != nil {
		return err
	}
	return s.sample(ctx, spec)
}

func (s *state) petSpec(ctx context.Context, m model, name string) (*sampleSpec, error) {
	in := s.linkedInput(m, variant{style: prompt.Reference, frame: prompt.Direct})
	_, in.Demos = s.demonstrations(ctx, demo.Mask(s.q.Text, s.snap, s.hits), s.t.cfg.PET.Demos)
	spec, err := s.specOf(m, name, in)
	if err != nil {
		return nil, err
	}
	spec.temperature, spec.once = new(0.0), true
	return spec, nil
}

// linkByPreSQL links the tables that PreSQL reads (section 3.3: tables only,
// for columns forgive no miss), and what a join between them needs.
func linkByPreSQL(_ context.Context, s *state) error {
	for _, c := range s.candidates {
		if c.Origin.Prompt == "presql" && c.SQL != "" {
			s.preSQL = c.SQL
			if linked := refs.Of(c.SQL, s.snap, s.set.searchPath).Relations; len(linked) > 0 {
				s.tables = s.closeLinks(linked, nil)
			}
		}
	}
	return nil
}

// finSQL asks every model, or those of PreSQL's grade, for SQL from the
// linked schema at temperature 0; PreSQL votes with them (section 3.4).
func finSQL(ctx context.Context, s *state) error {
	models := s.t.up(llm.RoleGenerate)
	if c := s.t.cfg.PET; c.Vote == "complexity" && s.preSQL != "" {
		if names, ok := c.Grades[string(vote.GradeOf(s.preSQL))]; ok {
			graded := slices.DeleteFunc(slices.Clone(models), func(m model) bool { return !slices.Contains(names, m.Name()) })
			if len(graded) > 0 { // else those of the grade are away
				models = graded
			}
		}
	}
	ask.Progress(ctx, "asking "+modelNames(models)+" for the final SQL")
	var specs []*sampleSpec
	for _, m := range models {
		spec, err := s.petSpec(ctx, m, "finsql")
		if err != nil {
			s.notice(err.Error())
			continue
		}
		spec.own = true
		specs = append(specs, spec)
	}
	return s.wave(ctx, specs)
}
