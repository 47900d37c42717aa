package translator

import (
	"cmp"
	"errors"
	"fmt"

	"askpg/ask"
	"askpg/translator/vote"
)

// MCSConfig holds the parameters of strategy mcs under the paper's names (Lee
// et al. 2024, section 4.3).
type MCSConfig struct {
	TablePrompts  int     `toml:"table_prompts"`  // p_t: prompts for table linking, each with the tables in another order
	ColumnPrompts int     `toml:"column_prompts"` // p_c: prompts for column linking
	Prompts       int     `toml:"prompts"`        // p_q: generation prompts, each with other demonstrations
	Samples       int     `toml:"samples"`        // n: samples of each call
	Temperature   float64 `toml:"temperature"`
	Demos         int     `toml:"demos"`     // k: demonstrations in generation and selection
	Threshold     float64 `toml:"threshold"` // T: groups with a lower confidence are no choices
}

// FullConfig holds the parameters of strategy full (Maamari et al. 2024,
// section 4.3), which the paper leaves open but for what the stages do.
type FullConfig struct {
	Samples     int     `toml:"samples"`     // chains of augmentation, generation and correction, whose results vote
	Augment     bool    `toml:"augment"`     // notes on columns and the result's shape before generation
	Review      bool    `toml:"review"`      // every SQL that ran is reviewed against instructions
	Reflections int     `toml:"reflections"` // attempts after a correction with the server's error failed too
	Temperature float64 `toml:"temperature"`
}

// PETConfig holds the parameters of strategy pet (Li et al. 2024, section
// 4.1).
type PETConfig struct {
	Demos  int                 `toml:"demos"`  // by question skeleton, 9 in the paper
	Vote   string              `toml:"vote"`   // naive: every model votes; complexity: those of the grade of PreSQL
	Grades map[string][]string `toml:"grades"` // models by grade: easy, medium, hard, extra; a grade that is missing has all
}

// InteractiveConfig holds the parameters of strategy interactive (Xiong et
// al. 2024).
type InteractiveConfig struct {
	Samples     int     `toml:"samples"` // loops side by side, whose results vote
	Turns       int     `toml:"turns"`   // of one loop
	Temperature float64 `toml:"temperature"`
	Rows        int     `toml:"rows"` // that SearchColumn, SearchValue and ExecuteSQL show
}

func (c *Config) validatePresets() error {
	const section = "translator."
	err := cmp.Or(
		ask.AtLeast(section+"mcs.table_prompts", c.MCS.TablePrompts, 0), ask.AtLeast(section+"mcs.column_prompts", c.MCS.ColumnPrompts, 0),
		ask.AtLeast(section+"mcs.prompts", c.MCS.Prompts, 1), ask.AtLeast(section+"mcs.samples", c.MCS.Samples, 1), ask.AtLeast(section+"mcs.demos", c.MCS.Demos, 0),
		ask.Between(section+"mcs.temperature", c.MCS.Temperature, 0, 2),
		ask.AtLeast(section+"full.samples", c.Full.Samples, 1), ask.AtLeast(section+"full.reflections", c.Full.Reflections, 0),
		ask.Between(section+"full.temperature", c.Full.Temperature, 0, 2),
		ask.AtLeast(section+"pet.demos", c.PET.Demos, 0), ask.OneOf(section+"pet.vote", c.PET.Vote, "naive", "complexity"),
		ask.AtLeast(section+"interactive.samples", c.Interactive.Samples, 1), ask.AtLeast(section+"interactive.turns", c.Interactive.Turns, 2),
		ask.AtLeast(section+"interactive.rows", c.Interactive.Rows, 1), ask.Between(section+"interactive.temperature", c.Interactive.Temperature, 0, 2),
	)
	if err != nil {
		return err
	}
	if !(c.MCS.Threshold >= 0 && c.MCS.Threshold < 1) {
		return errors.New("translator.mcs.threshold must be 0 or more and below 1")
	}
	for g := range c.PET.Grades {
		if _, ok := vote.ParseGrade(g); !ok {
			return fmt.Errorf("translator.pet.grades has %q; the grades are easy, medium, hard and extra", g)
		}
	}
	return nil
}
