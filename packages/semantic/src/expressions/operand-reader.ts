import { isCalendarDate, isClockTime } from "./calendar.ts";
import { readCastType } from "./cast-type.ts";
import type { ParsedExpression } from "./expression.ts";
import { readExtract, readUnit } from "./time-calls.ts";
import type { ExpressionCursor } from "./token-cursor.ts";

type ReadWhole = () => ParsedExpression;

/** Words that can only be names if they are quoted. */
const reserved = new Set(
  "select from where join union with case when then else end and or not in is like between null true false cast distinct as exists all any some over".split(
    " ",
  ),
);

/** Reads an operand without an operator: a literal, a name, a call, CASE, CAST, or an expression in parentheses. */
export function readOperand(cursor: ExpressionCursor, readWhole: ReadWhole): ParsedExpression {
  const operand = readPlainOperand(cursor, readWhole);
  return readCasts(cursor, operand);
}

function readCasts(cursor: ExpressionCursor, operand: ParsedExpression): ParsedExpression {
  return cursor.take("::") ? readCasts(cursor, { kind: "cast", operand, ...readCastType(cursor) }) : operand;
}

function readPlainOperand(cursor: ExpressionCursor, readWhole: ReadWhole): ParsedExpression {
  const { kind, text } = cursor.current;
  if (cursor.take("(")) return readParentheses(cursor, readWhole);
  if (kind === "number") return numberLiteral(cursor.next().text);
  if (kind === "text") return { kind: "literal", type: "text", value: cursor.next().text };
  if (cursor.take("null")) return { kind: "literal", type: "null", value: "" };
  if (cursor.take("true") || cursor.take("false"))
    return { kind: "literal", type: "boolean", value: text.toLowerCase() };
  if (cursor.take("case")) return readCase(cursor, readWhole);
  if (cursor.take("cast")) return readCast(cursor, readWhole);
  const moment = readMoment(cursor);
  if (moment) return moment;
  if (cursor.peek("(", 1) && kind === "word") return readCall(cursor, readWhole);
  return { kind: "name", path: readPath(cursor) };
}

function readParentheses(cursor: ExpressionCursor, readWhole: ReadWhole): ParsedExpression {
  const inner = readWhole();
  cursor.expect(")");
  return inner;
}

function numberLiteral(text: string): ParsedExpression {
  const type = /^\d+$/.test(text) ? "integer" : "decimal";
  return { kind: "literal", type, value: text };
}

function readCase(cursor: ExpressionCursor, readWhole: ReadWhole): ParsedExpression {
  const subject = cursor.peek("when") ? undefined : readWhole();
  const branches: { when: ParsedExpression; then: ParsedExpression }[] = [];
  while (cursor.take("when")) {
    const found = readWhole();
    const when: ParsedExpression =
      subject === undefined ? found : { kind: "binary", operator: "=", left: subject, right: found };
    cursor.expect("then");
    branches.push({ when, then: readWhole() });
  }
  if (branches.length === 0) cursor.fail("expects WHEN");
  const otherwise = cursor.take("else") ? readWhole() : undefined;
  cursor.expect("end");
  return { kind: "case", branches, otherwise };
}

function readCast(cursor: ExpressionCursor, readWhole: ReadWhole): ParsedExpression {
  cursor.expect("(");
  const operand = readWhole();
  cursor.expect("as");
  const type = readCastType(cursor);
  cursor.expect(")");
  return { kind: "cast", operand, ...type };
}

/** `DATE '2024-01-31'` or `TIMESTAMP '2024-01-31 12:00:00'`. */
function readMoment(cursor: ExpressionCursor): ParsedExpression | undefined {
  const type = (["date", "timestamp"] as const).find((each) => cursor.peek(each));
  if (type === undefined || cursor.peek("(", 1) || cursor.peek(".", 1)) return undefined;
  const word = cursor.next();
  const { kind, text } = cursor.current;
  if (kind !== "text") return { kind: "name", path: [word.text] };
  const value = text.replace("T", " ");
  if (!(type === "date" ? isCalendarDate(value) : isClockTime(value))) cursor.fail(`expects a ${type} that exists`);
  cursor.next();
  return { kind: "literal", type, value };
}

function readCall(cursor: ExpressionCursor, readWhole: ReadWhole): ParsedExpression {
  const name = cursor.next().text.toLowerCase();
  if (reserved.has(name)) cursor.fail(`has the word ${name.toUpperCase()}, which is not a function`);
  cursor.expect("(");
  if (name === "count" && cursor.take("*")) {
    cursor.expect(")");
    return { kind: "call", name, args: [], isDistinct: false };
  }
  if (name === "extract") return readExtract(cursor, readWhole);
  const isDistinct = cursor.take("distinct");
  const args: ParsedExpression[] = [];
  while (!cursor.take(")")) {
    if (args.length > 0) cursor.expect(",");
    args.push(readUnit(cursor, name, args) ?? readWhole());
  }
  if (cursor.peek("over")) cursor.fail("ends the call: windows belong into a metric");
  return { kind: "call", name, args, isDistinct };
}

/** `amount`, `customer.region` or `{from}.valid_to`. */
function readPath(cursor: ExpressionCursor): string[] {
  const path = [readPart(cursor, true)];
  while (cursor.take(".")) path.push(readPart(cursor, false));
  return path;
}

function readPart(cursor: ExpressionCursor, isFirst: boolean): string {
  if (isFirst && cursor.take("{")) {
    const side = cursor.next().text;
    if (side !== "from" && side !== "to") cursor.fail("expects {from} or {to}");
    cursor.expect("}");
    return `{${side}}`;
  }
  const { kind, text } = cursor.current;
  if (kind !== "name" && (kind !== "word" || (isFirst && reserved.has(text.toLowerCase()))))
    cursor.fail("expects a value");
  return cursor.next().text;
}
