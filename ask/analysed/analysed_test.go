package analysed_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"askpg/ask/analysed"
)

// A query's tree as PostgreSQL 15 and 16 write it, with what does not matter left out.
const (
	tree15 = `({QUERY :commandType 1 :querySource 0 :utilityStmt <> :resultRelation 0 :cteList <> :rtable ({RTE :alias {ALIAS :aliasname %s :colnames <>}
 :eref {ALIAS :aliasname p :colnames ("id" "na\ me" "n\(\{o")} :rtekind 0 :relid 20000 :relkind r :tablesample <> :inh true :selectedCols (b 8 10) :securityQuals <>}
 {RTE :alias <> :rtekind 1 :subquery {QUERY :commandType 1 :rtable ({RTE :rtekind 0 :relid 20001 :selectedCols (b 7)}) :jointree <>} :selectedCols (b)}
 {RTE :alias <> :rtekind 0 :relid 20002 :selectedCols (b)}) :jointree {FROMEXPR :fromlist ({RANGETBLREF :rtindex 1}) :quals {OPEXPR :opno 96 :opfuncid 65
 :args ({VAR :varno 1 :varattno 1} {CONST :consttype 23 :constvalue 4 [ 1 0 0 0 0 0 0 0 ]})}} :sortClause ({SORTGROUPCLAUSE :tleSortGroupRef 1 :eqop 98 :sortop 664})
 :targetList ({TARGETENTRY :expr {FUNCEXPR :funcid 871 :args <>} :resname :relid} {TARGETENTRY :expr {ROWCOMPARE :opnos (o 97 97)} :resname "x"})})`
	tree16 = `{QUERY :commandType 1 :rtable ({RANGETBLENTRY :alias <> :rtekind 0 :relid 20000 :perminfoindex 1}) :rteperminfos ({RTEPERMISSIONINFO :relid 20000 :inh true
 :requiredPerms 2 :checkAsUser 0 :selectedCols (b 3 8)}) :targetList ({TARGETENTRY :expr {SQLVALUEFUNCTION :op %d :type 19}})}`
)

func TestRead(t *testing.T) {
	q, err := analysed.Read(fmt.Sprintf(tree15, "p"))
	if err != nil {
		t.Fatal(err)
	}
	if want := map[uint32][]int16{20000: {1, 3}, 20001: {0}, 20002: nil}; !reflect.DeepEqual(q.Columns, want) {
		t.Errorf("columns %v, want %v", q.Columns, want)
	}
	if want := []uint32{65, 871}; !reflect.DeepEqual(q.Functions, want) {
		t.Errorf("functions %v, want %v", q.Functions, want)
	}
	if want := []uint32{96, 97, 98, 664}; !reflect.DeepEqual(q.Operators, want) {
		t.Errorf("operators %v, want %v", q.Operators, want)
	}
	for op, asks := range map[int]bool{0: false, 8: false, 9: true, 12: true, 14: true} {
		q, err := analysed.Read(fmt.Sprintf(tree16, op))
		if err != nil || q.Asks != asks || !reflect.DeepEqual(q.Columns, map[uint32][]int16{20000: {1}}) {
			t.Errorf("SQLValueFunction %d: %+v, %v", op, q, err)
		}
	}
}

func TestRead_Refuses(t *testing.T) {
	tree := fmt.Sprintf(tree15, "p")
	for name, text := range map[string]string{
		"a node that is not known":       strings.Replace(tree, "{OPEXPR", "{NEXTVALUEEXPR", 1),
		"an end that is missing":         tree[:len(tree)-40],
		"an end too many":                strings.Replace(tree, "{RANGETBLREF", "}{RANGETBLREF", 1) + "}}",
		"columns of nothing":             strings.Replace(tree, ":rtekind 1", ":rtekind 1 :selectedCols (b 8)", 1),
		"a table function":               strings.Replace(tree, ":rtekind 1", ":rtekind 4", 1),
		"a write":                        strings.Replace(tree, ":commandType 1", ":commandType 3", 1),
		"a relation that is no number":   strings.Replace(tree, ":relid 20001", ":relid x", 1),
		"a function that is no number":   strings.Replace(tree, ":funcid 871", ":funcid x", 1),
		"a name that is broken in two":   fmt.Sprintf(tree15, "\n"+strings.Repeat(`\{`, 38)+"x"+"\\\n{"+strings.Repeat(`\{`, 30)),
		"operators that are no numbers":  strings.Replace(tree, "(o 97 97)", "(o 97 x)", 1),
		"a set of columns of no numbers": strings.Replace(tree, "(b 8 10)", "(b 8 x)", 1),
	} {
		if q, err := analysed.Read(text); err == nil {
			t.Errorf("%s: read as %+v", name, q)
		}
	}
}

func TestPure(t *testing.T) {
	for _, tt := range []struct {
		oid          uint32
		schema, name string
		volatile     byte
		extension    bool
		want         bool
	}{
		{870, "pg_catalog", "lower", 'i', false, true},
		{1299, "pg_catalog", "now", 's', false, true},
		{2923, "pg_catalog", "query_to_xml", 's', false, false},
		{2077, "pg_catalog", "current_setting", 's', false, false},
		{745, "pg_catalog", "current_user", 's', false, false},
		{1598, "pg_catalog", "random", 'v', false, false},
		{14000, "information_schema", "now", 's', false, false},
		{20000, "public", "lower", 'i', false, false},
		{20000, "public", "similarity", 'i', true, true},
		{20000, "public", "unaccent", 's', true, false},
	} {
		if got := analysed.Pure(tt.oid, tt.schema, tt.name, tt.volatile, tt.extension); got != tt.want {
			t.Errorf("%s.%s: %v, want %v", tt.schema, tt.name, got, tt.want)
		}
	}
}
