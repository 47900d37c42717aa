package guard

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// refs judges a pg_node_tree: PostgreSQL's own analysed form of a view's
// query, a policy or a domain's check (outfuncs.c), where every function,
// operator and relation stands by OID. Relations are added to next.
func (j *judgement) refs(refs *Tree, from string, at place, next *[]uint32) {
	if refs.err != "" {
		j.problem(Problem{What: cmp.Or(from, "statement"), Why: refs.err})
		return
	}
	j.search = j.search || refs.search
	for _, oid := range refs.functions {
		j.functionOf(oid, from, at)
	}
	for _, oid := range refs.types {
		j.typ(j.l.TypeOf(oid))
	}
	for _, oid := range refs.operators {
		j.operatorOf(oid, from, at)
	}
	if next != nil {
		*next = append(*next, refs.relations...)
	}
}

// MaxTree bounds the node trees that ReadTree reads, in bytes. What has a longer one is refused.
const MaxTree = 256 << 10

// ReadTree reads a node tree that is kept: whoever may create objects decides how many there are, and how long.
func ReadTree(text string) *Tree {
	if len(text) > MaxTree {
		return &Tree{err: fmt.Sprintf("its definition is longer than %d bytes", MaxTree)}
	}
	return scanTree(text)
}

// Tree is the objects that a node tree names; one can be named again. It is much smaller than the tree.
type Tree struct {
	functions, operators, relations, types []uint32
	results                                []uint32 // types of expressions
	named                                  []Object // what constants name
	search                                 bool     // an expression that is no constant names a text search configuration or dictionary
	err                                    string

	met [128]uint64 // kind and OID of those met last, by OID
}

// fact is a field of a node tree that has one value in a query which only
// reads; the other kinds are those of OIDs.
const fact = '='

// treeFields are the fields that matter by their names, over PostgreSQL 12 to 18. They are
// OIDs of functions (f), operators (o), relations (r), types (t) and types of constants (c). They
// are also types of expressions, which follow from what these are made of (e), and facts with the
// value that they must have. opfuncid repeats what opno says and may be 0 where it was not looked
// up yet.
var treeFields = func() map[string]treeField {
	fields := map[string]treeField{}
	add := func(kind byte, names ...string) {
		for _, name := range names {
			name, want, _ := strings.Cut(name, " ")
			fields[name] = treeField{name, kind, want}
		}
	}
	add('f', "funcid", "aggfnoid", "winfnoid", "opfuncid", "elemfuncid", "tsmhandler", "hashfuncid", "negfuncid", "startInRangeFunc", "endInRangeFunc")
	add('o', "opno", "opnos", "sortop", "eqop", "cycle_mark_neop")
	add('r', "relid")
	add('t', "resulttype", "funcresulttype", "funccoltypes", "row_typeid", "coltypes")
	add('c', "consttype")
	add('e', "vartype", "paramtype", "aggtype", "wintype", "opresulttype", "casetype", "coalescetype", "minmaxtype", "array_typeid", "element_typeid",
		"typeId", "typid", "refcontainertype", "refarraytype", "refelemtype", "refrestype", "colTypes")
	add(fact, "commandType 1", "utilityStmt <>", "resultRelation 0", "hasModifyingCTE false", "hasForUpdate false")
	return fields
}()

type treeField struct {
	name string
	kind byte
	want string
}

// add takes an OID down, each that was not met lately. It returns false if the
// word is none.
func (refs *Tree) add(kind byte, word string) bool {
	n, err := strconv.ParseUint(word, 10, 32)
	if err != nil {
		return false
	}
	key := uint64(kind)<<32 | n
	met := &refs.met[n%uint64(len(refs.met))]
	if n == 0 || *met == key {
		return true
	}
	*met = key
	switch uint32(n) {
	case regconfig, regconfigs, regdictionary, regdictionaries:
		refs.search = refs.search || kind == 't' || kind == 'e'
	}
	switch kind {
	case 'f':
		refs.functions = append(refs.functions, uint32(n))
	case 'o':
		refs.operators = append(refs.operators, uint32(n))
	case 'r':
		refs.relations = append(refs.relations, uint32(n))
	case 't', 'c':
		refs.types = append(refs.types, uint32(n))
	case 'e':
		refs.results = append(refs.results, uint32(n))
	}
	return true
}

// scanTree reads the fields that matter. They stand as " :name value", where the
// server's log has a line end for some of the blanks (format_node_dump). Names
// in the text are escaped by outToken. So a word of the statement can look like
// a field at most, and adds an OID then. It cannot hide one, since nothing is
// passed over.
func scanTree(text string) *Tree {
	refs := &Tree{}
	if label := unknownNode(text); label != "" {
		refs.err = fmt.Sprintf("a node in its definition that is not known: %q", label)
		return refs
	}
	for rest := text; ; {
		i := strings.IndexByte(rest, ':')
		if i < 0 {
			return refs
		}
		begins := i > 0 && isBlank(rest[i-1])
		rest = rest[i+1:]
		if !begins {
			continue
		}
		name, value := cutWord(rest)
		if f, ok := treeFields[name]; ok {
			refs.field(f, value)
		}
	}
}

// field takes down what a field holds. Its value is the first word of a text, or the list that begins there.
func (refs *Tree) field(f treeField, text string) {
	word, rest := cutWord(text)
	switch {
	case f.kind == fact:
		if closed(word) != f.want {
			refs.err = "its definition does more than read (" + f.name + ")"
		}
	case word == "(o" || word == "(":
		refs.list(f.kind, rest)
	default:
		if oid := closed(word); !refs.add(f.kind, oid) && oid != "<>" {
			refs.err = fmt.Sprintf("a field in its definition that is not understood: %q", f.name+" "+word)
		} else if f.kind == 'c' {
			refs.constant(oid, rest)
		}
	}
}

// list takes down the OIDs of a list, as in (o 96 97). The text begins behind its "(o".
func (refs *Tree) list(kind byte, text string) {
	for end := false; !end && refs.err == ""; {
		var word string
		word, text = cutWord(text)
		oid := closed(word)
		end = len(oid) != len(word)
		if !refs.add(kind, oid) && (oid != "" || !end) {
			refs.err = fmt.Sprintf("a list in its definition that is not understood: %q", word)
		}
	}
}

// constant takes the object down that a constant of the type names; rest is what stands behind the type in its node.
func (refs *Tree) constant(typ, rest string) {
	oid, _ := strconv.ParseUint(typ, 10, 32)
	class := namedBy[uint32(oid)]
	if class == 0 {
		return
	}
	node, _, _ := strings.Cut(rest, "}")
	words := strings.Fields(node)
	at := slices.Index(words, ":constvalue") + 1
	switch {
	case at > 0 && len(words) == at+1 && words[at] == "<>": // null
	case at > 0 && len(words) == at+11 && words[at] == "4" && words[at+1] == "[" && words[at+10] == "]":
		// The bytes of a Datum, the OID's first where the server's machine is little-endian, else last.
		var b [8]byte
		for i, word := range words[at+2 : at+10] {
			n, err := strconv.Atoi(word) // of a signed char
			if err != nil {
				refs.err = "a constant in its definition that is not understood"
			}
			b[i] = byte(n)
		}
		named := binary.LittleEndian.Uint32(b[:])
		if named == 0 {
			named = binary.BigEndian.Uint32(b[4:])
		}
		refs.named = append(refs.named, Object{class, named})
	default:
		refs.err = "a constant in its definition that is not understood"
	}
}

// closed cuts off the brackets that close a list or a node behind a word.
func closed(word string) string { return strings.TrimRight(word, ")}") }

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// cutWord cuts the first word off.
func cutWord(s string) (word, rest string) {
	start := 0
	for start < len(s) && isBlank(s[start]) {
		start++
	}
	for i := start; i < len(s); i++ {
		if isBlank(s[i]) {
			return s[start:i], s[i+1:]
		}
	}
	return s[start:], ""
}
