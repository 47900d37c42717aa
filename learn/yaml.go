package learn

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"askpg/catalog/schema"
)

// exported is what is read of a YAML file that Metabase or Superset has exported. Metabase has a file for each question
// (github.com/metabase/representations, core-spec/v1, and the older form of a native query). Superset has one for each
// dataset and saved query, or one for all datasets (superset.apache.org, "Importing and Exporting Datasources").
type exported struct {
	Name     string         `yaml:"name"`
	Archived bool           `yaml:"archived"`
	Query    *metabaseQuery `yaml:"dataset_query"`

	dataset   `yaml:",inline"`
	Label     string `yaml:"label"` // of a saved query
	Databases []struct {
		Tables []dataset `yaml:"tables"`
	} `yaml:"databases"`
}

// metabaseQuery is a query of Metabase: of several stages, or native in the older form.
type metabaseQuery struct {
	Stages []nativeQuery `yaml:"stages"`
	Native *nativeQuery  `yaml:"native"`
}

// nativeQuery is SQL with tags.
type nativeQuery struct {
	SQL  yaml.Node `yaml:"native"` // of a stage: the SQL, or its query and its tags
	Text string    `yaml:"query"`  // of the older form
	Tags map[string]struct {
		Type string `yaml:"type"`
	} `yaml:"template-tags"`
}

// dataset is a dataset of Superset: a table, or a query with a name, and what is computed of it.
type dataset struct {
	Table   string `yaml:"table_name"`
	Schema  string `yaml:"schema"`
	SQL     string `yaml:"sql"`
	Time    string `yaml:"main_dttm_col"`
	Metrics []struct {
		Name       string `yaml:"metric_name"`
		Expression string `yaml:"expression"`
	} `yaml:"metrics"`
}

// ReadYAML reads the statements of a file that Metabase or Superset has exported: questions that are written in SQL, datasets, their metrics as
// statements that compute them, and saved queries. Each counts as viewCalls calls: somebody found it worth a name. A file of
// something else has none.
func ReadYAML(in io.Reader, name string) ([]*Statement, error) {
	var e exported
	if err := yaml.NewDecoder(io.LimitReader(in, maxFile)).Decode(&e); err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s is no YAML of Metabase or Superset, or has more than %d MB: %w", name, maxFile>>20, err)
	}
	var out []*Statement
	add := func(sql, by, source string) {
		if strings.TrimSpace(sql) != "" {
			out = append(out, &Statement{SQL: sql, Calls: viewCalls, By: by, Source: source, From: name})
		}
	}
	if e.Query != nil && !e.Archived {
		add(e.Query.sql(), "metabase", fmt.Sprintf("question %q", e.Name))
	}
	tables := []dataset{e.dataset}
	for _, d := range e.Databases {
		tables = append(tables, d.Tables...)
	}
	for _, t := range tables {
		add(t.SQL, "superset", cmp.Or(t.Table, e.Label))
		for _, m := range t.Metrics {
			add(t.statement(m.Name, m.Expression), "superset", fmt.Sprintf("metric %q of %s", m.Name, t.Table))
		}
	}
	return out, nil
}

// statement computes a metric by the dataset's time.
func (d *dataset) statement(name, expression string) string {
	if name == "" || expression == "" {
		return ""
	}
	from := schema.Quote(d.Table)
	switch {
	case d.SQL != "":
		from = "(" + strings.TrimRight(d.SQL, "; \n") + ") AS " + from
	case d.Schema != "":
		from = schema.Quote(d.Schema) + "." + from
	}
	time := ""
	if d.Time != "" {
		time = schema.Quote(d.Time)
	}
	return computing(expression, name, time, from, "")
}

// sql is the SQL of a query, "" if it is made of clicks, or of several stages.
func (q *metabaseQuery) sql() string {
	switch {
	case q.Native != nil:
		return q.Native.filled(q.Native.Text)
	case len(q.Stages) != 1:
		return ""
	}
	stage := q.Stages[0]
	if stage.SQL.Kind == yaml.ScalarNode {
		return stage.filled(stage.SQL.Value)
	}
	var inner nativeQuery
	if stage.SQL.Decode(&inner) != nil {
		return ""
	}
	return inner.filled(inner.Text)
}

// optional is a part of SQL that is left out while its tag has no value; tag is a tag.
var (
	optional = regexp.MustCompile(`(?s)\[\[.*?\]\]`)
	tag      = regexp.MustCompile(`\{\{\s*([^{}]*?)\s*\}\}`)
)

// filled is SQL as it stands while nothing is chosen: without the parts that are left out then, with a parameter for each value. Tags
// that stand for other SQL stay, so that the statement does not parse.
func (q *nativeQuery) filled(sql string) string {
	sql = optional.ReplaceAllString(sql, "")
	n := 0
	return tag.ReplaceAllStringFunc(sql, func(s string) string {
		switch q.Tags[tag.FindStringSubmatch(s)[1]].Type {
		case "text", "number", "date":
			n++
			return fmt.Sprintf("$%d", n)
		case "dimension", "boolean":
			return "true"
		}
		return s
	})
}
