/** Turns a parsed expression into one of the IR: names become columns, functions are looked up, types are checked. */
import type { CastType, ParsedExpression } from "../expressions/expression.ts";
import { exactEquality, exactOrder, sqlBinary, sqlLiteral } from "../ir/build-expression.ts";
import type { SqlExpression, SqlLiteral, SqlType } from "../ir/sql-expression.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { bindCall } from "./bind-call.ts";
import { compareTime } from "./compare-time.ts";
import { clockOf } from "./in-zone.ts";
import { isTimeType, mergeTypes, requireBoolean, requireNumber, requireType } from "./type-rules.ts";

/** Returns the expression that a name such as `amount` or `customer.region` means. */
export type ResolveName = (path: readonly string[]) => SqlExpression;

/** With a zone, the days and hours of stored moments are those of its wall clock. */
export function bindExpression(parsed: ParsedExpression, resolve: ResolveName, zone?: string): SqlExpression {
  const bind = (each: ParsedExpression) => bindExpression(each, resolve, zone);
  switch (parsed.kind) {
    case "name":
      return resolve(parsed.path);
    case "literal":
      return bindLiteral(parsed);
    case "unary":
      return bindUnary(parsed.operator, bind(parsed.operand));
    case "binary":
      return bindBinary(parsed.operator, bind(parsed.left), bind(parsed.right));
    case "is_null":
      return { kind: "is_null", operand: bind(parsed.operand), isNegated: parsed.isNegated, type: "boolean" };
    case "in":
      return bindIn(bind(parsed.operand), parsed.values.map(bind), parsed.isNegated);
    case "like": {
      const operand = bind(parsed.operand);
      requireType(operand, ["text"], "LIKE");
      return { kind: "like", operand, pattern: parsed.pattern, isNegated: parsed.isNegated, type: "boolean" };
    }
    case "case": {
      const branches = parsed.branches.map(({ when, then }) => ({
        when: requireBoolean(bind(when)),
        then: bind(then),
      }));
      const otherwise = parsed.otherwise && bind(parsed.otherwise);
      const results = [...branches.map(({ then }) => then), ...(otherwise ? [otherwise] : [])];
      return { kind: "case", branches, otherwise, ...mergeTypes(results, "CASE") };
    }
    case "cast":
      return bindCast(bind(parsed.operand), parsed.to, zone);
    case "call":
      return bindCall(parsed, bind, zone);
  }
}

function bindLiteral({ type, value }: Extract<ParsedExpression, { kind: "literal" }>): SqlExpression {
  if (type === "null") return sqlLiteral(null, "unknown");
  if (type !== "decimal") return sqlLiteral(value, type);
  if (/e/i.test(value)) return sqlLiteral(value, "double");
  const text = value.startsWith(".") ? `0${value}` : value.replace(/\.$/, ".0");
  return sqlLiteral(text, "decimal", text.split(".")[1]?.length ?? 0);
}

function bindUnary(operator: "not" | "-", operand: SqlExpression): SqlExpression {
  if (operator === "not") return { kind: "not", operand: requireBoolean(operand), type: "boolean" };
  requireNumber(operand, "-");
  return { kind: "negate", operand, type: operand.type, scale: operand.scale };
}

type Operator = Extract<ParsedExpression, { kind: "binary" }>["operator"];

export function bindBinary(operator: Operator, left: SqlExpression, right: SqlExpression): SqlExpression {
  switch (operator) {
    case "and":
    case "or":
      return sqlBinary(operator, requireBoolean(left), requireBoolean(right));
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
      return bindArithmetic(operator, left, right);
    case "||":
      requireType(left, ["text"], "||");
      requireType(right, ["text"], "||");
      return sqlBinary("||", left, right, { type: "text" });
    default:
      return bindComparison(operator, left, right);
  }
}

function bindArithmetic(
  operator: "+" | "-" | "*" | "/" | "%",
  left: SqlExpression,
  right: SqlExpression,
): SqlExpression {
  for (const side of [left, right]) requireNumber(side, operator);
  if (operator === "/") return sqlBinary("/", left, right, { type: "double" });
  if (operator === "%") {
    for (const side of [left, right]) requireType(side, ["integer"], "%");
    return sqlBinary("%", left, right, { type: "integer" });
  }
  const merged = mergeTypes([left, right], operator);
  if (merged.type !== "decimal" || operator !== "*") return sqlBinary(operator, left, right, merged);
  const scales = [left, right].map(({ type, scale }) => (type === "integer" ? 0 : scale));
  const [a, b] = scales;
  const scale = a === undefined || b === undefined ? undefined : a + b;
  return sqlBinary("*", left, right, { type: "decimal", scale });
}

const mirrored: Readonly<Partial<Record<Operator, Operator>>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

function bindComparison(operator: Operator, left: SqlExpression, right: SqlExpression): SqlExpression {
  if (isMoment(right) && isTimeType(left.type)) return compareTime(operator, left, right.value);
  if (isMoment(left) && isTimeType(right.type)) return compareTime(mirrored[operator] ?? operator, right, left.value);
  mergeTypes([left, right], operator);
  for (const [side, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (side.type === "timestamptz" && isTimeType(other.type) && other.type !== "timestamptz") {
      const utc: SqlExpression = { kind: "local_time", operand: side, zone: "UTC", type: "timestamp" };
      return side === left ? bindComparison(operator, utc, other) : bindComparison(operator, other, utc);
    }
  }
  if (left.type !== "text" && right.type !== "text") return sqlBinary(operator, left, right);
  const exact = ["<", "<=", ">", ">="].includes(operator) ? exactOrder : exactEquality;
  return isTextLiteral(left) ? sqlBinary(operator, left, exact(right)) : sqlBinary(operator, exact(left), right);
}

function isTextLiteral(node: SqlExpression): boolean {
  return node.kind === "literal" && node.type === "text";
}

/** A text that is compared with a date is one. */
function isMoment(node: SqlExpression): node is SqlLiteral & { readonly value: string } {
  return node.kind === "literal" && node.value !== null && ["text", "date", "timestamp"].includes(node.type);
}

function bindIn(operand: SqlExpression, values: readonly SqlExpression[], isNegated: boolean): SqlExpression {
  const present = values.filter((value) => !(value.kind === "literal" && value.value === null));
  if (present.length < values.length && !isNegated) {
    refuseMetric(
      "ambiguous_question",
      "NULL in a list of IN matches nothing in SQL. Leave it out, or add OR … IS NULL.",
    );
  }
  const isText = mergeTypes([operand, ...present], "IN").type === "text";
  if (present.length > 0)
    return {
      kind: "in",
      operand: isText ? exactEquality(operand) : operand,
      values: present,
      isNegated,
      type: "boolean",
    };
  return { kind: "is_null", operand, isNegated: true, type: "boolean" };
}

const castable: Readonly<Record<CastType, readonly SqlType[]>> = {
  integer: ["integer", "boolean"],
  double: ["integer", "decimal", "double", "number", "unknown"],
  text: ["text", "integer", "date", "unknown"],
  date: ["date", "timestamp", "timestamptz"],
  timestamp: ["date", "timestamp", "timestamptz"],
};

function bindCast(operand: SqlExpression, to: CastType, zone: string | undefined): SqlExpression {
  if (!castable[to].includes(operand.type)) {
    const remedy = to === "integer" ? "Use floor or round." : "Store the value in the type that you need.";
    refuseMetric("unsupported", `A cast of ${operand.type} to ${to} differs between engines. ${remedy}`);
  }
  if (operand.type === to) return operand;
  if (to === "date")
    return { kind: "truncate", operand: clockOf(zone, operand), grain: "day", weekStart: 0, type: "date" };
  if (operand.type === "timestamptz") return { kind: "local_time", operand, zone: "UTC", type: "timestamp" };
  if (operand.type !== "boolean") return { kind: "cast", operand, type: to };
  const [one, zero] = [sqlLiteral("1", "integer"), sqlLiteral("0", "integer")];
  const isFalse: SqlExpression = { kind: "not", operand, type: "boolean" };
  return {
    kind: "case",
    branches: [
      { when: operand, then: one },
      { when: isFalse, then: zero },
    ],
    type: "integer",
  };
}
