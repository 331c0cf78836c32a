import { checkCondition, rewriteSelect, snowflakeSelect } from "@bridle/sql";
import type { SampleSize, SampleStatement, SqlDialect } from "../../../port/dialect.ts";
import type { TableName, TableStructure } from "../../../port/structure.ts";
import { quoteWithBackslashes } from "../../../statements/quote-text.ts";

function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function quoteTable({ schema, table }: TableName): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(table)}`;
}

/**
 * Writes a nested digest, so that the digest of a value does not reveal the digest of a longer value. Values of every type can be converted
 * to text through `TO_VARIANT`.
 */
function digest(column: string, key: string): string {
  const secret = quoteWithBackslashes(key);
  const inner = `SHA2(CONCAT(${secret}, TO_VARCHAR(TO_VARIANT(${column}))), 256)`;
  return `SUBSTR(SHA2(CONCAT(${secret}, ${inner}), 256), 1, 32)`;
}

/** In a table with more rows, whole blocks are chosen, because choosing rows would read all of them. */
const maxRowsByRow = 2_000_000;
const maxSeeds = 2_147_483_648;
const modulus = 1_000_003;

/** Chooses rows of a table with a seed. Views support no seed, so their rows are chosen by a hash of their values. */
function selectSample(
  name: TableName & Partial<Pick<TableStructure, "kind">>,
  columns: readonly string[],
  sample?: SampleSize | undefined,
): SampleStatement {
  const list = columns.map(quoteIdentifier).join(", ");
  const sql = `SELECT ${list} FROM ${quoteTable(name)}`;
  if (sample === undefined || sample.rows >= sample.of) return { sql, method: "all rows" };
  const percent = (100 * sample.rows) / sample.of;
  const seed = Math.abs(Math.trunc(sample.seed)) % maxSeeds;
  const shown = `${Number(percent.toPrecision(3))} %, seed ${seed}`;
  if (name.kind !== "table") {
    const max = Math.max(1, Math.round((percent / 100) * modulus));
    return {
      sql: `${sql} WHERE MOD(ABS(HASH(${list}, ${seed})), ${modulus}) < ${max}`,
      method: `hash of the row's values ${shown}`,
    };
  }
  const sampling = sample.of > maxRowsByRow ? "SYSTEM" : "BERNOULLI";
  const share = Math.max(percent, 0.000001).toFixed(6);
  return {
    sql: `${sql} SAMPLE ${sampling} (${share}) SEED (${seed})`,
    method: `${sampling.toLowerCase()} ${shown}`,
  };
}

export const snowflakeDialect: SqlDialect = {
  id: "snowflake",
  quoteIdentifier,
  quoteTable,
  quoteText: quoteWithBackslashes,
  digest,
  // Snowflake does not move conditions below a LIMIT.
  fence: "LIMIT 999999999999999",
  check: async (statement, context) =>
    rewriteSelect(statement, snowflakeSelect, context, { quoteIdentifier, quoteTable }),
  checkCondition: async (condition, columns) => checkCondition(condition, snowflakeSelect, columns),
  selectSample,
};
