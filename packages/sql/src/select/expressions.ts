/** Reads expressions without building a tree, and without the precedence of operators, because only the names in an expression matter. */
import { refuseStatement } from "../refusals/statement-refused.ts";
import { readCall, readInterval, refuseCall } from "./calls.ts";
import { atName, atQuery, readDottedName, readExpressions, readName, readWord } from "./names.ts";
import { setOperators, wordSet } from "./select-grammar.ts";
import type { SqlReading } from "./sql-reading.ts";
import { readType } from "./types.ts";

const truthValues = wordSet("null true false unknown");

export function readExpression(reading: SqlReading): void {
  reading.cursor.nest(() => {
    do readOperand(reading);
    while (acceptOperator(reading));
  });
}

function acceptOperator(reading: SqlReading): boolean {
  const { cursor, grammar } = reading;
  if (cursor.acceptAny(grammar.binarySymbols)) return true;
  if (grammar.inNamesTables) refuseTableAfterIn(reading);
  if (cursor.at("not") && cursor.atAny(grammar.binaryWords, 1)) cursor.next();
  return (
    cursor.accept("sounds", "like") ||
    cursor.accept("member", "of") ||
    cursor.accept("at", "time", "zone") ||
    cursor.acceptAny(grammar.binaryWords) !== undefined
  );
}

/** Refuses a single name after IN, because it is a table there, even in parentheses. */
function refuseTableAfterIn(reading: SqlReading): void {
  const { cursor } = reading;
  const start = cursor.at("not") ? 2 : 1;
  if (!cursor.at("in", start - 1)) return;
  let ahead = start;
  while (cursor.at("(", ahead)) ahead += 1;
  if (atQuery(reading, ahead) || !atName(reading, ahead)) return;
  while (cursor.at(".", ahead + 1)) ahead += 2;
  if (cursor.at("(", ahead + 1)) return;
  if (ahead === start || cursor.at(")", ahead + 1) || !cursor.at("(", start))
    refuseStatement("effect", "A name after IN is a table here. Write a list of values, or a subquery with SELECT.");
}

function readOperand(reading: SqlReading): void {
  const { cursor, grammar } = reading;
  while (cursor.acceptAny(grammar.prefixes)) {
    // Reads all prefixes.
  }
  acceptGroup(reading);
  readPrimary(reading);
  while (acceptPostfix(reading)) {
    // Reads all postfixes, such as IS NULL.
  }
}

/** Reads the group before a function name, such as `SAFE.` in `SAFE.PARSE_DATE(…)`. */
function acceptGroup({ cursor, grammar }: SqlReading): void {
  const { kind, value } = cursor.peek();
  const members = kind === "word" ? grammar.functionGroups?.get(value) : undefined;
  if (members === undefined || !cursor.at(".", 1) || !cursor.atAny(members, 2) || !cursor.at("(", 3)) return;
  cursor.next();
  cursor.next();
}

function readPrimary(reading: SqlReading): void {
  const { cursor, grammar } = reading;
  const { kind } = cursor.peek();
  if (kind === "number") cursor.next();
  else if (kind === "text") readTexts(reading);
  else if (cursor.accept("(")) readParenthesized(reading);
  else if (cursor.at("[") && grammar.hasArrays) readArray(reading);
  else if (cursor.accept("*")) readStarWords(reading);
  else if (cursor.accept("case")) readCase(reading);
  else if (cursor.accept("interval")) readInterval(reading);
  else if (cursor.accept("exists")) readSubquery(reading);
  else if (cursor.atAny(grammar.literalPrefixes) && cursor.peek(1).kind === "text") {
    cursor.next();
    readTexts(reading);
  } else if (kind === "word" && cursor.at("(", 1)) readCall(reading);
  else if (!cursor.acceptAny(grammar.constants)) readColumn(reading);
}

function readArray(reading: SqlReading): void {
  const { cursor } = reading;
  cursor.expect("[");
  if (!cursor.at("]")) cursor.nest(() => readExpressions(reading));
  cursor.expect("]");
}

/** Reads the parts after `*`, such as `EXCEPT (a, b) REPLACE (c + 1 AS c)`. */
function readStarWords(reading: SqlReading): void {
  const { cursor, grammar } = reading;
  readStarReplacements(reading);
  if (grammar.starWords === undefined || !cursor.atAny(grammar.starWords)) return;
  if (!cursor.at("(", 1) || !atName(reading, 2)) return;
  cursor.next();
  cursor.expect("(");
  do readName(reading);
  while (cursor.accept(","));
  cursor.expect(")");
  readStarReplacements(reading);
}

function readStarReplacements(reading: SqlReading): void {
  const { cursor, grammar } = reading;
  if (!grammar.starReplaces || !cursor.accept("replace", "(")) return;
  do {
    reading.expression();
    cursor.expect("as");
    readName(reading);
  } while (cursor.accept(","));
  cursor.expect(")");
}

/** Reads one or more strings. Adjacent strings form one string. */
function readTexts({ cursor }: SqlReading): void {
  while (cursor.peek().kind === "text") cursor.next();
}

function readParenthesized(reading: SqlReading): void {
  const { cursor } = reading;
  cursor.nest(() => {
    if (atQuery(reading)) reading.query();
    else {
      readExpressions(reading);
      if (cursor.atAny(setOperators)) reading.queryTail();
    }
  });
  cursor.expect(")");
}

function readSubquery(reading: SqlReading): void {
  const { cursor } = reading;
  cursor.expect("(");
  cursor.nest(() => reading.query());
  cursor.expect(")");
}

function readCase(reading: SqlReading): void {
  const { cursor } = reading;
  if (!cursor.at("when")) reading.expression();
  while (cursor.accept("when")) {
    reading.expression();
    cursor.expect("then");
    reading.expression();
  }
  if (cursor.accept("else")) reading.expression();
  cursor.expect("end");
}

function readColumn(reading: SqlReading): void {
  const { cursor } = reading;
  const parts = readDottedName(reading);
  if (cursor.at("(")) refuseCall(parts.map(({ raw }) => raw).join("."));
  const isStar = cursor.accept(".", "*");
  reading.column(parts, isStar);
  if (isStar) readStarWords(reading);
}

function acceptPostfix(reading: SqlReading): boolean {
  const { cursor, grammar } = reading;
  if (grammar.hasArrays && cursor.at("[")) readArray(reading);
  else if (grammar.fieldSymbols !== undefined && cursor.acceptAny(grammar.fieldSymbols))
    readWord(reading, "the name of a field");
  else if (grammar.hasCastSymbol && cursor.accept("::")) readType(reading);
  else if (cursor.accept("collate")) readWord(reading, "a collation");
  else if (cursor.accept("is")) {
    cursor.accept("not");
    if (cursor.accept("distinct", "from")) reading.expression();
    else if (!cursor.acceptAny(truthValues)) cursor.fail("NULL, TRUE, FALSE or UNKNOWN");
  } else return false;
  return true;
}
