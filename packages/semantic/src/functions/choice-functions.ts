/** Functions that choose one of their arguments. */
import { callOf } from "../ir/build-expression.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import { mergeTypes, requireBoolean } from "../ir/type-rules.ts";
import { alignTimes } from "../ir/wall-clock.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { bindComparison } from "./bind-comparison.ts";
import { checked, type KnownFunction, numberTypes, timeTypes } from "./known-function.ts";

const coalesce: KnownFunction["bind"] = (args, name, zone) => {
  const values = alignTimes(args, zone);
  return callOf("coalesce", values, mergeTypes(values, name));
};
const choose: KnownFunction["bind"] = (args, name, zone) => {
  const [condition, ...results] = args;
  if (!condition) return refuseMetric("invalid_expression", `${name} needs a condition. Write it.`);
  return chosenIf(requireBoolean(condition), results, name, zone);
};

export const choiceFunctions: Readonly<Record<string, KnownFunction>> = {
  coalesce: { count: [1, 20], bind: coalesce },
  ifnull: { count: [2, 2], bind: coalesce },
  nvl: { count: [2, 2], bind: coalesce },
  nullif: { count: [2, 2], bind: bindNullIf },
  if: { count: [2, 3], bind: choose },
  iif: { count: [2, 3], bind: choose },
  /** Ignores NULL arguments. If all arguments are NULL, the result is NULL. */
  greatest: { count: [2, 20], bind: bindExtreme },
  least: { count: [2, 20], bind: bindExtreme },
};

function chosenIf(
  when: SqlExpression,
  results: readonly SqlExpression[],
  name: string,
  zone: string | undefined,
): SqlExpression {
  const values = alignTimes(results, zone);
  const [then, otherwise] = values;
  if (!then) return refuseMetric("invalid_expression", `${name} needs a result. Write it.`);
  return { kind: "case", branches: [{ when, then }], otherwise, ...mergeTypes(values, name) };
}

/** Compares like `=`, and not by a column's collation. */
function bindNullIf([value, other]: readonly SqlExpression[], name: string, zone: string | undefined): SqlExpression {
  if (!value || !other) return refuseMetric("invalid_expression", `${name} needs two values. Write them.`);
  const when = bindComparison("=", value, other, zone);
  const { type, scale } = value;
  const nothing: SqlExpression = { kind: "literal", value: null, type, scale };
  return { kind: "case", branches: [{ when, then: nothing }], otherwise: value, type, scale };
}

/** Replaces each NULL argument with another argument, because engines treat NULL differently here. */
function bindExtreme(args: readonly SqlExpression[], name: string, zone: string | undefined): SqlExpression {
  const values = alignTimes(checked(args, [...numberTypes, ...timeTypes], name), zone);
  const merged = mergeTypes(values, name);
  const present = values.map((value, index) => callOf("coalesce", [value, ...values.toSpliced(index, 1)], merged));
  return callOf(name, present, merged);
}
