/** The results of a warehouse scan. They are stored in the project's facts database, and can be measured again. */
import type { DialectId, ReadTables, ValueType } from "@bridle/warehouse";

export interface ConnectionFacts {
  readonly name: string;
  readonly dialect: DialectId;
  /** The engine and its version, such as `PostgreSQL 15.4`. */
  readonly server: string;
  readonly tables: number;
  readonly columns: number;
  readonly joins: number;
  /** The start of the last scan that finished, in ISO 8601; undefined if no scan has finished. */
  readonly scannedAt?: string | undefined;
  /** Whether a scan was interrupted and can be continued. */
  readonly unfinished: boolean;
}

export interface TableFacts {
  /** `connection.schema.table`, as `formatTableId` writes it. */
  readonly id: string;
  readonly connection: string;
  readonly schema: string;
  readonly table: string;
  readonly kind: "table" | "view";
  /** The connection's other tables whose rows this view shows, directly or through other views, as in the warehouse's structure. */
  readonly reads?: ReadTables | undefined;
  readonly columns: readonly ColumnProfileFacts[];
  /** The declared key, or the one that the scan found. */
  readonly key?: KeyFacts | undefined;
  readonly comment?: string | undefined;
  /** The number of rows, which the engine estimated unless `rowsAreExact`. */
  readonly rows?: number | undefined;
  readonly rowsAreExact: boolean;
  /** How the rows of the profile were chosen, such as `all rows` or `bernoulli 2 %, seed 7`. */
  readonly sample?: string | undefined;
  /** A digest of the row filter with which the table was read. Missing without a row filter. */
  readonly filter?: string | undefined;
  /** The reason why the table could not be read, as one sentence. */
  readonly problem?: string | undefined;
  readonly scannedAt: string;
}

export interface KeyFacts {
  readonly columns: readonly string[];
  readonly declared: boolean;
  /** The probability that a person would declare this key; 1 if it is declared. */
  readonly score: number;
}

export interface ColumnProfileFacts {
  readonly name: string;
  readonly type: ValueType;
  readonly nativeType: string;
  readonly nullable: boolean;
  /** The character set of a text column, on engines that have several. */
  readonly charset?: string | undefined;
  readonly comment?: string | undefined;
  /** The reason why the column is sensitive, such as `email` or `marked`. The profile of a sensitive column contains no values. */
  readonly sensitive?: string | undefined;
  /** The measurements; missing if the table could not be read. */
  readonly profile?: ValueProfile | undefined;
}

/** The measurements of a column's values, in the rows of the sample. */
export interface ValueProfile {
  readonly rows: number;
  readonly nulls: number;
  /** The number of different values; a lower bound if not all rows were read. */
  readonly distinct: number;
  /** The smallest and greatest value as text. Missing for sensitive columns and for types without an order. */
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  /** The most frequent shapes of text values: letters as `a` or `A`, digits as `9`, repeated ones once with `+`. */
  readonly shapes: readonly { readonly shape: string; readonly rows: number }[];
  /** The most frequent values that occur more than once. Empty for sensitive columns. */
  readonly frequent: readonly { readonly value: string; readonly rows: number }[];
}

export interface JoinEnd {
  /** `connection.schema.table` */
  readonly table: string;
  readonly columns: readonly string[];
}

/** A link between two tables: declared in the database, found in the data, or decided by a user. */
export interface JoinFacts {
  /** A short digest that commands can refer to. It is the same as long as the ends are the same. */
  readonly id: string;
  readonly from: JoinEnd;
  readonly to: JoinEnd;
  readonly origin: "declared" | "found" | "person" | "model";
  readonly status: "accepted" | "review" | "rejected";
  /** The calibrated probability that a person would declare this join; 1 if it is declared or decided. */
  readonly score: number;
  /** The relationship in the data, or the relationship that a user stated if nothing was measured. */
  readonly relationship: Relationship;
  /** How often the values of each end occur. Missing if this was not measured, or if an older version wrote the facts. */
  readonly uniqueness?: JoinUniqueness | undefined;
  /** The condition of a link that applies only to some rows, such as `kind = 'post'`. */
  readonly condition?: string | undefined;
  readonly evidence?: JoinEvidence | undefined;
}

/** How many rows of the two ends belong together: `many-to-one` if each row of the first end has at most one partner in the second. */
export type Relationship = (typeof relationships)[number];
export const statedRelationships = ["many-to-one", "one-to-one", "one-to-many", "many-to-many"] as const;
export const relationships = [...statedRelationships, "unknown"] as const;
/** The relationships that a user can write into a file. */
export type StatedRelationship = (typeof statedRelationships)[number];

export interface JoinUniqueness {
  readonly from?: EndCounts | undefined;
  readonly to?: EndCounts | undefined;
}

/** The number of rows with a value in all columns of an end, and the number of different values. */
export interface EndCounts {
  readonly rows: number;
  readonly filled: number;
  readonly distinct: number;
  /** Whether all rows were counted. If not, the counts are from a sample that contains repeated values. */
  readonly isExact: boolean;
}

export interface JoinEvidence {
  /** The share of the rows with a value that have a parent. */
  readonly coverage: number;
  readonly violations: number;
  /** Up to three values without a parent; empty for sensitive columns. */
  readonly examples: readonly string[];
  readonly signals: readonly string[];
}

/** One difference between a scan and the one before it. */
export interface DriftEntry {
  readonly kind:
    | "table added"
    | "table removed"
    | "column added"
    | "column removed"
    | "type changed"
    | "rows changed"
    | "key changed"
    | "join added"
    | "join removed"
    | "join weaker";
  /** The identifier of the table, column or join. */
  readonly subject: string;
  /** The change in words, such as `integer became text`. */
  readonly detail: string;
}

/** Reads the facts. All code except the scan uses this interface. */
export interface FactsReader {
  connections(): readonly ConnectionFacts[];
  /** Yields the tables of one connection or of all, sorted by identifier. */
  tables(connection?: string): Iterable<TableFacts>;
  table(id: string): TableFacts | undefined;
  /** Lists the joins that begin or end at a table, or all joins. Leaves out rejected joins. */
  joins(table?: string): readonly JoinFacts[];
  /** Lists the changes that the last scan of a connection found. */
  drift(connection: string): readonly DriftEntry[];
  /** Returns a string that differs after every change of the facts, so that readers can cache data derived from the facts. */
  version(): string;
}
