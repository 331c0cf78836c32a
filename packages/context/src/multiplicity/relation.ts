import type { JoinEnd } from "../facts/facts.ts";
import { isUniqueEnd } from "../facts/relationship-of.ts";
import type { KnownJoin, KnownTable } from "../knowledge/known.ts";

/** How certain it is that a row has several partners: `possible` if a condition may leave at most one, `unknown` without evidence. */
type Certainty = "certain" | "possible" | "unknown";

/** The cause of repeated rows: columns of a table that have the same values in several of its rows. */
export interface Repeater {
  /** The table, as `connection.schema.table`, or a subquery's name in the statement. */
  readonly table: string;
  /** The joined columns. Empty if no condition joins the table. */
  readonly columns: readonly string[];
  readonly certainty: Certainty;
  /** Whether the columns are compared by a range or an expression. If so, their uniqueness proves nothing. */
  readonly isCompared?: boolean | undefined;
  /** The number of rows with a value in all columns, and of different values, as far as these were counted. */
  readonly rows?: number | undefined;
  readonly values?: number | undefined;
}

/** The known facts about the rows of a table or subquery. Column names are in lower case. */
export interface SourceRelation {
  readonly name: string;
  /** Whether it is a table or view. Only a scan could count its rows. */
  readonly isTable: boolean;
  /** The columns; undefined if unknown. */
  readonly columns: ReadonlySet<string> | undefined;
  /** Sets of columns in which no two rows have the same values. The empty set means that there is at most one row. */
  readonly keys: readonly (readonly string[])[];
  /** Returns the repeater if several rows have, or may have, the same values in the columns. */
  repeats(columns: readonly string[]): Repeater | undefined;
  /** Columns whose values are already repeated within the subquery, and what repeats them. */
  readonly repeated: ReadonlyMap<string, Repeater>;
  /** The repeater of all rows of the subquery. */
  readonly repeatedRows?: Repeater | undefined;
}

export function unknownRelation(name: string, isTable = false): SourceRelation {
  return { name, isTable, columns: undefined, keys: [], repeats: () => undefined, repeated: new Map() };
}

const allRows = "all rows";

/** A table with the scan's measurements: its key, the ends of its joins, and its columns. */
export class TableRelation implements SourceRelation {
  readonly name: string;
  readonly isTable = true;
  readonly columns: ReadonlySet<string>;
  readonly keys: readonly (readonly string[])[];
  readonly repeated: ReadonlyMap<string, Repeater> = new Map();
  readonly #table: KnownTable;
  readonly #ends: readonly {
    readonly columns: readonly string[];
    readonly counts: { filled: number; distinct: number };
  }[];

  constructor(table: KnownTable, joins: readonly KnownJoin[]) {
    this.name = table.id;
    this.#table = table;
    this.columns = new Set(table.columns.map(({ name }) => lower(name)));
    const ends = joins.flatMap(({ from, to, uniqueness }) => [
      { ...from, counts: uniqueness?.from },
      { ...to, counts: uniqueness?.to },
    ]);
    const own = ends.filter((end: JoinEnd) => end.table === table.id);
    const found = own.filter(({ counts }) => isUniqueEnd(counts) === true).map(({ columns }) => columns.map(lower));
    const key = table.key === undefined ? [] : [table.key.columns.map(lower)];
    const single = table.rowsAreExact && (table.rows ?? 2) <= 1 ? [[]] : [];
    this.keys = table.hasOtherFilter === true ? key : [...key, ...found, ...this.#uniqueColumns(), ...single];
    this.#ends = own.flatMap(({ columns, counts }) =>
      counts !== undefined && isUniqueEnd(counts) === false ? [{ columns: columns.map(lower), counts }] : [],
    );
  }

  repeats(columns: readonly string[]): Repeater | undefined {
    const { id, rows = 0, hasOtherFilter } = this.#table;
    if (hasOtherFilter === true) return undefined;
    const names = this.#table.columns.filter(({ name }) => columns.includes(lower(name))).map(({ name }) => name);
    const repeater: Repeater = { table: id, columns: names, certainty: "certain" };
    if (columns.length === 0) return rows > 1 ? { ...repeater, rows } : undefined;
    const end = this.#ends.find((each) => columns.every((name) => each.columns.includes(name)));
    if (end?.columns.length === columns.length)
      return { ...repeater, rows: end.counts.filled, values: end.counts.distinct };
    const profiles = this.#table.columns
      .filter(({ name }) => columns.includes(lower(name)))
      .map(({ profile }) => profile);
    const measured = profiles.filter((profile) => profile !== undefined);
    if (measured.length === columns.length && measured.length > 0) {
      // The maximum number of different tuples.
      const max = measured.reduce((product, { distinct }) => product * distinct, 1);
      const filled = Math.min(...measured.map((profile) => profile.rows - profile.nulls));
      const isWhole = this.#table.sample === allRows;
      const isRepeated = max < filled && (isWhole || measured.length === 1);
      const counts = isWhole && measured.length === 1 ? { rows: filled, values: max } : {};
      if (isRepeated) return { ...repeater, ...counts };
    }
    return end && repeater;
  }

  #uniqueColumns(): readonly (readonly string[])[] {
    if (this.#table.sample !== allRows) return [];
    const unique = this.#table.columns.filter(
      ({ profile }) => profile !== undefined && profile.rows > 0 && profile.distinct === profile.rows - profile.nulls,
    );
    return unique.map(({ name }) => [lower(name)]);
  }
}

function lower(name: string): string {
  return name.toLowerCase();
}
