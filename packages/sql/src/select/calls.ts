/** Reads function calls, with everything that may be inside and after their parentheses. */
import { refuseStatement } from "../refusals/statement-refused.ts";
import { atName, atQuery, readExpressions, readName } from "./names.ts";
import { wordSet } from "./select-grammar.ts";
import type { SqlReading } from "./sql-reading.ts";
import { atType, readType } from "./types.ts";

/** Words that may come before the operand of TRIM. */
const sides = wordSet("both leading trailing");
const frameUnits = wordSet("rows range groups");
const searchModes = wordSet("in natural language mode boolean with query expansion");

export function readCall(reading: SqlReading): void {
  const { cursor, grammar } = reading;
  const { value, raw } = cursor.next();
  if (!grammar.functions.has(value)) refuseCall(raw);
  readArgumentList(reading, value);
  if (grammar.hasParameters && cursor.at("(")) readArgumentList(reading, value);
  readAfterCall(reading);
}

export function refuseCall(name: string): never {
  return refuseStatement(
    "effect",
    `The function ${name} is not among those that are known to only read. Use a built-in function without effects.`,
  );
}

function readArgumentList(reading: SqlReading, name: string): void {
  reading.cursor.expect("(");
  reading.cursor.nest(() => readArguments(reading, name));
  reading.cursor.expect(")");
}

function readArguments(reading: SqlReading, name: string): void {
  const { cursor, grammar } = reading;
  if (cursor.at(")")) return;
  if (grammar.queryFunctions?.has(name) && atQuery(reading)) {
    reading.query();
    return;
  }
  if (!cursor.accept("distinct")) cursor.accept("all");
  if (grammar.unitFunctions.has(name) && cursor.peek().kind === "word" && !cursor.at("(", 1)) readUnit(reading);
  else readArgument(reading, name);
  while (cursor.accept(",")) readArgument(reading, name);
}

/** Reads a keyword that replaces the first argument, as in `extract(year from a)`. */
function readUnit(reading: SqlReading): void {
  reading.cursor.next();
  if (reading.cursor.accept("from")) reading.expression();
}

function readArgument(reading: SqlReading, name: string): void {
  const { cursor, grammar } = reading;
  cursor.acceptAny(sides);
  if (!cursor.at("from")) {
    // In CAST, the type comes after AS, and a word such as DATE before AS is a function or a literal. In other functions, a type may be the
    // first argument, as in T-SQL's `convert(int, a)`, or the second, as in `convert(a, decimal(10, 2))`.
    if (grammar.typeFunctions.has(name) && !name.endsWith("cast") && atType(reading)) readType(reading);
    else reading.expression();
  }
  if (grammar.fromFunctions.has(name)) {
    if (cursor.accept("from")) reading.expression();
    if (cursor.accept("for")) reading.expression();
  }
  if (grammar.typeFunctions.has(name) && cursor.accept("as")) readType(reading);
  readArgumentWords(reading);
  readOrderBy(reading);
  readArgumentWords(reading);
}

function readArgumentWords(reading: SqlReading): void {
  const { cursor, grammar } = reading;
  while (cursor.acceptAny(grammar.argumentWords))
    if (cursor.peek().kind === "word") cursor.next();
    else reading.expression();
}

function readAfterCall(reading: SqlReading): void {
  const { cursor } = reading;
  if (cursor.accept("within", "group", "(")) {
    readOrderBy(reading);
    cursor.expect(")");
  }
  if (cursor.accept("against", "(")) {
    reading.expression();
    while (cursor.acceptAny(searchModes)) {
      // For example IN BOOLEAN MODE.
    }
    cursor.expect(")");
  }
  if (!cursor.accept("ignore", "nulls")) cursor.accept("respect", "nulls");
  if (!cursor.accept("over")) return;
  if (cursor.accept("(")) readWindow(reading);
  else readName(reading);
}

/** Reads `ORDER BY`, if it comes next. */
export function readOrderBy(reading: SqlReading): void {
  const { cursor } = reading;
  if (!cursor.accept("order", "by")) return;
  do {
    reading.expression();
    if (!cursor.accept("asc")) cursor.accept("desc");
    if (cursor.accept("nulls") && !cursor.accept("first")) cursor.expect("last");
  } while (cursor.accept(","));
}

/** Reads the content of `OVER (…)`, and the closing parenthesis. */
export function readWindow(reading: SqlReading): void {
  const { cursor } = reading;
  if (atName(reading) && !cursor.at("partition") && !cursor.atAny(frameUnits)) cursor.next();
  if (cursor.accept("partition", "by")) readExpressions(reading);
  readOrderBy(reading);
  if (cursor.acceptAny(frameUnits)) {
    if (cursor.accept("between")) {
      readFrameBound(reading);
      cursor.expect("and");
    }
    readFrameBound(reading);
  }
  cursor.expect(")");
}

function readFrameBound(reading: SqlReading): void {
  const { cursor } = reading;
  if (!cursor.accept("unbounded") && !cursor.accept("current", "row")) {
    if (cursor.peek().kind === "number") cursor.next();
    else {
      cursor.expect("interval");
      readInterval(reading);
    }
  }
  if (!cursor.accept("preceding")) cursor.accept("following");
}

/** Reads the amount and the unit after INTERVAL. */
export function readInterval(reading: SqlReading): void {
  const { cursor, grammar } = reading;
  if (grammar.intervalUnits.size === 0) cursor.fail("an expression");
  reading.expression();
  cursor.acceptAny(grammar.intervalUnits);
}
