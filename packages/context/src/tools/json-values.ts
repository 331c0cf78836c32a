import type { WarehouseValue } from "@bridle/warehouse";

export type JsonCell = null | boolean | number | string | readonly JsonCell[];

/** A value as JSON has it, without loss: an integer that a number cannot hold becomes text, bytes become `0x…`. */
export function toJsonValue(value: WarehouseValue): JsonCell {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString("hex")}`;
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  return value.map(toJsonValue);
}
