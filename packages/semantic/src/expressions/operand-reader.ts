import { type TokenCursor, writtenName } from "@bridle/sql";
import { isCalendarDate, isClockTime } from "./calendar.ts";
import { readCastType } from "./cast-type.ts";
import type { ParsedExpression } from "./expression.ts";
import { readExtract, readUnit } from "./time-calls.ts";

type ReadWhole = () => ParsedExpression;

/** Words that are names only if they are quoted. */
const reserved = new Set(
  "select from where join union with case when then else end and or not in is like between null true false cast distinct as exists all any some over".split(
    " ",
  ),
);

/** Reads an operand: a literal, a name, a call, CASE, CAST or an expression in parentheses, and the `::` casts after it. */
export function readOperand(cursor: TokenCursor, readWhole: ReadWhole): ParsedExpression {
  const operand = readPlainOperand(cursor, readWhole);
  return readCasts(cursor, operand);
}

function readCasts(cursor: TokenCursor, operand: ParsedExpression): ParsedExpression {
  return cursor.accept("::") ? readCasts(cursor, { kind: "cast", operand, ...readCastType(cursor) }) : operand;
}

function readPlainOperand(cursor: TokenCursor, readWhole: ReadWhole): ParsedExpression {
  const { kind, value } = cursor.peek();
  if (cursor.accept("(")) return readParentheses(cursor, readWhole);
  if (kind === "number") return numberLiteral(cursor.next().value);
  if (kind === "text") return { kind: "literal", type: "text", value: cursor.next().value };
  if (cursor.accept("null")) return { kind: "literal", type: "null", value: "" };
  if (cursor.accept("true") || cursor.accept("false")) return { kind: "literal", type: "boolean", value };
  if (cursor.accept("case")) return readCase(cursor, readWhole);
  if (cursor.accept("cast")) return readCast(cursor, readWhole);
  const moment = readMoment(cursor);
  if (moment) return moment;
  if (cursor.at("(", 1) && kind === "word") return readCall(cursor, readWhole);
  return { kind: "name", path: readPath(cursor) };
}

function readParentheses(cursor: TokenCursor, readWhole: ReadWhole): ParsedExpression {
  const inner = readWhole();
  cursor.expect(")");
  return inner;
}

function numberLiteral(text: string): ParsedExpression {
  const type = /^\d+$/.test(text) ? "integer" : "decimal";
  return { kind: "literal", type, value: text };
}

function readCase(cursor: TokenCursor, readWhole: ReadWhole): ParsedExpression {
  const subject = cursor.at("when") ? undefined : readWhole();
  const branches: { when: ParsedExpression; then: ParsedExpression }[] = [];
  while (cursor.accept("when")) {
    const found = readWhole();
    const when: ParsedExpression =
      subject === undefined ? found : { kind: "binary", operator: "=", left: subject, right: found };
    cursor.expect("then");
    branches.push({ when, then: readWhole() });
  }
  if (branches.length === 0) cursor.fail("WHEN");
  const otherwise = cursor.accept("else") ? readWhole() : undefined;
  cursor.expect("end");
  return { kind: "case", branches, otherwise };
}

function readCast(cursor: TokenCursor, readWhole: ReadWhole): ParsedExpression {
  cursor.expect("(");
  const operand = readWhole();
  cursor.expect("as");
  const type = readCastType(cursor);
  cursor.expect(")");
  return { kind: "cast", operand, ...type };
}

/** Reads `DATE '2024-01-31'` or `TIMESTAMP '2024-01-31 12:00:00'`, or a name that consists of such a word. */
function readMoment(cursor: TokenCursor): ParsedExpression | undefined {
  const type = (["date", "timestamp"] as const).find((each) => cursor.at(each));
  if (type === undefined || cursor.at("(", 1) || cursor.at(".", 1)) return undefined;
  const word = cursor.next();
  const { kind, value: text } = cursor.peek();
  if (kind !== "text") return { kind: "name", path: [word.raw] };
  const value = text.replace("T", " ");
  if (!(type === "date" ? isCalendarDate(value) : isClockTime(value))) cursor.fail(`a ${type} that exists`);
  cursor.next();
  return { kind: "literal", type, value };
}

function readCall(cursor: TokenCursor, readWhole: ReadWhole): ParsedExpression {
  const name = cursor.next().value;
  if (reserved.has(name)) cursor.fail(`a function, and not ${name.toUpperCase()}`);
  cursor.expect("(");
  if (name === "count" && cursor.accept("*")) {
    cursor.expect(")");
    return { kind: "call", name, args: [], isDistinct: false };
  }
  if (name === "extract") return readExtract(cursor, readWhole);
  const isDistinct = cursor.accept("distinct");
  const args: ParsedExpression[] = [];
  while (!cursor.accept(")")) {
    if (args.length > 0) cursor.expect(",");
    args.push(readUnit(cursor, name, args) ?? readWhole());
  }
  if (cursor.at("over")) cursor.fail("the end of the call: windows belong into a metric");
  return { kind: "call", name, args, isDistinct };
}

/** Reads `amount`, `customer.region` or `{from}.valid_to`. */
function readPath(cursor: TokenCursor): string[] {
  const path = [readPart(cursor, true)];
  while (cursor.accept(".")) path.push(readPart(cursor, false));
  return path;
}

function readPart(cursor: TokenCursor, isFirst: boolean): string {
  if (isFirst && cursor.accept("{")) {
    const side = cursor.next().raw;
    if (side !== "from" && side !== "to") cursor.fail("{from} or {to}");
    cursor.expect("}");
    return `{${side}}`;
  }
  const { kind, value } = cursor.peek();
  if (kind !== "name" && (kind !== "word" || (isFirst && reserved.has(value)))) cursor.fail("a value");
  return writtenName(cursor.next());
}
