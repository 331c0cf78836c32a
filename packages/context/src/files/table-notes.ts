/** The notes in the files of one project, by identifiers. */

import { sha256 } from "@bridle/core";
import type { JoinEnd, StatedRelationship } from "../facts/facts.ts";
import { formatTableId } from "../facts/identifiers.ts";
import { parseColumnId } from "../facts/parse-identifier.ts";
import type { ContextFileProblem } from "./file-problem.ts";
import type { DescriptionNote, JoinNote, NoteSource, TableFile, TableNotes } from "./table-file-schema.ts";

/** A description from a file, with its source. */
export interface NotedText {
  readonly text: string;
  readonly source: NoteSource;
  /** The document from which the text was taken. */
  readonly from?: string | undefined;
}

/**
 * A decision about a join. A join that a model accepted or proposed is also checked against the data. A missing `relationship` or
 * `condition` is taken from the scan.
 */
export interface JoinDecision {
  readonly from: JoinEnd;
  readonly to: JoinEnd;
  readonly status: "accepted" | "rejected" | "proposed";
  readonly relationship?: StatedRelationship | undefined;
  readonly condition?: string | undefined;
  readonly reason?: string | undefined;
  readonly source: NoteSource;
}

export interface NotesOfFiles {
  /** The notes about tables, by `connection.schema.table`. */
  readonly tables: ReadonlyMap<string, TableNotes>;
  readonly joins: readonly JoinDecision[];
  readonly problems: readonly ContextFileProblem[];
  /** Schemas whose files are meant to protect something, but have unreadable rules. */
  readonly unprotected?: readonly UnprotectedSchema[] | undefined;
}

/** A schema that is not read or shown until its file is corrected. */
export interface UnprotectedSchema {
  readonly connection: string;
  readonly schema: string;
  readonly problem: ContextFileProblem;
}

export function toNotedText(note: DescriptionNote | undefined): NotedText | undefined {
  return typeof note === "string" ? { text: note, source: "person" } : note;
}

export function notesOfTables(
  { tables = {} }: TableFile,
  schema: { readonly connection: string; readonly schema: string },
): [string, TableNotes][] {
  return Object.entries(tables).map(([table, notes]) => [formatTableId({ ...schema, table }), notes]);
}

/** Converts an entry to a decision, or returns a sentence that explains why it is not one. */
export function toJoinDecision(note: JoinNote): JoinDecision | string {
  const [from, to] = [toEnd(note.from), toEnd(note.to)];
  if (typeof from === "string") return from;
  if (typeof to === "string") return to;
  if (from.columns.length !== to.columns.length) {
    return `the join has ${from.columns.length} columns on one side and ${to.columns.length} on the other. Name as many on both.`;
  }
  const { status, relationship, condition, reason, source = "person" } = note;
  return { from, to, status, relationship, condition, reason, source };
}

function toEnd(note: string | readonly string[]): JoinEnd | string {
  const columns = [note]
    .flat()
    .map(parseColumnId)
    .filter((path) => path !== undefined);
  const tables = [...new Set(columns.map(formatTableId))];
  const [table] = tables;
  if (table === undefined || tables.length > 1) {
    return `one side of the join names columns of ${tables.join(" and ")}. Name columns of one table.`;
  }
  return { table, columns: columns.map(({ column }) => column) };
}

/** Returns a key that is equal for joins of the same columns, whatever the order of a composite join's pairs. */
export function joinKey({ from, to }: Pick<JoinDecision, "from" | "to">): string {
  const pairs = from.columns.map((column, index) => JSON.stringify([column, to.columns[index]])).sort();
  return JSON.stringify([from.table, to.table, pairs]);
}

/** Returns the id of a join. It is equal for the same ends, whatever their origin. */
export function joinIdOf(from: JoinEnd, to: JoinEnd): string {
  return sha256(joinKey({ from, to })).slice(0, 10);
}
