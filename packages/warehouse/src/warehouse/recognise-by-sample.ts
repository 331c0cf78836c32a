import type { EngineConnection } from "../port/connector.ts";
import type { SqlDialect } from "../port/dialect.ts";
import type { ColumnStructure, TableStructure } from "../port/structure.ts";
import type { WarehouseRow } from "../port/values.ts";
import { recogniseSensitive } from "../sensitive/recognise-sensitive.ts";
import { canBeSensitive } from "../sensitive/value-texts.ts";
import type { ColumnName } from "./sensitive-columns.ts";

const sampleLimits = { maxRows: 200, maxBytes: 1_000_000, timeoutMs: 5_000 };

/** The columns of a table whose values in a few rows are sensitive. Throws the errors of the engine. */
export async function recogniseBySample(
  engine: EngineConnection,
  dialect: SqlDialect,
  { table, columns }: { readonly table: TableStructure; readonly columns: readonly ColumnStructure[] },
  signal: AbortSignal | undefined,
): Promise<readonly ColumnName[]> {
  const read = columns.filter(({ type }) => canBeSensitive(type));
  if (read.length === 0) return [];
  const names = read.map(({ name }) => name);
  const rows: WarehouseRow[] = [];
  const stream = engine.stream(dialect.selectSample(table, names).sql, { ...sampleLimits, signal });
  for await (const batch of stream) rows.push(...batch);
  return read.flatMap(({ name, type }, index) => {
    const values = rows.map((row) => row[index] ?? null);
    const isSensitive = recogniseSensitive({ name, type, values }) !== undefined;
    return isSensitive ? [{ schema: table.schema, table: table.table, column: name }] : [];
  });
}
