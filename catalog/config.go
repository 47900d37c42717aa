package catalog

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"askpg/ask"
	"askpg/catalog/search"
)

// Config says how much of a database is read, how often, and what stays
// private.
type Config struct {
	Freshness      ask.Duration `toml:"freshness"`       // a snapshot older than this is checked for changes before it is used; where the check is slow it is made in the background, and twice this is the limit
	LoadTimeout    ask.Duration `toml:"load_timeout"`    // reading a whole snapshot takes no longer
	CheckTimeout   ask.Duration `toml:"check_timeout"`   // a check for changes takes no longer
	MaxSnapshots   int          `toml:"max_snapshots"`   // snapshots kept; the least recently used goes first
	Private        []string     `toml:"private"`         // patterns of private columns: column, table.column or schema.table.column with * and ?, case ignored
	CommonValues   int          `toml:"common_values"`   // most common values kept for each column
	Semantics      string       `toml:"semantics"`       // file of synonyms, measures, filters and joins; read again when it changes; empty for none
	ImpliedJoins   bool         `toml:"implied_joins"`   // look for foreign keys that are not declared
	MinedJoins     bool         `toml:"mined_joins"`     // look for joins in use in views and pg_stat_statements
	ImpliedTime    ask.Duration `toml:"implied_time"`    // looking for them takes no longer; beyond it names decide
	SampleTime     ask.Duration `toml:"sample_time"`     // reading the first rows of relations without statistics takes no longer
	Values         bool         `toml:"values"`          // index the values of text columns
	ValuesDistinct int          `toml:"values_distinct"` // columns with more distinct values are left out of the index
	ValuesRows     int          `toml:"values_rows"`     // rows of a relation read for its values
	ValuesLength   int          `toml:"values_length"`   // bytes; longer values are left out
	ValuesTotal    int          `toml:"values_total"`    // values in the index of one snapshot
	ValuesTime     ask.Duration `toml:"values_time"`     // reading the values of one snapshot takes no longer
	ValuesAge      ask.Duration `toml:"values_age"`      // values older than this are read anew
	Lookup         bool         `toml:"lookup"`          // ask columns that are not in the index for the names and literals of a question
	LookupTime     ask.Duration `toml:"lookup_time"`     // asking them takes no longer
	LookupColumns  int          `toml:"lookup_columns"`  // columns asked for one question
	LookupRows     int          `toml:"lookup_rows"`     // without a pg_trgm index a column of a larger relation is not asked

	Embeddings search.EmbeddingsConfig `toml:"embeddings"`
}

// DefaultConfig returns the settings that suit most databases.
func DefaultConfig() Config {
	return Config{
		Freshness:    ask.Duration(time.Second),
		LoadTimeout:  ask.Duration(time.Minute),
		CheckTimeout: ask.Duration(5 * time.Second),
		MaxSnapshots: 64,
		Private: []string{
			"*password*", "*passwd*", "*secret*", "*api_key*", "*apikey*", "*private_key*", "token", "*_token",
			"ssn", "*_ssn", "*social_security*", "*credit_card*", "*card_number*", "cvv", "iban", "*_iban",
		},
		CommonValues:   100,
		ImpliedJoins:   true,
		MinedJoins:     true,
		ImpliedTime:    ask.Duration(time.Second),
		SampleTime:     ask.Duration(time.Second),
		Values:         true,
		ValuesDistinct: 5000,
		ValuesRows:     200000,
		ValuesLength:   100,
		ValuesTotal:    200000,
		ValuesTime:     ask.Duration(3 * time.Second),
		ValuesAge:      ask.Duration(10 * time.Minute),
		Lookup:         true,
		LookupTime:     ask.Duration(500 * time.Millisecond),
		LookupColumns:  8,
		LookupRows:     2000000,
		Embeddings:     search.DefaultEmbeddingsConfig(),
	}
}

// Validate says which setting cannot be used, and why.
func (c *Config) Validate() error {
	err := cmp.Or(
		ask.Positive("catalog.load_timeout", c.LoadTimeout), ask.Positive("catalog.check_timeout", c.CheckTimeout),
		ask.Positive("catalog.implied_time", c.ImpliedTime), ask.Positive("catalog.sample_time", c.SampleTime),
		ask.Positive("catalog.values_time", c.ValuesTime), ask.Positive("catalog.values_age", c.ValuesAge),
		ask.Positive("catalog.lookup_time", c.LookupTime), ask.AtLeast("catalog.freshness", c.Freshness, 0),
		ask.AtLeast("catalog.max_snapshots", c.MaxSnapshots, 1), ask.AtLeast("catalog.common_values", c.CommonValues, 0),
		ask.AtLeast("catalog.values_distinct", c.ValuesDistinct, 0), ask.AtLeast("catalog.values_rows", c.ValuesRows, 1),
		ask.AtLeast("catalog.values_length", c.ValuesLength, 1), ask.AtLeast("catalog.values_total", c.ValuesTotal, 0),
		ask.AtLeast("catalog.lookup_columns", c.LookupColumns, 1), ask.AtLeast("catalog.lookup_rows", c.LookupRows, 0),
		c.Embeddings.Validate(),
	)
	if err != nil {
		return err
	}
	for _, p := range c.Private {
		if _, err := path.Match(p, ""); err != nil || p == "" || strings.Count(p, ".") > 2 {
			return fmt.Errorf("catalog.private: %q is no pattern of column, table.column or schema.table.column", p)
		}
	}
	if c.Semantics != "" {
		if _, err := readSemantics(c.Semantics); err != nil {
			return err // each finding names the file
		}
	}
	return nil
}

// privateNames returns a function that reports whether a pattern makes a
// column private. It remembers column names, most of which occur many times.
func (c *Config) privateNames() func(n Name, column string) bool {
	var plain, qualified []string
	for _, p := range c.Private {
		if p = strings.ToLower(p); strings.Contains(p, ".") {
			qualified = append(qualified, p)
		} else {
			plain = append(plain, p)
		}
	}
	matches := func(patterns []string, name string) bool {
		name = strings.ReplaceAll(name, "/", "_") // which * would not match
		return slices.ContainsFunc(patterns, func(p string) bool {
			ok, _ := path.Match(p, name)
			return ok
		})
	}
	known := map[string]bool{}
	return func(n Name, column string) bool {
		private, ok := known[column]
		if !ok {
			private = matches(plain, strings.ToLower(column))
			known[column] = private
		}
		if private || len(qualified) == 0 {
			return private
		}
		name := strings.ToLower(n.Name + "." + column)
		return matches(qualified, name) || matches(qualified, strings.ToLower(n.Schema)+"."+name)
	}
}

// privateMark in a column's comment makes it private.
const privateMark = "askpg:private"

func (c *Config) valueLimits() search.ValueLimits {
	return search.ValueLimits{Distinct: c.ValuesDistinct, Rows: c.ValuesRows, Length: c.ValuesLength, Total: c.ValuesTotal, Time: c.ValuesTime.Duration()}
}

func (c *Config) lookupLimits() search.LookupLimits {
	return search.LookupLimits{Columns: c.LookupColumns, Rows: float64(c.LookupRows), Length: c.ValuesLength, Time: c.LookupTime.Duration()}
}
