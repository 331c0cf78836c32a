import type { DuckDBDataChunk, DuckDBResult } from "@duckdb/node-api";
import type { ResultColumn, WarehouseRow, WarehouseValue } from "../../../port/values.ts";
import { type ConvertValue, nativeTypeOf, type ValueConverter } from "../values/convert-value.ts";
import { duckdbTypeOf } from "../values/value-types.ts";

/** Converts the columns of a chunk to rows. */
export class ChunkReader {
  readonly columns: readonly ResultColumn[];
  readonly #converters: readonly ConvertValue[];

  constructor(result: DuckDBResult, converter: ValueConverter) {
    const types = result.columnTypes();
    this.columns = result.columnNames().map((name, index) => {
      const type = types[index];
      const nativeType = type === undefined ? "" : nativeTypeOf(type);
      return { name, type: duckdbTypeOf(nativeType), nativeType };
    });
    this.#converters = types.map((type) => converter.converterOf(type));
  }

  /** Returns the first rows of a chunk. */
  read(chunk: DuckDBDataChunk, count: number): WarehouseRow[] {
    const rows: WarehouseValue[][] = Array.from({ length: count }, () => new Array(this.columns.length));
    for (const [column, convert] of this.#converters.entries()) {
      const vector = chunk.getColumnVector(column);
      for (const [index, row] of rows.entries()) {
        const value = vector.getItem(index);
        row[column] = value === null ? null : convert(value);
      }
    }
    return rows;
  }
}
