import { readAlias, readExpressions, readNumber } from "../../select/names.ts";
import type { SelectClauses, SelectEngine, StatementReading } from "../../select/select-clauses.ts";
import { wordSet } from "../../select/select-grammar.ts";
import { clickhouseGrammar } from "./clickhouse-grammar.ts";

const joinKinds = wordSet("any asof semi anti all");
const sides = wordSet("left right inner full");

function readShare(reading: StatementReading): void {
  readNumber(reading);
  if (reading.cursor.accept("/")) readNumber(reading);
}

function readArrays(reading: StatementReading): void {
  do {
    reading.expression();
    readAlias(reading);
  } while (reading.cursor.accept(","));
}

/** Reads the part after LIMIT, as in `LIMIT 5`, `LIMIT 5, 10` or `LIMIT 2 BY a`. */
function readLimits(reading: StatementReading): void {
  const { cursor } = reading;
  readNumber(reading);
  if (cursor.accept(",") || cursor.accept("offset")) readNumber(reading);
  if (cursor.accept("by")) readExpressions(reading);
  else cursor.accept("with", "ties");
}

const clauses: SelectClauses = {
  refusesTableNames: true,
  // If two common table expressions have the same name, the server's settings determine which one is used.
  refusesRepeatedNames: true,

  /** Reads `FINAL` and `SAMPLE 0.1`, after the alias. */
  tableSuffix(reading) {
    const { cursor } = reading;
    cursor.accept("final");
    if (!cursor.accept("sample")) return;
    readShare(reading);
    if (cursor.accept("offset")) readShare(reading);
  },

  otherJoin(reading) {
    const { cursor } = reading;
    if (cursor.accept("array", "join") || cursor.accept("left", "array", "join")) {
      readArrays(reading);
      return true;
    }
    const isOther =
      cursor.at("global") ||
      cursor.atAny(joinKinds) ||
      (cursor.atAny(sides) && cursor.atAny(joinKinds, 1)) ||
      cursor.at("paste");
    if (!isOther) return false;
    while (
      cursor.acceptAny(joinKinds) ||
      cursor.acceptAny(sides) ||
      cursor.accept("global") ||
      cursor.accept("outer")
    ) {
      // These words may be in any order here; the engine checks their order.
    }
    cursor.expect("join");
    reading.factor();
    return true;
  },

  beforeWhere(reading) {
    if (reading.cursor.accept("prewhere")) reading.expression();
  },

  groupBy(reading) {
    const { cursor } = reading;
    if (!cursor.accept("all")) readExpressions(reading);
    while (cursor.accept("with")) if (!cursor.accept("rollup") && !cursor.accept("cube")) cursor.expect("totals");
  },

  afterGroups(reading) {
    if (reading.cursor.accept("qualify")) reading.expression();
  },

  limit(reading) {
    const { cursor } = reading;
    if (cursor.accept("limit")) readLimits(reading);
    if (cursor.accept("limit")) readLimits(reading);
    if (cursor.accept("offset")) readNumber(reading);
  },
};

/** How a SELECT of ClickHouse is read. */
export const clickhouseSelect: SelectEngine = { grammar: clickhouseGrammar, clauses };
