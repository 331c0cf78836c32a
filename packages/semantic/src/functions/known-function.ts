import { callOf } from "../ir/build-expression.ts";
import type { SqlExpression, SqlType, TypedExpression } from "../ir/sql-expression.ts";
import { requireType } from "../ir/type-rules.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";

/** A function in expressions. It means the same on every engine, or the engine's dialect refuses it. */
export interface KnownFunction {
  /** The minimum and maximum number of arguments. */
  readonly count: readonly [number, number];
  readonly bind: (args: readonly SqlExpression[], name: string, zone: string | undefined) => SqlExpression;
}

export const numberTypes: readonly SqlType[] = ["integer", "decimal", "double", "number"];
export const timeTypes: readonly SqlType[] = ["date", "timestamp", "timestamptz"];

export function checked(
  args: readonly SqlExpression[],
  types: readonly SqlType[],
  name: string,
): readonly SqlExpression[] {
  for (const arg of args) requireType(arg, types, name);
  return args;
}

/** Defines a function that accepts the given types for all of its arguments. */
export function functionOf(
  count: KnownFunction["count"],
  types: readonly SqlType[],
  result: TypedExpression,
): KnownFunction {
  return { count, bind: (args, name) => callOf(name, checked(args, types, name), result) };
}

/** Returns the value of an argument that must be written as a whole number. */
export function wholeArgument(arg: SqlExpression | undefined, min: number, name: string): number {
  const value = arg?.kind === "literal" && arg.type === "integer" ? Number(arg.value) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= min) return value;
  return refuseMetric("invalid_expression", `${name} needs a whole number from ${min} on. Write the digits.`);
}

/** Returns the value of an argument that must be a string literal. */
export function literalText(arg: SqlExpression | undefined): string | undefined {
  return arg?.kind === "literal" && arg.type === "text" && arg.value !== null ? arg.value : undefined;
}
