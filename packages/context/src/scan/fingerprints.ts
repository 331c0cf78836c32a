import { sha256 } from "@bridle/core";
import type { TableStructure, Warehouse } from "@bridle/warehouse";
import type { ScanOptions } from "./scan-options.ts";

/** Raise it if scans measure something else. */
const measurement = 3;

/**
 * A text that stays equal while a table would be measured the same again, as far as the engine can tell. It depends on the structure, on
 * the engine's mark of changes, and on settings: sensitive columns, the row filter, the size of samples.
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

/** The digest of a row filter. The facts keep it, to compare it with the settings later. */
export function digestOfFilter(condition: string | undefined): string | undefined {
  return condition === undefined ? undefined : sha256(condition).slice(0, 16);
}
