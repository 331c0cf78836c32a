/** Reads names, and other parts without expressions. */
import type { SqlToken } from "../tokens/sql-token.ts";
import type { NameReading, SqlReading } from "./sql-reading.ts";

/** Whether a name comes next: an unquoted word that is not reserved, or a quoted name. */
export function atName({ cursor, grammar }: NameReading, ahead = 0): boolean {
  const { kind, value } = cursor.peek(ahead);
  return kind === "name" || (kind === "word" && !grammar.reserved.has(value));
}

export function readName(reading: NameReading): SqlToken {
  if (!atName(reading)) reading.cursor.fail("a name");
  return reading.cursor.next();
}

/** Reads a name in a place where any word is possible, such as after a dot. */
export function readWord({ cursor }: NameReading, expected = "a name"): SqlToken {
  if (cursor.peek().kind !== "word" && cursor.peek().kind !== "name") cursor.fail(expected);
  return cursor.next();
}

/** Reads `a`, `a.b` or `a.b.c`. */
export function readDottedName(reading: NameReading): readonly SqlToken[] {
  const { cursor } = reading;
  const parts = [readName(reading)];
  while (cursor.at(".") && !cursor.at("*", 1)) {
    cursor.next();
    parts.push(readWord(reading));
  }
  return parts;
}

/** Reads a list such as `(a, b)`. */
export function readColumnNames(reading: NameReading): void {
  reading.cursor.expect("(");
  do readName(reading);
  while (reading.cursor.accept(","));
  reading.cursor.expect(")");
}

/** Reads an alias, if one comes next. Returns whether there was one. */
export function readAlias(reading: NameReading, allowsText = false): boolean {
  const { cursor } = reading;
  const hasAs = cursor.accept("as");
  // Without AS, a string could also belong to the word before it, as in _gbk'…'.
  if (allowsText && hasAs && cursor.peek().kind === "text") cursor.next();
  else if (hasAs || atName(reading)) readName(reading);
  else return false;
  return true;
}

/** Reads a table alias, with names for the table's columns. Returns whether there was an alias. */
export function readTableAlias(reading: NameReading): boolean {
  if (!readAlias(reading)) return false;
  if (reading.cursor.at("(") && atName(reading, 1)) readColumnNames(reading);
  return true;
}

export function readNumber({ cursor }: NameReading): void {
  if (cursor.peek().kind !== "number") cursor.fail("a number");
  cursor.next();
}

export function atQuery({ cursor }: NameReading, ahead = 0): boolean {
  return (
    cursor.at("select", ahead) || cursor.at("with", ahead) || (cursor.at("values", ahead) && cursor.at("(", ahead + 1))
  );
}

/** Reads a list of expressions, separated by commas. */
export function readExpressions(reading: SqlReading): void {
  do reading.expression();
  while (reading.cursor.accept(","));
}
