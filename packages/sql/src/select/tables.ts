/** Reads the parts after FROM: joins, derived tables and their aliases. */
import { atQuery, readColumnNames, readExpressions, readTableAlias } from "./names.ts";
import type { SelectClauses, StatementReading } from "./select-clauses.ts";
import { wordSet } from "./select-grammar.ts";

const joinWords = wordSet("inner cross left right full outer natural join straight_join");

/** Reads a table name and its alias, and replaces the name. */
type ReadTable = () => void;

export function readTableList(reading: StatementReading, clauses: SelectClauses): void {
  do
    reading.cursor.nest(() => {
      reading.factor();
      while (acceptJoin(reading, clauses)) {
        // Each join adds one table.
      }
    });
  while (reading.cursor.accept(","));
}

function acceptJoin(reading: StatementReading, { otherJoin }: SelectClauses): boolean {
  const { cursor } = reading;
  if (cursor.accept("on")) reading.expression();
  else if (cursor.accept("using")) readColumnNames(reading);
  else if (!otherJoin?.(reading)) {
    if (!cursor.atAny(joinWords)) return false;
    readJoinWords(reading);
    reading.factor();
  }
  return true;
}

function readJoinWords({ cursor }: StatementReading): void {
  if (cursor.accept("straight_join")) return;
  cursor.accept("natural");
  if (cursor.accept("left") || cursor.accept("right") || cursor.accept("full")) cursor.accept("outer");
  else if (!cursor.accept("inner")) cursor.accept("cross");
  cursor.expect("join");
}

/** Reads a table in the form that all engines share. */
export function readFactor(reading: StatementReading, clauses: SelectClauses, readTable: ReadTable): void {
  const { cursor, grammar } = reading;
  if (cursor.accept("lateral") || (cursor.at("(") && atDerived(reading))) readDerived(reading);
  else if (cursor.accept("(")) {
    readTableList(reading, clauses);
    cursor.expect(")");
  } else if (cursor.atAny(grammar.tableFunctions) && cursor.at("(", 1)) {
    const { value } = cursor.next();
    if (clauses.tableFunction) clauses.tableFunction(reading, value);
    else readTableArguments(reading);
    readTableAlias(reading);
  } else readTable();
}

function atDerived(reading: StatementReading): boolean {
  let ahead = 1;
  while (reading.cursor.at("(", ahead)) ahead += 1;
  return atQuery(reading, ahead);
}

function readDerived(reading: StatementReading): void {
  reading.cursor.expect("(");
  reading.query();
  reading.cursor.expect(")");
  readTableAlias(reading);
}

/** Reads the arguments of a function that stands for a table. */
export function readTableArguments(reading: StatementReading): void {
  reading.cursor.expect("(");
  readExpressions(reading);
  reading.cursor.expect(")");
}
