/** SQL statements and their typed expressions, from which all SQL text is written. */
import type { BinaryOperator } from "../expressions/expression.ts";
import type { TimeGrain } from "../expressions/time-grains.ts";

const sqlTypes = [
  "integer",
  "decimal",
  "double",
  "number",
  "text",
  "boolean",
  "date",
  "timestamp",
  "timestamptz",
  "uuid",
  "unknown",
] as const;
/** The types. A `number` may be exact or not. */
export type SqlType = (typeof sqlTypes)[number];

/** An expression's type, with the number of a `decimal`'s digits after the point, if known. */
export interface TypedExpression {
  readonly type: SqlType;
  readonly scale?: number | undefined;
}

export interface SqlColumn extends TypedExpression {
  readonly kind: "column";
  /** The alias of the relation. */
  readonly source: string;
  readonly name: string;
  /** Whether the column is a table's, and not computed by the statement itself. */
  readonly isStored: boolean;
  /** The character set of a text column, if known. */
  readonly charset?: string | undefined;
}

export interface SqlLiteral extends TypedExpression {
  readonly kind: "literal";
  /** `null` stands for NULL. Booleans are `true` and `false`. */
  readonly value: string | null;
}

export type AggregateName = "count" | "count_distinct" | "sum" | "min" | "max" | "median";
type WindowName = "rank" | "row_number" | "count" | "sum";

export interface SqlOrder {
  readonly by: SqlExpression;
  readonly descending: boolean;
}

export interface SqlWindow extends TypedExpression {
  readonly kind: "window";
  readonly name: WindowName;
  readonly operand?: SqlExpression | undefined;
  readonly partition: readonly SqlExpression[];
  readonly order: readonly SqlOrder[];
}

interface SqlCase extends TypedExpression {
  readonly kind: "case";
  readonly branches: readonly { readonly when: SqlExpression; readonly then: SqlExpression }[];
  readonly otherwise?: SqlExpression | undefined;
}

type Typed<Node> = Node & TypedExpression;

export type SqlExpression =
  | SqlColumn
  | SqlLiteral
  | SqlWindow
  | SqlCase
  | Typed<{ readonly kind: "binary"; operator: BinaryOperator; left: SqlExpression; right: SqlExpression }>
  | Typed<{ readonly kind: "not" | "negate"; readonly operand: SqlExpression }>
  | Typed<{ readonly kind: "is_null"; readonly operand: SqlExpression; readonly isNegated: boolean }>
  | Typed<{ readonly kind: "in"; operand: SqlExpression; values: readonly SqlExpression[]; isNegated: boolean }>
  | Typed<{ readonly kind: "like"; operand: SqlExpression; pattern: string; isNegated: boolean; isCaseless: boolean }>
  | Typed<{ readonly kind: "cast"; readonly operand: SqlExpression }>
  | Typed<{ readonly kind: "call"; readonly name: string; readonly args: readonly SqlExpression[] }>
  | Typed<{ readonly kind: "aggregate"; readonly name: AggregateName; readonly operand?: SqlExpression | undefined }>
  | Typed<{ readonly kind: "truncate"; operand: SqlExpression; grain: TimeGrain; weekStart: number }>
  | Typed<{ readonly kind: "shift"; operand: SqlExpression; count: number; grain: TimeGrain }>
  | Typed<{ readonly kind: "local_time"; operand: SqlExpression; zone: string }>
  | Typed<{ readonly kind: "exists" | "scalar"; readonly select: SelectRelation }>;

/* Relations, which a FROM can read. */

export interface StoredTable {
  readonly kind: "table";
  /** The parts of the table's name: schema and table, or table alone. */
  readonly path: readonly string[];
}

/** The rows of a statement that a user wrote. The engine has run that statement alone, so its parentheses and quotes are closed. */
export interface WrittenRows {
  readonly kind: "sql";
  readonly text: string;
}

/** A relation in the same statement, by its name. */
interface NamedReference {
  readonly kind: "named";
  readonly name: string;
}

export interface SelectRelation {
  readonly kind: "select";
  readonly isDistinct?: boolean | undefined;
  readonly columns: readonly SelectedColumn[];
  /** Missing for a SELECT of constants. */
  readonly from?: AliasedRelation | undefined;
  readonly joins?: readonly JoinedRelation[] | undefined;
  /** Conditions that must all be true. */
  readonly where?: readonly SqlExpression[] | undefined;
  readonly groupBy?: readonly SqlExpression[] | undefined;
  readonly orderBy?: readonly SqlOrder[] | undefined;
  readonly limit?: number | undefined;
}

export interface SelectedColumn {
  readonly name: string;
  readonly expression: SqlExpression;
}

export interface AliasedRelation {
  readonly relation: StoredTable | WrittenRows | NamedReference | SelectRelation | UnionRelation;
  readonly alias: string;
}

export interface JoinedRelation extends AliasedRelation {
  readonly join: "inner" | "left" | "cross";
  /** The condition; missing for a cross join. */
  readonly on?: SqlExpression | undefined;
}

/** A UNION ALL of relations. */
export interface UnionRelation {
  readonly kind: "union";
  readonly parts: readonly SelectRelation[];
}

export interface NamedRelation {
  readonly name: string;
  readonly relation: SelectRelation | UnionRelation;
  readonly isRecursive?: boolean | undefined;
}

export interface SqlStatement {
  readonly relations: readonly NamedRelation[];
  readonly body: SelectRelation;
}
