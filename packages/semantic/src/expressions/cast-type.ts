import type { TokenCursor } from "@bridle/sql";
import { type CastType, castTypes, type ParsedExpression } from "./expression.ts";

const typeNames: ReadonlyMap<string, CastType> = new Map([
  ...castTypes.map((type) => [type, type] as const),
  ["int", "integer"],
  ["bigint", "integer"],
  ["float", "double"],
  ["real", "double"],
  ["varchar", "text"],
  ["string", "text"],
  ["numeric", "decimal"],
]);

/** The maximum number of decimal digits that every engine supports. */
const maxDigits = 38;

type CastTo = Pick<Extract<ParsedExpression, { kind: "cast" }>, "to" | "digits">;

/** Reads the type of a cast. A decimal must have its number of digits, because the defaults of engines differ. */
export function readCastType(cursor: TokenCursor): CastTo {
  const { kind, value } = cursor.peek();
  const to = kind === "word" ? typeNames.get(value) : undefined;
  if (to === undefined) return cursor.fail(`a type: ${castTypes.join(", ")}`);
  cursor.next();
  cursor.accept("precision");
  return to === "decimal" ? { to, digits: readDigits(cursor) } : { to };
}

function readDigits(cursor: TokenCursor): readonly [number, number] {
  if (!cursor.accept("(")) cursor.fail("the digits of a decimal, as in decimal(12, 2)");
  const all = readNumber(cursor);
  const fraction = cursor.accept(",") ? readNumber(cursor) : 0;
  if (all < 1 || all > maxDigits || fraction > all || fraction > 15)
    cursor.fail(`at most ${maxDigits} digits, and at most 15 of them after the point`);
  cursor.expect(")");
  return [all, fraction];
}

function readNumber(cursor: TokenCursor): number {
  const { kind, value } = cursor.peek();
  if (kind !== "number" || !/^\d{1,3}$/.test(value)) cursor.fail("a number of digits");
  cursor.next();
  return Number(value);
}
