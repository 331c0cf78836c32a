/** Drafts models of all chosen tables, in addition to the existing models. */
import { ConfigError } from "@bridle/protocol";
import { type ModelFile, semanticModelSchema } from "@bridle/semantic";
import { parse } from "yaml";
import { formatTableId } from "../../facts/identifiers.ts";
import type { JoinDecision } from "../../files/table-notes.ts";
import { takeModelName, toModelName } from "../../history/model-names.ts";
import type { KnownTable } from "../../knowledge/known.ts";
import type { ReadFolder } from "../../metrics/model-folder.ts";
import type { PlacedModel } from "../../metrics/model-table.ts";
import { type ChosenTables, chooseTables } from "./choose-tables.ts";
import type { DraftChecksOptions } from "./draft-checks.ts";
import { draftModel } from "./draft-model.ts";
import type { ProposedModel } from "./drafts.ts";
import { areEmpty, findAdditions } from "./find-additions.ts";
import { findLevels } from "./find-levels.ts";
import { type GatheredUsage, type GivenHistory, gatherUsage } from "./gather-usage.ts";
import { findUsedJoins, type StatementJoin } from "./used-joins.ts";

export interface DraftTablesOptions extends Omit<DraftChecksOptions, "existing"> {
  /** Statements of a query log. Default: the statements that the engines remember. */
  readonly history?: GivenHistory | undefined;
  /** The identifier of a table: drafts only this table and the targets of its joins. Default: the tables that are used and joined most. */
  readonly table?: string | undefined;
  /** Default: all connections. */
  readonly connection?: string | undefined;
  /** The users' decisions about joins. */
  readonly decisions: readonly JoinDecision[];
}

export interface DraftedTables {
  readonly drafts: readonly ProposedModel[];
  readonly notes: readonly string[];
  /** The names of models by table identifier. */
  readonly names: ReadonlyMap<string, string>;
  readonly usage: GatheredUsage;
}

/** Rejects with a ConfigError if nothing was scanned or the table does not exist, or with the warehouse's BridleError. */
export async function draftTables(
  options: DraftTablesOptions,
  existing: readonly PlacedModel[],
): Promise<DraftedTables> {
  const chosen = await chooseAll(options);
  return { ...(await draftAll(options, existing, chosen)), usage: chosen.usage };
}

interface ChosenDrafts extends ChosenTables {
  readonly joins: readonly StatementJoin[];
  readonly usage: GatheredUsage;
}

/** Chooses the tables to draft, with the joins that the scan accepted and those that statements use. */
async function chooseAll(options: DraftTablesOptions): Promise<ChosenDrafts> {
  const { knowledge, connections, connection, table, decisions } = options;
  const isWanted = (path: { readonly connection: string }) =>
    connections.includes(path.connection) && (connection === undefined || path.connection === connection);
  const tables = [...knowledge.tables(isWanted)];
  if (tables.length === 0) throw new ConfigError('Nothing has been scanned. Run "bridle context scan" first.', {});
  const wanted = table === undefined ? undefined : tables.find(({ id }) => id === table);
  if (table !== undefined && wanted === undefined) throw new ConfigError(`There is no table ${table}.`, {});
  const plain = knowledge
    .joins(undefined, isWanted)
    .filter(({ status, condition }) => status === "accepted" && condition === undefined)
    .filter(({ from, to }) => connectionOf(from.table, tables) === connectionOf(to.table, tables));
  const usage = await gatherUsage(tables, options);
  const joins = [...plain, ...findUsedJoins({ tables, usage: usage.tables, accepted: plain, decisions })];
  return { ...chooseTables(tables, joins, wanted, usage.tables), joins, usage };
}

async function draftAll(
  options: DraftTablesOptions,
  existing: readonly PlacedModel[],
  { chosen, left, joins, usage }: ChosenDrafts,
): Promise<Omit<DraftedTables, "usage">> {
  const { connections, folder } = options;
  const names = nameModels(chosen, existing);
  const joinsOf = ({ id }: KnownTable) => joins.filter(({ from }) => from.table === id);
  const linksOf = (each: KnownTable) => new Set(joinsOf(each).flatMap(({ from }) => from.columns));
  const levels = await findLevels(chosen, linksOf, options);
  const notes: string[] =
    left === 0 ? [] : [`${left} tables with fewer joins and rows were left out. Name one to draft it.`];
  const drafts = chosen.map((table): ProposedModel => {
    const own = { usage: usage.tables.get(table.id), levels: levels.get(table.id) };
    const drafted = draftModel(table, {
      names,
      joins: joinsOf(table),
      namesConnection: connections.length > 1,
      ...own,
    });
    const placed = existing.find(({ table: path }) => path !== undefined && formatTableId(path) === table.id);
    const additions = findAdditions(drafted.model, placed?.model);
    if (placed === undefined || !areEmpty(additions)) notes.push(...drafted.notes);
    const shared = { table, additions, usage: own.usage };
    return placed === undefined
      ? { ...shared, model: drafted.model }
      : { ...shared, model: placed.model, existing: fileOf(placed.model.name, folder) };
  });
  return { drafts, notes, names };
}

function connectionOf(id: string, tables: readonly KnownTable[]): string | undefined {
  return tables.find((table) => table.id === id)?.connection;
}

/** Returns the names of models by table identifier: existing names from files, and new ones. */
function nameModels(chosen: readonly KnownTable[], existing: readonly PlacedModel[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { model, table } of existing) {
    const id = table && formatTableId(table);
    if (id !== undefined && !names.has(id)) names.set(id, model.name);
  }
  const taken = new Set(existing.map(({ model }) => model.name.toLowerCase()));
  for (const { id, schema, table } of chosen) {
    if (names.has(id)) continue;
    const plain = toModelName(table);
    names.set(id, takeModelName(taken.has(plain.toLowerCase()) ? toModelName(`${schema}_${table}`) : plain, taken));
  }
  return names;
}

function fileOf(name: string, { files }: ReadFolder): ModelFile | undefined {
  return files.find(({ text }) => semanticModelSchema.safeParse(parse(text)).data?.name === name);
}
