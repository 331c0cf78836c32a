import type { ValueType } from "./structure.ts";

/**
 * A value from the database, without loss. Its form depends on the column's type:
 *
 * | type | form | | --- | --- | | `boolean` | boolean | | `integer` | bigint, whatever its width | | `decimal` | text with all digits, such
 * as `12.50` | | `float` | number, also `NaN` and `Infinity` | | `text`, `uuid`, `interval`, `json`, `other` | text; JSON stays as it is
 * stored, so that its numbers keep their digits | | `date`, `time`, `timestamp` | ISO 8601 without a zone, such as
 * `2024-01-31T12:00:00.123456` | | `timestamptz` | ISO 8601 in UTC with `Z` | | `array` | array of such values | | `bytes` | Uint8Array |
 *
 * SQLite stores values of any type in any column, so for SQLite, the form depends on each value.
 */
export type WarehouseValue = null | boolean | number | bigint | string | Uint8Array | readonly WarehouseValue[];

export type WarehouseRow = readonly WarehouseValue[];

/** A column of a result. Two columns may have the same name. */
export interface ResultColumn {
  readonly name: string;
  readonly type: ValueType;
  readonly nativeType: string;
}
