import type { ParsedExpression } from "../expressions/expression.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { refuseUnknown } from "../refusals/unknown-name.ts";
import { choiceFunctions } from "./choice-functions.ts";
import type { KnownFunction } from "./known-function.ts";
import { numberFunctions } from "./number-functions.ts";
import { textFunctions } from "./text-functions.ts";
import { timeFunctions } from "./time-functions.ts";

type Call = Extract<ParsedExpression, { kind: "call" }>;

/** The functions in expressions. Each function means the same on every engine, or the engine's dialect refuses it. */
const knownFunctions: Readonly<Record<string, KnownFunction>> = {
  ...choiceFunctions,
  ...numberFunctions,
  ...textFunctions,
  ...timeFunctions,
};

export function bindCall(
  call: Call,
  bind: (each: ParsedExpression) => SqlExpression,
  zone: string | undefined,
): SqlExpression {
  const found = Object.hasOwn(knownFunctions, call.name) ? knownFunctions[call.name] : undefined;
  if (!found) return refuseUnknown("function", call.name, Object.keys(knownFunctions));
  if (call.isDistinct) refuseMetric("invalid_expression", `DISTINCT has no meaning in ${call.name}. Remove it.`);
  const [min, greatest] = found.count;
  if (call.args.length < min || call.args.length > greatest) {
    const count = min === greatest ? `${min}` : `${min} to ${greatest}`;
    refuseMetric(
      "invalid_expression",
      `${call.name} has ${call.args.length} arguments, and needs ${count}. Correct the expression.`,
    );
  }
  return found.bind(call.args.map(bind), call.name, zone);
}
