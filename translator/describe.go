package translator

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"askpg/ask"
	"askpg/catalog"
	"askpg/translator/llm"
	"askpg/translator/prompt"
)

// Description is what a model says of a relation and of its columns, in plain words. It is text of a model, which nothing may rely on
// before somebody has read it.
type Description struct {
	Model   string
	Table   string
	Columns map[string]string
	Usage   ask.Usage
}

// Describe has a model describe a relation, by what prompts may tell of it: names, types, keys, and values as far as privacy lets
// them go. It is one call, which no budget of questions counts.
func (t *Translator) Describe(ctx context.Context, snap *catalog.Snapshot, r *catalog.Relation) (d Description, err error) {
	models := t.up(llm.RoleGenerate)
	if len(models) == 0 {
		return d, ask.Errorf(ask.CodeNoModel, "no model is configured that may be asked, or none of them answers")
	}
	m := models[0]
	p, err := prompt.RenderTask(prompt.Descriptions, prompt.Input{
		Snapshot: snap, Privacy: t.cfg.Privacy, Now: time.Now(), Style: prompt.DDL, Tables: []*catalog.Relation{r}, Budget: m.Window - m.MaxTokens,
	}, nil)
	if err != nil {
		return d, err
	}
	res, err := m.Complete(ctx, llm.Request{Stage: string(prompt.Descriptions), Messages: opening(p)})
	d.Model, d.Usage = m.Name(), res.Usage
	if err != nil {
		return d, err
	}
	var said struct {
		Table   string
		Columns map[string]string
	}
	if len(res.Texts) == 0 || json.Unmarshal(objectIn(res.Texts[0]), &said) != nil {
		return d, fmt.Errorf("model %s did not answer with a description", m.Name())
	}
	d.Table, d.Columns = said.Table, said.Columns
	return d, nil
}
