import { type CastType, castTypes, type ParsedExpression } from "./expression.ts";
import type { ExpressionCursor } from "./token-cursor.ts";

const typeNames: Readonly<Record<string, CastType>> = {
  ...Object.fromEntries(castTypes.map((type) => [type, type])),
  int: "integer",
  bigint: "integer",
  float: "double",
  real: "double",
  varchar: "text",
  string: "text",
  numeric: "decimal",
};

/** The maximum number of digits in a decimal that every engine supports. */
const maxDigits = 38;

type CastTo = Pick<Extract<ParsedExpression, { kind: "cast" }>, "to" | "digits">;

/** The type of a cast. A decimal includes its digits, because engines choose different defaults. */
export function readCastType(cursor: ExpressionCursor): CastTo {
  const to = cursor.current.kind === "word" ? typeNames[cursor.current.text.toLowerCase()] : undefined;
  if (to === undefined) return cursor.fail(`expects a type: ${castTypes.join(", ")}`);
  cursor.next();
  cursor.take("precision");
  return to === "decimal" ? { to, digits: readDigits(cursor) } : { to };
}

function readDigits(cursor: ExpressionCursor): readonly [number, number] {
  if (!cursor.take("(")) cursor.fail("expects the digits of a decimal, as in decimal(12, 2)");
  const all = readNumber(cursor);
  const fraction = cursor.take(",") ? readNumber(cursor) : 0;
  if (all < 1 || all > maxDigits || fraction > all || fraction > 15)
    cursor.fail(`expects at most ${maxDigits} digits, and at most 15 of them after the point`);
  cursor.expect(")");
  return [all, fraction];
}

function readNumber(cursor: ExpressionCursor): number {
  const { kind, text } = cursor.current;
  if (kind !== "number" || !/^\d{1,3}$/.test(text)) cursor.fail("expects a number of digits");
  cursor.next();
  return Number(text);
}
