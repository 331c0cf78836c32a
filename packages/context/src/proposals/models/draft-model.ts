import { redactSensitive } from "@bridle/warehouse";
import { columnOfExpression, takeModelName, toModelName, writeColumn } from "../../history/model-names.ts";
import type { TableUsage } from "../../history/query-history.ts";
import type { KnownColumn, KnownTable, RankedDescription } from "../../knowledge/known.ts";
import { roleOfColumn } from "./column-roles.ts";
import type { DraftDimension, DraftJoin, DraftMeasure } from "./draft-parts.ts";
import { draftUsage } from "./draft-usage.ts";
import type { DraftedModel } from "./find-additions.ts";
import type { Level, LevelsOfTable } from "./find-levels.ts";
import type { StatementJoin } from "./used-joins.ts";

/** A model that was drafted from the known facts about a table. */
export interface DraftModel {
  readonly table: KnownTable;
  readonly model: DraftedModel;
  /** Which columns were left out and why, as sentences. */
  readonly notes: readonly string[];
}

export interface DraftOptions {
  /** The names of the models by table identifier. */
  readonly names: ReadonlyMap<string, string>;
  /** The joins that begin in the table and are accepted or used by statements. */
  readonly joins: readonly StatementJoin[];
  readonly usage?: TableUsage | undefined;
  readonly levels?: LevelsOfTable | undefined;
  /** Whether the model must name its connection. */
  readonly namesConnection: boolean;
}

/** Drafts a model: its key, joins, times, groups, and measures of numbers outside the key. Does not need a language model. */
export function draftModel(
  table: KnownTable,
  { names, joins, namesConnection, usage, levels = new Map() }: DraftOptions,
): DraftModel {
  const linked = new Set(joins.filter(({ to }) => names.has(to.table)).flatMap(({ from }) => from.columns));
  const notes: string[] = [];
  const dimensions: DraftDimension[] = [];
  const measures: DraftMeasure[] = [{ name: "count", agg: "count" }];
  const taken = { dimensions: new Set<string>(), measures: new Set(["count"]) };
  for (const column of table.columns) {
    const role = roleOfColumn(column, table, linked);
    if (role.kind === "none") {
      if (role.reason !== undefined) notes.push(`${table.id}.${column.name} is ${role.reason}.`);
    } else if (levels.has(column.name)) continue;
    else if (role.kind === "measure") {
      measures.push(draftMeasure(column, role.agg, taken.measures));
    } else {
      dimensions.push(draftDimension(column, role.kind === "time" ? role.type : undefined, taken.dimensions));
    }
  }
  const { drafted, distinct } = draftJoins(table, joins, names);
  for (const { name, expr } of distinct)
    measures.push({ name: takeModelName(name, taken.measures), agg: "count_distinct", expr });
  for (const [column, level] of levels) {
    measures.push(draftLevel(column, level, dimensions, taken.measures));
    notes.push(`${table.id}.${column} ${level.reason}, so it is not added up over time.`);
  }
  const used = usage && draftUsage(usage, measures, joinedColumns(table, linked));
  notes.push(...(used?.unused.values() ?? []));
  const named = measures
    .filter(({ name }) => !used?.unused.has(name))
    .map((each) => ({ ...each, name: used?.renamed.get(each.name) ?? each.name }));
  const kept = [...named, ...(used?.measures ?? [])];
  const segments = used?.segments ?? [];
  const time = usedTime(dimensions, usage) ?? defaultTime(dimensions, table);
  const model: DraftedModel = {
    name: names.get(table.id) ?? toModelName(table.table),
    ...(namesConnection && { connection: table.connection }),
    table: `${table.schema}.${table.table}`,
    ...describe(table.description),
    ...(table.key && { primary_key: [...table.key.columns] }),
    ...(drafted.length > 0 && { joins: drafted }),
    ...(dimensions.length > 0 && { dimensions }),
    measures: kept,
    ...(segments.length > 0 && { segments: [...segments] }),
    ...(time !== undefined && { default_time: time }),
  };
  return { table, model, notes };
}

/** Returns the columns that identify a row of this table or of another one. */
function joinedColumns({ key }: KnownTable, linked: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...linked, ...(key?.columns ?? [])]);
}

/** Drafts a measure of a state, which is summed over items, but not over time: only its last value counts. */
function draftLevel(
  column: string,
  { time, per }: Level,
  dimensions: readonly DraftDimension[],
  taken: Set<string>,
): DraftMeasure {
  const named = dimensions.find(({ name, expr }) => (expr === undefined ? name : columnOfExpression(expr)) === time);
  return {
    name: takeModelName(`last_${toModelName(column)}`, taken),
    agg: "sum",
    expr: writeColumn(column),
    semi_additive: { time: named?.name ?? time, pick: "last", per: [...per] },
  };
}

/** Returns the time that most statements compare or group by. */
function usedTime(dimensions: readonly DraftDimension[], usage: TableUsage | undefined): string | undefined {
  const names = (usage?.times ?? []).map(({ column }) =>
    dimensions.find(({ name, expr }) => (expr === undefined ? name : columnOfExpression(expr)) === column),
  );
  return names.find((dimension) => dimension !== undefined)?.name;
}

function draftDimension(
  { name: column, type, description }: KnownColumn,
  time: "date" | "timestamp" | undefined,
  taken: Set<string>,
): DraftDimension {
  const name = takeModelName(toModelName(column), taken);
  return {
    name,
    ...(name !== column && { expr: writeColumn(column) }),
    ...(time !== undefined && type === "text" && { type: time }),
    ...describe(description),
  };
}

function draftMeasure(
  { name: column, description }: KnownColumn,
  agg: "sum" | "avg",
  taken: Set<string>,
): DraftMeasure {
  const name = takeModelName(`${agg === "sum" ? "total" : "avg"}_${toModelName(column)}`, taken);
  return { name, agg, expr: writeColumn(column), ...describe(description) };
}

/** Leaves out comments in the database: they may come from anyone, while a file of the project is trusted. */
function describe(description: RankedDescription | undefined): { description?: string } {
  if (description === undefined || description.source === "comment") return {};
  return { description: redactSensitive(description.text).replaceAll(/\s+/g, " ").trim().slice(0, 400) };
}

function draftJoins(table: KnownTable, joins: readonly StatementJoin[], names: ReadonlyMap<string, string>) {
  const drafted: DraftJoin[] = [];
  const distinct: { name: string; expr: string }[] = [];
  const taken = new Set<string>();
  const sensitive = new Set(table.columns.flatMap(({ name, sensitive: kind }) => (kind === undefined ? [] : [name])));
  for (const { from, to, relationship } of joins) {
    const other = names.get(to.table);
    if (other === undefined || [...from.columns].some((column) => sensitive.has(column))) continue;
    const isAlone = to.table !== table.id && joins.filter((each) => each.to.table === to.table).length === 1;
    const name = takeModelName(isAlone ? other : nameOfJoin(from.columns), taken);
    drafted.push({
      ...(name !== other && { name }),
      to: other,
      on: from.columns.map((column, at): [string, string] => [column, to.columns[at] ?? column]),
      // with the next row, the column may no longer be unique and the model would be wrong
      relationship: relationship === "one-to-one" && isKey(from.columns, table) ? "one_to_one" : "many_to_one",
    });
    const [column, ...more] = from.columns;
    if (column !== undefined && more.length === 0 && relationship === "many-to-one")
      distinct.push({ name: `distinct_${name}`, expr: writeColumn(column) });
  }
  return { drafted, distinct };
}

function isKey(columns: readonly string[], { key }: KnownTable): boolean {
  return key?.columns.length === columns.length && columns.every((column) => key.columns.includes(column));
}

/** Names a join after its column: `ship_addr` for `ship_addr_id`. */
function nameOfJoin(columns: readonly string[]): string {
  const name = toModelName(columns.join("_"));
  return name.replace(/(?<=.)_?(?:id|no|nr|key|code|fk)$/i, "");
}

/** Returns the time with the fewest missing values; the first one if several have equally few. */
function defaultTime(dimensions: readonly DraftDimension[], { columns }: KnownTable): string | undefined {
  const times = columns.flatMap((column) => {
    const dimension = dimensions.find(({ name }) => name === toModelName(column.name));
    const isTime = dimension?.type !== undefined || ["date", "timestamp", "timestamptz"].includes(column.type);
    return dimension !== undefined && isTime ? [{ name: dimension.name, nulls: column.profile?.nulls ?? 0 }] : [];
  });
  return times.toSorted((a, b) => a.nulls - b.nulls)[0]?.name;
}
