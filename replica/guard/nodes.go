package guard

import "strings"

// nodeLabels are the nodes of an analysed query that only reads, as
// outfuncs.c of PostgreSQL 12 to 18 writes them: until 15 some have shorter
// labels than their types.
var nodeLabels = func() map[string]bool {
	m := map[string]bool{}
	for label := range strings.FieldsSeq(`
		QUERY RTE RANGETBLENTRY RTEPERMISSIONINFO RANGETBLREF RANGETBLFUNCTION TABLESAMPLECLAUSE TABLEFUNC ALIAS FROMEXPR JOINEXPR
		TARGETENTRY SORTGROUPCLAUSE GROUPINGSET WINDOWCLAUSE SETOPERATIONSTMT COMMONTABLEEXPR CTE CTESEARCHCLAUSE CTECYCLECLAUSE
		VAR CONST PARAM AGGREF GROUPINGFUNC WINDOWFUNC SUBSCRIPTINGREF FUNCEXPR NAMEDARGEXPR OPEXPR DISTINCTEXPR NULLIFEXPR
		SCALARARRAYOPEXPR BOOLEXPR SUBLINK FIELDSELECT RELABELTYPE COERCEVIAIO ARRAYCOERCEEXPR CONVERTROWTYPEEXPR
		COLLATE COLLATEEXPR CASE CASEEXPR WHEN CASEWHEN CASETESTEXPR ARRAY ARRAYEXPR ROW ROWEXPR ROWCOMPARE ROWCOMPAREEXPR
		COALESCE COALESCEEXPR MINMAX MINMAXEXPR SQLVALUEFUNCTION XMLEXPR NULLTEST BOOLEANTEST COERCETODOMAIN COERCETODOMAINVALUE
		JSONVALUEEXPR JSONCONSTRUCTOREXPR JSONISPREDICATE JSONFORMAT JSONRETURNING`) {
		m[label] = true
	}
	return m
}()

// unknownNode returns the label of the first node of a node tree that is not
// known, empty if all are. A brace that is no node's is escaped (outToken).
func unknownNode(text string) string {
	for rest := text; ; {
		i := strings.IndexByte(rest, '{')
		if i < 0 {
			return ""
		}
		escaped := i > 0 && rest[i-1] == '\\'
		rest = rest[i+1:]
		if escaped {
			continue
		}
		end := 0
		for end < len(rest) && !isBlank(rest[end]) && rest[end] != '}' {
			end++
		}
		if !nodeLabels[rest[:end]] {
			return rest[:end]
		}
	}
}
