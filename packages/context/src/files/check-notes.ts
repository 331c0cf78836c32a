import { nearest, suggestion } from "@bridle/protocol";
import type { FactsReader } from "../facts/facts.ts";
import { parseTableId } from "../facts/parse-identifier.ts";
import type { JoinDecision, NotesOfFiles } from "./table-notes.ts";

/** A name in a file that the scan did not find. */
export interface UnknownNote {
  /** The table or column: `connection.schema.table`, or that with a column. */
  readonly subject: string;
  /** The problem in one sentence. */
  readonly message: string;
  readonly nearest?: string | undefined;
}

/** Lists the tables and columns that files name but no scan found, with the nearest names that exist. */
export function findUnknownNotes({ tables, joins }: NotesOfFiles, facts: FactsReader): readonly UnknownNote[] {
  const scanned = new Set(
    facts.connections().flatMap(({ name, scannedAt }) => (scannedAt === undefined ? [] : [name])),
  );
  const ends = joins.flatMap(({ from, to }: JoinDecision) => [from, to]);
  const named = [
    ...Array.from(tables, ([table, { columns = {} }]) => ({ table, columns: Object.keys(columns) })),
    ...ends,
  ].filter(({ table }) => scanned.has(parseTableId(table)?.connection ?? ""));
  const found = named.flatMap(({ table, columns }) => unknownIn(table, columns, facts));
  return [...new Map(found.map((each) => [each.subject, each])).values()];
}

function unknownIn(table: string, columns: readonly string[], facts: FactsReader): UnknownNote[] {
  const known = facts.table(table);
  if (known === undefined) {
    const ids = Array.from(facts.tables(parseTableId(table)?.connection), ({ id }) => id);
    const message = `The scan found no table ${table}.${suggestion(table, ids)}`;
    return [{ subject: table, message, nearest: nearest(table, ids, 1)[0] }];
  }
  const names = known.columns.map(({ name }) => name);
  return columns
    .filter((column) => !names.includes(column))
    .map((column) => ({
      subject: `${table}.${column}`,
      message: `The table ${table} has no column ${column}.${suggestion(column, names)}`,
      nearest: nearest(column, names, 1)[0],
    }));
}
