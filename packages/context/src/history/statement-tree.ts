/** The structure of a statement of a history, as far as its use of tables matters. */

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
  readonly items: readonly { readonly node: SqlNode; readonly alias: string | undefined }[];
  readonly sources: readonly SourceTree[];
  /** The conditions of joins and of WHERE. All of them hold for the rows that are read. */
  readonly conditions: readonly SqlNode[];
  /** The columns of USING, each with the sources before it and its own. */
  readonly using: readonly { readonly column: string; readonly source: number }[];
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
