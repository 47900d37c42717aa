package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/reflect/protoreflect"

	"askpg/ask"
	"askpg/catalog/schema"
)

// bind resolves the columns of an expression: those without a table are r's.
func (b *builder) bind(r *Relation, text string) (schema.Expression, []*Relation, error) {
	refs, _, err := columnRefs(text)
	if err != nil {
		return schema.Expression{}, nil, err
	}
	return b.bindRefs(r, text, refs, b.relation)
}

// bindRefs is bind for an expression whose columns are found already. relation finds the relations that it names.
func (b *builder) bindRefs(r *Relation, text string, refs []columnRef, relation func(string) (*Relation, error)) (schema.Expression, []*Relation, error) {
	e := schema.Expression{Text: text}
	var rels []*Relation
	for _, ref := range refs {
		rel := r
		if n := len(ref.names); n > 1 {
			var err error
			if rel, err = relation(strings.Join(ref.names[:n-1], ".")); err != nil {
				return schema.Expression{}, nil, err
			}
		}
		name := ref.names[len(ref.names)-1]
		c := rel.Column(name)
		if c == nil {
			return schema.Expression{}, nil, fmt.Errorf("role %q can read no column %q of table %q", b.snap.Role, name, rel.Name.Name)
		}
		if err := labelled(c, ref.compared); err != nil {
			return schema.Expression{}, nil, err
		}
		e.Refs = append(e.Refs, schema.Reference{Start: ref.start, End: ref.end, Column: c})
		rels = append(rels, rel)
	}
	return e, rels, nil
}

// columnRef is a column's place in an expression.
type columnRef struct {
	names      []string
	start, end int
	compared   []string // the texts that it is compared with
}

// columnRefs parses a scalar expression and returns its columns in order, and its tree. It
// accepts no subquery and nothing that ends the expression, or hides what stands behind it.
func columnRefs(text string) (refs []columnRef, expression *pg_query.Node, err error) {
	const before = "SELECT ("
	if strings.IndexByte(text, 0) >= 0 {
		return nil, nil, errors.New("a NUL byte cannot be part of it")
	}
	scan, err := ask.Scan(text)
	if err != nil {
		return nil, nil, err
	}
	if slices.ContainsFunc(scan.Tokens, func(t *pg_query.ScanToken) bool {
		return t.Token == pg_query.Token_SQL_COMMENT || t.Token == pg_query.Token_C_COMMENT
	}) {
		return nil, nil, errors.New("a comment cannot be part of it")
	}
	alone, err := ask.Parse("SELECT " + text) // a list is two columns here, and in parentheses a row
	if err != nil {
		return nil, nil, err
	}
	tree, err := ask.Parse(before + text + "\n)")
	if err != nil {
		return nil, nil, err
	}
	for _, t := range []*pg_query.ParseResult{alone, tree} {
		if len(t.Stmts) != 1 || len(t.Stmts[0].Stmt.GetSelectStmt().GetTargetList()) != 1 {
			return nil, nil, errors.New("it must be one expression")
		}
	}
	starts := map[int]bool{}
	if err := findColumns(tree.ProtoReflect(), len(before), starts); err != nil {
		return nil, nil, err
	}
	compared := comparedTexts(tree.ProtoReflect(), len(before))
	tokens := scan.Tokens
	for i := 0; i < len(tokens); i++ {
		start := int(tokens[i].Start)
		if !starts[start] {
			continue
		}
		ref := columnRef{[]string{unquote(text[start:tokens[i].End])}, start, int(tokens[i].End), compared[start]}
		for i+2 < len(tokens) && tokens[i+1].Token == pg_query.Token_ASCII_46 {
			i += 2
			ref.names = append(ref.names, unquote(text[tokens[i].Start:tokens[i].End]))
			ref.end = int(tokens[i].End)
		}
		refs = append(refs, ref)
	}
	return refs, tree.Stmts[0].Stmt.GetSelectStmt().TargetList[0].GetResTarget().Val, nil
}

// findColumns collects where the columns of a parse tree begin.
func findColumns(tree protoreflect.Message, offset int, starts map[int]bool) (err error) {
	ask.Walk(tree, func(m protoreflect.Message) {
		switch n := m.Interface().(type) {
		case *pg_query.ColumnRef:
			if n.Fields[len(n.Fields)-1].GetAStar() != nil {
				err = errors.New("it must name its columns, not *")
				return
			}
			starts[int(n.Location)-offset] = true
		case *pg_query.SubLink:
			err = errors.New("a subquery cannot be part of it")
		case *pg_query.FuncCall:
			if n.Over != nil {
				err = errors.New("a window function cannot be part of it")
			}
		case *pg_query.ParamRef:
			err = errors.New("a parameter cannot be part of it")
		}
	})
	return err
}

func unquote(s string) string {
	if len(s) > 1 && s[0] == '"' {
		return strings.ReplaceAll(s[1:len(s)-1], `""`, `"`)
	}
	return strings.ToLower(s)
}
