package guard

import (
	"context"
	"slices"
)

// parameterTypes are the built-in types that parameters may have: the input and
// receive functions of none of them run anything of a user's. Pseudo-types and those
// that name objects are left out.
var parameterTypes = []uint32{
	16, 17, 18, 19, 20, 21, 23, 25, 26, 114, 142, 600, 601, 602, 603, 604, 628, 650, 700, 701, 718, 774, 790, 829, 869,
	1042, 1043, 1082, 1083, 1114, 1184, 1186, 1266, 1560, 1562, 1700, 2950, 3802, 3904, 3906, 3908, 3910, 3912, 3926, // scalars and ranges
	143, 199, 651, 719, 775, 791, 1000, 1001, 1002, 1003, 1005, 1007, 1009, 1014, 1015, 1016, 1017, 1018, 1019, 1020, 1021, 1022, 1027, 1028, 1040, 1041,
	1115, 1182, 1183, 1185, 1187, 1231, 1270, 1561, 1563, 2951, 3807, 3905, 3907, 3909, 3911, 3913, 3927, // their arrays
	4451, 4532, 4533, 4534, 4535, 4536, 6150, 6151, 6152, 6153, 6155, 6157, // multiranges and their arrays
}

// Parameters judges the types of a statement's parameters. Beside built-in
// types they may be enumerations and types of allowed extensions whose owners are trusted, if none
// of their casts is refused.
func (g *Guard) Parameters(ctx context.Context, oids []uint32, l Lookup) (v Verdict, err error) {
	j := g.judgement(l, &v, false)
	var objects []Object
	for _, oid := range oids {
		if p := g.parameter(oid, l); p != nil {
			j.problem(*p)
		}
		if oid >= firstUserOID {
			objects = append(objects, Object{classType, oid})
		}
	}
	if len(objects) > 0 {
		err = j.owners(ctx, nil, objects)
	}
	return v, err
}

// parameter says what is wrong with a parameter of the type; nil if nothing is.
func (g *Guard) parameter(oid uint32, l Lookup) *Problem {
	if slices.Contains(parameterTypes, oid) {
		return nil
	}
	t := l.TypeOf(oid)
	if t == nil || oid < firstUserOID {
		return &Problem{What: "parameter", Why: "its type is not on the list of allowed ones", Fix: castParameter}
	}
	what := "parameter of type " + t.Schema + "." + t.Name
	if t.Kind != 'e' && (t.Kind != 'b' || t.Extension == "" || !g.extensions[t.Extension] && !g.rules.extensions[t.Extension].allow) {
		return &Problem{What: what, Why: "only built-in types, enumerations and types of allowed extensions can be given", Fix: castParameter}
	}
	for _, c := range l.CastsOf(oid) {
		if c.Function == 0 {
			continue
		}
		f := l.FunctionOf(c.Function)
		if f == nil {
			return &Problem{What: what, Why: "a cast of it is not known", Fix: castParameter}
		}
		if _, p := g.function(f, inStatement); p != nil {
			return &Problem{What: what, Why: "one of its casts runs " + p.String(), Fix: castParameter}
		}
	}
	return nil
}

const castParameter = "Give the parameter as text and cast it in the statement, as in $1::text::mytype."
