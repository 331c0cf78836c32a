/** Determines the type of a dimension from the model's declaration and the scan's measurement. */

import type { StoredGrain } from "../expressions/time-grains.ts";
import { withNumberType } from "../functions/bind-cast.ts";
import { callOf, sqlBinary, sqlLiteral } from "../ir/build-expression.ts";
import type { SqlExpression, SqlType } from "../ir/sql-expression.ts";
import { isNumeric, isTimeType } from "../ir/type-rules.ts";
import type { ModelDimension } from "../models/model-schema.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";

const declaredTypes: Readonly<Record<NonNullable<ModelDimension["type"]>, SqlType>> = {
  string: "text",
  number: "number",
  boolean: "boolean",
  date: "date",
  timestamp: "timestamp",
  time: "timestamp",
};

/** Converts values whose stored type differs from the declared type, or refuses them if engines would convert them differently. */
export function withDeclaredType(bound: SqlExpression, dimension: ModelDimension): SqlExpression {
  const declared = declaredTypeOf(dimension, bound.type);
  if (declared === undefined || isCompatible(bound.type, declared)) return bound;
  if (bound.type === "unknown") return { ...bound, type: declared, scale: undefined };
  if (bound.type === "text" && isTimeType(declared))
    return callOf(declared === "date" ? "text_date" : "text_moment", [bound], { type: declared });
  if (bound.type === "boolean" && declared === "number") return withNumberType(bound);
  if (bound.type === "integer" && declared === "boolean") return sqlBinary("<>", bound, sqlLiteral("0", "integer"));
  if (bound.type === "integer" && declared === "text") return { kind: "cast", operand: bound, type: "text" };
  // Numbers, times and booleans that are declared as text need no conversion.
  if (declared === "text") return bound;
  const why = `The dimension ${dimension.name} is declared as ${dimension.type ?? declared}, and is stored as ${bound.type}.`;
  return refuseMetric("unsupported", `${why} Declare its stored type, or store it as ${dimension.type ?? declared}.`);
}

/** Returns the declared type. A measured type takes precedence over a grain without a type. */
function declaredTypeOf({ type, grain }: ModelDimension, measured: SqlType): SqlType | undefined {
  if (type === undefined) return grain !== undefined && measured === "unknown" ? storedType(grain) : undefined;
  return type === "time" ? storedType(grain) : declaredTypes[type];
}

/** Whether the measured type, which takes precedence, is of the declared kind. */
function isCompatible(measured: SqlType, declared: SqlType): boolean {
  if (measured === declared) return true;
  return (isNumeric(measured) && isNumeric(declared)) || (isTimeType(measured) && isTimeType(declared));
}

const momentGrains: readonly StoredGrain[] = ["second", "minute", "hour"];

function storedType(grain: StoredGrain | undefined): SqlType {
  return grain === undefined || momentGrains.includes(grain) ? "timestamp" : "date";
}
