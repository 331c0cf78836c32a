/** The stored form of a table's profile for the join search: JSON preceded by its length, then the sketches. */
import { z } from "zod";
import { type ColumnProfile, isContent, type TableProfile, type TupleCount } from "../joins/profile.ts";

/** The measurements of a table for the join search. */
export interface JoinMeasurement {
  readonly profile: TableProfile;
  /** The number of different values of sets of columns, for every set that the key search asks about. */
  readonly tuples: readonly (TupleCount & { readonly columns: readonly string[] })[];
}

const count = z.number().nonnegative();
const header = z.object({
  name: z.string(),
  schema: z.string().optional(),
  rows: count,
  repeatedRows: count,
  sampled: z.boolean(),
  columns: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      filled: count,
      distinct: count,
      flags: z.number().int(),
      range: z.tuple([z.number(), z.number()]).nullable(),
      meanLength: count,
      hashes: z.number().int().min(0).max(1024),
    }),
  ),
  tuples: z.array(z.tuple([z.array(z.string()), count, count])),
});

export function encodeMeasurement({ profile, tuples }: JoinMeasurement): Uint8Array {
  const { name, schema, rows, repeatedRows, sampled = false, columns } = profile;
  const json = JSON.stringify({
    name,
    schema,
    rows,
    repeatedRows,
    sampled,
    columns: columns.map((column) => ({
      name: column.name,
      type: column.type,
      filled: column.filled,
      distinct: column.distinct,
      flags: flagsOf(column),
      range: column.range?.every(Number.isFinite) === true ? column.range : null,
      meanLength: column.meanLength,
      hashes: column.sketch.hashes.length,
    })),
    tuples: tuples.map(({ columns: names, filled, distinct }) => [names, filled, distinct]),
  });
  const text = Buffer.from(json);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([
    length,
    text,
    ...columns.flatMap(({ sketch }) => [bytesOf(sketch.hashes), bytesOf(sketch.counts)]),
  ]);
}

/**
 * Decodes a measurement. Keeps at most `maxHashes` hashes of a column that cannot be a key, and none of a column that cannot link, so that
 * all sketches of a large schema fit in memory. All sketches of a table share one array. Throws a ZodError or SyntaxError if the bytes are
 * not a measurement.
 */
export function decodeMeasurement(
  id: string,
  bytes: Uint8Array,
  maxHashes = Number.POSITIVE_INFINITY,
): JoinMeasurement {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = buffer.readUInt32LE(0);
  const { columns, tuples, ...table } = header.parse(JSON.parse(buffer.toString("utf8", 4, 4 + length)));
  const max = ({ filled, distinct, flags, type, meanLength }: (typeof columns)[number]) => {
    if (maxHashes === Number.POSITIVE_INFINITY) return maxHashes;
    if (isContent({ ...readFlags(flags), type, meanLength })) return 0;
    return distinct >= 0.95 * filled ? Number.POSITIVE_INFINITY : maxHashes;
  };
  const sketches = readSketches(
    buffer.subarray(4 + length),
    columns.map((column) => ({ size: column.hashes, kept: Math.min(column.hashes, max(column)) })),
  );
  return {
    profile: {
      ...table,
      id,
      columns: columns.map(({ flags, hashes: size, range, ...column }, at) => {
        const { hashes = none, counts = none } = sketches[at] ?? {};
        const complete = (flags & 16) > 0 && hashes.length === size;
        return {
          ...column,
          range: range ?? undefined,
          ...readFlags(flags),
          sketch: { hashes, counts, complete },
        };
      }),
    },
    tuples: tuples.map(([names, filled, distinct]) => ({ columns: names, filled, distinct })),
  };
}

const none = new Uint32Array();

/** Copies the first hashes and counts of each sketch into one array. */
function readSketches(bytes: Buffer, sizes: readonly { readonly size: number; readonly kept: number }[]) {
  const all = new Uint32Array(sizes.reduce((sum, { kept }) => sum + 2 * kept, 0));
  const target = new Uint8Array(all.buffer);
  let [from, to] = [0, 0];
  const read = (size: number, kept: number): Uint32Array => {
    target.set(bytes.subarray(from, from + 4 * kept), 4 * to);
    from += 4 * size;
    to += kept;
    return all.subarray(to - kept, to);
  };
  return sizes.map(({ size, kept }) => ({ hashes: read(size, kept), counts: read(size, kept) }));
}

function flagsOf({ numbers, integers, dates, sameLength, sketch, hidden }: ColumnProfile): number {
  const flags = [numbers, integers, dates, sameLength, sketch.complete, hidden === true];
  return flags.reduce((sum, flag, bit) => sum + (flag ? 2 ** bit : 0), 0);
}

function readFlags(flags: number) {
  return {
    numbers: (flags & 1) > 0,
    integers: (flags & 2) > 0,
    dates: (flags & 4) > 0,
    sameLength: (flags & 8) > 0,
    ...((flags & 32) > 0 ? { hidden: true } : {}),
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
