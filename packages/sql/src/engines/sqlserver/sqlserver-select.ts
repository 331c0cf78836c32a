import { readName, readNumber } from "../../select/names.ts";
import type { SelectClauses, SelectEngine, StatementReading } from "../../select/select-clauses.ts";
import { wordSet } from "../../select/select-grammar.ts";
import { readTableArguments } from "../../select/tables.ts";
import { readType } from "../../select/types.ts";
import { sqlserverGrammar } from "./sqlserver-grammar.ts";

/** Table hints that only change how rows are read. Other hints lock. */
const readHints = wordSet("nolock readuncommitted readcommitted readpast noexpand snapshot");

function readFetch(reading: StatementReading): void {
  const { cursor } = reading;
  if (!cursor.accept("next")) cursor.expect("first");
  reading.expression();
  if (!cursor.accept("rows")) cursor.expect("row");
  cursor.expect("only");
}

function readOptions(reading: StatementReading): void {
  const { cursor } = reading;
  if (!(cursor.at("maxrecursion", 2) || cursor.at("maxdop", 2) || cursor.at("recompile", 2)))
    cursor.fail("MAXRECURSION, MAXDOP or RECOMPILE");
  cursor.accept("option", "(");
  do
    if (!cursor.accept("recompile")) {
      if (!cursor.accept("maxrecursion")) cursor.expect("maxdop");
      readNumber(reading);
    }
  while (cursor.accept(","));
  cursor.expect(")");
}

/** Reads the columns after WITH, which consist of names, types and paths, without expressions. */
function readJsonColumns(reading: StatementReading): void {
  const { cursor } = reading;
  do {
    readName(reading);
    readType(reading);
    if (cursor.peek().kind === "text") cursor.next();
    cursor.accept("as", "json");
  } while (cursor.accept(","));
  cursor.expect(")");
}

const clauses: SelectClauses = {
  recursesAlways: true,

  top(reading) {
    const { cursor } = reading;
    if (!cursor.accept("top")) return;
    if (cursor.accept("(")) {
      reading.expression();
      cursor.expect(")");
    } else readNumber(reading);
    cursor.accept("percent");
    cursor.accept("with", "ties");
  },

  limit(reading) {
    const { cursor } = reading;
    if (cursor.accept("offset")) {
      reading.expression();
      if (!cursor.accept("rows")) cursor.expect("row");
      if (cursor.accept("fetch")) readFetch(reading);
    }
    if (cursor.at("option") && cursor.at("(", 1)) readOptions(reading);
  },

  otherJoin(reading) {
    if (!reading.cursor.accept("cross", "apply") && !reading.cursor.accept("outer", "apply")) return false;
    reading.factor();
    return true;
  },

  /** Reads table hints, such as `WITH (NOLOCK)`. */
  tableSuffix({ cursor }) {
    if (!(cursor.at("with") && cursor.at("(", 1))) return;
    cursor.accept("with", "(");
    do if (!cursor.acceptAny(readHints)) cursor.fail(`a hint that only reads (${[...readHints].join(", ")})`);
    while (cursor.accept(","));
    cursor.expect(")");
  },

  tableFunction(reading, name) {
    readTableArguments(reading);
    if (name === "openjson" && reading.cursor.accept("with", "(")) readJsonColumns(reading);
  },
};

/** How a SELECT of SQL Server is read. */
export const sqlserverSelect: SelectEngine = { grammar: sqlserverGrammar, clauses };
