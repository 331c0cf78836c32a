/** Reads conditions on the metric of a row's group, such as `group_metric('orders.count', "customer", 'orders.customer') > 2`. */
import type { BinaryOperator, ParsedExpression } from "../expressions/expression.ts";
import { bindComparison } from "../functions/bind-comparison.ts";
import { computedColumn, namedRelation, selectFrom, sqlLiteral } from "../ir/build-expression.ts";
import type { NamedRelation, SqlExpression, TypedExpression } from "../ir/sql-expression.ts";

/** A relation with one row for each group: its key `k`, and the metric `v`. */
export interface GroupRelation {
  readonly name: string;
  readonly key: TypedExpression;
  readonly value: TypedExpression;
}

export interface GroupMetrics {
  /** Relations that the statement must contain before its own. */
  readonly relations: readonly NamedRelation[];
  relationOf(metric: string, field: string): GroupRelation;
}

interface GroupCondition {
  readonly metric: string;
  /** The field by which the metric is grouped, as the metric names it. */
  readonly field: string;
  /** The group key of the filtered row. */
  readonly key: ParsedExpression;
  readonly operator: BinaryOperator;
  readonly value: ParsedExpression;
}

const operators: readonly BinaryOperator[] = ["=", "<>", "<", "<=", ">", ">="];

/** Returns undefined for other conditions. A group without rows has no metric, so that it matches no comparison. */
export function readGroupCondition(condition: ParsedExpression): GroupCondition | undefined {
  if (condition.kind !== "binary" || !operators.includes(condition.operator)) return undefined;
  const { left, right, operator } = condition;
  if (left.kind !== "call" || left.name !== "group_metric" || right.kind !== "literal") return undefined;
  const [metric, key, field, ...more] = left.args;
  const isText = (each: ParsedExpression | undefined) => each?.kind === "literal" && each.type === "text";
  if (!key || more.length > 0 || metric?.kind !== "literal" || field?.kind !== "literal") return undefined;
  if (!isText(metric) || !isText(field)) return undefined;
  return { metric: metric.value, field: field.value, key, operator, value: right };
}

interface ComparedGroup {
  readonly operator: BinaryOperator;
  /** The group key of the filtered row. */
  readonly key: SqlExpression;
  readonly value: SqlExpression;
  readonly zone: string | undefined;
}

export function groupExists(
  { name, ...group }: GroupRelation,
  { operator, key, value, zone }: ComparedGroup,
): SqlExpression {
  const where = [
    bindComparison("=", key, computedColumn("g", "k", group.key), zone),
    bindComparison(operator, computedColumn("g", "v", group.value), value, zone),
  ];
  const one = [{ name: "one", expression: sqlLiteral("1", "integer") }];
  return { kind: "exists", select: selectFrom(namedRelation(name, "g"), one, { where }), type: "boolean" };
}
