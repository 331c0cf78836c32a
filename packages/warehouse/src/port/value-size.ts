import type { WarehouseRow, WarehouseValue } from "./values.ts";

/** Returns the approximate size of a row as JSON: strings count as their characters, and bytes as base64. Called for each row. */
export function countBytes(row: WarehouseRow): number {
  let bytes = 2;
  for (const value of row) bytes += bytesOf(value);
  return bytes;
}

function bytesOf(value: WarehouseValue): number {
  switch (typeof value) {
    case "string":
      return value.length + 3;
    case "number":
      return 9;
    case "bigint":
      return value < 100_000n && value > -10_000n ? 6 : 20;
    case "boolean":
      return 6;
    default:
      if (value === null) return 5;
      return value instanceof Uint8Array ? Math.ceil(value.length / 3) * 4 + 3 : countBytes(value);
  }
}
