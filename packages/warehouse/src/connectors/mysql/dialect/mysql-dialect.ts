import { checkCondition, mysqlSelect, rewriteSelect } from "@bridle/sql";
import type { SampleSize, SampleStatement, SqlDialect } from "../../../port/dialect.ts";
import type { TableName } from "../../../port/structure.ts";

function quoteIdentifier(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``;
}

function quoteTable({ schema, table }: TableName): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(table)}`;
}

/** Quotes a string for the session's sql_mode, in which a backslash escapes. */
function quoteText(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''").replaceAll("\0", "\\0")}'`;
}

/**
 * Writes a nested digest, so that the digest of a value does not reveal the digest of a longer value. Text in all character sets is
 * compared as UTF-8, binary values as hexadecimal digits, and numbers as the text to which CONCAT converts them.
 */
function digest(column: string, key: string): string {
  const secret = quoteText(key);
  const text = `CONCAT(${column})`;
  const value = `IF(CHARSET(${text}) = 'binary', HEX(${text}), CONVERT(${text} USING utf8mb4))`;
  return `LEFT(SHA2(CONCAT(${secret}, SHA2(CONCAT(${secret}, ${value}), 256)), 256), 32)`;
}

/**
 * Chooses rows in the order of the primary key with `RAND(seed)`, which returns the same sequence each time. Neither MySQL nor MariaDB can
 * sample pages.
 */
function selectSample(name: TableName, columns: readonly string[], sample?: SampleSize | undefined): SampleStatement {
  const sql = `SELECT ${columns.map(quoteIdentifier).join(", ")} FROM ${quoteTable(name)}`;
  if (sample === undefined || sample.rows >= sample.of) return { sql, method: "all rows" };
  const share = Math.max(1e-9, sample.rows / sample.of);
  const seed = Math.trunc(sample.seed);
  return {
    sql: `${sql} WHERE RAND(${seed}) < ${share.toFixed(9)}`,
    method: `bernoulli ${percent(share)} %, seed ${seed}`,
  };
}

function percent(share: number): string {
  return String(Number((share * 100).toPrecision(3)));
}

export const mysqlDialect: SqlDialect = {
  id: "mysql",
  quoteIdentifier,
  quoteTable,
  quoteText,
  digest,
  // Neither MySQL nor MariaDB merges a derived table that has a LIMIT, or moves conditions into such a table.
  fence: "LIMIT 18446744073709551615",
  check: async (statement, context) => rewriteSelect(statement, mysqlSelect, context, { quoteIdentifier, quoteTable }),
  checkCondition: async (condition, columns) => checkCondition(condition, mysqlSelect, columns),
  selectSample,
};
