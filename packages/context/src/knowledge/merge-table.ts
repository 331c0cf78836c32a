import { readTablesOf } from "@bridle/warehouse";
import type { ColumnProfileFacts, TableFacts } from "../facts/facts.ts";
import { formatTableId, type TablePath } from "../facts/identifiers.ts";
import { parseTableId } from "../facts/parse-identifier.ts";
import type { ColumnNotes, DescriptionNote, TableNotes } from "../files/table-file-schema.ts";
import { type NotesOfFiles, toNotedText } from "../files/table-notes.ts";
import { digestOfFilter } from "../scan/fingerprints.ts";
import type { KnowledgeSources, KnownColumn, KnownTable, RankedDescription } from "./known.ts";

/** Returns a table with its descriptions; undefined if it is hidden or out of scope, or if a broken file may hide it. */
export function mergeTable(
  { columns, ...facts }: TableFacts,
  notes: NotesOfFiles | undefined,
  sources: KnowledgeSources,
): KnownTable | undefined {
  if (isWithheld(facts, notes, sources)) return undefined;
  const own: TableNotes = notes?.tables.get(facts.id) ?? {};
  const rules = sources.rulesOf?.(facts.connection);
  const hasOtherFilter = rules !== undefined && digestOfFilter(rules.filterOf(facts)) !== facts.filter;
  const written = sources.descriptions?.read(facts.id);
  const shown = columns.flatMap((column) => {
    const said = own.columns?.[column.name] ?? {};
    if (said.hidden) return [];
    const isMarked = said.sensitive === true || rules?.markedSensitive({ ...facts, column: column.name }) === true;
    const merged = mergeColumn(column, said, written?.get(column.name), isMarked);
    return [hasOtherFilter ? withoutValues(merged) : merged];
  });
  const description = pickDescription(own.description, written?.get(""), facts.comment);
  return { ...facts, columns: shown, description, ...(hasOtherFilter && { hasOtherFilter }) };
}

/** Whether a file or a setting hides a table, or a broken file may do so. */
export function isWithheld(
  table: Pick<TableFacts, "connection" | "schema" | "table" | "kind" | "reads">,
  notes: NotesOfFiles | undefined,
  { rulesOf }: Pick<KnowledgeSources, "rulesOf">,
): boolean {
  const isHidden = notes?.tables.get(formatTableId(table))?.hidden === true;
  return (
    isHidden ||
    showsHidden(table, notes) ||
    isUnprotected(table, notes) ||
    rulesOf?.(table.connection)?.isInScope(table) === false
  );
}

/** Whether a view shows rows of a table that a file hides or may hide. */
function showsHidden(
  facts: Pick<TableFacts, "connection" | "schema" | "table" | "kind" | "reads">,
  notes: NotesOfFiles | undefined,
): boolean {
  const reads = readTablesOf(facts);
  if (reads === undefined || notes === undefined) return false;
  if (reads === "unknown")
    return [...notes.tables].some(([id, { hidden }]) => hidden && parseTableId(id)?.connection === facts.connection);
  const { connection } = facts;
  return reads.some((name) => notes.tables.get(formatTableId({ connection, ...name }))?.hidden === true);
}

function isUnprotected({ connection, schema }: TablePath, notes: NotesOfFiles | undefined): boolean {
  return notes?.unprotected?.some((each) => each.connection === connection && each.schema === schema) === true;
}

function mergeColumn(
  column: ColumnProfileFacts,
  { description }: ColumnNotes,
  written: string | undefined,
  isMarked: boolean,
): KnownColumn {
  const merged = { ...column, description: pickDescription(description, written, column.comment) };
  return isMarked && column.sensitive === undefined ? withoutValues({ ...merged, sensitive: "marked" }) : merged;
}

/** Removes the values of a column, which may have been marked as sensitive after it was measured. */
function withoutValues({ profile, ...column }: KnownColumn): KnownColumn {
  if (profile === undefined) return column;
  const { rows, nulls, distinct } = profile;
  return { ...column, profile: { rows, nulls, distinct, shapes: [], frequent: [] } };
}

/**
 * Picks the strongest description among those in files, from a model and in the database. The order is person, document, model, comment.
 */
function pickDescription(
  note: DescriptionNote | undefined,
  written: string | undefined,
  comment: string | undefined,
): RankedDescription | undefined {
  const noted = toNotedText(note);
  if (noted !== undefined) return noted;
  if (written !== undefined) return { text: written, source: "model" };
  return comment === undefined || comment.trim() === "" ? undefined : { text: comment.trim(), source: "comment" };
}
