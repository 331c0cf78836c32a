import { refuseStatement } from "../../refusals/statement-refused.ts";
import { refuseCall } from "../../select/calls.ts";
import { atName, readAlias, readName, readNumber, readTableAlias } from "../../select/names.ts";
import type { SelectClauses, SelectEngine, StatementReading } from "../../select/select-clauses.ts";
import { readTableArguments } from "../../select/tables.ts";
import type { SqlToken } from "../../tokens/sql-token.ts";
import { snowflakeGrammar } from "./snowflake-grammar.ts";
import { snowflakeTableFunctions } from "./snowflake-words.ts";
import { readTableSuffixes } from "./table-suffixes.ts";

/** Folds an unquoted name to upper case. Refuses letters other than A to Z, because these are not folded in the same way everywhere. */
function foldName({ kind, value, raw }: SqlToken): string {
  if (kind === "name") return value;
  if (/^[\w$]+$/.test(raw)) return raw.toUpperCase();
  return refuseStatement("syntax", `The name ${raw} has letters other than A to Z. Write it in double quotes.`);
}

/** Refuses `sequence.nextval`, which advances a sequence, and session functions without parentheses, such as `current_role`. */
function checkColumn(parts: readonly SqlToken[], isStar: boolean): void {
  const last = parts.at(-1);
  if (parts.length > 1 && !isStar && last?.value.toLowerCase() === "nextval")
    refuseStatement("effect", "NEXTVAL changes a sequence. Only reading is possible here.");
  if (parts.length === 1 && last?.kind === "word" && last.value.startsWith("current_")) refuseCall(last.raw);
}

function readComputedTable(reading: StatementReading): void {
  reading.cursor.next();
  readTableArguments(reading);
}

function readRenames(reading: StatementReading): void {
  const { cursor } = reading;
  cursor.next();
  const isList = cursor.accept("(");
  do {
    readName(reading);
    cursor.expect("as");
    readName(reading);
  } while (isList && cursor.accept(","));
  if (isList) cursor.expect(")");
}

function readGroupingSets(reading: StatementReading): void {
  const { cursor } = reading;
  do if (!cursor.accept("(", ")")) reading.expression();
  while (cursor.accept(","));
  cursor.expect(")");
}

function readRowCount(reading: StatementReading): void {
  readNumber(reading);
  if (!reading.cursor.accept("rows")) reading.cursor.accept("row");
}

const clauses: SelectClauses = {
  nameOf: foldName,
  // Within its own query, the name of a common table expression that is also a table's name could mean either of the two. For the same
  // reason, a common table expression may refer to itself only with RECURSIVE.
  refusesTableNames: true,
  checkColumn,

  factor(reading, common) {
    const { cursor } = reading;
    if (cursor.at("lateral") && cursor.atAny(snowflakeTableFunctions, 1) && cursor.at("(", 2)) {
      cursor.next();
      readComputedTable(reading);
      readTableAlias(reading);
    } else common();
    readTableSuffixes(reading);
  },

  /** Reads the parentheses in `TABLE(FLATTEN(…))`. */
  tableFunction(reading) {
    const { cursor } = reading;
    cursor.expect("(");
    if (!cursor.atAny(snowflakeTableFunctions) || !cursor.at("(", 1))
      refuseStatement(
        "effect",
        `TABLE(${cursor.peek().raw.slice(0, 40)} … cannot be used here. Name the table itself, or use FLATTEN or GENERATOR.`,
      );
    readComputedTable(reading);
    cursor.expect(")");
  },

  otherJoin(reading) {
    const { cursor } = reading;
    if (!cursor.accept("asof", "join")) return false;
    reading.factor();
    if (cursor.accept("match_condition", "(")) {
      reading.expression();
      cursor.expect(")");
    }
    return true;
  },

  top({ cursor }) {
    if (!cursor.at("top") || cursor.peek(1).kind !== "number") return;
    cursor.next();
    cursor.next();
  },

  /** Reads a selected expression, such as `* EXCLUDE a RENAME (a AS b)`. */
  selectItem(reading) {
    const { cursor } = reading;
    reading.expression();
    if (cursor.at("exclude") && atName(reading, 1)) {
      cursor.next();
      readName(reading);
    }
    if (cursor.at("rename") && (cursor.at("(", 1) || atName(reading, 1))) readRenames(reading);
    else readAlias(reading);
  },

  groupBy(reading) {
    const { cursor } = reading;
    if (cursor.accept("all")) return;
    do
      if (cursor.accept("grouping", "sets", "(")) readGroupingSets(reading);
      else reading.expression();
    while (cursor.accept(","));
  },

  afterGroups(reading) {
    if (reading.cursor.accept("qualify")) reading.expression();
  },

  limit(reading) {
    const { cursor } = reading;
    if (cursor.accept("limit") && !cursor.accept("null")) readNumber(reading);
    if (cursor.accept("offset")) readRowCount(reading);
    if (!cursor.accept("fetch")) return;
    if (!cursor.accept("first")) cursor.accept("next");
    readRowCount(reading);
    cursor.accept("only");
  },
};

/** How a SELECT of Snowflake is read. */
export const snowflakeSelect: SelectEngine = { grammar: snowflakeGrammar, clauses };
