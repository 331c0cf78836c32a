/** Computes the lengths of the values of a chunk. DuckDB stores the lengths with the values, so nothing is decoded. */
import type { DuckDBDataChunk } from "@duckdb/node-api";

/** The number of bytes that values of other types count as. */
const fixedBytes = 8;

/** The size of a vector's entry for a string or a byte list. The entry begins with the length of the value. */
const entryBytes = 16;

/** Returns how many of a chunk's first rows together have at most this many bytes. */
export function countFittingRows(chunk: DuckDBDataChunk, maxBytes: number): number {
  const { rowCount, columnCount } = chunk;
  const bytes = new Float64Array(rowCount);
  for (let column = 0; column < columnCount; column++) {
    const lengthAt = lengthsOf(chunk.getColumnVector(column));
    for (let row = 0; row < rowCount; row++) bytes[row] = (bytes[row] ?? 0) + lengthAt(row);
  }
  return rowsWithin(bytes, maxBytes);
}

function rowsWithin(bytes: Float64Array, max: number): number {
  let [total, rows] = [0, 0];
  for (const own of bytes) {
    total += own;
    if (total > max) break;
    rows++;
  }
  return rows;
}

type LengthAt = (index: number) => number;

/**
 * Returns a function for the lengths of a vector's values. The parts of a vector are private to the driver; without them, the lengths are
 * unknown.
 */
function lengthsOf(vector: unknown): LengthAt {
  const [view, list, children] = [part(vector, "dataView"), listOf(vector), childrenOf(vector)];
  const isValid = validityOf(vector);
  if (list !== undefined) return (index) => (isValid(index) ? list(index) : 0);
  if (children.length > 0) return (index) => children.reduce((sum, lengthAt) => sum + lengthAt(index), 0);
  if (view instanceof DataView && hasLengths(vector))
    return (index) => (isValid(index) ? view.getUint32(index * entryBytes, true) : 0);
  return () => fixedBytes;
}

const typesWithLengths = /^(?:VARCHAR|JSON|BLOB|BIT|BIGNUM|GEOMETRY)/;

function hasLengths(vector: unknown): boolean {
  return typesWithLengths.test(String(part(vector, "type")));
}

/** Like `lengthsOf`, for lists. A map is a list. An array is a list with a fixed number of entries. */
function listOf(vector: unknown): LengthAt | undefined {
  const list = part(vector, "listVector") ?? vector;
  const child = part(list, "childData");
  if (child === undefined) return undefined;
  const lengthAt = lengthsOf(child);
  const entries = part(list, "entryData");
  if (entries instanceof BigUint64Array)
    return (index) => sumOf(lengthAt, Number(entries[index * 2] ?? 0n), Number(entries[index * 2 + 1] ?? 0n));
  const length = Number(part(part(list, "type"), "length") ?? 0);
  return (index) => sumOf(lengthAt, index * length, length);
}

function childrenOf(vector: unknown): readonly LengthAt[] {
  const holder = part(vector, "structVector") ?? part(vector, "structVec") ?? vector;
  const children = part(holder, "entryVectors");
  return Array.isArray(children) ? children.map(lengthsOf) : [];
}

function sumOf(lengthAt: LengthAt, start: number, count: number): number {
  let sum = 0;
  for (let index = start; index < start + count; index++) sum += lengthAt(index);
  return sum;
}

function validityOf(vector: unknown): (index: number) => boolean {
  const validity = part(vector, "validity");
  const isValid = part(validity, "itemValid");
  return typeof isValid === "function" ? (index) => Reflect.apply(isValid, validity, [index]) === true : () => true;
}

function part(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
