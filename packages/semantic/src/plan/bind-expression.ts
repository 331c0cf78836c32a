/** Converts a parsed expression to the intermediate representation: names become columns, functions are looked up, types are checked. */
import type { ParsedExpression } from "../expressions/expression.ts";
import { bindArithmetic } from "../functions/bind-arithmetic.ts";
import { bindCall } from "../functions/bind-call.ts";
import { bindCast } from "../functions/bind-cast.ts";
import { bindComparison, bindMembers } from "../functions/bind-comparison.ts";
import { sqlBinary, sqlLiteral } from "../ir/build-expression.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import { mergeTypes, requireBoolean, requireNumber, requireType } from "../ir/type-rules.ts";
import { alignTimes } from "../ir/wall-clock.ts";

/** Returns the expression for a name such as `amount` or `customer.region`. */
export type ResolveName = (path: readonly string[]) => SqlExpression;

/** Binds an expression. With a zone, the days and hours of stored moments are in local time. */
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
      return bindBinary(parsed.operator, bind(parsed.left), bind(parsed.right), zone);
    case "is_null":
      return { kind: "is_null", operand: bind(parsed.operand), isNegated: parsed.isNegated, type: "boolean" };
    case "in":
      return bindMembers(bind(parsed.operand), parsed.values.map(bind), parsed.isNegated, zone);
    case "like":
      return bindLike(parsed, bind(parsed.operand));
    case "case":
      return bindCase(parsed, bind, zone);
    case "cast":
      return bindCast(bind(parsed.operand), parsed, zone);
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

function bindLike(
  { pattern, isNegated, isCaseless = false }: Extract<ParsedExpression, { kind: "like" }>,
  operand: SqlExpression,
): SqlExpression {
  requireType(operand, ["text"], isCaseless ? "ILIKE" : "LIKE");
  return { kind: "like", operand, pattern, isNegated, isCaseless, type: "boolean" };
}

function bindCase(
  parsed: Extract<ParsedExpression, { kind: "case" }>,
  bind: (each: ParsedExpression) => SqlExpression,
  zone: string | undefined,
): SqlExpression {
  const results = [...parsed.branches.map(({ then }) => then), ...(parsed.otherwise ? [parsed.otherwise] : [])];
  const values = alignTimes(results.map(bind), zone);
  const branches = parsed.branches.flatMap(({ when }, index) => {
    const then = values[index];
    return then ? [{ when: requireBoolean(bind(when)), then }] : [];
  });
  const otherwise = parsed.otherwise && values.at(-1);
  return { kind: "case", branches, otherwise, ...mergeTypes(values, "CASE") };
}

function bindUnary(operator: "not" | "-", operand: SqlExpression): SqlExpression {
  if (operator === "not") return { kind: "not", operand: requireBoolean(operand), type: "boolean" };
  requireNumber(operand, "-");
  return { kind: "negate", operand, type: operand.type, scale: operand.scale };
}

type Operator = Extract<ParsedExpression, { kind: "binary" }>["operator"];

export function bindBinary(
  operator: Operator,
  left: SqlExpression,
  right: SqlExpression,
  zone?: string,
): SqlExpression {
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
      return bindComparison(operator, left, right, zone);
  }
}
