import { callOf, computedColumn, quotient, sqlAggregate } from "../ir/build-expression.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import type { MeasureAggregation } from "../models/model-schema.ts";

/** Returns the aggregate of a measure over its input, or over rows if there is no input. */
export function aggregateMeasure(agg: MeasureAggregation, input: SqlExpression | undefined): SqlExpression {
  if (agg === "avg")
    return input
      ? quotient(sqlAggregate("sum", input), sqlAggregate("count", input))
      : sqlAggregate("count", undefined);
  return sqlAggregate(agg, input);
}

/** Computes the aggregate of a whole from the aggregates of its parts. */
export function mergeAggregates(agg: MeasureAggregation, part: SqlExpression): SqlExpression {
  if (agg === "count")
    return callOf("coalesce", [sqlAggregate("sum", part), { kind: "literal", value: "0", type: "integer" }], {
      type: "integer",
    });
  return sqlAggregate(agg === "sum" ? "sum" : agg === "min" ? "min" : "max", part);
}

/** Returns the key columns and the measure columns of a relation. */
export function columnsFrom(
  alias: string,
  columns: readonly { readonly name: string; readonly expression: SqlExpression }[],
) {
  return columns.map(({ name, expression }) => ({ name, expression: computedColumn(alias, name, expression) }));
}
