/** The structure of a warehouse, as declared in its catalog. */

/** The name of a table. `schema` is `main` for engines without schemas, such as SQLite. */
export interface TableName {
  readonly schema: string;
  readonly table: string;
}

/** The kind of a column's values, independent of the engine's own types. */
export const valueTypes = [
  "boolean",
  "integer",
  "decimal",
  "float",
  "text",
  "date",
  "time",
  "timestamp",
  "timestamptz",
  "interval",
  "uuid",
  "json",
  "array",
  "bytes",
  "other",
] as const;
export type ValueType = (typeof valueTypes)[number];

export interface ColumnStructure {
  readonly name: string;
  readonly type: ValueType;
  /** The type as the engine writes it, such as `numeric(12,2)`. */
  readonly nativeType: string;
  readonly nullable: boolean;
  /** The character set of a text column, such as `utf8mb4`, for engines that have several character sets. */
  readonly charset?: string | undefined;
  /** The column's comment in the database. */
  readonly comment?: string | undefined;
}

export interface ForeignKey {
  readonly columns: readonly string[];
  readonly references: TableName & { readonly columns: readonly string[] };
}

/** The tables whose rows a view shows, or `unknown` if the engine does not report them. */
export type ReadTables = readonly TableName[] | "unknown";

/** A table or view with its declared keys. */
export interface TableStructure extends TableName {
  readonly kind: "table" | "view";
  /**
   * The other tables whose rows this table or view shows: those in a view's definition, or those that inherit from a table. Empty for rows
   * of another server, and for rows that another table also shows. Missing if a table has only its own rows, or if nothing is known about a
   * view.
   */
  readonly reads?: ReadTables | undefined;
  readonly columns: readonly ColumnStructure[];
  /** Whether the table has further columns that the account may not read. Default: false. */
  readonly isPartial?: boolean | undefined;
  /** The columns of the primary key. Empty if none is declared. */
  readonly primaryKey: readonly string[];
  readonly uniqueKeys: readonly (readonly string[])[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly comment?: string | undefined;
  /** The number of rows according to the engine's statistics. */
  readonly estimatedRows?: number | undefined;
}

/**
 * A table that the catalog lists but the account cannot describe or read, with the reason as one sentence. The table `*` stands for a whole
 * schema, for example one without readable tables.
 */
export interface TableProblem extends TableName {
  readonly kind?: TableStructure["kind"] | undefined;
  readonly problem: string;
}

export interface WarehouseStructure {
  readonly tables: readonly TableStructure[];
  readonly problems: readonly TableProblem[];
}
