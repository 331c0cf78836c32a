import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { CompositeCandidate } from "../../packages/context/src/joins/composites/composite-links.ts";
import type { KeyCandidate } from "../../packages/context/src/joins/keys/key-candidates.ts";
import type { LinkCandidate } from "../../packages/context/src/joins/links/link-list.ts";
import type { ColumnFacts } from "../../packages/context/src/joins/schema-facts.ts";

const columnsSchema = z.object({ table: z.string(), columns: z.array(z.string()) });
const linkSchema = z.object({ from: columnsSchema, to: columnsSchema, evidence: z.string().optional() });
const goldSchema = z.object({
  kind: z.string(),
  primaryKeys: z.array(columnsSchema.extend({ evidence: z.string().optional() })),
  uniqueKeys: z.array(columnsSchema),
  foreignKeys: z.array(linkSchema),
  implied: z.array(linkSchema),
  undeclared: z.array(linkSchema).default([]),
  tables: z.array(z.object({ table: z.string(), rows: z.number() })),
});

/** The label of a candidate: 1 if right, 0 if wrong, undefined if the candidate must not count. */
export type Label = 1 | 0 | undefined;

/** The known answers for a data set. Case does not matter in identifiers, nor does the order of a key's or link's columns. */
export interface Gold {
  readonly keys: ReadonlySet<string>;
  readonly links: ReadonlySet<string>;
  readonly composites: ReadonlySet<string>;
  /** Keys and links that count neither as right nor as wrong. */
  readonly neutral: ReadonlySet<string>;
  readonly keyedTables: ReadonlySet<string>;
  /** The links that count, each with its columns in the order of the key. */
  readonly foreignKeys: readonly GoldLink[];
  /** Whether tables without a key in the answers really have no key. */
  readonly completeKeys: boolean;
}

export interface GoldLink {
  readonly from: Columns;
  readonly to: Columns;
}

interface Columns {
  readonly table: string;
  readonly columns: readonly string[];
}

export function readGold(folder: string): Gold {
  const gold = goldSchema.parse(JSON.parse(readFileSync(join(folder, "gold.json"), "utf8")));
  const counted = gold.foreignKeys.filter(({ evidence }) => evidence === "supported" || evidence === "dirty");
  const rest = gold.foreignKeys.filter((link) => !counted.includes(link));
  const empty = new Set(gold.tables.filter(({ rows }) => rows === 0).map(({ table }) => table.toLowerCase()));
  const links = new Set(counted.map(linkId));
  return {
    keys: new Set(gold.primaryKeys.filter(({ evidence }) => evidence !== "empty").map(keyId)),
    links,
    composites: new Set(counted.filter(({ from }) => from.columns.length > 1).map(linkId)),
    neutral: new Set([
      ...gold.uniqueKeys.map(keyId),
      ...[...rest, ...gold.implied, ...gold.undeclared].map(linkId),
      ...gold.primaryKeys.filter(({ table }) => empty.has(table.toLowerCase())).map(keyId),
    ]),
    foreignKeys: counted,
    keyedTables: new Set(gold.primaryKeys.map(({ table }) => table.toLowerCase())),
    completeKeys: !gold.kind.includes("gold primary keys are incomplete"),
  };
}

/** Returns the answers after tables have lost their rows: the keys and links of these tables no longer count. */
export function withoutRows(gold: Gold, isEmpty: (table: string) => boolean): Gold {
  const gone = new Set(gold.foreignKeys.filter(({ from, to }) => isEmpty(from.table) || isEmpty(to.table)).map(linkId));
  const goneKeys = new Set([...gold.keys].filter((id) => isEmpty(id.slice(0, id.indexOf("(")))));
  return {
    ...gold,
    keys: without(gold.keys, goneKeys),
    links: without(gold.links, gone),
    composites: without(gold.composites, gone),
    neutral: new Set([...gold.neutral, ...gone, ...goneKeys]),
  };
}

function without(ids: ReadonlySet<string>, gone: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...ids].filter((id) => !gone.has(id)));
}

export function keyId({ table, columns }: Columns): string {
  return `${table}(${columns.toSorted().join()})`.toLowerCase();
}

export function linkId({ from, to }: { readonly from: Columns; readonly to: Columns }): string {
  const pairs = from.columns.map((column, at) => `${column}=${to.columns[at]}`.toLowerCase());
  return `${from.table}->${to.table}:${pairs.toSorted().join()}`.toLowerCase();
}

/** The original column names of each table, by the table's id. */
export type OriginalNames = ReadonlyMap<string, readonly string[]>;

export function labelKey({ columns }: KeyCandidate, gold: Gold, names: OriginalNames): Label {
  const id = keyId(originals(columns, names));
  if (gold.keys.has(id)) return 1;
  const known = gold.completeKeys || gold.keyedTables.has(columns[0]?.table.profile.id.toLowerCase() ?? "");
  return gold.neutral.has(id) || !known ? undefined : 0;
}

export function labelLink({ child, parent }: LinkCandidate, gold: Gold, names: OriginalNames): Label {
  const id = linkId({ from: originals([child], names), to: originals([parent], names) });
  if (gold.links.has(id)) return 1;
  return gold.neutral.has(id) ? undefined : 0;
}

/** Labels a link of several columns. */
export function labelComposite(
  { children, parents }: Pick<CompositeCandidate, "children" | "parents">,
  gold: Gold,
  names: OriginalNames,
): Label {
  const id = linkId({ from: originals(children, names), to: originals(parents, names) });
  if (gold.links.has(id)) return 1;
  return gold.neutral.has(id) ? undefined : 0;
}

function originals(columns: readonly ColumnFacts[], names: OriginalNames): Columns {
  const table = columns[0]?.table.profile.id ?? "";
  return { table, columns: columns.map(({ position }) => names.get(table)?.[position] ?? "") };
}
