/** The structure of a statement that ran, as far as its use of tables matters. */

/** A part of the statement: positions in its text. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

export type SqlNode =
  | { readonly kind: "column"; readonly path: readonly string[] }
  /** A text has its quotes removed. */
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  /** `$1`, `?` or `:name`, and a value that is not kept. */
  | { readonly kind: "parameter" }
  /** `path` is the table of `orders.*`. */
  | { readonly kind: "star"; readonly path?: readonly string[] | undefined }
  | SqlCall
  | { readonly kind: "operation"; readonly operator: string; readonly operands: readonly SqlNode[] }
  | { readonly kind: "case"; readonly branches: readonly SqlBranch[]; readonly otherwise: SqlNode | undefined }
  | { readonly kind: "cast"; readonly operand: SqlNode }
  | { readonly kind: "list"; readonly items: readonly SqlNode[] }
  | { readonly kind: "query"; readonly query: QueryTree };

export interface SqlCall {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly SqlNode[];
  readonly isDistinct: boolean;
  /** `FILTER (WHERE …)` */
  readonly filter: SqlNode | undefined;
  readonly isWindow: boolean;
  /** `PARTITION BY`, if the window has one. */
  readonly partition: readonly SqlNode[];
}

export interface SqlBranch {
  readonly when: SqlNode;
  readonly then: SqlNode;
}

export interface QueryTree {
  readonly common: readonly { readonly name: string; readonly query: QueryTree }[];
  /** Those of a UNION. */
  readonly selects: readonly SelectTree[];
  /** Whether all set operations remove equal rows. */
  readonly isDistinct: boolean;
}

export interface SelectTree {
  readonly items: readonly (TextSpan & { readonly node: SqlNode; readonly alias: string | undefined })[];
  readonly sources: readonly SourceTree[];
  /** The conditions of joins and of WHERE. All of them hold for the rows that are read. */
  readonly conditions: readonly SqlNode[];
  /** The columns of USING, each with the sources before it and its own. */
  readonly using: readonly (TextSpan & { readonly column: string; readonly source: number })[];
  readonly groups: readonly SqlNode[];
  /** `GROUP BY ALL` */
  readonly groupsAll: boolean;
  readonly having: SqlNode | undefined;
  readonly isDistinct: boolean;
  /** `DISTINCT ON (…)` */
  readonly distinctOn: readonly SqlNode[];
  /** `LIMIT 1` and similar clauses. */
  readonly isOneRow: boolean;
  /** `QUALIFY`, which is not read. */
  readonly isQualified: boolean;
  /** Whether `TOP`, `HAVING` or a clause after it may leave out rows. */
  readonly isNarrowed: boolean;
}

export type SourceTree = JoinWords &
  (
    | { readonly kind: "table"; readonly path: readonly string[]; readonly alias: string | undefined }
    | { readonly kind: "query"; readonly query: QueryTree; readonly alias: string | undefined }
    | { readonly kind: "other"; readonly alias: string | undefined }
  );

/** How a source is joined to those before it. */
export interface JoinWords {
  /** `SEMI`, `ANTI`, `ANY` and `ASOF`: a row has at most one partner. */
  readonly isPartial: boolean;
  readonly isNatural: boolean;
}

export function operationOf(operator: string, ...operands: readonly SqlNode[]): SqlNode {
  return { kind: "operation", operator, operands };
}

/** A list with one item is replaced by the item. */
export function listNodeOf(items: readonly SqlNode[]): SqlNode {
  const [only, ...others] = items;
  return only !== undefined && others.length === 0 ? only : { kind: "list", items };
}

export function negativeOf(node: SqlNode): SqlNode {
  if (node.kind === "literal" && typeof node.value === "number") return { kind: "literal", value: -node.value };
  return operationOf("negate", node);
}

/** The parts of a node, without those of subqueries. */
export function partsOf(node: SqlNode): readonly SqlNode[] {
  switch (node.kind) {
    case "operation":
      return node.operands;
    case "call":
      return node.filter === undefined ? node.args : [...node.args, node.filter];
    case "case":
      return [...node.branches.flatMap(({ when, then }) => [when, then]), ...(node.otherwise ? [node.otherwise] : [])];
    case "cast":
      return [node.operand];
    case "list":
      return node.items;
    default:
      return [];
  }
}

/** The columns in a node, without those of subqueries. */
export function columnPathsOf(node: SqlNode): readonly (readonly string[])[] {
  return node.kind === "column" ? [node.path] : partsOf(node).flatMap(columnPathsOf);
}

/** The conditions that must all hold. */
export function allConditions(node: SqlNode): readonly SqlNode[] {
  return node.kind === "operation" && node.operator === "and" ? node.operands.flatMap(allConditions) : [node];
}
