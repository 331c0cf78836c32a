import { atQuery, readNumber } from "../../select/names.ts";
import type { SelectClauses, SelectEngine, StatementReading } from "../../select/select-clauses.ts";
import { mysqlGrammar } from "./mysql-grammar.ts";

function readLimit(reading: StatementReading): void {
  const { cursor } = reading;
  if (cursor.accept("limit")) {
    readNumber(reading);
    if (cursor.accept(",") || cursor.accept("offset")) readNumber(reading);
  }
  if (cursor.accept("offset")) {
    readNumber(reading);
    if (!cursor.accept("rows")) cursor.accept("row");
  }
  if (!cursor.accept("fetch")) return;
  if (!cursor.accept("first")) cursor.expect("next");
  if (cursor.peek().kind === "number") cursor.next();
  if (!cursor.accept("rows")) cursor.expect("row");
  if (!cursor.accept("only")) cursor.expect("with", "ties");
}

/**
 * Reads the arguments of `JSON_TABLE(document, path COLUMNS (…))`. COLUMNS contains names, types, paths and defaults, but no expressions.
 */
function readJsonTable(reading: StatementReading): void {
  const { cursor } = reading;
  cursor.expect("(");
  reading.expression();
  cursor.expect(",");
  reading.expression();
  cursor.expect("columns", "(");
  readJsonColumns(reading);
  cursor.expect(")");
}

function readJsonColumns(reading: StatementReading): void {
  const { cursor } = reading;
  while (!cursor.accept(")")) {
    if (cursor.accept("(")) cursor.nest(() => readJsonColumns(reading));
    else if (cursor.peek().kind === "symbol" && !cursor.at(",")) cursor.fail("a column");
    else if (cursor.isAtEnd || atQuery(reading)) cursor.fail("a column");
    else cursor.next();
  }
}

const clauses: SelectClauses = { dual: "dual", limit: readLimit, tableFunction: readJsonTable };

/** How a SELECT of MySQL or MariaDB is read. */
export const mysqlSelect: SelectEngine = { grammar: mysqlGrammar, clauses };
