/** Parses OSI's expressions as models' expressions. */
import {
  MetricRefusalError,
  mapExpression,
  type ParsedExpression,
  parseExpression,
} from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";

type Call = Extract<ParsedExpression, { kind: "call" }>;

/** Parses an expression. Throws an ImportRefusalError if models cannot contain it. */
export function parseOsiExpression(text: string): ParsedExpression {
  try {
    return withKnownFunctions(parseExpression(text));
  } catch (error) {
    if (!(error instanceof MetricRefusalError)) throw error;
    return refuseImport(error.message);
  }
}

const aggregations = ["sum", "count", "avg", "min", "max", "median"] as const;
type Aggregation = (typeof aggregations)[number];

export function isAggregation(name: string): boolean {
  return aggregations.some((each) => each === name);
}

/**
 * Returns the aggregation of a call; undefined if the call is not an aggregation. Throws an ImportRefusalError if the aggregation is not
 * supported.
 */
export function aggregationOf(part: ParsedExpression): { readonly call: Call; readonly name: Aggregation } | undefined {
  if (part.kind !== "call") return undefined;
  const name = aggregations.find((each) => each === part.name);
  if (
    name === undefined &&
    /^(std|var(iance|_)|percentile|approx|any_value|listagg|string_agg|array_agg)/.test(part.name)
  )
    refuseImport(`The aggregation ${part.name} is not supported. Use ${aggregations.join(", ")}.`);
  return name && { call: part, name };
}

const zero: ParsedExpression = { kind: "literal", type: "integer", value: "0" };

/**
 * Replaces the specification's functions with equivalent functions of models, and the form in which exports write a division with a plain
 * division.
 */
function withKnownFunctions(parsed: ParsedExpression): ParsedExpression {
  return mapExpression(parsed, (part) => {
    if (part.kind === "binary" && part.operator === "/") return division(part);
    if (part.kind !== "call") return undefined;
    const args = part.args.map(withKnownFunctions);
    const [first, second, third] = args;
    const call = (name: string, list: readonly ParsedExpression[]): Call => ({ ...part, name, args: list });
    if (["ifnull", "nvl"].includes(part.name) && args.length === 2) return call("coalesce", args);
    if (part.name === "zeroifnull" && first && args.length === 1) return call("coalesce", [first, zero]);
    if (part.name === "nullifzero" && first && args.length === 1) return call("nullif", [first, zero]);
    if (part.name === "ceiling") return call("ceil", args);
    if (part.name === "mod" && first && second && args.length === 2)
      return { kind: "binary", operator: "%", left: first, right: second };
    if (["if", "iff"].includes(part.name) && first && second && third && args.length === 3)
      return { kind: "case", branches: [{ when: first, then: second }], otherwise: third };
    return { ...part, args };
  });
}

/** Converts `cast(a as double) / nullif(b, 0)` to `a / b`, because in models, a quotient is a double, and division by zero is NULL. */
function division(part: Extract<ParsedExpression, { kind: "binary" }>): ParsedExpression {
  const { left, right } = part;
  const isDouble = left.kind === "cast" && left.to === "double";
  const isGuarded =
    right.kind === "call" && right.name === "nullif" && right.args.length === 2 && isZero(right.args[1]);
  const [over, under] = [isDouble ? left.operand : left, isGuarded ? (right.args[0] ?? right) : right];
  return { ...part, left: withKnownFunctions(over), right: withKnownFunctions(under) };
}

function isZero(part: ParsedExpression | undefined): boolean {
  return part?.kind === "literal" && part.type === "integer" && Number(part.value) === 0;
}
