import type { ParsedExpression } from "../expressions/expression.ts";
import { callOf, sqlBinary } from "../ir/build-expression.ts";
import type { SqlExpression, SqlType } from "../ir/sql-expression.ts";
import { type TimeGrain, timeGrains } from "../models/model-schema.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { refuseUnknown } from "../refusals/unknown-name.ts";
import { clockOf } from "./in-zone.ts";
import { mergeTypes, requireType } from "./type-rules.ts";

type Call = Extract<ParsedExpression, { kind: "call" }>;

interface KnownFunction {
  /** The least and the greatest number of arguments. */
  readonly count: readonly [number, number];
  readonly bind: (args: readonly SqlExpression[], name: string, zone: string | undefined) => SqlExpression;
}

const numbers: readonly SqlType[] = ["integer", "decimal", "double", "number"];
const times: readonly SqlType[] = ["date", "timestamp", "timestamptz"];

/** The functions of expressions. Each means the same on every engine, or the engine's dialect refuses it. */
const known: Readonly<Record<string, KnownFunction>> = {
  coalesce: { count: [1, 20], bind: (args) => callOf("coalesce", args, mergeTypes(args, "coalesce")) },
  nullif: { count: [2, 2], bind: bindNullIf },
  abs: { count: [1, 1], bind: (args, name) => callOf(name, checked(args, numbers, name), args[0] ?? unknown) },
  floor: { count: [1, 1], bind: (args, name) => callOf(name, checked(args, numbers, name), { type: "number" }) },
  ceil: { count: [1, 1], bind: (args, name) => callOf(name, checked(args, numbers, name), { type: "number" }) },
  lower: text(1, 1),
  upper: text(1, 1),
  trim: text(1, 1),
  replace: text(3, 3),
  concat: {
    count: [2, 20],
    bind: (args) => checked(args, ["text"], "concat").reduce((a, b) => sqlBinary("||", a, b, { type: "text" })),
  },
  length: { count: [1, 1], bind: (args) => callOf("length", checked(args, ["text"], "length"), { type: "integer" }) },
  contains: {
    count: [2, 2],
    bind: (args) => callOf("contains", checked(args, ["text"], "contains"), { type: "boolean" }),
  },
  year: timePart(),
  quarter: timePart(),
  month: timePart(),
  day: timePart(),
  hour: timePart(),
  day_of_week: timePart(),
  day_of_year: timePart(),
  date_trunc: { count: [2, 2], bind: bindTruncate },
};

const unknown = { type: "unknown" } as const;

export function bindCall(
  call: Call,
  bind: (each: ParsedExpression) => SqlExpression,
  zone: string | undefined,
): SqlExpression {
  const found = Object.hasOwn(known, call.name) ? known[call.name] : undefined;
  if (!found) return refuseUnknown("function", call.name, Object.keys(known));
  if (call.isDistinct) refuseMetric("invalid_expression", `DISTINCT has no meaning in ${call.name}. Remove it.`);
  const [least, greatest] = found.count;
  if (call.args.length < least || call.args.length > greatest) {
    const count = least === greatest ? `${least}` : `${least} to ${greatest}`;
    refuseMetric(
      "invalid_expression",
      `${call.name} has ${call.args.length} arguments, and needs ${count}. Correct the expression.`,
    );
  }
  return found.bind(call.args.map(bind), call.name, zone);
}

function checked(args: readonly SqlExpression[], types: readonly SqlType[], name: string): readonly SqlExpression[] {
  for (const arg of args) requireType(arg, types, name);
  return args;
}

function text(least: number, greatest: number): KnownFunction {
  return {
    count: [least, greatest],
    bind: (args, name) => callOf(name, checked(args, ["text"], name), { type: "text" }),
  };
}

function timePart(): KnownFunction {
  return {
    count: [1, 1],
    bind: (args, name, zone) =>
      callOf(
        name,
        checked(args, times, name).map((arg) => clockOf(zone, arg)),
        { type: "integer" },
      ),
  };
}

function bindNullIf(args: readonly SqlExpression[]): SqlExpression {
  mergeTypes(args, "nullif");
  return callOf("nullif", args, args[0] ?? unknown);
}

function bindTruncate(
  [grain, operand]: readonly SqlExpression[],
  _name: string,
  zone: string | undefined,
): SqlExpression {
  const name = grain?.kind === "literal" ? grain.value : undefined;
  const found: TimeGrain | undefined = timeGrains.find((each) => each === name);
  if (found === undefined || !operand)
    return refuseMetric("invalid_expression", `date_trunc needs one of ${timeGrains.join(", ")} in quotes.`);
  requireType(operand, times, "date_trunc");
  const type = found === "hour" ? "timestamp" : "date";
  return { kind: "truncate", operand: clockOf(zone, operand), grain: found, weekStart: 0, type };
}
