import type { EngineConnection } from "../port/connector.ts";
import type { SampleSize, SqlDialect } from "../port/dialect.ts";
import type { ColumnStructure, TableStructure } from "../port/structure.ts";
import type { WarehouseRow } from "../port/values.ts";
import { recogniseSensitive } from "../sensitive/recognise-sensitive.ts";
import { canBeSensitive } from "../sensitive/value-texts.ts";
import type { ColumnName } from "./sensitive-columns.ts";

const sampleLimits = { maxRows: 200, maxBytes: 1_000_000, timeoutMs: 5_000 };

interface Sampled {
  readonly table: TableStructure;
  readonly columns: readonly ColumnStructure[];
}

/** Returns a table's columns that have sensitive values in a few sampled rows. Throws the engine's errors. */
export async function recogniseBySample(
  engine: EngineConnection,
  dialect: SqlDialect,
  { table, columns }: Sampled,
  signal: AbortSignal | undefined,
): Promise<readonly ColumnName[]> {
  const read = columns.filter(({ type }) => canBeSensitive(type));
  if (read.length === 0) return [];
  const names = read.map(({ name }) => name);
  const rows: WarehouseRow[] = [];
  const { sql } = dialect.selectSample(table, names, sizeOf(table, dialect));
  // Services that bill statements run them as jobs, which may have to wait before they start.
  const timeoutMs = dialect.billsColumns === true ? 30_000 : sampleLimits.timeoutMs;
  const stream = engine.stream(sql, { ...sampleLimits, timeoutMs, signal });
  for await (const batch of stream) rows.push(...batch);
  if (stream.truncated === "bytes" && read.length > 1) return halves(engine, dialect, { table, columns: read }, signal);
  return read.flatMap(({ name, type }, index) => {
    const values = rows.map((row) => row[index] ?? null);
    const isSensitive = recogniseSensitive({ name, type, values }) !== undefined;
    return isSensitive ? [{ schema: table.schema, table: table.table, column: name }] : [];
  });
}

/** Returns the size of the sample. Undefined for most engines, which read few rows if few are requested. */
function sizeOf({ estimatedRows }: TableStructure, { billsColumns }: SqlDialect): SampleSize | undefined {
  if (billsColumns !== true || estimatedRows === undefined) return undefined;
  return { rows: sampleLimits.maxRows, of: estimatedRows, seed: 7 };
}

/** Reads the columns in halves, so that long values of one column do not keep the other columns from being read. */
async function halves(
  engine: EngineConnection,
  dialect: SqlDialect,
  { table, columns }: Sampled,
  signal: AbortSignal | undefined,
): Promise<readonly ColumnName[]> {
  const middle = Math.ceil(columns.length / 2);
  const [first, second] = [columns.slice(0, middle), columns.slice(middle)];
  return [
    ...(await recogniseBySample(engine, dialect, { table, columns: first }, signal)),
    ...(await recogniseBySample(engine, dialect, { table, columns: second }, signal)),
  ];
}
