import { bigquerySelect, checkCondition, rewriteSelect } from "@bridle/sql";
import type { SampleStatement, SqlDialect } from "../../../port/dialect.ts";
import type { TableName } from "../../../port/structure.ts";

const escapes: ReadonlyMap<string, string> = new Map([
  ["\\", "\\\\"],
  ["'", "\\'"],
  ["`", "\\`"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\0", "\\x00"],
]);

function escapeText(text: string): string {
  return text.replaceAll(/[\\'`\n\r\0]/g, (character) => escapes.get(character) ?? character);
}

function quoteIdentifier(name: string): string {
  return `\`${escapeText(name)}\``;
}

/** Quotes a table. A schema with a dot is a dataset of another project. */
function quoteTable({ schema, table }: TableName): string {
  const dot = schema.lastIndexOf(".");
  const project = dot === -1 ? "" : `${quoteIdentifier(schema.slice(0, dot))}.`;
  return `${project}${quoteIdentifier(schema.slice(dot + 1))}.${quoteIdentifier(table)}`;
}

function quoteText(text: string): string {
  return `'${escapeText(text)}'`;
}

/** Writes a nested digest, so that the digest of a value does not reveal the digest of a longer value. */
function digest(column: string, key: string): string {
  const secret = quoteText(key);
  const inner = `TO_HEX(SHA256(CONCAT(${secret}, TO_JSON_STRING(${column}))))`;
  return `IF(${column} IS NULL, NULL, SUBSTR(TO_HEX(SHA256(CONCAT(${secret}, ${inner}))), 1, 32))`;
}

const modulus = 1_000_003;
/** In a table with more rows, a sample reads only some blocks, because BigQuery bills the bytes that it reads. */
const maxHashed = 10_000_000;

const selectSample: SqlDialect["selectSample"] = (name, columns, sample): SampleStatement => {
  const list = columns.map(quoteIdentifier).join(", ");
  const sql = `SELECT ${list} FROM ${quoteTable(name)}`;
  if (sample === undefined || sample.rows >= sample.of) return { sql, method: "all rows" };
  const share = sample.rows / sample.of;
  const percent = Number((share * 100).toPrecision(3));
  if (sample.of > maxHashed && name.kind === "table") {
    const whole = Math.max(1, Math.ceil(share * 100));
    return { sql: `${sql} TABLESAMPLE SYSTEM (${whole} PERCENT)`, method: `system ${whole} %, without a seed` };
  }
  const seed = Math.trunc(sample.seed);
  const hash = `MOD(FARM_FINGERPRINT(CONCAT('${seed} ', TO_JSON_STRING(STRUCT(${list})))) & 0x7FFFFFFFFFFFFFFF, ${modulus})`;
  return {
    sql: `${sql} WHERE ${hash} < ${Math.max(1, Math.round(share * modulus))}`,
    method: `hash of the row's values ${percent} %, seed ${seed}`,
  };
};

export const bigqueryDialect: SqlDialect = {
  id: "bigquery",
  quoteIdentifier,
  quoteTable,
  quoteText,
  digest,
  // BigQuery does not move conditions below a LIMIT.
  fence: "LIMIT 9223372036854775807",
  billsColumns: true,
  check: async (statement, context) =>
    rewriteSelect(statement, bigquerySelect, context, { quoteIdentifier, quoteTable }),
  checkCondition: async (condition, columns) => checkCondition(condition, bigquerySelect, columns),
  selectSample,
};
