package joins

import (
	"cmp"
	"slices"
	"strings"
	"time"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
	"askpg/catalog/schema"
)

// maxDecoded bounds the codes of a column that a view explains.
const maxDecoded = 16

// Decode notes what the CASE of views says that the codes of columns stand for, as labels of the columns. No other snapshot may have
// the relations yet: another role may not read the view, and another version may not have it.
// It takes no longer than limit: whoever may create views decides how many there are.
func Decode(relations []*schema.Relation, limit time.Duration) {
	byName := make(map[schema.Name]*schema.Relation, len(relations))
	for _, r := range relations {
		byName[r.Name] = r
	}
	lookup := func(of, name string) *schema.Relation { return byName[schema.Name{Schema: of, Name: name}] }
	m := newMiner(&Finder{Relations: relations, Lookup: lookup})
	began := time.Now()
	for _, r := range relations {
		if time.Since(began) > limit {
			return
		}
		if len(r.Definition) <= minedBytes && strings.Contains(r.Definition, "CASE") {
			m.view = r
			m.statement(r.Definition, 0)
		}
	}
}

// decode notes what a view's CASE says that the codes of a column stand for, if nobody has said it yet. Only a view of the
// table's owner is believed.
func (sc *scope) decode(n *pg_query.Node) {
	if sc.view == nil {
		return
	}
	if c := sc.view.Column(n.GetResTarget().GetName()); c != nil && c.Private {
		return // the texts are its values
	}
	subjects, texts := ask.Codes(n.GetResTarget().GetVal().GetCaseExpr())
	var decoded *schema.Column
	for _, s := range subjects {
		c := sc.column(s)
		if c == nil || decoded != nil && c.column != decoded {
			return
		}
		decoded = c.column
	}
	if decoded == nil || len(texts) > maxDecoded || decoded.Private || decoded.Relation.Owner != sc.view.Owner ||
		len(decoded.Labels) > 0 || strings.Contains(decoded.Comment, "=") {
		return
	}
	labels := make([]schema.Label, 0, len(texts))
	for value, text := range texts {
		labels = append(labels, schema.Label{Value: value, Text: text})
	}
	slices.SortFunc(labels, func(a, b schema.Label) int { return cmp.Compare(a.Value, b.Value) })
	decoded.Labels = labels
}
