import type { WarehouseValue } from "../port/values.ts";

/** About the bytes of a value as JSON. */
export function bytesOf(value: WarehouseValue): number {
  if (value === null || typeof value === "boolean") return 4;
  if (typeof value === "string") return Buffer.byteLength(value) + 2;
  if (value instanceof Uint8Array) return Math.ceil(value.length / 3) * 4 + 2;
  if (typeof value === "object") return value.reduce((sum: number, entry) => sum + bytesOf(entry) + 1, 2);
  return String(value).length;
}
