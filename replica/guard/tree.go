package guard

import (
	"fmt"
	"strconv"
	"strings"
)

// tree judges a pg_node_tree: PostgreSQL's own analysed form of a view's
// query, a policy or a domain's check (outfuncs.c), where every function,
// operator and relation stands by OID. Relations are added to next.
func (j *judgement) tree(text, from string, at place, next *[]uint32) {
	if strings.TrimSpace(text) == "" {
		return
	}
	refs := scanTree(text)
	if refs.err != "" {
		j.problem(Problem{What: from, Why: refs.err})
		return
	}
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

// treeRefs are the objects that a node tree names.
type treeRefs struct {
	functions, operators, relations, types []uint32
	err                                    string
}

// treeField says what a field of a node tree holds, over PostgreSQL 12 to 18:
// OIDs of functions (f), operators (o), relations (r) or types (t), or a fact
// (=) that a query which only reads has with the value that follows. opfuncid
// repeats what opno says and may be 0 where it was not looked up yet.
func treeField(name string) (kind byte, want string) {
	switch name {
	case "funcid", "aggfnoid", "winfnoid", "opfuncid", "elemfuncid", "tsmhandler", "hashfuncid", "negfuncid", "startInRangeFunc", "endInRangeFunc":
		return 'f', ""
	case "opno", "opnos", "sortop", "eqop", "cycle_mark_neop":
		return 'o', ""
	case "relid":
		return 'r', ""
	case "resulttype", "funcresulttype", "consttype", "funccoltypes", "row_typeid", "coltypes":
		return 't', ""
	case "commandType":
		return '=', "1"
	case "utilityStmt":
		return '=', "<>"
	case "resultRelation":
		return '=', "0"
	case "hasModifyingCTE", "hasForUpdate":
		return '=', "false"
	}
	return 0, ""
}

// scanTree reads the fields that matter. They stand as " :name value", where
// the server's log has a line end for some of the blanks (format_node_dump),
// and names in the text are escaped by outToken, so that a word of the statement
// can look like a field at most, and adds an OID then; it cannot hide one,
// since nothing is passed over.
func scanTree(text string) treeRefs {
	var refs treeRefs
	seen := map[uint64]bool{}
	add := func(kind byte, word string) bool {
		n, err := strconv.ParseUint(word, 10, 32)
		if err != nil {
			return false
		}
		key := uint64(kind)<<32 | n
		if n == 0 || seen[key] {
			return true
		}
		seen[key] = true
		switch kind {
		case 'f':
			refs.functions = append(refs.functions, uint32(n))
		case 'o':
			refs.operators = append(refs.operators, uint32(n))
		case 'r':
			refs.relations = append(refs.relations, uint32(n))
		case 't':
			refs.types = append(refs.types, uint32(n))
		}
		return true
	}
	for rest := text; ; {
		i := strings.IndexByte(rest, ':')
		if i < 0 {
			return refs
		}
		field := i > 0 && isBlank(rest[i-1])
		rest = rest[i+1:]
		if !field {
			continue
		}
		name, value := cutWord(rest)
		kind, want := treeField(name)
		if kind == 0 {
			continue
		}
		word, list := cutWord(value)
		switch {
		case kind == '=':
			if strings.TrimRight(word, ")}") != want {
				refs.err = "its definition does more than read (" + name + ")"
			}
		case word != "(o" && word != "(":
			if oid := strings.TrimRight(word, ")}"); !add(kind, oid) && oid != "<>" {
				refs.err = fmt.Sprintf("a field in its definition that is not understood: %q", name+" "+word)
			}
		default: // a list of OIDs: (o 96 97)
			for end := false; !end && refs.err == ""; {
				word, list = cutWord(list)
				oid := strings.TrimRight(word, ")}")
				end = len(oid) != len(word)
				if !add(kind, oid) && (oid != "" || !end) {
					refs.err = fmt.Sprintf("a list in its definition that is not understood: %q", word)
				}
			}
		}
	}
}

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
