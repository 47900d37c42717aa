package guard

import (
	"context"
	"slices"
	"strings"
)

// owners judges who owns what stands behind names and objects. Whoever owns a
// relation, a type, a function or what they depend on decides what code runs
// when it is read or called. The code runs in the session that reads or calls
// it.
func (j *judgement) owners(ctx context.Context, mentions []Mention, objects []Object) error {
	problems, err := j.l.Owners(ctx, mentions, objects)
	for _, p := range problems {
		j.problem(p)
	}
	return err
}

// words returns the words of a text that may be called, each once, in lower
// case: those before a parenthesis or a comment. A server may look a word up as a
// function that the parser here takes for syntax: to PostgreSQL 15 json_array(1)
// is a call of whatever has the name.
func words(sql string) []string {
	var list []string
	seen := map[string]bool{}
	for i := 0; i < len(sql); {
		start := i
		for i < len(sql) && isWord(sql[i]) {
			i++
		}
		word := strings.ToLower(sql[start:i])
		rest := strings.TrimLeft(sql[i:], " \t\r\n\f\v")
		if word != "" && !seen[word] && (strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "/*") || strings.HasPrefix(rest, "--")) {
			seen[word] = true
			list = append(list, word)
		}
		if i == start {
			i++
		}
	}
	return list
}

func isWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// mentions returns the names of a statement as the server may look them up; fields
// are those that x.name may call, found is what those of relations stand for.
func (j *judgement) mentions(w *walk, fields map[string]bool, found []Relation) []Mention {
	var list []Mention
	add := func(kind mentionKind, names ...Name) {
		for _, n := range names {
			list = append(list, Mention{kind, n})
		}
	}
	add(mentionRelation, sorted(w.relations)...)
	add(mentionType, sorted(w.types)...)
	add(mentionOperator, sorted(w.operators)...)
	add(mentionCollation, sorted(w.sorts)...)
	for _, c := range w.calls {
		add(mentionFunction, c.name)
	}
	for f := range fields {
		add(mentionAttribute, Name{"", f})
	}
	for f := range w.parts {
		add(mentionField, Name{"", f})
	}
	opens := false
	for _, r := range found { // the server's own views call what may open a relation
		opens = opens || r.OID != 0 && r.OID < firstUserOID && r.Kind == 'v'
	}
	for _, c := range w.calls {
		for _, f := range j.l.Functions(c.name.Schema, c.name.Name) {
			opens = opens || mayOpen(f)
		}
	}
	if opens {
		add(MentionAny, Name{})
	}
	for _, word := range w.words {
		for _, f := range j.l.Functions("", word) {
			if f.OID >= firstUserOID {
				add(mentionFunction, Name{"", word})
				break
			}
		}
	}
	return list
}

// mayOpen says whether a function may open a relation that it is given by OID (types
// oid and regclass). All may but those that are known to look up rows of the catalog at
// most.
func mayOpen(f *Function) bool {
	if !takes(f.ArgTypes, "26") && !takes(f.ArgTypes, "2205") {
		return false
	}
	switch f.Name {
	case "max", "min", "int8", "text", "format_type", "col_description", "obj_description", "shobj_description", "pg_get_userbyid":
		return f.OID >= firstUserOID
	}
	return true
}

// searches judges the owners of all text search configurations and dictionaries where the statement, or what it
// reads, names one by a value that is known only when it runs. sure is false where a call may take such a value.
func (j *judgement) searches(ctx context.Context, sure bool) error {
	problems, err := j.l.Owners(ctx, []Mention{{mentionSearch, Name{}}}, nil)
	for _, p := range problems {
		if sure {
			j.problem(p)
		} else {
			j.unsure(p)
		}
	}
	return err
}

// takesSearch says whether one of the calls may take a text search configuration or dictionary.
func (j *judgement) takesSearch(calls []call) bool {
	for _, c := range calls {
		all := j.l.Functions(c.name.Schema, c.name.Name)
		if len(all) > 0 && slices.ContainsFunc(narrow(all, c), func(f *Function) bool { return takes(f.ArgTypes, "3734") || takes(f.ArgTypes, "3769") }) {
			return true
		}
	}
	return false
}

// objects returns what a node tree names that users made.
func (refs *Tree) objects() []Object {
	var list []Object
	add := func(class uint32, oids []uint32) {
		for _, oid := range oids {
			if oid >= firstUserOID {
				list = append(list, Object{class, oid})
			}
		}
	}
	add(ClassRelation, refs.relations)
	add(classType, refs.types)
	add(classType, refs.results)
	add(classFunction, refs.functions)
	add(classOperator, refs.operators)
	for _, o := range refs.named {
		add(o.Class, []uint32{o.OID})
	}
	return list
}
