package replica_test

import (
	"fmt"
	"strings"
)

// expressions are what a statement may have in its select list or condition.
// What stands in braces is filled in: col, col2 columns of the relation with the
// alias s, raw a literal of col's type, type, lit and value a type and its values
// (the same type within one expression), e another expression.
var expressions = []string{
	"{col}", "{col}", "{col}", "{value}", "{value}", "{value}", "{lit}::{type}", "{lit}::{type}", "cast({lit} as {type})", "{type} {lit}", "{type}({lit})", "null::{type}",
	"{arrlit}::{arr}", "cast({arrlit} as {arr})", "{arr} {arrlit}", "array[{lit}]::{arr}", "array[{value}]", "{value} = {lit}", "{arrlit}::{arr} && {arrlit}",
	"{col} = {raw}", "{col} = {raw}", "{col} in ({raw}, {raw})", "{col} = any (array[{raw}])", "{col} = {col2}", "{col} < {col2}", "{col} is distinct from {raw}", "{col} between {raw} and {raw}",
	"{col}::{type}", "{col}::text", "{col}::json", "{col}::int", "cast({col} as varchar)", "{type}({col})", "{col}.{fn1}", "({col}).{fn1}", "text({col})",
	"{col} || 'x'::text", "'x'::text || {col}", "{col} || {col2}", "{col} || {raw}", "{col} + 1", "- {col}",
	"{fn}({col})", "{fn}({col})", "{fn}({col}, {e})", "{fn}({e})", "{fn}({value})", "{fn}({lit})", "{fn}(1)", "{fn}('x')", "{fn}(s)", "s.{fn1}", "(s).{fn1}",
	"{e} {op} {e}", "{col} {op} {raw}", "{col} {op} {col2}", "{value} {op} {lit}",
	"coalesce({col}, {raw})", "nullif({col}, {raw})", "greatest({col}, {raw})", "case {col} when {raw} then 1 end", "case when {e} = {e} then {col} else {raw} end",
	"row({e}, {e})", "row({col}) = row({raw})", "({col}, 1) < ({raw}, 2)", "array[{col}, {raw}]", "s", "s::text", "s = s", "s is not null", "(s).a", "{col} is null",
	"to_json({col})", "to_jsonb(s)", "row_to_json(s)", "json_build_object('a', {col})", "jsonb_build_array({value})", "quote_nullable({col})", "quote_literal(s)", "format('%s', {col})", "concat({col}, {e})",
	"json_populate_record(null::{type}, '{\"a\": 1, \"b\": [1]}')", "jsonb_populate_record(s, '{\"a\": \"x\", \"b\": \"1\"}')", "null::{type} #= 'a=>1'::public.hstore", "public.populate_record(s, 'a=>1')",
	"json_array({e})", "json_object({col})", "json_scalar({col})", "json_value({col}, '$')", "json_query('[1]', '$')", "overlay({col} placing 'x' from 1)", "substring({col} from 1)", "position('x' in {col})", "trim({col})", "extract(epoch from {col})", "normalize({col})",
	"{col} at time zone 'UTC'", "{col} similar to 'x'", "{col} like {raw}", "{col} is json", "{col} collate \"C\"", "({col})[1]", "array_append(array[{col}], {raw})", "array_position(array[{col}], {raw})", "array_to_string(array[{col}], ',')", "width_bucket({col}, array[{col}])",
	"exists ({query})", "(select {col} {from2} limit 1)", "{col} in (select {col2} {from2})", "array(select {col})", "({e})", "treat({col} as {type})", "xmlelement(name a, {col})", "xmlforest({col} as b)",
	"s.id::{type}", "'{}'::jsonb", "{raw}", "length({col})", "upper({col})", "lower({col})", "round({col})", "abs({lit})", "date_trunc('month', {col})",
}

var aggregates = []string{
	"count({col})", "count(distinct {col})", "count(distinct s)", "max({col})", "min(s)", "sum({col})", "array_agg({col} order by {col2})", "json_agg(s)", "jsonb_agg({col})", "json_object_agg(1, {col})", "string_agg({col}::text, ',')", "string_agg({col}, {raw})",
	"mode() within group (order by {col})", "percentile_disc(0.5) within group (order by {col})", "{fn}({col})", "{fn}({col} order by {col2})", "{fn}(distinct {col})", "count(*) filter (where {e} = {e})",
	"rank() over (order by {col})", "{fn}({col}) over (partition by {col2})", "lag({col}, 1, {raw}) over (order by {col2})", "sum({col}) over (order by {col2} range between 1 preceding and current row)", "bool_and({e} = {e})",
}

var shapes = []string{
	"select {e} {from}", "select {e} {from}", "select {e}, {e} {from} where {e} = {e}", "select {e}", "select {e}", "select * {from}", "select * {from} where {col} = {raw}", "select * {from} where {e}", "table {rel}", "select 1 {from}", "select count(*) {from} where {col} is not null",
	"select * {from} order by {col}", "select * {from} order by {e} limit 3", "select distinct {col} {from}", "select distinct on ({e}) {col} {from}", "select distinct s {from}", "select {col}, count(*) {from} group by {col}", "select {e} {from} group by 1", "select {col} {from} group by rollup ({col}) having {agg} = {agg}",
	"select {agg} {from}", "select {agg}, {agg} {from}", "select {agg} {from} where {col} = {raw}", "select i.id from shop.items i order by (select {agg} {from})",
	"select {col} {from} union select {raw}", "select {col} {from} union all select {e}", "select {col} {from} intersect select {raw}", "select {e} except select {e}", "({query}) union ({query})",
	"with w as ({query}) select * from w", "with w as materialized ({query}) select count(*) from w", "with recursive r(n) as (select {value} union select n from r) select * from r", "values ({e}), ({e})", "select * from (values ({value}), ({lit})) v(x) where x = {lit}",
	"select * from {fn}({e})", "select * from {fn}(1) f", "select * from shop.items s, {fn}({col}) f", "select * from rows from ({fn}(1), {fn}({lit})) r", "select (f).* from {fn}({e}) f",
	"select * from json_to_record('{\"a\": 1}') as x(a {type})", "select * from json_populate_recordset(null::{type}, '[{\"a\": 1}]')", "select * from jsonb_to_recordset('[{\"a\": [1]}]') as x(a {arr})", "select * from xmltable('/x' passing '<x>1</x>' columns a {type} path '.')", "select * from xmltable('/x' passing '<x/>' columns a {arr} default {arrlit})", "select * from unnest({arrlit}::{arr}) u",
	"select * from {rel} tablesample bernoulli (50) s where {e}", "select * from only {rel} s", "select * from {rel} s natural join {rel}", "select {e} from {rel} s join shop.items i on i.id = {col}", "select {e} from shop.items i left join {rel} s on {col} = {raw}", "select l.* from shop.items s, lateral (select {e}) l", "select x from (select {e} as x {from}) q where x = {lit}", "select (q.x).* from (select {value} as x) q", "select s.* {from} join {rel} u using (a)", "select q from ({query}) q", "select to_json(q) from ({query}) q", "select q::text from ({query}) q", "select {e} {from} limit {e}", "select {e} {from} offset {fn}(1)", "select sum(id) over w from shop.items s window w as (order by {e})",
}

// fill fills a template in. A depth of 0 has no further expressions.
func (w *fuzzWorld) fill(template, alias string, rel *fuzzRelation, depth int) string {
	t := w.any()
	arr := arrayOf(t)
	col, col2 := pick(w, rel.cols), pick(w, rel.cols)
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(template, "{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed || name == "" || strings.ContainsAny(name, `" `) { // JSON
			b.WriteString("{")
			template = rest
			continue
		}
		template = after
		switch name {
		case "col":
			b.WriteString(alias + "." + col.name)
		case "col2":
			b.WriteString(alias + "." + col2.name)
		case "raw":
			b.WriteString(col.t.literal(w.Rand))
		case "type":
			b.WriteString(w.bare(t.name))
		case "lit":
			b.WriteString(t.literal(w.Rand))
		case "value":
			b.WriteString(t.value(w.Rand))
		case "arr":
			b.WriteString(w.bare(arr.name))
		case "arrlit":
			b.WriteString(arr.literal(w.Rand))
		case "fn":
			b.WriteString(w.bare(pick(w, w.functions)))
		case "fn1":
			f := pick(w, w.functions)
			b.WriteString(f[strings.LastIndexByte(f, '.')+1:])
		case "op":
			b.WriteString(pick(w, w.operators))
		case "rel":
			b.WriteString(w.bare(pick(w, w.relations).name))
		case "e":
			if depth == 0 {
				b.WriteString(pick(w, []string{alias + "." + col.name, t.value(w.Rand), "1", "'x'"}))
			} else {
				b.WriteString(w.fill(pick(w, expressions), alias, rel, depth-1))
			}
		case "agg":
			b.WriteString(w.fill(pick(w, aggregates), alias, rel, 0))
		case "query":
			b.WriteString(w.query(max(depth-1, 0)))
		case "from":
			b.WriteString("from " + w.bare(rel.name) + " s")
		case "from2":
			b.WriteString("from " + w.bare(rel.name) + " s")
		default:
			panic("no hole is called " + name)
		}
	}
}

// bare leaves the schema out now and then, and spells a name in other ways.
func (w *fuzzWorld) bare(name string) string {
	schema, rest, ok := strings.Cut(name, ".")
	if !ok {
		return name
	}
	switch w.IntN(8) {
	case 0, 1:
		return rest
	case 2:
		return fmt.Sprintf("%q . %s", schema, rest)
	case 3:
		return `U&"\00` + fmt.Sprintf("%x", schema[0]) + schema[1:] + `".` + rest
	}
	return name
}

// query makes a statement.
func (w *fuzzWorld) query(depth int) string {
	rel := pick(w, w.relations)
	if w.IntN(3) > 0 && len(w.relations) > trustedRelations {
		rel = w.relations[trustedRelations+w.IntN(len(w.relations)-trustedRelations)]
	}
	shape := pick(w, shapes)
	if !strings.Contains(shape, " s") && strings.HasPrefix(shape, "select {e}") && !strings.Contains(shape, "{from}") {
		shape += " {from}"
	}
	return w.fill(shape, "s", rel, depth)
}
