import type { TableStructure } from "../port/structure.ts";

/** A statement that passed the checks, with the tables that it reads. */
export interface PlannedStatement {
  readonly sql: string;
  readonly tables: readonly TableStructure[];
}
