/** Reads calls with an unquoted unit of time, as some engines write them: EXTRACT(YEAR FROM t), DATE_DIFF(DAY, a, b). */
import type { TokenCursor } from "@bridle/sql";
import type { ParsedExpression } from "./expression.ts";

const callsWithUnit: ReadonlySet<string> = new Set(["date_trunc", "date_diff", "datediff", "date_part"]);
const units: ReadonlySet<string> = new Set(
  "second minute hour day week month quarter year dow isodow doy dayofyear isoweek dayofweek week_of_year".split(" "),
);

/** Reads the arguments of `EXTRACT(YEAR FROM t)`, and returns the call `date_part('year', t)`. */
export function readExtract(cursor: TokenCursor, readWhole: () => ParsedExpression): ParsedExpression {
  const { kind, value } = cursor.peek();
  if (kind !== "word" && kind !== "text") cursor.fail("a part of a time, such as YEAR");
  cursor.next();
  if (cursor.accept(",")) cursor.fail("FROM: EXTRACT(YEAR FROM t)");
  cursor.expect("from");
  const time = readWhole();
  cursor.expect(")");
  const part: ParsedExpression = { kind: "literal", type: "text", value: value.toLowerCase() };
  return { kind: "call", name: "date_part", args: [part, time], isDistinct: false };
}

/**
 * Reads the next argument if it is only a unit of time, and the first argument, as in `DATE_DIFF(DAY, a, b)`, or the last, as in
 * `DATE_TRUNC(t, MONTH)`.
 */
export function readUnit(
  cursor: TokenCursor,
  name: string,
  before: readonly ParsedExpression[],
): ParsedExpression | undefined {
  const { kind, value } = cursor.peek();
  const isFirst = before.length === 0;
  if (!callsWithUnit.has(name) || kind !== "word" || !cursor.at(isFirst ? "," : ")", 1)) return undefined;
  if (!units.has(value) || before[0]?.kind === "literal") return undefined;
  if (isFirst && isUnitAt(cursor, 2)) cursor.fail("a unit in quotes, because a column may have this name");
  cursor.next();
  return { kind: "literal", type: "text", value };
}

/** Whether the token at a distance is a unit of time and the last argument. */
function isUnitAt(cursor: TokenCursor, ahead: number): boolean {
  return cursor.at(")", ahead + 1) && [...units].some((unit) => cursor.at(unit, ahead));
}
