import { checkCondition, rewriteSelect, sqlserverSelect } from "@bridle/sql";
import type { SampleSize, SampleStatement, SqlDialect } from "../../../port/dialect.ts";
import type { TableName, TableStructure } from "../../../port/structure.ts";

function quoteIdentifier(name: string): string {
  return `[${name.replaceAll("]", "]]")}]`;
}

function quoteTable({ schema, table }: TableName): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(table)}`;
}

/** Quotes a string. A backslash before a line break would continue the line, so such a backslash becomes a separate expression. */
function quoteText(text: string): string {
  const parts = text.split(/\\(?=\r?\n)/).map((part) => `N'${part.replaceAll("'", "''")}'`);
  return parts.length === 1 ? (parts[0] ?? "N''") : `(${parts.join(" + NCHAR(92) + ")})`;
}

/** Writes a nested digest, so that the digest of a value does not reveal the digest of a longer value. */
function digest(column: string, key: string): string {
  const inner = `HASHBYTES('SHA2_256', ${quoteText(key)} + CONVERT(nvarchar(max), ${column}))`;
  const outer = `HASHBYTES('SHA2_256', CONVERT(varbinary(max), ${quoteText(key)}) + ${inner})`;
  return `LOWER(LEFT(CONVERT(varchar(64), ${outer}, 2), 32))`;
}

const modulus = 1_000_003;

/** Chooses rows by a hash of the seed and their position, because TABLESAMPLE chooses whole pages and does not support views. */
function selectSample(
  name: TableName & Partial<Pick<TableStructure, "columns">>,
  columns: readonly string[],
  sample?: SampleSize | undefined,
): SampleStatement {
  const list = columns.map(quoteIdentifier).join(", ");
  const exact = columns.map((column) => selectExactly(column, name.columns)).join(", ");
  if (sample === undefined || sample.rows >= sample.of)
    return { sql: `SELECT ${exact} FROM ${quoteTable(name)}`, method: "all rows" };
  const position = quoteIdentifier(freeName(columns));
  const share = sample.rows / sample.of;
  const seed = Math.abs(Math.trunc(sample.seed));
  const numbered = `SELECT ${list}, ROW_NUMBER() OVER (ORDER BY (SELECT NULL)) AS ${position} FROM ${quoteTable(name)}`;
  const hash = `((${position} % ${modulus}) * 618034 + ${seed % modulus}) % ${modulus}`;
  return {
    sql: `SELECT ${exact} FROM (${numbered}) AS s WHERE ${hash} < ${Math.max(1, Math.round(share * modulus))}`,
    method: `hash of the row's position ${Number((share * 100).toPrecision(3))} %, seed ${seed}`,
  };
}

/** Selects decimals with many digits, and money, as text, because the driver reads decimals as floating-point numbers. */
function selectExactly(column: string, known: TableStructure["columns"] = []): string {
  const quoted = quoteIdentifier(column);
  const type = known.find(({ name }) => name === column)?.nativeType ?? "";
  const precision = Number(/^(?:decimal|numeric)\((\d+),/.exec(type)?.[1] ?? 0);
  if (type === "money") return `CONVERT(varchar(50), ${quoted}, 2) AS ${quoted}`;
  return precision > 15 ? `CONVERT(varchar(50), ${quoted}) AS ${quoted}` : quoted;
}

function freeName(columns: readonly string[]): string {
  const taken = new Set(columns.map((name) => name.toLowerCase()));
  let name = "position";
  while (taken.has(name)) name += "_";
  return name;
}

export const sqlserverDialect: SqlDialect = {
  id: "sqlserver",
  quoteIdentifier,
  quoteTable,
  quoteText,
  digest,
  // SQL Server does not move a condition below OFFSET, which requires an order.
  fence: "ORDER BY (SELECT NULL) OFFSET 0 ROWS",
  check: async (statement, context) =>
    rewriteSelect(statement, sqlserverSelect, context, { quoteIdentifier, quoteTable }),
  checkCondition: async (condition, columns) => checkCondition(condition, sqlserverSelect, columns),
  selectSample,
};
