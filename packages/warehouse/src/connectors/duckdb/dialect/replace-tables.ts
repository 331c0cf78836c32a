/** Replaces the tables in the text of a statement, and leaves everything else unchanged. */

import { StatementRefusedError } from "@bridle/sql";
import type { ResolvedTable, StatementContext } from "../../../port/dialect.ts";
import { quoteDuckDbName } from "../session/quote.ts";
import { findNameParts, findNextPart, indexOfByte } from "./name-span.ts";
import { locationOf, type SyntaxObject, textAt, textsAt } from "./syntax-tree.ts";
import type { NamedParts } from "./walk-statement.ts";

/** A table of a statement, and its replacement. */
export interface Replacement {
  readonly node: SyntaxObject;
  readonly table: ResolvedTable;
  /** The alias of the reference after the replacement; empty if the reference has none. */
  readonly alias: string;
}

/** A column such as `main.orders.id`. Its schema must be removed because its table became a subquery. */
interface ShortenedColumn {
  readonly node: SyntaxObject;
  readonly names: readonly string[];
}

export interface ReplacedStatement {
  readonly sql: string;
  readonly tables: ReadonlyMap<SyntaxObject, Replacement>;
  readonly columns: ReadonlyMap<SyntaxObject, ShortenedColumn>;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function replaceTables(text: string, parts: NamedParts, context: StatementContext): ReplacedStatement {
  const tables = new Map(parts.tables.map((node) => [node, resolve(node, context)]));
  const columns = new Map(
    parts.columns.flatMap((node) => shorten(node, tables.values())).map((column) => [column.node, column]),
  );
  const edits = [
    ...[...tables.values()].map((replacement) => editTable(text, replacement)),
    ...[...columns.values()].map((column) => editColumn(text, column)),
  ];
  return { sql: applyEdits(text, edits), tables, columns };
}

/** Quotes the full name of a table. */
export function quoteFullName({ schema, table }: { readonly schema: string; readonly table: string }): string {
  return `${quoteDuckDbName(schema)}.${quoteDuckDbName(table)}`;
}

function writtenNames(node: SyntaxObject): readonly string[] {
  return ["catalog_name", "schema_name", "table_name"].map((key) => textAt(node, key)).filter((name) => name !== "");
}

function resolve(node: SyntaxObject, context: StatementContext): Replacement {
  const table = context.resolve(writtenNames(node));
  const written = textAt(node, "table_name");
  const alias = textAt(node, "alias");
  const needsAlias = table.relation !== undefined || table.table.toLowerCase() !== written.toLowerCase();
  return { node, table, alias: alias === "" && needsAlias ? written : alias };
}

function shorten(node: SyntaxObject, replacements: Iterable<Replacement>): readonly ShortenedColumn[] {
  const names = textsAt(node, "column_names");
  for (const { node: table, table: resolved } of replacements) {
    if (resolved.relation === undefined || textAt(table, "alias") !== "") continue;
    const qualifiers = [[resolved.schema, textAt(table, "table_name")], writtenNames(table)];
    for (const qualifier of qualifiers) {
      const isPrefix = qualifier.every((name, index) => names[index]?.toLowerCase() === name.toLowerCase());
      if (isPrefix && qualifier.length > 1 && names.length > qualifier.length)
        return [{ node, names: names.slice(qualifier.length - 1) }];
    }
  }
  return [];
}

function editTable(text: string, { node, table, alias }: Replacement): Edit {
  const start = startOf(text, node);
  const end = findNameParts(text, start, writtenNames(node).length)?.at(-1);
  if (end === undefined) throw refuseName(writtenNames(node));
  const isNew = textAt(node, "alias") === "" && alias !== "";
  return {
    start,
    end,
    text: `${table.relation ?? quoteFullName(table)}${isNew ? ` AS ${quoteDuckDbName(alias)}` : ""}`,
  };
}

function editColumn(text: string, { node, names }: ShortenedColumn): Edit {
  const all = textsAt(node, "column_names");
  const start = startOf(text, node);
  const lastRemoved = findNameParts(text, start, all.length - names.length)?.at(-1);
  const end = lastRemoved === undefined ? undefined : findNextPart(text, lastRemoved);
  if (end === undefined) throw refuseName(all);
  return { start, end, text: "" };
}

function startOf(text: string, node: SyntaxObject): number {
  return indexOfByte(text, locationOf(node) ?? text.length);
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = "";
  let position = 0;
  for (const { start, end, text: replacement } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start < position) continue;
    result += text.slice(position, start) + replacement;
    position = end;
  }
  return result + text.slice(position);
}

function refuseName(names: readonly string[]): StatementRefusedError {
  return new StatementRefusedError(
    `The name ${names.join(".")} cannot be found in the statement. Write it plainly, with an alias.`,
    { reason: "syntax" },
  );
}
