/**
 * Answers a query from the laws alone: aggregates each measure over the rows of its model, and then combines the groups of all measures.
 */
import type { FilterCondition } from "../../../src/models/model-schema.ts";
import { weekDays } from "../../../src/query/query-schema.ts";
import type { NaiveFilter, World, WorldQuery } from "../random-world.ts";
import { aggregateRows, sumOf } from "./naive-aggregates.ts";
import { conversionValues } from "./naive-conversions.ts";
import { emptyGroupsOf } from "./naive-empty-groups.ts";
import { conditionHolds } from "./naive-filters.ts";
import { groupRows, keyIdentity, type NaiveGroups, type NaiveQuery, readNaiveKeys } from "./naive-groups.ts";
import { keyOfLeaf } from "./naive-leaf-key.ts";
import { expandNaively, type NaiveFormula, type NaiveLeaf } from "./naive-leaves.ts";
import { limitRows } from "./naive-limits.ts";
import {
  findAxis,
  isShown,
  type LeafValues,
  periodsOfAxis,
  periodsOfSpine,
  valuesOverTime,
} from "./naive-over-time.ts";
import { NaiveRefusal } from "./naive-paths.ts";
import type { NaiveValue } from "./naive-values.ts";

/** Returns the rows of the result, with dimensions before measures. Throws a NaiveRefusal if the query has no answer. */
export function answerNaively(world: World, asked: WorldQuery): readonly (readonly NaiveValue[])[] {
  return answer(readQuery(world, asked), asked);
}

/** Returns one row for all groups together. A spine leaves out the rows in other periods. */
export function totalNaively(world: World, asked: WorldQuery): readonly (readonly NaiveValue[])[] {
  const { measures, filters, spine } = asked;
  const query = readQuery(world, asked);
  const key = query.keys.find(({ grain }) => grain !== undefined);
  const within =
    key && spine && "from" in spine
      ? { key, periods: periodsOfSpine(spine, key.grain ?? "day", query.weekStart) }
      : undefined;
  return answer({ ...query, keys: [], within }, { measures, filters, having: [] });
}

function readQuery(world: World, asked: WorldQuery): NaiveQuery {
  const weekStart = weekDays.indexOf(asked.weekStart ?? "monday");
  return { world, keys: readNaiveKeys(asked), zone: asked.timezone, weekStart, within: undefined };
}

function answer(query: NaiveQuery, asked: WorldQuery): readonly (readonly NaiveValue[])[] {
  const names = [...new Set([...asked.measures, ...measuresAfterAggregation(query, asked)])];
  const formulas = names.map((name) => expandNaively(query.world, name));
  const leaves = formulas.flatMap((formula) => formula.leaves);
  const groups = groupsOf(query, asked, leaves);
  const rows = computeRows(query, groups, formulas);
  const column = (name: string) => {
    const key = query.keys.findIndex((each) => each.alias === name || each.field === name);
    return key >= 0 ? key : query.keys.length + names.indexOf(name);
  };
  const kept = rows.filter((row) =>
    asked.having.every((filter) => havingHolds(filter, (name) => row[column(name)] ?? null)),
  );
  return limitRows(asked, kept, query.keys.length, column).map((row) =>
    row.slice(0, query.keys.length + asked.measures.length),
  );
}

interface Groups {
  readonly keys: ReadonlyMap<string, readonly NaiveValue[]>;
  readonly values: ReadonlyMap<string, LeafValues>;
}

function groupsOf(query: NaiveQuery, asked: WorldQuery, leaves: readonly NaiveLeaf[]): Groups {
  const overTime = leaves.filter(looksBack);
  const fills = asked.fillMissing === true || asked.spine !== undefined;
  const needsAxis = overTime.length > 0 || fills || asked.includeEmpty === true;
  const axis = needsAxis ? findAxis(query, asked.filters, overTime) : undefined;
  if (!axis && (fills || overTime.some((leaf) => needsPeriods(leaf, asked)))) throw new NaiveRefusal("no periods");
  const scope = (leaf: NaiveLeaf) => ({
    world: query.world,
    root: leaf.model.name,
    model: undefined,
    zone: query.zone,
  });
  const grouped = leaves.map((leaf) => ({
    leaf,
    rows: groupRows(query, leaf, axis && looksBack(leaf) ? axis.others : asked.filters),
  }));
  const found = axis ? grouped.flatMap(({ rows }) => [...rows.values()].map(({ key }) => key[axis.index] ?? null)) : [];
  const periods = axis
    ? periodsOfAxis(axis, query, found, asked.spine && "from" in asked.spine ? asked.spine : undefined)
    : [];
  const values = new Map<string, LeafValues>();
  const valuesOf = (leaf: NaiveLeaf, rows: NaiveGroups): LeafValues => {
    if (leaf.behaviour.kind === "conversion") return conversionValues(query, leaf, asked.filters);
    if (axis && looksBack(leaf)) return valuesOverTime(query, leaf, axis, periods);
    return new Map(
      [...rows].map(([id, { key, rows: all }]) => [id, { key, value: aggregateRows(scope(leaf), leaf, all) }]),
    );
  };
  for (const { leaf, rows } of grouped) values.set(keyOfLeaf(leaf), valuesOf(leaf, rows));
  const keys = new Map([...values.values()].flatMap((each) => [...each].map(([id, { key }]) => [id, key] as const)));
  const add = (key: readonly NaiveValue[]) => keys.set(keyIdentity(key), key);
  const shown = axis ? periods.filter((period) => isShown(axis, period)) : [];
  if (axis && fills) fill([...keys.values()], axis.index, shown, query.keys.length, add);
  if (asked.includeEmpty && leaves[0]) emptyGroupsOf(query, asked, leaves[0], axis, shown).forEach(add);
  const within = new Set(periods);
  const isWithin = (key: readonly NaiveValue[]) => !axis || !asked.spine || within.has(String(key[axis.index]));
  return { keys: new Map([...keys].filter(([, key]) => isWithin(key))), values };
}

function looksBack({ behaviour }: NaiveLeaf): boolean {
  return behaviour.kind === "cumulative" || behaviour.kind === "offset";
}

/** Whether a leaf needs periods. Without periods, a cumulative measure over all time equals the measure itself. */
function needsPeriods({ behaviour }: NaiveLeaf, { filters }: WorldQuery): boolean {
  return behaviour.kind !== "cumulative" || Boolean(behaviour.window ?? behaviour.toDate) || filters.length > 0;
}

function fill(
  keys: readonly (readonly NaiveValue[])[],
  index: number,
  periods: readonly string[],
  count: number,
  add: (key: readonly NaiveValue[]) => void,
): void {
  const groups = count === 1 ? [[null]] : keys;
  for (const key of groups) for (const period of periods) add(key.with(index, period));
}

function computeRows(query: NaiveQuery, { keys, values }: Groups, formulas: readonly NaiveFormula[]) {
  const totals = new Map<NaiveFormula, Map<string, NaiveValue>>();
  const reader = (id: string, key: readonly NaiveValue[]) => ({
    leaf: (leaf: NaiveLeaf) => values.get(keyOfLeaf(leaf))?.get(id)?.value ?? null,
    total: (formula: NaiveFormula, within: readonly string[]): NaiveValue => {
      const same = within.map((name) => query.keys.findIndex((each) => each.alias === name || each.field === name));
      const partition = (of: readonly NaiveValue[]) => keyIdentity(same.map((index) => of[index] ?? null));
      const known = totals.get(formula) ?? totalsOf(formula, partition);
      totals.set(formula, known);
      return known.get(partition(key)) ?? null;
    },
  });
  const totalsOf = (formula: NaiveFormula, partition: (of: readonly NaiveValue[]) => string) => {
    const parts = Map.groupBy(keys, ([, key]) => partition(key));
    const sums = [...parts].map(([part, others]) => {
      return [part, sumOf(others.map(([id, key]): NaiveValue => formula.compute(reader(id, key))))] as const;
    });
    return new Map(sums);
  };
  return [...keys].map(([id, key]) => [...key, ...formulas.map((formula) => formula.compute(reader(id, key)))]);
}

function measuresAfterAggregation({ keys }: NaiveQuery, { having, orderBy = [] }: WorldQuery): readonly string[] {
  const inFilter = (filter: NaiveFilter): readonly string[] => {
    if ("or" in filter) return filter.or.flatMap(inFilter);
    if ("and" in filter) return filter.and.flatMap(inFilter);
    if ("not" in filter) return inFilter(filter.not);
    return "field" in filter ? [filter.field] : [];
  };
  const ordered = orderBy.map((entry) => (typeof entry === "string" ? entry.replace(/^-/, "") : entry.field));
  const names = [...having.flatMap(inFilter), ...ordered];
  return names.filter((name) => !keys.some(({ alias, field }) => alias === name || field === name));
}

function havingHolds(filter: NaiveFilter, read: (name: string) => NaiveValue): boolean {
  if ("or" in filter) return filter.or.some((each) => havingHolds(each, read));
  if ("and" in filter) return filter.and.every((each) => havingHolds(each, read));
  if ("segment" in filter || "not" in filter) throw new NaiveRefusal("a segment after the aggregation");
  const condition: FilterCondition = filter;
  return conditionHolds(condition, read(condition.field));
}
