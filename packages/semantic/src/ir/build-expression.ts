/** Helpers that build expressions of the intermediate representation. */
import type { BinaryOperator } from "../expressions/expression.ts";
import type {
  AggregateName,
  AliasedRelation,
  SelectedColumn,
  SelectRelation,
  SqlColumn,
  SqlExpression,
  SqlType,
  TypedExpression,
} from "./sql-expression.ts";

/** Returns a column that the statement itself computes, with the type of its expression. */
export function computedColumn(source: string, name: string, { type, scale }: TypedExpression): SqlColumn {
  return { kind: "column", source, name, type, scale, isStored: false };
}

export function sqlBinary(
  operator: BinaryOperator,
  left: SqlExpression,
  right: SqlExpression,
  as: TypedExpression = boolean,
): SqlExpression {
  return { kind: "binary", operator, left, right, type: as.type, scale: as.scale };
}

const boolean: TypedExpression = { type: "boolean" };

export function sqlLiteral(value: string | null, type: SqlType, scale?: number): SqlExpression {
  return { kind: "literal", value, type, scale };
}

export function allOf(conditions: readonly SqlExpression[]): SqlExpression {
  return conditions.length === 0
    ? sqlLiteral("true", "boolean")
    : conditions.reduce((left, right) => sqlBinary("and", left, right));
}

export function anyOf(conditions: readonly SqlExpression[]): SqlExpression {
  return conditions.length === 0
    ? sqlLiteral("false", "boolean")
    : conditions.reduce((left, right) => sqlBinary("or", left, right));
}

/** Returns the operand if the condition is true, and NULL otherwise. */
export function onlyIf(condition: SqlExpression, operand: SqlExpression): SqlExpression {
  return { kind: "case", branches: [{ when: condition, then: operand }], type: operand.type, scale: operand.scale };
}

export function sqlAggregate(name: AggregateName, operand: SqlExpression | undefined): SqlExpression {
  if (name === "count" || name === "count_distinct") return { kind: "aggregate", name, operand, type: "integer" };
  if (name === "median") return { kind: "aggregate", name, operand, type: "double" };
  return { kind: "aggregate", name, operand, type: operand?.type ?? "unknown", scale: operand?.scale };
}

/** Returns a quotient as a double. Division by zero or NULL is NULL. */
export function quotient(left: SqlExpression, right: SqlExpression): SqlExpression {
  return sqlBinary("/", left, right, { type: "double" });
}

export function callOf(name: string, args: readonly SqlExpression[], as: TypedExpression): SqlExpression {
  return { kind: "call", name, args, type: as.type, scale: as.scale };
}

export function orZero(operand: SqlExpression): SqlExpression {
  return callOf("coalesce", [operand, sqlLiteral("0", "integer")], operand);
}

/**
 * Converts text to the form that groups, counts and orders by its characters on every engine. A UUID is converted to text first. Other
 * types stay unchanged.
 */
export function exactOrder(operand: SqlExpression): SqlExpression {
  if (operand.type === "uuid") return exactOrder(callOf("uuid_text", [operand], { type: "text" }));
  return operand.type === "text" ? callOf("text_order", [operand], operand) : operand;
}

/** Converts text to the form that equals only the same characters on every engine. Other types stay unchanged. */
export function exactEquality(operand: SqlExpression): SqlExpression {
  return operand.type === "text" || operand.type === "unknown"
    ? callOf("text_identity", [operand], { type: "text" })
    : operand;
}

/** Converts text to the form that a result shows: the inverse of `exactOrder`. */
export function shownText(operand: SqlExpression): SqlExpression {
  return operand.type === "text" ? callOf("text_shown", [operand], operand) : operand;
}

/** Returns a SELECT of named columns. */
export function selectFrom(
  from: SelectRelation["from"],
  columns: readonly SelectedColumn[],
  more: Omit<SelectRelation, "kind" | "from" | "columns"> = {},
): SelectRelation {
  return { kind: "select", from, columns, ...more };
}

/** Returns a relation in the same statement, by its name. */
export function namedRelation(name: string, alias = name): AliasedRelation {
  return { relation: { kind: "named", name }, alias };
}
