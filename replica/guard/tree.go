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
		if t, ok := j.l.TypeOf(oid); ok {
			j.typ(t)
		}
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

// treeFields are the fields of nodes that hold OIDs of functions, operators
// and relations, over PostgreSQL 12 to 18. opfuncid repeats what opno says and
// may be 0 where it was not looked up yet.
var treeFields = map[string]byte{
	":funcid": 'f', ":aggfnoid": 'f', ":winfnoid": 'f', ":opfuncid": 'f', ":elemfuncid": 'f', ":tsmhandler": 'f', ":hashfuncid": 'f', ":negfuncid": 'f',
	":opno": 'o', ":opnos": 'o', ":sortop": 'o', ":eqop": 'o', ":startInRangeFunc": 'f', ":endInRangeFunc": 'f',
	":relid": 'r', ":resulttype": 't', ":funcresulttype": 't', ":consttype": 't', ":funccoltypes": 't', ":row_typeid": 't', ":coltypes": 't',
	":cycle_mark_neop": 'o',
}

// treeFacts are fields of Query that a query which only reads has with these
// values.
var treeFacts = map[string]string{
	":commandType": "1", ":utilityStmt": "<>", ":resultRelation": "0", ":hasModifyingCTE": "false", ":hasForUpdate": "false",
}

// scanTree reads the fields that matter. Names in the text are escaped by
// outToken, so that a word of the statement can look like a field at most, and
// adds an OID then; it cannot hide one.
func scanTree(text string) treeRefs {
	var refs treeRefs
	seen := map[string]bool{}
	add := func(kind byte, word string) {
		n, err := strconv.ParseUint(word, 10, 32)
		if err != nil || n == 0 {
			return
		}
		if key := string(kind) + word; seen[key] {
			return
		} else {
			seen[key] = true
		}
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
	}
	words := strings.Fields(text)
	for i := 0; i < len(words); i++ {
		if want, ok := treeFacts[words[i]]; ok && i+1 < len(words) && strings.TrimRight(words[i+1], ")}") != want {
			refs.err = "its definition does more than read (" + words[i][1:] + ")"
			continue
		}
		kind, ok := treeFields[words[i]]
		if !ok {
			continue
		}
		if i+1 >= len(words) {
			continue
		}
		if words[i+1] != "(o" && words[i+1] != "(" {
			add(kind, strings.TrimRight(words[i+1], ")}"))
			continue
		}
		for i += 2; i < len(words); i++ { // a list of OIDs: (o 96 97)
			word := strings.TrimRight(words[i], ")}")
			add(kind, word)
			if len(word) != len(words[i]) {
				break
			}
			if _, err := strconv.ParseUint(word, 10, 32); err != nil {
				refs.err = fmt.Sprintf("a list in its definition that is not understood: %q", words[i])
				break
			}
		}
	}
	return refs
}
