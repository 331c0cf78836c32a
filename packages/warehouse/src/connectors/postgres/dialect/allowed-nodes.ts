/** What a statement that reads may consist of. Everything else is refused, also what later versions of PostgreSQL add. */
export const allowedNodes: ReadonlySet<string> = new Set([
  ...["SelectStmt", "ResTarget", "ColumnRef", "A_Star", "String", "Integer", "Float", "Boolean", "BitString", "List"],
  ...["A_Const", "A_Expr", "BoolExpr", "NullTest", "BooleanTest", "FuncCall", "NamedArgExpr", "TypeCast", "TypeName"],
  ...["CaseExpr", "CaseWhen", "CoalesceExpr", "MinMaxExpr", "SubLink", "A_Indirection", "A_Indices", "A_ArrayExpr"],
  ...["RowExpr", "SortBy", "WindowDef", "GroupingSet", "GroupingFunc", "CollateClause", "SQLValueFunction"],
  ...["RangeVar", "RangeSubselect", "RangeFunction", "RangeTableSample", "RangeTableFunc", "RangeTableFuncCol"],
  ...["JoinExpr", "Alias", "WithClause", "CommonTableExpr", "CTESearchClause", "CTECycleClause", "ColumnDef"],
  ...["XmlExpr", "XmlSerialize", "JsonObjectConstructor", "JsonArrayConstructor", "JsonArrayQueryConstructor"],
  ...["JsonObjectAgg", "JsonArrayAgg", "JsonAggConstructor", "JsonIsPredicate", "JsonFuncExpr", "JsonTable"],
  ...["JsonTableColumn", "JsonTablePathSpec", "JsonValueExpr", "JsonFormat", "JsonReturning", "JsonOutput"],
  ...["JsonKeyValue", "JsonArgument", "JsonBehavior", "JsonParseExpr", "JsonScalarExpr", "JsonSerializeExpr"],
]);

/** What to say of nodes that are often tried. */
export const refusedNodes: Readonly<Record<string, string>> = {
  IntoClause: "SELECT INTO creates a table",
  LockingClause: "FOR UPDATE and FOR SHARE lock rows",
  InsertStmt: "INSERT writes",
  UpdateStmt: "UPDATE writes",
  DeleteStmt: "DELETE writes",
  MergeStmt: "MERGE writes",
  ParamRef: "A parameter such as $1 has no value here",
  ExplainStmt: "EXPLAIN is not a SELECT",
};

/** Types whose text form looks names up in the catalogue. */
export const refusedTypes: ReadonlySet<string> = new Set([
  ...["regclass", "regproc", "regprocedure", "regoper", "regoperator", "regnamespace", "regrole", "regtype"],
  ...["regcollation", "aclitem"],
]);
