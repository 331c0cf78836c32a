/** Finds states such as stock levels: numbers with one value for each item and time, which must not be added up over time. */
import { isBridleError } from "@bridle/protocol";
import type { Warehouse } from "@bridle/warehouse";
import { findDialect } from "../../facts/find-dialect.ts";
import { splitName } from "../../joins/names.ts";
import type { KnownTable } from "../../knowledge/known.ts";
import type { MetricCaller } from "../../metrics/metric-queries.ts";
import { roleOfColumn } from "./column-roles.ts";

/** A number that is a state. */
export interface Level {
  /** The column of the time. */
  readonly time: string;
  /** The columns that identify the item with this state. */
  readonly per: readonly string[];
  readonly reason: string;
}

/** The states by column name. */
export type LevelsOfTable = ReadonlyMap<string, Level>;

interface LevelOptions {
  readonly caller: MetricCaller;
  openWarehouse(name: string, signal?: AbortSignal): Promise<Warehouse>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Successive states of an item differ little: the squared differences between them are less than this share of the squared distances from
 * the mean.
 */
const maxStep = 0.5;
/** For independent values, the share is 2. */
const minStepOfFlow = 1.5;
const minSteps = 20;
/** The maximum number of rows: sorting a larger table takes too long for a draft. */
const maxRows = 5_000_000;

const stateWords = new Set(
  "stock stocks balance balances inventory inventories level levels hand outstanding backlog headcount snapshot snapshots remaining".split(
    " ",
  ),
);
const flowWords = new Set(
  (
    "movement movements transaction transactions change changes delta adjustment adjustments sold received in out transfer transfers " +
    "sales revenue amount cost spend fee tax turnover orders visits clicks views impressions sessions sent shipped ordered"
  ).split(" "),
);

/** Finds the states among the numbers of tables whose key consists of items and a time. Checks the values if the names do not tell. */
export async function findLevels(
  tables: readonly KnownTable[],
  linksOf: (table: KnownTable) => ReadonlySet<string>,
  options: LevelOptions,
): Promise<ReadonlyMap<string, LevelsOfTable>> {
  const found = new Map<string, LevelsOfTable>();
  for (const table of tables) {
    const linked = linksOf(table);
    const place = placeOf(table, linked);
    if (place === undefined) continue;
    const numbers = table.columns.filter(({ name }) => isNumber(name, table, linked) && !place.per.includes(name));
    const levels = new Map<string, Level>();
    for (const { name } of numbers) {
      const reason = await reasonOf(name, table, place, options);
      if (reason !== undefined) levels.set(name, { ...place, reason });
    }
    if (levels.size > 0) found.set(table.id, levels);
  }
  return found;
}

interface LevelPlace {
  readonly time: string;
  readonly per: readonly string[];
}

/** Returns the time and the items of a key that consists of one time and at least one item. */
function placeOf(table: KnownTable, linked: ReadonlySet<string>): LevelPlace | undefined {
  const key = table.key?.columns ?? [];
  const isTime = (name: string) => {
    const column = table.columns.find((each) => each.name === name);
    return column !== undefined && roleOfColumn(column, table, new Set()).kind === "time";
  };
  const [time, ...others] = key.filter((name) => !linked.has(name) && isTime(name));
  const per = key.filter((name) => name !== time);
  return time === undefined || others.length > 0 || per.length === 0 ? undefined : { time, per };
}

/** Whether the column is a number to sum. A price or a rate is averaged anyway. */
function isNumber(name: string, table: KnownTable, linked: ReadonlySet<string>): boolean {
  const column = table.columns.find((each) => each.name === name);
  const role = column && roleOfColumn(column, table, linked);
  return role?.kind === "measure" && (role.agg === "sum" || splitName(name).some((word) => stateWords.has(word)));
}

async function reasonOf(
  column: string,
  table: KnownTable,
  place: LevelPlace,
  options: LevelOptions,
): Promise<string | undefined> {
  const words = [...splitName(column), ...splitName(table.table)];
  const isNamed = words.some((word) => stateWords.has(word)) && !words.some((word) => flowWords.has(word));
  const share = await shareOfSteps(column, table, place, options);
  const once = `has one value for each ${[...place.per, place.time].join(" and ")}`;
  const isFlowNamed = words.some((word) => flowWords.has(word));
  if (share !== undefined && share <= maxStep && !isFlowNamed)
    return `${once}, and changes little from one time to the next`;
  const isOwnName = splitName(column).some((word) => stateWords.has(word));
  const isFlow = share !== undefined && share >= minStepOfFlow && !isOwnName && hasNegatives(column, table);
  return isNamed && !isFlow ? `${once}, and its name is that of a state` : undefined;
}

function hasNegatives(column: string, { columns }: KnownTable): boolean {
  return columns.find(({ name }) => name === column)?.profile?.min?.startsWith("-") === true;
}

/**
 * Computes the squared differences between successive values of an item, relative to the squared distances from its mean. Undefined if
 * unknown.
 */
async function shareOfSteps(
  column: string,
  table: KnownTable,
  { time, per }: LevelPlace,
  { caller, openWarehouse, signal }: LevelOptions,
): Promise<number | undefined> {
  if ((table.rows ?? 0) > maxRows) return undefined;
  const warehouse = await openWarehouse(table.connection, signal);
  const dialect = findDialect(warehouse);
  const [value, moment, ...items] = [column, time, ...per].map((name) => dialect.quoteIdentifier(name));
  const own = items.join(", ");
  const rows = `SELECT 1.0 * ${value} AS x, LAG(1.0 * ${value}) OVER (PARTITION BY ${own} ORDER BY ${moment}) AS before,
 AVG(1.0 * ${value}) OVER (PARTITION BY ${own}) AS mean FROM ${dialect.quoteTable(table)}`;
  const sql = `SELECT COUNT(*) AS n, SUM((x - before) * (x - before)) AS steps, SUM((x - mean) * (x - mean)) AS distances
FROM (${rows}) r WHERE before IS NOT NULL`;
  try {
    const result = await warehouse.query(sql, { scope: caller.scopeOf(table.connection), signal });
    const [n = 0, steps = 0, distances = 0] = (result.rows[0] ?? []).map(Number);
    return n >= minSteps && distances > 0 ? steps / distances : undefined;
  } catch (error) {
    if (!isBridleError(error) || error.code !== "invalid_request") throw error;
    return undefined; // the engine has no such functions
  }
}
