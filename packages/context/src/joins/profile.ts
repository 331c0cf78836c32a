/** Some of the different values of a column, as hashes. Made by `sketchValues`. */
export interface ValueSketch {
  /** The smallest hashes of 32 bits of the different values, ascending. At most 1,024. */
  readonly hashes: Uint32Array;
  /** How many rows have the value, for each hash. */
  readonly counts: Uint32Array;
  /** Whether the sketch contains every different value. */
  readonly complete: boolean;
}

/** What was measured about the values of a column. Blank texts count as missing values. */
export interface ColumnProfile {
  readonly name: string;
  /** The type as the database declares it. */
  readonly type: string;
  /** The number of rows with a value. */
  readonly filled: number;
  /** The number of different values. */
  readonly distinct: number;
  /** Whether every value is a number, also if it is stored as a text. */
  readonly numbers: boolean;
  /** Whether every value is a whole number. */
  readonly integers: boolean;
  /** Whether the values are dates or times. */
  readonly dates: boolean;
  /** The smallest and the greatest value, if all are numbers. */
  readonly range: readonly [min: number, greatest: number] | undefined;
  /** The mean number of characters. */
  readonly meanLength: number;
  /** Whether all values have the same number of characters. */
  readonly sameLength: boolean;
  readonly sketch: ValueSketch;
  /** Whether its values must not be compared, because they are sensitive. The sketch is empty then. */
  readonly hidden?: boolean | undefined;
}

/** Longer texts are content, not keys. Characters. */
const maxKeyLength = 60;

/** Whether the values are content: no column of them is a key, links to one, or is a part of either. */
export function isContent({
  numbers,
  integers,
  sameLength,
  type,
  meanLength,
}: Pick<ColumnProfile, "numbers" | "integers" | "sameLength" | "type" | "meanLength">): boolean {
  // Digits in a text of one length are a code, also with a point.
  const measure = numbers && !integers && !(sameLength && /char|text|string/i.test(type));
  return measure || meanLength > maxKeyLength;
}

/** What was measured about a table, in one pass. */
export interface TableProfile {
  /** The full identifier of the table. Nothing but the checks reads it. */
  readonly id: string;
  /** The name of the table without its schema. */
  readonly name: string;
  /** Of tables with equal names, a link prefers that of its own schema. */
  readonly schema?: string | undefined;
  readonly rows: number;
  /** The number of rows that repeat another row entirely. */
  readonly repeatedRows: number;
  /** Whether not all rows were read. Then counts are estimates, and a value that is not in a sketch may be in the table. */
  readonly sampled?: boolean | undefined;
  readonly columns: readonly ColumnProfile[];
}

/** Columns of one table, by name. */
export interface ColumnSet {
  /** The `id` of the table's profile. */
  readonly table: string;
  readonly columns: readonly string[];
}

/** How many rows have a value in all columns of a set, and how many different ones. */
export interface TupleCount {
  readonly filled: number;
  readonly distinct: number;
}

/** How many rows with a value in all columns have none that is equal in the parent, and up to three such values. */
export interface OrphanCount {
  readonly filled: number;
  readonly orphans: number;
  readonly examples: readonly string[];
}

/**
 * Exact questions to the database. Each call is one query. `findJoins` calls `countTuples` at most three times for a table.
 * Values are compared as `canonicalValue` makes them.
 */
export interface JoinChecks {
  /** Counts several sets of columns of one table. */
  countTuples(table: string, sets: readonly (readonly string[])[]): Promise<readonly TupleCount[]>;
  countOrphans(child: ColumnSet, parent: ColumnSet): Promise<OrphanCount>;
}
