/** Calls with an unquoted unit of time, as in some engines: EXTRACT(YEAR FROM t), DATE_DIFF(DAY, a, b). */
import type { ParsedExpression } from "./expression.ts";
import type { ExpressionCursor } from "./token-cursor.ts";

const callsWithUnit: ReadonlySet<string> = new Set(["date_trunc", "date_diff", "datediff", "date_part"]);
const units: ReadonlySet<string> = new Set(
  "second minute hour day week month quarter year dow isodow doy dayofyear isoweek dayofweek week_of_year".split(" "),
);

/** `EXTRACT(YEAR FROM t)` as `date_part('year', t)`. */
export function readExtract(cursor: ExpressionCursor, readWhole: () => ParsedExpression): ParsedExpression {
  const { kind, text } = cursor.current;
  if (kind !== "word" && kind !== "text") cursor.fail("expects a part of a time, such as YEAR");
  cursor.next();
  if (cursor.take(",")) cursor.fail("expects FROM: EXTRACT(YEAR FROM t)");
  cursor.expect("from");
  const time = readWhole();
  cursor.expect(")");
  const part: ParsedExpression = { kind: "literal", type: "text", value: text.toLowerCase() };
  return { kind: "call", name: "date_part", args: [part, time], isDistinct: false };
}

/**
 * The next argument if it is only a unit of time: the first one, as in `DATE_DIFF(DAY, a, b)`, or the last one, as in `DATE_TRUNC(t,
 * MONTH)`.
 */
export function readUnit(
  cursor: ExpressionCursor,
  name: string,
  before: readonly ParsedExpression[],
): ParsedExpression | undefined {
  const { kind, text } = cursor.current;
  const isFirst = before.length === 0;
  if (!callsWithUnit.has(name) || kind !== "word" || !cursor.peek(isFirst ? "," : ")", 1)) return undefined;
  if (!units.has(text.toLowerCase()) || before[0]?.kind === "literal") return undefined;
  if (isFirst && isUnitAt(cursor, 2)) cursor.fail("may be a unit or a column: write the unit in quotes");
  cursor.next();
  return { kind: "literal", type: "text", value: text.toLowerCase() };
}

/** Whether a word further on is the last argument, and a unit of time. */
function isUnitAt(cursor: ExpressionCursor, ahead: number): boolean {
  return cursor.peek(")", ahead + 1) && [...units].some((unit) => cursor.peek(unit, ahead));
}
