package catalog

import (
	"fmt"
	"slices"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/reflect/protoreflect"

	"askpg/ask"
)

// labelled says which of the texts that a column of an enum type is compared with is none of its labels: PostgreSQL refuses that
// when a question is asked.
func labelled(c *Column, texts []string) error {
	for _, t := range texts {
		if len(c.Enum) > 0 && !slices.Contains(c.Enum, t) {
			return fmt.Errorf("column %q has no value %q, but %s", c.Name, t, strings.Join(c.Enum, ", "))
		}
	}
	return nil
}

// comparedTexts returns the texts that columns are compared with, by where the columns begin: status = 'open', status IN ('a', 'b').
func comparedTexts(tree protoreflect.Message, offset int) map[int][]string {
	out := map[int][]string{}
	ask.Walk(tree, func(m protoreflect.Message) {
		e, ok := m.Interface().(*pg_query.A_Expr)
		if !ok || len(e.Name) != 1 || !slices.Contains([]string{"=", "<>"}, e.Name[0].GetString_().GetSval()) {
			return
		}
		for _, side := range [][2]*pg_query.Node{{e.Lexpr, e.Rexpr}, {e.Rexpr, e.Lexpr}} {
			column := side[0].GetColumnRef() // with another type it may be compared with any text
			if column == nil {
				continue
			}
			for _, n := range append(side[1].GetList().GetItems(), side[1]) {
				if text := ask.Uncast(n).GetAConst().GetSval(); text != nil {
					at := int(column.Location) - offset
					out[at] = append(out[at], text.Sval)
				}
			}
		}
	})
	return out
}
