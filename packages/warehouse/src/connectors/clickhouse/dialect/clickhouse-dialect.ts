import { checkCondition, clickhouseSelect, rewriteSelect } from "@bridle/sql";
import type { SampleSize, SampleStatement, SqlDialect } from "../../../port/dialect.ts";
import type { TableName } from "../../../port/structure.ts";
import { quoteWithBackslashes } from "../../../statements/quote-text.ts";

function quoteIdentifier(name: string): string {
  return `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``;
}

function quoteTable({ schema, table }: TableName): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(table)}`;
}

/** Writes a nested digest, so that the digest of a value does not reveal the digest of a longer value. */
function digest(column: string, key: string): string {
  const secret = quoteWithBackslashes(key);
  const inner = `hex(SHA256(concat(${secret}, toString(${column}))))`;
  return `lower(substring(hex(SHA256(concat(${secret}, ${inner}))), 1, 32))`;
}

const modulus = 1_000_003;

/** Chooses rows by a hash of the seed and their values, because `SAMPLE` requires a key that few tables have. */
function selectSample(name: TableName, columns: readonly string[], sample?: SampleSize | undefined): SampleStatement {
  const list = columns.map(quoteIdentifier).join(", ");
  const sql = `SELECT ${list} FROM ${quoteTable(name)}`;
  if (sample === undefined || sample.rows >= sample.of) return { sql, method: "all rows" };
  const share = sample.rows / sample.of;
  const seed = Math.trunc(sample.seed);
  const hash = `cityHash64(toString(tuple(${list})), ${seed}) % ${modulus}`;
  return {
    sql: `${sql} WHERE ${hash} < ${Math.max(1, Math.round(share * modulus))}`,
    method: `hash of the row's values ${Number((share * 100).toPrecision(3))} %, seed ${seed}`,
  };
}

export const clickhouseDialect: SqlDialect = {
  id: "clickhouse",
  quoteIdentifier,
  quoteTable,
  quoteText: quoteWithBackslashes,
  digest,
  // ClickHouse does not move conditions below a LIMIT.
  fence: "LIMIT 9223372036854775807",
  check: async (statement, context) =>
    rewriteSelect(statement, clickhouseSelect, context, { quoteIdentifier, quoteTable }),
  checkCondition: async (condition, columns) => checkCondition(condition, clickhouseSelect, columns),
  selectSample,
};
