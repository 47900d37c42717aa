package guard

// kind is a message type that has names in it, or means something to one that
// does.
type kind uint8

const (
	otherKind kind = iota
	selectStmt
	funcCall
	namedArgExpr
	aExpr
	subLink
	sortBy
	caseExpr
	joinExpr
	typeName
	rangeVar
	rangeTableSample
	columnRef
	aIndirection
	aConst
	stringNode
	paramRef
	sqlValueFunction
	collateClause
	rangeItem
	aliasNode
	commonTableExpr
)

var kinds = map[string]kind{
	"SelectStmt": selectStmt, "FuncCall": funcCall, "NamedArgExpr": namedArgExpr, "A_Expr": aExpr, "SubLink": subLink, "SortBy": sortBy, "CaseExpr": caseExpr,
	"JoinExpr": joinExpr, "TypeName": typeName, "RangeVar": rangeVar, "RangeTableSample": rangeTableSample, "ColumnRef": columnRef,
	"A_Indirection": aIndirection, "A_Const": aConst, "String": stringNode,
	"ParamRef": paramRef, "SQLValueFunction": sqlValueFunction,
	"CollateClause":  collateClause,
	"RangeSubselect": rangeItem, "RangeFunction": rangeItem, "RangeTableFunc": rangeItem, "Alias": aliasNode, "CommonTableExpr": commonTableExpr,
}

// The fields that are looked into.
var (
	fieldAggWithinGroup = idOf("agg_within_group")
	fieldAlias          = idOf("alias")
	fieldAliascolnames  = idOf("aliascolnames")
	fieldAliasname      = idOf("aliasname")
	fieldArg            = idOf("arg")
	fieldArgs           = idOf("args")
	fieldCollname       = idOf("collname")
	fieldColnames       = idOf("colnames")
	fieldCtename        = idOf("ctename")
	fieldCtequery       = idOf("ctequery")
	fieldFields         = idOf("fields")
	fieldFuncVariadic   = idOf("func_variadic")
	fieldFuncname       = idOf("funcname")
	fieldFval           = idOf("fval")
	fieldIndirection    = idOf("indirection")
	fieldIsNatural      = idOf("isNatural")
	fieldIval           = idOf("ival")
	fieldKind           = idOf("kind")
	fieldLarg           = idOf("larg")
	fieldMethod         = idOf("method")
	fieldName           = idOf("name")
	fieldNames          = idOf("names")
	fieldOp             = idOf("op")
	fieldOperName       = idOf("operName")
	fieldPctType        = idOf("pct_type")
	fieldRelname        = idOf("relname")
	fieldRelpersistence = idOf("relpersistence")
	fieldSchemaname     = idOf("schemaname")
	fieldStmt           = idOf("stmt")
	fieldStmts          = idOf("stmts")
	fieldSubLinkType    = idOf("subLinkType")
	fieldSubquery       = idOf("subquery")
	fieldSval           = idOf("sval")
	fieldTargetList     = idOf("targetList")
	fieldUseOp          = idOf("useOp")
	fieldUsingClause    = idOf("usingClause")
	fieldVal            = idOf("val")
)
