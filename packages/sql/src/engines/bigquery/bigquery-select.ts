import { readAlias, readExpressions, readNumber } from "../../select/names.ts";
import type { SelectClauses, SelectEngine } from "../../select/select-clauses.ts";
import { wordSet } from "../../select/select-grammar.ts";
import { bigqueryGrammar } from "./bigquery-grammar.ts";

const structs = wordSet("struct value");

const clauses: SelectClauses = {
  /** `` `project.dataset.table` `` is one quoted name with three parts. A dataset of another project forms one part with its project. */
  tablePath: (names) => names.flatMap((name) => name.split(".")),

  /** `SELECT AS STRUCT`. */
  top({ cursor }) {
    if (!cursor.at("as") || !cursor.atAny(structs, 1)) return;
    cursor.next();
    cursor.next();
  },

  /** `WITH OFFSET AS position` after `UNNEST(…)`. */
  factor(reading, common) {
    common();
    if (reading.cursor.accept("with", "offset")) readAlias(reading);
  },

  /** `TABLESAMPLE SYSTEM (10 PERCENT)`. */
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

/** A SELECT of GoogleSQL. */
export const bigquerySelect: SelectEngine = { grammar: bigqueryGrammar, clauses };
