/** Some of the different values of a column, as hashes. Made by `sketchValues`. */
export interface ValueSketch {
  /** The smallest 32-bit hashes of the different values, ascending. At most 1,024. */
  readonly hashes: Uint32Array;
  /** The number of rows with the value, for each hash. */
  readonly counts: Uint32Array;
  /** Whether the sketch contains every different value. */
  readonly complete: boolean;
}

/** The measurements of a column's values. Blank strings count as missing values. */
export interface ColumnProfile {
  readonly name: string;
  /** The type that the database declares. */
  readonly type: string;
  /** The number of rows with a value. */
  readonly filled: number;
  /** The number of different values. */
  readonly distinct: number;
  /** Whether every value is a number, even if it is stored as text. */
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
  /** Whether the column's values must not be compared because they are sensitive. If so, the sketch is empty. */
  readonly hidden?: boolean | undefined;
}

/** Characters. Longer strings are content, not keys. */
const maxKeyLength = 60;

/** Whether the values are content. Content columns are not keys, do not link to keys, and are not part of either. */
export function isContent({
  numbers,
  integers,
  sameLength,
  type,
  meanLength,
}: Pick<ColumnProfile, "numbers" | "integers" | "sameLength" | "type" | "meanLength">): boolean {
  // Numbers with a fraction are codes if they are stored as strings of equal length.
  const measure = numbers && !integers && !(sameLength && /char|text|string/i.test(type));
  return measure || meanLength > maxKeyLength;
}

/** The measurements of a table, made in one pass. */
export interface TableProfile {
  /** The full identifier of the table. Used only by the checks. */
  readonly id: string;
  /** The name of the table without its schema. */
  readonly name: string;
  /** The schema. If several tables have the same name, a link prefers the one in its own schema. */
  readonly schema?: string | undefined;
  readonly rows: number;
  /** The number of rows that repeat another row entirely. */
  readonly repeatedRows: number;
  /** Whether only some rows were read. If so, counts are estimates, and the table may have values that are not in a sketch. */
  readonly sampled?: boolean | undefined;
  readonly columns: readonly ColumnProfile[];
}

/** Columns of one table, by name. */
export interface ColumnSet {
  /** The `id` of the table's profile. */
  readonly table: string;
  readonly columns: readonly string[];
}

/** The number of rows with a value in all columns of a set, and the number of different tuples. */
export interface TupleCount {
  readonly filled: number;
  readonly distinct: number;
}

/** The number of rows with a value in all columns but without an equal row in the parent, and up to three such values. */
export interface OrphanCount {
  readonly filled: number;
  readonly orphans: number;
  readonly examples: readonly string[];
}

/**
 * Sends exact questions to the database, one query for each call. `findJoins` calls `countTuples` at most three times for a table. Values
 * are compared by their `canonicalValue`.
 */
export interface JoinChecks {
  /** Counts several sets of columns of one table. */
  countTuples(table: string, sets: readonly (readonly string[])[]): Promise<readonly TupleCount[]>;
  countOrphans(child: ColumnSet, parent: ColumnSet): Promise<OrphanCount>;
}
