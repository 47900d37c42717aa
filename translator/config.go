package translator

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"time"

	"askpg/ask"
	"askpg/translator/prompt"
	"askpg/translator/vote"
)

// Config is the [translator] section.
type Config struct {
	Strategy      string  `toml:"strategy"`       // of questions that name none: auto, grammar, mcs, full, pet, interactive
	MinConfidence float64 `toml:"min_confidence"` // 0 to 1; an answer below it is refused with its readings

	MaxQuestion int          `toml:"max_question"` // bytes of question, hint and history together
	Timeout     ask.Duration `toml:"timeout"`      // of a whole question
	ModelTime   ask.Duration `toml:"model_time"`   // of a question's model calls together; what is left of timeout is for running what came

	MaxCalls  int     `toml:"max_calls"`  // model requests of one question
	MaxTokens int     `toml:"max_tokens"` // that models may read and write for one question; 0 for any number
	MaxCost   float64 `toml:"max_cost"`   // of one question's model calls, in the currency of their prices; 0 for any

	MaxSamples   int `toml:"max_samples"`   // candidates that auto asks models for, in all waves
	WaveSize     int `toml:"wave_size"`     // candidates of each wave after the first
	MaxRepairs   int `toml:"max_repairs"`   // failed candidates of one question that are sent back with the error
	NarrowFrom   int `toml:"narrow_from"`   // tokens of the schema from which auto's prompts describe only the tables near the question and name the others; 0 for never
	NarrowTables int `toml:"narrow_tables"` // that the search of the catalog finds for them; with what keys join to the foremost up to twice as many
	Demos        int `toml:"demos"`         // verified examples in a prompt
	Parallel     int `toml:"parallel"`      // candidates of one question that run side by side

	StopProbability float64 `toml:"stop_probability"` // that the leading result really leads, for auto to stop asking
	Temperature     float64 `toml:"temperature"`      // of samples after a prompt's first
	Explore         bool    `toml:"explore"`          // let auto look into the database with tools where candidates still disagree

	EmbedTimeout ask.Duration `toml:"embed_timeout"` // of a model with role embed; without its answer words choose the demonstrations

	DemoFile string `toml:"demo_file"` // further verified pairs: a JSON object with question and sql a line; empty for none

	MCS         MCSConfig         `toml:"mcs"` // parameters of the published strategies
	Full        FullConfig        `toml:"full"`
	PET         PETConfig         `toml:"pet"`
	Interactive InteractiveConfig `toml:"interactive"`

	Privacy prompt.Privacy `toml:"-"` // the [privacy] section
}

// DefaultConfig returns the settings that suit most databases.
func DefaultConfig() Config {
	return Config{
		Strategy:        "auto",
		MinConfidence:   0.5,
		MaxQuestion:     16 << 10,
		Timeout:         ask.Duration(60 * time.Second),
		ModelTime:       ask.Duration(40 * time.Second),
		MaxCalls:        32,
		MaxSamples:      7,
		WaveSize:        2,
		MaxRepairs:      2,
		NarrowFrom:      1500,
		NarrowTables:    10,
		Demos:           4,
		Parallel:        4,
		StopProbability: vote.StopProbability,
		Explore:         true,
		EmbedTimeout:    ask.Duration(2 * time.Second),
		Temperature:     0.8,
		MCS:             MCSConfig{TablePrompts: 3, ColumnPrompts: 3, Prompts: 5, Samples: 20, Temperature: 1, Demos: 20, Threshold: 0.2},
		Full:            FullConfig{Samples: 3, Augment: true, Review: true, Reflections: 1, Temperature: 0.7},
		PET:             PETConfig{Demos: 9, Vote: "naive", Grades: map[string][]string{}},
		Interactive:     InteractiveConfig{Samples: 1, Turns: 10, Temperature: 0.7, Rows: 5},
		Privacy:         prompt.DefaultPrivacy(),
	}
}

// Validate names the first setting that can't stand.
func (c *Config) Validate() error {
	if _, ok := strategies[c.Strategy]; !ok {
		return fmt.Errorf("translator.strategy is %q; it is %s", c.Strategy, strategyNames())
	}
	const section = "translator."
	err := cmp.Or(
		ask.Between(section+"min_confidence", c.MinConfidence, 0, 1), ask.AtLeast(section+"max_question", c.MaxQuestion, 1),
		ask.Positive(section+"timeout", c.Timeout), ask.Between(section+"model_time", c.ModelTime, 1, c.Timeout), ask.Positive(section+"embed_timeout", c.EmbedTimeout),
		ask.AtLeast(section+"max_calls", c.MaxCalls, 1), ask.AtLeast(section+"max_tokens", c.MaxTokens, 0), ask.AtLeast(section+"max_cost", c.MaxCost, 0),
		ask.AtLeast(section+"max_samples", c.MaxSamples, 1), ask.AtLeast(section+"wave_size", c.WaveSize, 1), ask.AtLeast(section+"max_repairs", c.MaxRepairs, 0),
		ask.AtLeast(section+"narrow_from", c.NarrowFrom, 0), ask.AtLeast(section+"narrow_tables", c.NarrowTables, 1), ask.AtLeast(section+"demos", c.Demos, 0),
		ask.AtLeast(section+"parallel", c.Parallel, 1), ask.Between(section+"temperature", c.Temperature, 0, 2),
	)
	if err != nil {
		return err
	}
	if math.IsInf(c.MaxCost, 1) {
		return errors.New("translator.max_cost is infinite: 0 is no limit")
	}
	if !(c.StopProbability > 0.5 && c.StopProbability <= 1) {
		return fmt.Errorf("translator.stop_probability is %v: it must be above 0.5 and not above 1", c.StopProbability)
	}
	if err := c.validatePresets(); err != nil {
		return err
	}
	return c.Privacy.Validate()
}
