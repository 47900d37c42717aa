package learn

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"askpg/catalog/schema"
)

// manifest is what is read of dbt's manifest.json (docs.getdbt.com, "Manifest
// JSON file", version 12).
type manifest struct {
	Nodes map[string]struct {
		Type     string `json:"resource_type"`
		Name     string `json:"name"`
		Compiled string `json:"compiled_code"`
	} `json:"nodes"`
	Models  map[string]dbtModel  `json:"semantic_models"`
	Metrics map[string]dbtMetric `json:"metrics"`
}

// dbtModel is a semantic model: measures and dimensions over one relation.
type dbtModel struct {
	Name     string `json:"name"`
	Relation struct {
		Name   string `json:"alias"`
		Schema string `json:"schema_name"`
	} `json:"node_relation"`
	Defaults struct {
		Time string `json:"agg_time_dimension"`
	} `json:"defaults"`
	Measures   []dbtMeasure `json:"measures"`
	Dimensions []struct {
		Name string `json:"name"`
		Expr string `json:"expr"`
	} `json:"dimensions"`
}

type dbtMeasure struct {
	Name string `json:"name"`
	Agg  string `json:"agg"`
	Expr string `json:"expr"`
	Time string `json:"agg_time_dimension"`
}

type dbtMetric struct {
	Name   string     `json:"name"`
	Type   string     `json:"type"`
	Filter *dbtFilter `json:"filter"`
	Params struct {
		Measure *struct {
			Name   string     `json:"name"`
			Filter *dbtFilter `json:"filter"`
		} `json:"measure"`
	} `json:"type_params"`
}

type dbtFilter struct {
	Where []struct {
		Template string `json:"where_sql_template"`
	} `json:"where_filters"`
}

// ReadDBT reads the statements of dbt's manifest.json: compiled models and
// analyses as they are; measures and simple metrics of semantic models as
// statements that compute them. A filter that takes more than dimensions of its
// own model leaves its metric out. Each counts as viewCalls calls: somebody
// found it worth a name.
func ReadDBT(in io.Reader, name string) ([]*Statement, error) {
	var m manifest
	if err := json.NewDecoder(io.LimitReader(in, maxFile)).Decode(&m); err != nil {
		return nil, fmt.Errorf("%s is no manifest.json of dbt, or has more than %d MB: %w", name, maxFile>>20, err)
	}
	var out []*Statement
	add := func(sql, source string) {
		out = append(out, &Statement{SQL: sql, Calls: viewCalls, By: "dbt", Source: source, From: name})
	}
	for _, id := range slices.Sorted(maps.Keys(m.Nodes)) {
		if n := m.Nodes[id]; n.Compiled != "" && (n.Type == "model" || n.Type == "analysis") {
			add(n.Compiled, n.Type+" "+n.Name)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(m.Models)) {
		model := m.Models[id]
		for _, measure := range model.Measures {
			add(model.statement(measure, measure.Name, ""), "semantic model "+model.Name)
			for _, key := range slices.Sorted(maps.Keys(m.Metrics)) {
				metric := m.Metrics[key]
				if metric.Type != "simple" || metric.Params.Measure == nil || metric.Params.Measure.Name != measure.Name {
					continue
				}
				if where, ok := model.where(metric.Filter, metric.Params.Measure.Filter); ok {
					add(model.statement(measure, metric.Name, where), "metric "+metric.Name)
				}
			}
		}
	}
	return out, nil
}

// dbtAggregates are the SQL of dbt's aggregations.
var dbtAggregates = map[string]string{
	"sum": "sum(%s)", "min": "min(%s)", "max": "max(%s)", "average": "avg(%s)", "count": "count(%s)", "count_distinct": "count(DISTINCT %s)",
	"median": "percentile_cont(0.5) WITHIN GROUP (ORDER BY %s)", "sum_boolean": "sum((%s)::int)",
}

// statement computes a measure by its time; "" for an aggregation that is not known.
func (d *dbtModel) statement(m dbtMeasure, name, where string) string {
	aggregate, ok := dbtAggregates[m.Agg]
	if !ok {
		return ""
	}
	value := fmt.Sprintf(aggregate, cmp.Or(m.Expr, schema.Quote(m.Name)))
	if m.Agg == "count" && strings.TrimSpace(m.Expr) == "1" {
		value = "count(*)"
	}
	time := cmp.Or(m.Time, d.Defaults.Time)
	if time != "" {
		time = d.dimension(time)
	}
	return computing(value, name, time, schema.Quote(d.Relation.Schema)+"."+schema.Quote(d.Relation.Name), where)
}

// computing is a statement that computes a value by month; time is the date's expression, "" if there is none.
func computing(value, name, time, from, where string) string {
	period, group := "", ""
	if time != "" {
		period, group = ", date_trunc('month', "+time+") AS period", " GROUP BY 2"
	}
	if where != "" {
		where = " WHERE " + where
	}
	return "SELECT " + value + " AS " + schema.Quote(name) + period + " FROM " + from + where + group
}

// dimension is the SQL of a dimension.
func (d *dbtModel) dimension(name string) string {
	for _, dim := range d.Dimensions {
		if dim.Name == name {
			return cmp.Or(dim.Expr, schema.Quote(name))
		}
	}
	return schema.Quote(name)
}

// dbtDimension is a dimension in a filter's template: {{ Dimension('order__status') }}.
var dbtDimension = regexp.MustCompile(`\{\{\s*Dimension\(\s*['"]([^'"]+)['"]\s*\)\s*\}\}`)

// where is the condition of filters; ok is false if a template has anything but
// dimensions of the model.
func (d *dbtModel) where(filters ...*dbtFilter) (sql string, ok bool) {
	var parts []string
	for _, f := range filters {
		if f == nil {
			continue
		}
		for _, w := range f.Where {
			part := dbtDimension.ReplaceAllStringFunc(w.Template, func(s string) string {
				name := dbtDimension.FindStringSubmatch(s)[1]
				if _, own, ok := strings.Cut(name, "__"); ok { // after the entity
					name = own
				}
				return d.dimension(name)
			})
			if strings.Contains(part, "{") {
				return "", false
			}
			parts = append(parts, "("+part+")")
		}
	}
	return strings.Join(parts, " AND "), true
}
