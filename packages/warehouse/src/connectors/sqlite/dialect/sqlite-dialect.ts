import { lowerAscii } from "@bridle/sql";
import type { SampleSize, SampleStatement, SqlDialect } from "../../../port/dialect.ts";
import type { TableName } from "../../../port/structure.ts";
import { digestFunction } from "../functions.ts";
import { quoteSqliteName, quoteSqliteText } from "../quote.ts";
import { checkSqliteCondition } from "./check-condition.ts";
import { checkStatement } from "./check-statement.ts";

const quoteTable = ({ schema, table }: TableName): string => `${quoteSqliteName(schema)}.${quoteSqliteName(table)}`;

export const sqliteDialect: SqlDialect = {
  id: "sqlite",
  fence: "LIMIT -1", // SQLite moves no condition into a SELECT with a limit
  quoteIdentifier: quoteSqliteName,
  quoteTable,
  quoteText: quoteSqliteText,
  digest: (column, key) => `${digestFunction}(${column}, ${quoteSqliteText(key)})`,
  check: async (statement, context) => checkStatement(statement, context),
  checkCondition: async (condition, columns) => checkSqliteCondition(condition, columns),
  selectSample,
};

/**
 * Chooses the rows for which a hash of the position and the seed is below the share. The same file and seed return the same rows, for
 * tables with and without rowid and for views.
 */
function selectSample(name: TableName, columns: readonly string[], sample?: SampleSize): SampleStatement {
  const list = columns.length === 0 ? "NULL" : columns.map(quoteSqliteName).join(", ");
  if (sample === undefined || sample.rows >= sample.of) {
    return { sql: `SELECT ${list} FROM ${quoteTable(name)}`, method: "all rows" };
  }
  const share = sample.rows / sample.of;
  const place = quoteSqliteName(freeName(columns));
  const mixed = `((${place} + ${Math.trunc(sample.seed)} * 7919) * 2654435761 & 4294967295)`;
  const hash = `((${mixed} >> 13) * 1597334677 + ${mixed} & 4294967295)`;
  const numbered = `SELECT ${columns.length === 0 ? "" : `${list}, `}row_number() OVER () AS ${place} FROM ${quoteTable(name)}`;
  return {
    sql: `SELECT ${list} FROM (${numbered}) WHERE ${hash} < ${Math.ceil(share * 2 ** 32)}`,
    method: `bernoulli ${Number((share * 100).toPrecision(2))} %, seed ${sample.seed}`,
  };
}

function freeName(columns: readonly string[]): string {
  const taken = new Set(columns.map((column) => lowerAscii(column)));
  let name = "place";
  while (taken.has(name)) name += "_";
  return name;
}
