import { readAlias, readExpressions, readNumber } from "../../select/names.ts";
import type { SelectClauses, SelectEngine } from "../../select/select-clauses.ts";
import { wordSet } from "../../select/select-grammar.ts";
import { bigqueryGrammar } from "./bigquery-grammar.ts";

const structs = wordSet("struct value");

const clauses: SelectClauses = {
  /** Splits a name at its dots: `` `project.dataset.table` `` is one quoted name with three parts. */
  tablePath: (names) => names.flatMap((name) => name.split(".")),

  /** Reads `AS STRUCT` or `AS VALUE`. */
  top({ cursor }) {
    if (!cursor.at("as") || !cursor.atAny(structs, 1)) return;
    cursor.next();
    cursor.next();
  },

  /** Reads `WITH OFFSET AS position` after `UNNEST(…)`. */
  factor(reading, common) {
    common();
    if (reading.cursor.accept("with", "offset")) readAlias(reading);
  },

  /** Reads `TABLESAMPLE SYSTEM (10 PERCENT)`. */
  tableSuffix(reading) {
    if (!reading.cursor.accept("tablesample")) return;
    reading.cursor.expect("system", "(");
    readNumber(reading);
    reading.cursor.expect("percent", ")");
  },

  groupBy(reading) {
    const { cursor } = reading;
    if (cursor.accept("all")) return;
    if (!cursor.accept("grouping", "sets")) readExpressions(reading);
    else {
      cursor.expect("(");
      readExpressions(reading);
      cursor.expect(")");
    }
  },

  afterGroups(reading) {
    if (reading.cursor.accept("qualify")) reading.expression();
  },

  limit(reading) {
    if (!reading.cursor.accept("limit")) return;
    readNumber(reading);
    if (reading.cursor.accept("offset")) readNumber(reading);
  },
};

/** How a SELECT of GoogleSQL is read. */
export const bigquerySelect: SelectEngine = { grammar: bigqueryGrammar, clauses };
