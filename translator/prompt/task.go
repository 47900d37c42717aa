package prompt

import (
	"strings"

	"askpg/catalog"
	"askpg/translator/token"
)

// Task is a prompt that asks for something else than SQL.
type Task string

// The tasks.
const (
	LinkTables  Task = "link_tables"  // a JSON list of tables (MCS-SQL, section 3.1.1)
	LinkColumns Task = "link_columns" // a JSON list of columns (section 3.1.2)
	Mask        Task = "mask"         // the question without its schema's words (section 3.2.1)
	Choose      Task = "choose"       // the number of a candidate (section 3.3.2)
	Augment     Task = "augment"      // notes on columns and the result's shape (Maamari et al. 2024, section 4.3)

	Descriptions Task = "describe" // a JSON object of what a table and its columns are, for an administrator (Shkapenyuk et al. 2025, "Automatic Metadata Extraction for Text-to-SQL")
)

// Choice is a candidate to choose among.
type Choice struct {
	SQL    string
	Result string // what it gives: its shape, and its first rows where privacy lets them go
}

// RenderTask writes a prompt for a task; choices are for Choose.
func RenderTask(task Task, in Input, choices []Choice) (Prompt, error) {
	in.detailed = map[*catalog.Relation]bool{}
	v := data(in, "")
	v.Ruled = task == Choose || task == Augment // what they speak of is the SQL's shape
	system, err := execute("task_system.tmpl", v)
	if err != nil {
		return Prompt{}, err
	}
	fill := func(schema string) (string, error) {
		return execute(string(task)+".tmpl", struct {
			view
			Candidates []Choice
		}{data(in, schema), choices})
	}
	rest, err := fill("")
	if err != nil {
		return Prompt{}, err
	}
	return fitted(in, system, rest, func(schema string) (string, error) { return fill(schema + "\n") })
}

// Review writes the message that asks for a review of SQL that ran and gave a
// result, said as in Choice.
func Review(sql, result string) (string, error) {
	return execute("review.tmpl", map[string]any{"SQL": sql, "Result": result})
}

// Reflect writes the message that asks for another attempt after thinking
// about SQL that fell, and why (Reflexion, Shinn et al. 2023).
func Reflect(sql, why string) (string, error) {
	return execute("reflect.tmpl", map[string]any{"SQL": sql, "Why": why})
}

// Interactive writes the first two messages of a thought–action loop
// (Interactive-T2S, Xiong et al. 2024): the tools with three examples, and the question.
func Interactive(in Input) (Prompt, error) {
	system, err := execute("interactive.tmpl", data(in, ""))
	if err != nil {
		return Prompt{}, err
	}
	n := newNames(&in)
	var tables []string
	used := 0
	for _, r := range Rank(in.Snapshot, in.Snapshot.Relations, in.Question+" "+in.Hint, in.Hits) {
		t := n.relation(r)
		if used += token.Count(t) + 1; used > 1000 {
			break
		}
		tables = append(tables, t)
	}
	v := data(in, "")
	v.Values, v.Calls, v.Notes = nil, nil, nil // what is asked for by tools is not told
	user, err := execute("interactive_question.tmpl", struct {
		view
		TableNames []string
	}{v, tables})
	if err != nil {
		return Prompt{}, err
	}
	return Prompt{System: system, User: user, Tokens: token.Count(system) + token.Count(user) + overhead}, nil
}

// Describe writes what a tool says of a column: its name, type, comment and
// statistics as far as privacy lets them go.
func Describe(in Input, c *catalog.Column) string {
	s := &profileStyle{in: &in, names: newNames(&in)}
	facts := append([]string{s.names.relation(c.Relation) + "." + ident(c.Name) + " " + s.in.typeOf(c)}, in.facts(c, !s.inRows(c))...)
	facts = append(facts, in.statistics(c, true)...)
	if p := c.Profile; p != nil && in.values() && p.Distinct >= 1 && !c.Unique && in.list(c) == nil {
		facts = append(facts, about(p.Distinct)+" distinct")
	}
	return strings.Join(facts, ", ")
}
