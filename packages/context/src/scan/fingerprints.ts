import { sha256 } from "@bridle/core";
import type { TableStructure, Warehouse } from "@bridle/warehouse";
import type { ScanOptions } from "./scan-options.ts";

/** The version of the measurements. Raise it if scans measure something else. */
const measurement = 3;

/**
 * Returns a string that stays equal as long as measuring the table again would give the same result, as far as the engine can tell. The
 * string depends on the table's structure, on the engine's change marker for the table, and on settings: sensitive columns, the row filter,
 * the sample size.
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

/** Returns the digest of a row filter. The facts store it for later comparison with the settings. */
export function digestOfFilter(condition: string | undefined): string | undefined {
  return condition === undefined ? undefined : sha256(condition).slice(0, 16);
}
