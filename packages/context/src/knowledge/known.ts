/** The parts of what is known about warehouses. */
import type { ColumnProfileFacts, FactsReader, JoinFacts, TableFacts } from "../facts/facts.ts";
import type { ColumnPath, TablePath } from "../facts/identifiers.ts";
import type { NoteSource } from "../files/table-file-schema.ts";
import type { NotesOfFiles } from "../files/table-notes.ts";

/** A description with its source. `comment` is that of the database. */
export interface RankedDescription {
  readonly text: string;
  readonly source: NoteSource | "comment";
  /** The document that it was taken from. */
  readonly from?: string | undefined;
}

export interface KnownColumn extends ColumnProfileFacts {
  readonly description?: RankedDescription | undefined;
}

/** A table without its hidden columns, and without values of its sensitive ones. */
export interface KnownTable extends Omit<TableFacts, "columns"> {
  readonly columns: readonly KnownColumn[];
  readonly description?: RankedDescription | undefined;
}

/** A join with the reason of whoever decided about it. */
export interface KnownJoin extends JoinFacts {
  readonly reason?: string | undefined;
}

/** Descriptions that a model has written. */
export interface DescriptionReader {
  /** By the name of a column; the empty name is the table itself. Undefined if there is none. */
  read(table: string): ReadonlyMap<string, string> | undefined;
  /** Differs after every change. */
  version(): string;
}

/** Decides what a caller may see. Tables that it may not see are absent, in whatever they would have been named. */
export type IsVisible = (table: TablePath) => boolean;

export interface KnowledgeSources {
  readonly facts: FactsReader;
  readonly files?: { read(): NotesOfFiles; version(): string } | undefined;
  readonly descriptions?: DescriptionReader | undefined;
  /** Whether the settings mark a column; undefined if they do not name it. */
  readonly markedSensitive?: ((column: ColumnPath) => boolean | undefined) | undefined;
}
