package guard

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"askpg/ask"
)

// statements are the corpus of hostile statements, and queries that show what the
// grammar has.
func statements(t testing.TB) []string {
	t.Helper()
	var list []string
	text, err := os.ReadFile(filepath.Join("..", "testdata", "hostile.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		if _, sql, ok := strings.Cut(line, "\t"); ok {
			list = append(list, strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\\`, `\`).Replace(sql))
		}
	}
	if len(list) < 300 {
		t.Fatalf("%d statements of the corpus", len(list))
	}
	return append(list,
		"select", "select 1, -1, 1.5, '', null, true, false, b'101', x'ff', e'a\\n\"\\\\<>\\u0001', U&'\\0061'", "values (1), (2) order by 1 limit 1 offset 1",
		"with recursive a(b) as not materialized (select 1 union all select b + 1 from a) search depth first by b set o cycle b set c to true default false using p select * from a",
		"select distinct on (a) a, count(*) filter (where b) over w, f(variadic x), g(a => 1, b := 2) from t as s(x, y) tablesample system (1) repeatable (2), lateral (select 1) q, "+
			"rows from (f(1) as (a int), g(2)) with ordinality window w as (partition by a order by b desc nulls last rows between 1 preceding and current row exclude ties)",
		"select a[1], a[1:2], a[:], (a).b.*, array[1, 2]::int[], row(1, 2), (1, 2) = (select 1, 2), a = any (b), a like any (array['x']), case a when 1 then 2 else 3 end, "+
			"coalesce(1, 2), greatest(1, 2), nullif(1, 2), a is distinct from b, a between symmetric 1 and 2, a in (1, 2), not a, a is null, a is not true, a collate \"C\", a::numeric(10, 2), "+
			"interval '1' year to month, current_date, current_timestamp(3), a at time zone 'UTC', exists (select 1), array(select 1), extract(year from a), xmlelement(name x, xmlattributes(a as b), c), "+
			"json_object('a': 1), json_array(1, 2), json_arrayagg(a order by a), a is json object, grouping(a), percentile_cont(0.5) within group (order by a)",
		"select a from t natural left join u full join v using (x) as j cross join w join x on true group by grouping sets ((), (a), rollup (a, b), cube (c)) having true union all select 1 except select 2 intersect select 3",
		"select * from xmltable('/r' passing a columns b int path 'c' default 1 not null, d for ordinality) x, json_array_elements('[]') with ordinality as y(a, b)", "table only t", "select 1 for update of t skip locked",
		"select a operator(pg_catalog.+) b, - a, a !~~ b, @ c order by a using operator(public.<)", "select 1 limit all", "select 1 fetch first 3 rows with ties", "select from", `select "A""b"."c d"`, "select 1;", "select 1; select 2", "")
}

// TestReading reads every statement in two ways, which must give
// the same tree: as the guard does, out of libpg_query's JSON, and from the
// messages that libpg_query itself makes of the statement.
func TestReading(t *testing.T) {
	compared := 0
	for _, sql := range statements(t) {
		text, err := ask.ParseJSON(sql)
		if err != nil {
			continue
		}
		parsed, err := ask.Parse(sql)
		if err != nil {
			continue
		}
		tree, err := readTree(text)
		if err != nil {
			// A node that libpg_query has no name for is refused.
			if !strings.Contains(err.Error(), "want a node") {
				t.Errorf("%s: %v", sql, err)
			}
			continue
		}
		compared++
		var got, want []string
		flatten(tree, 0, &got)
		tree.release()
		flattenMessage(parsed.ProtoReflect(), &want)
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%s", sql, difference(got, want))
		}
	}
	if compared < 400 {
		t.Errorf("only %d statements were compared", compared)
	}
}

// TestReading_Refuses has the reader refuse what libpg_query does not write:
// every cut and every changed byte of a tree is either refused or another tree, and
// names that no message has are refused.
func TestReading_Refuses(t *testing.T) {
	text, err := ask.ParseJSON("select a.b, nextval('s') from t where x in (1, 2)")
	if err != nil {
		t.Fatal(err)
	}
	refused := func(json string) bool {
		tree, err := readTree(json)
		if err == nil {
			tree.release()
		}
		return err != nil
	}
	if refused(text) {
		t.Fatal("the tree itself is refused")
	}
	for i := range text {
		if !refused(text[:i]) {
			t.Errorf("taken although cut off at %d", i)
		}
		if c := text[i]; strings.IndexByte(`{}[]:`, c) >= 0 && !refused(text[:i]+text[i+1:]) {
			t.Errorf("taken without %q at %d", c, i)
		}
	}
	for _, key := range regexp.MustCompile(`"(\w+)":`).FindAllStringSubmatchIndex(text, -1) {
		for _, name := range []string{"nosuch", text[key[2] : key[3]-1], text[key[2]:key[3]] + "x", "", strings.ToUpper(text[key[2]:key[3]])} {
			if !refused(text[:key[2]] + name + text[key[3]:]) {
				t.Errorf("taken with %q in place of %s", name, text[key[2]:key[3]])
			}
		}
	}
}

// TestFields has every name that the walk looks for be one of the grammar's, so
// that another libpg_query cannot leave one unseen.
func TestFields(t *testing.T) {
	g := shapes()
	there := map[fieldID]bool{}
	names := map[string]bool{}
	for _, s := range g.all {
		names[s.name] = true
		for _, f := range s.fields {
			there[f.id] = true
		}
	}
	for name, id := range fieldIDs {
		if !there[id] {
			t.Errorf("no message has a field %s", name)
		}
	}
	for name := range kinds {
		if !names[name] {
			t.Errorf("there is no message %s", name)
		}
	}
	r := builtinRules()
	for name := range r.nodes {
		if !names[name] {
			t.Errorf("the policy has a node %s, and there is no such message", name)
		}
	}
}

// flatten lists the elements of a tree with their fields and texts.
func flatten(t *parseTree, i int32, out *[]string) {
	s := t.shape(i)
	*out = append(*out, s.name+"{")
	var scalars []string
	for c := t.elements[i].child; c != 0; c = t.elements[c].next {
		if t.elements[c].shape != 0 {
			continue
		}
		for name, id := range fieldIDs {
			if id == t.elements[c].field {
				var v any
				raw := t.text[t.elements[c].start:t.elements[c].end]
				if json.Unmarshal([]byte(`"`+raw+`"`), &v) != nil {
					v = "not JSON: " + raw
				}
				scalars = append(scalars, fmt.Sprintf("%s=%v", name, v))
			}
		}
	}
	*out = append(*out, told(scalars)...)
	for c := t.elements[i].child; c != 0; c = t.elements[c].next {
		if t.elements[c].shape != 0 {
			*out = append(*out, "."+nameOf(t.elements[c].field))
			flatten(t, c, out)
		}
	}
	*out = append(*out, "}")
}

// told sorts scalars and leaves out what one of the two writes and the other does
// not: places in the text, empty strings, and numbers of Integer below 1, which the JSON has
// as none.
func told(scalars []string) []string {
	sort.Strings(scalars)
	return slices.DeleteFunc(scalars, func(s string) bool {
		name, value, _ := strings.Cut(s, "=")
		switch name {
		case "location", "stmtLocation", "stmtLen", "version":
			return true
		}
		return value == "" || value == "false" || name == "ival" && value[0] == '-'
	})
}

func nameOf(id fieldID) string {
	for name, n := range fieldIDs {
		if n == id {
			return name
		}
	}
	return "?"
}

// flattenMessage lists a message as flatten does a tree.
func flattenMessage(m protoreflect.Message, out *[]string) {
	*out = append(*out, string(m.Descriptor().Name())+"{")
	var scalars []string
	type inner struct {
		field string
		m     protoreflect.Message
	}
	var inners []inner
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if !m.Has(f) {
			continue
		}
		each := func(v protoreflect.Value) {
			switch f.Kind() {
			case protoreflect.MessageKind:
				one := v.Message()
				for one.Descriptor().Name() == "Node" {
					which := one.WhichOneof(one.Descriptor().Oneofs().Get(0))
					if which == nil {
						return // an empty place
					}
					one = one.Get(which).Message()
				}
				inners = append(inners, inner{f.JSONName(), one})
			case protoreflect.EnumKind:
				scalars = append(scalars, fmt.Sprintf("%s=%s", f.JSONName(), f.Enum().Values().ByNumber(v.Enum()).Name()))
			default:
				scalars = append(scalars, fmt.Sprintf("%s=%v", f.JSONName(), v.Interface()))
			}
		}
		if f.IsList() {
			for k := range m.Get(f).List().Len() {
				each(m.Get(f).List().Get(k))
			}
		} else {
			each(m.Get(f))
		}
	}
	*out = append(*out, told(scalars)...)
	for _, in := range inners {
		*out = append(*out, "."+in.field)
		flattenMessage(in.m, out)
	}
	*out = append(*out, "}")
}

func difference(got, want []string) string {
	for i := range max(len(got), len(want)) {
		a, b := "nothing", "nothing"
		if i < len(got) {
			a = got[i]
		}
		if i < len(want) {
			b = want[i]
		}
		if a != b {
			return fmt.Sprintf("at %d of %d and %d, after %q: got %q, want %q", i, len(got), len(want), want[max(0, i-6):min(i, len(want))], a, b)
		}
	}
	return ""
}
