// Package analysed reads what PostgreSQL's own analysis says of a query: the
// columns that it reads and the functions and operators that it calls, by OID. The
// analysis is a pg_node_tree (outfuncs.c), as debug_print_parse logs it of a
// statement and pg_rewrite keeps it of a view.
//
// It is closed: a node that is not known makes the whole query unknown.
package analysed

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Query is what a query, its subqueries included, reads and calls. What stands
// behind views and functions is no part of it.
type Query struct {
	// Columns has the columns of each relation that the query reads, by their
	// numbers; 0 stands for whole rows, system columns are left out. It is what PostgreSQL
	// asks for the privilege to read: what joins, orders, filters and groups use is among it.
	Columns   map[uint32][]int16
	Functions []uint32
	Operators []uint32
	// Asks says that the query reads who is asking, or where (CURRENT_USER).
	Asks bool
}

// Whole is the number of a whole row among the columns.
const Whole = 0

// kinds are the nodes of a query that only reads, as outfuncs.c of PostgreSQL 12 to 18 writes them: until 15 some have
// shorter labels than their types.
var kinds = func() map[string]bool {
	m := map[string]bool{}
	for k := range strings.FieldsSeq(`QUERY RTE RANGETBLENTRY RTEPERMISSIONINFO ALIAS TARGETENTRY VAR CONST PARAM FUNCEXPR NAMEDARGEXPR OPEXPR DISTINCTEXPR
		NULLIFEXPR SCALARARRAYOPEXPR BOOLEXPR SUBLINK FROMEXPR JOINEXPR RANGETBLREF RANGETBLFUNCTION TABLESAMPLECLAUSE AGGREF GROUPINGFUNC
		WINDOWFUNC WINDOWCLAUSE SORTGROUPCLAUSE GROUPINGSET SETOPERATIONSTMT COMMONTABLEEXPR CTESEARCHCLAUSE CTECYCLECLAUSE CASE CASEEXPR WHEN
		CASEWHEN CASETESTEXPR COALESCE COALESCEEXPR MINMAX MINMAXEXPR NULLTEST BOOLEANTEST RELABELTYPE COERCEVIAIO ARRAYCOERCEEXPR
		CONVERTROWTYPEEXPR COLLATE COLLATEEXPR ARRAY ARRAYEXPR ROW ROWEXPR ROWCOMPARE ROWCOMPAREEXPR FIELDSELECT SUBSCRIPTINGREF
		SQLVALUEFUNCTION COERCETODOMAIN COERCETODOMAINVALUE XMLEXPR JSONFORMAT JSONRETURNING JSONVALUEEXPR JSONCONSTRUCTOREXPR JSONISPREDICATE`) {
		m[k] = true
	}
	return m
}()

// Known says whether a node of this label only reads. The guard of replicas lets these through, too.
func Known(label string) bool { return kinds[label] }

// lowest is the number of the first system column of a relation, from which
// sets of columns count (FirstLowInvalidHeapAttributeNumber).
const lowest = -7

// tableOID is the number of tableoid.
const tableOID = -6

// lastDate is the last SQLValueFunctionOp that is a date or time; those behind
// it are roles, the database and a schema.
const lastDate = 8

// Read reads a tree. An error says what of it is not understood.
func Read(tree string) (*Query, error) {
	r := &reader{text: tree, q: &Query{Columns: map[uint32][]int16{}}, functions: map[uint32]bool{}, operators: map[uint32]bool{}}
	if err := r.read(); err != nil {
		return nil, err
	}
	for oid, cols := range r.q.Columns {
		slices.Sort(cols)
		r.q.Columns[oid] = slices.Compact(cols)
	}
	r.q.Functions = slices.Sorted(maps.Keys(r.functions))
	r.q.Operators = slices.Sorted(maps.Keys(r.operators))
	return r.q, nil
}

type reader struct {
	text      string
	at        int
	q         *Query
	open      []node
	functions map[uint32]bool
	operators map[uint32]bool
}

// node is one that is being read.
type node struct {
	kind     string
	relation uint32
}

func (r *reader) read() error {
	for {
		word, err := r.word()
		switch {
		case err != nil:
			return err
		case word == "" && len(r.open) > 0:
			return fmt.Errorf("the tree has no end")
		case word == "":
			return nil
		case word == "{":
			kind, err := r.word()
			if err != nil || !kinds[kind] {
				return fmt.Errorf("a node %.40q is not known", kind)
			}
			r.open = append(r.open, node{kind: kind})
		case word == "}":
			if len(r.open) == 0 {
				return fmt.Errorf("a node ends that has not begun")
			}
			r.open = r.open[:len(r.open)-1]
		case word[0] == ':' && len(r.open) > 0:
			if err := r.field(word[1:]); err != nil {
				return err
			}
		}
	}
}

// field reads the value of a field, unless it is a node or a list of nodes,
// which read goes into.
func (r *reader) field(name string) error {
	in := &r.open[len(r.open)-1]
	value, err := r.values()
	if err != nil {
		return err
	}
	switch name {
	case "relid":
		oid, err := number(value)
		if err != nil {
			return fmt.Errorf("field %s: %w", name, err)
		}
		if _, known := r.q.Columns[oid]; oid != 0 && !known {
			r.q.Columns[oid] = nil
		}
		in.relation = oid
	case "rtekind":
		if kind, err := number(value); err != nil || kind == 4 || kind == 7 || kind > 9 {
			return fmt.Errorf("a range table entry of kind %.20q is not known", value)
		}
	case "selectedCols":
		return r.columns(in.relation, value)
	case "commandType":
		if len(value) != 1 || value[0] != "1" {
			return fmt.Errorf("it is no SELECT")
		}
	case "op":
		if op, err := number(value); in.kind == "SQLVALUEFUNCTION" && (err != nil || op > lastDate) {
			r.q.Asks = true
		}
	case "funcid", "aggfnoid", "winfnoid", "opfuncid", "elemfuncid", "tsmhandler", "startInRangeFunc", "endInRangeFunc":
		return add(r.functions, value)
	case "opno", "opnos", "sortop", "eqop", "cycle_mark_neop":
		return add(r.operators, value)
	}
	return nil
}

// columns adds a set of attribute numbers, a Bitmapset, to the columns of a relation.
func (r *reader) columns(relation uint32, value []string) error {
	for _, v := range value {
		if v == "b" || v == "<>" {
			continue
		}
		n, err := strconv.ParseInt(v, 10, 16)
		if err != nil || relation == 0 {
			return fmt.Errorf("a set of columns %.60q is of no relation", value)
		}
		num := int16(n) + lowest
		if num == tableOID {
			num = Whole // the partition of a row tells what its key is
		}
		if num >= Whole {
			r.q.Columns[relation] = append(r.q.Columns[relation], num)
		}
	}
	return nil
}

func add(m map[uint32]bool, value []string) error {
	for _, v := range value {
		if v == "o" || v == "<>" {
			continue
		}
		oid, err := number([]string{v})
		if err != nil {
			return err
		}
		if oid != 0 {
			m[oid] = true
		}
	}
	return nil
}

func number(value []string) (uint32, error) {
	if len(value) != 1 {
		return 0, fmt.Errorf("%.60q is no number", value)
	}
	n, err := strconv.ParseUint(value[0], 10, 32)
	return uint32(n), err
}

// values reads the words of a field's value: one, or those of a list of
// scalars. Of a node or a list of nodes it reads nothing.
func (r *reader) values() ([]string, error) {
	before := r.at
	word, err := r.word()
	switch {
	case err != nil:
		return nil, err
	case word == "{" || word == "}":
		r.at = before
		return nil, nil
	case word != "(":
		return []string{word}, nil
	}
	var list []string
	for {
		before := r.at
		word, err := r.word()
		switch {
		case err != nil:
			return nil, err
		case word == ")":
			return list, nil
		case word == "{" || word == "}" || word == "(" || word == "":
			r.at = before
			return nil, nil
		}
		list = append(list, word)
	}
}

// lineLength is how long the lines of a logged tree are at most
// (format_node_dump).
const lineLength = 78

// word reads the next word: a bracket, or what stands up to a blank or a
// bracket. Those that are part of a name have a backslash before them (outToken).
func (r *reader) word() (string, error) {
	for r.at < len(r.text) && blank(r.text[r.at]) {
		r.at++
	}
	start := r.at
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case blank(c):
			return r.text[start:r.at], nil
		case c == '{' || c == '}' || c == '(' || c == ')':
			if r.at == start {
				r.at++
			}
			return r.text[start:r.at], nil
		case c == '\\':
			// A line of the log ends at a blank, which may be one of a name, or in the
			// middle of a word that is longer than it.
			if next := r.at + 1; next < len(r.text) && r.text[next] == '\n' {
				line := r.text[max(0, strings.LastIndexByte(r.text[:r.at], '\n')+1) : r.at+1]
				if len(line) >= lineLength && strings.IndexByte(line, ' ') < 1 {
					return "", fmt.Errorf("a name is broken across lines")
				}
			}
			r.at += 2
		default:
			r.at++
		}
	}
	r.at = min(r.at, len(r.text))
	return r.text[start:r.at], nil
}

func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

//go:embed pure.txt
var pureText string

var pure = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for l := range strings.Lines(pureText) {
		if !strings.HasPrefix(l, "#") {
			for name := range strings.FieldsSeq(l) {
				m[name] = true
			}
		}
	}
	return m
})

// firstUserOID is FirstNormalObjectId of access/transam.h.
const firstUserOID = 16384

// Pure says whether a function is known to read no relation and not to ask who is
// asking. Such are built-in ones that are immutable or on the list, and immutable ones
// of an extension. Of what users made nothing is known.
func Pure(oid uint32, schema, name string, volatile byte, extension bool) bool {
	if oid >= firstUserOID {
		return extension && volatile == 'i'
	}
	return schema == "pg_catalog" && (volatile == 'i' || pure()[name])
}
