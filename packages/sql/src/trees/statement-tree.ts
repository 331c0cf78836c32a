/** The tree of a statement that ran. It contains only the parts that show how the statement uses tables. */

/** The positions of a part in the text of its statement. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

export type SqlNode =
  | { readonly kind: "column"; readonly path: readonly string[] }
  /** A number, a constant, or a string without its quotes. */
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  /** A parameter such as `$1`, `?` or `:name`, or a value that is not kept, such as an array. */
  | { readonly kind: "parameter" }
  /** A `*`. `path` is the table in `orders.*`. */
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
  /** The condition of `FILTER (WHERE …)`. */
  readonly filter: SqlNode | undefined;
  readonly isWindow: boolean;
  /** The expressions of the window's `PARTITION BY`, if any. */
  readonly partition: readonly SqlNode[];
}

export interface SqlBranch {
  readonly when: SqlNode;
  readonly then: SqlNode;
}

export interface QueryTree {
  readonly common: readonly { readonly name: string; readonly query: QueryTree }[];
  /** The SELECTs that UNION and other set operators combine; often only one. */
  readonly selects: readonly SelectTree[];
  /** Whether all set operations remove equal rows. */
  readonly isDistinct: boolean;
}

export interface SelectTree {
  readonly items: readonly (TextSpan & { readonly node: SqlNode; readonly alias: string | undefined })[];
  readonly sources: readonly SourceTree[];
  /** The conditions of joins and of WHERE. All of them are true for the rows that are read. */
  readonly conditions: readonly SqlNode[];
  /**
   * The columns of USING. `source` is the index of the source that USING follows. Its column must equal the column with the same name in an
   * earlier source.
   */
  readonly using: readonly (TextSpan & { readonly column: string; readonly source: number })[];
  readonly groups: readonly SqlNode[];
  /** Whether the clause is `GROUP BY ALL`. */
  readonly groupsAll: boolean;
  readonly having: SqlNode | undefined;
  readonly isDistinct: boolean;
  /** The expressions of `DISTINCT ON (…)`. */
  readonly distinctOn: readonly SqlNode[];
  /** Whether `LIMIT 1` or a similar clause leaves at most one row. */
  readonly isOneRow: boolean;
  /** Whether there is a `QUALIFY`. Its condition is not read. */
  readonly isQualified: boolean;
  /** Whether `TOP`, `HAVING` or a later clause may leave out rows. */
  readonly isNarrowed: boolean;
}

export type SourceTree = JoinWords &
  (
    | { readonly kind: "table"; readonly path: readonly string[]; readonly alias: string | undefined }
    | { readonly kind: "query"; readonly query: QueryTree; readonly alias: string | undefined }
    | { readonly kind: "other"; readonly alias: string | undefined }
  );

/** How a source is joined to the sources before it. */
export interface JoinWords {
  /** Whether the join is `SEMI`, `ANTI`, `ANY` or `ASOF`, in which each row has at most one partner. */
  readonly isPartial: boolean;
  readonly isNatural: boolean;
}

export function operationOf(operator: string, ...operands: readonly SqlNode[]): SqlNode {
  return { kind: "operation", operator, operands };
}

/** Returns a list node, or the item itself if there is only one. */
export function listNodeOf(items: readonly SqlNode[]): SqlNode {
  const [only, ...others] = items;
  return only !== undefined && others.length === 0 ? only : { kind: "list", items };
}

export function negativeOf(node: SqlNode): SqlNode {
  if (node.kind === "literal" && typeof node.value === "number") return { kind: "literal", value: -node.value };
  return operationOf("negate", node);
}

/** Returns the parts of a node, without those of subqueries. */
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

/** Returns the column paths in a node, without those of subqueries. */
export function columnPathsOf(node: SqlNode): readonly (readonly string[])[] {
  return node.kind === "column" ? [node.path] : partsOf(node).flatMap(columnPathsOf);
}

/** Splits a condition at AND into conditions that must all be true. */
export function allConditions(node: SqlNode): readonly SqlNode[] {
  return node.kind === "operation" && node.operator === "and" ? node.operands.flatMap(allConditions) : [node];
}
