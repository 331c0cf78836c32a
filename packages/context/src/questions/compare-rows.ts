/** Execution match: whether two results are the same, however their statements are written. Pure. */
import { type CellValue, type ComparedValue, compareValues, isSameValue } from "./same-value.ts";

export interface ComparedRows {
  /** The types of the columns, if they are known. */
  readonly columns?: readonly { readonly type: string }[] | undefined;
  readonly rows: readonly (readonly CellValue[])[];
}

export interface RowComparison {
  readonly isSame: boolean;
  /** Why the results differ, as a sentence. */
  readonly reason?: string | undefined;
}

export interface CompareRowsOptions {
  /** Whether the order of rows counts. Default: false. */
  readonly ordered?: boolean | undefined;
  readonly tolerance?: number | undefined;
}

type Row = readonly ComparedValue[];

/**
 * Compares the rows of a result with the correct rows. Columns are matched by their values. Column names and column order do not count, and
 * the result may have additional columns. The order of rows counts only if `ordered` is true.
 */
export function compareRows(
  expected: ComparedRows,
  received: ComparedRows,
  options: CompareRowsOptions = {},
): RowComparison {
  const [right, given] = [toRows(expected), toRows(received)];
  if (right.length !== given.length) {
    return differ(
      `The result has ${given.length} ${given.length === 1 ? "row" : "rows"}, but ${right.length} are right.`,
    );
  }
  const [width, offered] = [right[0]?.length ?? 0, given[0]?.length ?? 0];
  if (width > offered) return differ(`The result has too few columns: ${offered}, but ${width} are needed.`);
  const reason = explainColumns(right, given, options);
  if (reason === undefined) return { isSame: true };
  const isOnlyOrder = options.ordered && explainColumns(right, given, { ...options, ordered: false }) === undefined;
  return differ(isOnlyOrder ? "The rows are right, but their order is not." : reason);
}

/** Explains why no choice of columns has the correct values; undefined if a choice has. */
function explainColumns(right: readonly Row[], given: readonly Row[], options: CompareRowsOptions): string | undefined {
  const width = right[0]?.length ?? 0;
  const candidates = Array.from({ length: width }, (_, column) => candidatesFor(column, right, given, options));
  const missing = candidates.findIndex((each) => each.length === 0);
  if (missing !== -1) return `No column has the values of column ${missing + 1} of the right rows.`;
  const isFound = findColumns(candidates, [], (columns) => hasSameRows(right, given, columns, options));
  return isFound ? undefined : "The columns have the right values, but not in the same rows.";
}

function differ(reason: string): RowComparison {
  return { isSame: false, reason };
}

const numericTypes = ["integer", "decimal", "float", "double", "number"];

function toRows({ columns, rows }: ComparedRows): readonly Row[] {
  return rows.map((row) =>
    row.map((value, index) => ({ value, isNumeric: numericTypes.includes(columns?.[index]?.type ?? "") })),
  );
}

/** Returns the columns of the result that have the same values as a correct column. */
function candidatesFor(column: number, right: readonly Row[], given: readonly Row[], options: CompareRowsOptions) {
  const wanted = right.map((row) => pick(row, [column]));
  const width = given[0]?.length ?? 0;
  return Array.from({ length: width }, (_, index) => index).filter((index) =>
    isSameList(
      wanted,
      given.map((row) => pick(row, [index])),
      options,
    ),
  );
}

/** Tries each assignment of different columns. A counter limits the time if many columns are equal. */
function findColumns(
  candidates: readonly (readonly number[])[],
  chosen: readonly number[],
  fits: (columns: readonly number[]) => boolean,
  left = { tries: 5000 },
): boolean {
  const next = candidates[chosen.length];
  if (next === undefined) {
    left.tries -= 1;
    return fits(chosen);
  }
  return next.some(
    (column) => left.tries > 0 && !chosen.includes(column) && findColumns(candidates, [...chosen, column], fits, left),
  );
}

function hasSameRows(
  right: readonly Row[],
  given: readonly Row[],
  columns: readonly number[],
  options: CompareRowsOptions,
): boolean {
  return isSameList(
    right,
    given.map((row) => pick(row, columns)),
    options,
  );
}

function pick(row: Row, columns: readonly number[]): Row {
  return columns.map((column) => row[column] ?? { value: null, isNumeric: false });
}

function isSameList(a: readonly Row[], b: readonly Row[], { ordered, tolerance }: CompareRowsOptions): boolean {
  const isSame = (left: Row | undefined, right: Row | undefined) => isSameRow(left ?? [], right ?? [], tolerance);
  if (ordered) return a.every((row, index) => isSame(row, b[index]));
  const [left, right] = [a.toSorted(compareRow), b.toSorted(compareRow)];
  return left.every((row, index) => isSame(row, right[index])) || canPair(left, right, isSame);
}

function compareRow(a: Row, b: Row): number {
  for (const [index, value] of a.entries()) {
    const order = compareValues(value, b[index] ?? value);
    if (order !== 0) return order;
  }
  return 0;
}

function isSameRow(a: Row, b: Row, tolerance: number | undefined): boolean {
  return a.every((value, index) => {
    const other = b[index];
    return other !== undefined && isSameValue(value, other, tolerance);
  });
}

/** The maximum number of rows that are matched in any order. Sorting both lists is not enough if there is a tolerance. */
const maxPaired = 1000;

/** Whether each row has a separate partner: augmenting paths (Kuhn 1955). */
function canPair(a: readonly Row[], b: readonly Row[], isSame: (left: Row, right: Row) => boolean): boolean {
  if (a.length > maxPaired) return false;
  const partners = a.map((row) => b.flatMap((other, index) => (isSame(row, other) ? [index] : [])));
  const taken = new Map<number, number>();
  const assign = (row: number, seen: Set<number>): boolean =>
    (partners[row] ?? []).some((index) => {
      if (seen.has(index)) return false;
      seen.add(index);
      const holder = taken.get(index);
      if (holder !== undefined && !assign(holder, seen)) return false;
      taken.set(index, row);
      return true;
    });
  return partners.every((_, row) => assign(row, new Set()));
}
