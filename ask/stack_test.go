package ask_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"askpg/ask"
)

// deepest are texts of n tokens whose trees are as deep as a grammar rule of each kind makes
// them.
var deepest = map[string]func(n int) string{
	"operators":       func(n int) string { return "select 1" + strings.Repeat("+1", n/2) },
	"unary":           func(n int) string { return "select " + strings.Repeat("- ", n) + "a" },
	"not":             func(n int) string { return "select " + strings.Repeat("not ", n) + "a" },
	"and not":         func(n int) string { return "select " + strings.Repeat("a and not ", n/3) + "b" },
	"and or":          func(n int) string { return "select a" + strings.Repeat(" and b or c", n/4) },
	"parentheses":     func(n int) string { return "select " + nested("(", "1", ")", n/2) },
	"rows":            func(n int) string { return "select " + nested("row(", "1", ")", n/3) },
	"lists":           func(n int) string { return "select " + nested("(1,", "1", ")", n/4) },
	"arrays":          func(n int) string { return "select array" + nested("[", "1", "]", n/2) },
	"subscripts":      func(n int) string { return "select " + nested("a[", "1", "]", n/3) },
	"fields":          func(n int) string { return "select " + nested("(", "a", ").b", n/4) },
	"casts":           func(n int) string { return "select a" + strings.Repeat("::a", n/2) },
	"array types":     func(n int) string { return "select a::a" + strings.Repeat("[]", n/2) },
	"type modifiers":  func(n int) string { return "select a::" + nested("b(1::", "c", ")", n/5) },
	"collations":      func(n int) string { return "select a" + strings.Repeat(" collate b", n/2) },
	"time zones":      func(n int) string { return "select a" + strings.Repeat(" at time zone b", n/4) },
	"null tests":      func(n int) string { return "select " + nested("(", "a", " isnull)", n/3) },
	"truth tests":     func(n int) string { return "select " + nested("(", "a", " is true)", n/4) },
	"case":            func(n int) string { return "select " + nested("case when a then ", "1", " end", n/5) },
	"case of":         func(n int) string { return "select " + nested("case ", "1", " when a then b end", n/6) },
	"functions":       func(n int) string { return "select " + nested("f(", "1", ")", n/3) },
	"aggregates":      func(n int) string { return "select " + nested("f(a order by ", "a", ")", n/6) },
	"windows":         func(n int) string { return "select " + nested("f() over (order by ", "a", ")", n/8) },
	"coalesce":        func(n int) string { return "select " + nested("coalesce(", "a", ")", n/3) },
	"xml":             func(n int) string { return "select " + nested("xmlelement(name a,", "b", ")", n/6) },
	"json":            func(n int) string { return "select " + nested("json_object(a:", "b", ")", n/5) },
	"json of queries": func(n int) string { return "select " + nested("json_array(select ", "b", ")", n/4) },
	"json paths":      func(n int) string { return "select a" + strings.Repeat("->'b'", n/2) },
	"in":              func(n int) string { return "select " + nested("a in (", "1", ")", n/4) },
	"any":             func(n int) string { return "select " + nested("a = any(", "b", ")", n/5) },
	"between":         func(n int) string { return "select " + nested("a between (", "b", ") and c", n/6) },
	"queries":         func(n int) string { return "select " + nested("(select ", "1", ")", n/3) },
	"order by":        func(n int) string { return "select order by " + nested("(select order by ", "a", ")", n/5) },
	"limit":           func(n int) string { return "select limit " + nested("(select limit ", "1", ")", n/4) },
	"group by":        func(n int) string { return "select group by " + nested("cube(", "a", ")", n/3) },
	"values":          func(n int) string { return nested("values((", "1", "))", n/5) },
	"from":            func(n int) string { return nested("select from (", "select", ")a", n/5) },
	"from functions":  func(n int) string { return "select from " + nested("f((select from ", "a", "))", n/7) },
	"lateral":         func(n int) string { return "select from " + nested("lateral (select from ", "a", ")b", n/6) },
	"samples": func(n int) string {
		return "select from a tablesample b(" + nested("(select from a tablesample b(", "1", "))", n/9) + ")"
	},
	"with":         func(n int) string { return nested("with a as (", "select", ") table a", n/7) },
	"union":        func(n int) string { return "table a" + strings.Repeat(" union table a", n/3) },
	"union nested": func(n int) string { return nested("table a union (", "table a", ")", n/5) },
	"joins":        func(n int) string { return "select from a" + strings.Repeat(" cross join a", n/3) },
	"joins nested": func(n int) string { return "select from " + nested("(a cross join ", "a", ")", n/5) },
	"joins on":     func(n int) string { return "select from a " + nested("join a ", "", "on b ", n/4) },
	"comments":     func(n int) string { return "select " + nested("/* ", "", "*/ ", n/4) + "1" },
	"statements":   func(n int) string { return strings.Repeat("select;", n/2) },
	"explain":      func(n int) string { return strings.Repeat("explain ", n) + "select" },
	"schemas":      func(n int) string { return strings.Repeat("create schema a ", n/3) },
	"rules":        func(n int) string { return nested("create rule a as on select to b do (", "select", ")", n/11) },
}

func nested(before, inner, after string, n int) string {
	return strings.Repeat(before, n) + inner + strings.Repeat(after, n)
}

// TestStack parses the deepest texts that pass Parseable, and makes them SQL again, in
// processes that were started with a small stack, the usual one, and one without a limit.
// None of them ends by a signal.
func TestStack(t *testing.T) {
	if os.Getenv("ASKPG_STACK") != "" {
		if err := ask.CheckStack(); err != nil {
			t.Fatal(err)
		}
		for name, text := range deepest {
			sql := text(ask.MaxTokens - 10)
			if err := ask.Parseable(sql); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			_, _ = ask.ParseJSON(sql)
			_, _ = ask.Fingerprint(sql)
			if tree, err := ask.Parse(sql); err == nil {
				_, _ = ask.Deparse(tree)
			}
			if err := ask.Parseable(text(ask.MaxTokens + 200)); name != "comments" && ask.CodeOf(err) != ask.CodeTooComplex {
				t.Errorf("%s: more tokens are not refused: %v", name, err)
			}
		}
		return
	}
	for _, size := range []string{"256", "2048", "unlimited"} {
		t.Run(size, func(t *testing.T) {
			if testing.Short() && size != "256" {
				t.Skip("takes seconds of processor time; with -short the smallest stack stands for it")
			}
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), "sh", "-c", fmt.Sprintf(`ulimit -S -s %s && exec "$0" -test.run '^TestStack$'`, size), os.Args[0])
			cmd.Env = append(os.Environ(), "ASKPG_STACK=1")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%.2000s", err, out)
			}
		})
	}
}
