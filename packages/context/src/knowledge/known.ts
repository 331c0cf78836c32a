/** The types of the knowledge about warehouses. */

import type { SettingsRules } from "@bridle/warehouse";
import type { ColumnProfileFacts, FactsReader, JoinFacts, TableFacts } from "../facts/facts.ts";
import type { TablePath } from "../facts/identifiers.ts";
import type { NoteSource } from "../files/table-file-schema.ts";
import type { NotesOfFiles } from "../files/table-notes.ts";

/** A description with its source. `comment` comes from the database. */
export interface RankedDescription {
  readonly text: string;
  readonly source: NoteSource | "comment";
  /** The document from which the text was taken. */
  readonly from?: string | undefined;
}

export interface KnownColumn extends ColumnProfileFacts {
  readonly description?: RankedDescription | undefined;
}

/** A table without its hidden columns, and without values of its sensitive ones. */
export interface KnownTable extends Omit<TableFacts, "columns"> {
  /** Whether values are left out because the row filter in the settings differs from the scan's row filter. */
  readonly hasOtherFilter?: boolean | undefined;
  readonly columns: readonly KnownColumn[];
  readonly description?: RankedDescription | undefined;
}

/** A join with the reason for its decision. */
export interface KnownJoin extends JoinFacts {
  readonly reason?: string | undefined;
}

/** Descriptions that a model has written. */
export interface DescriptionReader {
  /** Returns descriptions by column name; the empty name stands for the table itself. Undefined if the table has no descriptions. */
  read(table: string): ReadonlyMap<string, string> | undefined;
  /** Returns a string that differs after every change. */
  version(): string;
}

/** Decides which tables a caller may see. Results never contain the names of other tables. */
export type IsVisible = (table: TablePath) => boolean;

export interface KnowledgeSources {
  readonly facts: FactsReader;
  readonly files?: { read(): NotesOfFiles; version(): string } | undefined;
  readonly descriptions?: DescriptionReader | undefined;
  /** The rules in the settings of a connection; undefined without settings. The rules may have changed since the scan. */
  readonly rulesOf?: ((connection: string) => SettingsRules | undefined) | undefined;
}
