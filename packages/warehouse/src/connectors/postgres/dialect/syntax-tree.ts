/** The forms of PostgreSQL's syntax tree, as libpg-query writes them in JSON. */

export type TreeNode = Readonly<Record<string, unknown>>;

/** A node and its type. */
export interface TypedNode {
  readonly type: string;
  readonly node: TreeNode;
}

/** The types of nodes that a field contains directly, by the field. Nodes in other fields are wrapped as `{ Type: { … } }`. */
const typesOfFields: Readonly<Record<string, string>> = {
  withClause: "WithClause",
  intoClause: "IntoClause",
  larg: "SelectStmt",
  rarg: "SelectStmt",
  typeName: "TypeName",
  type_name: "TypeName",
  alias: "Alias",
  join_using_alias: "Alias",
  over: "WindowDef",
  search_clause: "CTESearchClause",
  cycle_clause: "CTECycleClause",
  collClause: "CollateClause",
  output: "JsonOutput",
  returning: "JsonReturning",
  format: "JsonFormat",
  constructor: "JsonAggConstructor",
  arg: "JsonValueExpr",
  value: "JsonValueExpr",
  val: "JsonValueExpr",
  expr: "JsonValueExpr",
  context_item: "JsonValueExpr",
  pathspec: "JsonTablePathSpec",
  on_empty: "JsonBehavior",
  on_error: "JsonBehavior",
};

/** Returns the nodes in a field of a node. A node of an unknown type gets the type `unknown`. */
export function childNodes(field: string, value: unknown): readonly TypedNode[] {
  if (Array.isArray(value)) return value.flatMap((item) => childNodes("", item));
  if (!isNode(value)) return [];
  const keys = Object.keys(value);
  if (keys.length === 0) return [];
  const [type = ""] = keys;
  const wrapped = value[type];
  if (keys.length === 1 && /^[A-Z]/.test(type) && isNode(wrapped)) return [{ type, node: wrapped }];
  return [{ type: typesOfFields[field] ?? "unknown", node: value }];
}

export function isNode(value: unknown): value is TreeNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the values of a list of String nodes, such as the parts of a name. A star is `*`. */
export function namesIn(value: unknown): readonly string[] {
  return childNodes("", value).map(({ type, node }) => {
    if (type === "A_Star") return "*";
    return type === "String" ? textOf(node.sval) : "";
  });
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns the position of a node in bytes. The tree omits a position of 0. */
export function placeOf(node: TreeNode): number {
  const place = node.location;
  return typeof place === "number" ? place : 0;
}
