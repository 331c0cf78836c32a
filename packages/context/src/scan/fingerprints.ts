import { sha256 } from "@bridle/core";
import type { TableStructure, Warehouse } from "@bridle/warehouse";
import type { ScanOptions } from "./scan-options.ts";

/** Raise it if a scan measures something else. */
const measurement = 3;

/**
 * A text that is equal if a table would be measured the same again, as far as the engine can say. It depends on the structure,
 * on the engine's mark of changes, and on settings: sensitive columns, the row filter, the size of samples.
 */
export function fingerprintOfTable(
  table: TableStructure,
  mark: string | undefined,
  warehouse: Warehouse,
  { sampleRows }: ScanOptions,
): string {
  const { estimatedRows: _, ...structure } = table;
  const marked = table.columns.map(({ name }) => warehouse.markedSensitive({ ...table, column: name }) ?? null);
  const parts = [measurement, structure, mark ?? null, marked, warehouse.relationOf(table), sampleRows ?? null];
  return sha256(JSON.stringify(parts)).slice(0, 32);
}

/** What the facts keep of a row filter, to be compared with that of the settings later. */
export function digestOfFilter(condition: string | undefined): string | undefined {
  return condition === undefined ? undefined : sha256(condition).slice(0, 16);
}
