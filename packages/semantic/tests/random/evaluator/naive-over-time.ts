/** Computes leaves that read other periods, on the axis of the query's periods. */
import type { TimeGrain } from "../../../src/expressions/time-grains.ts";
import type { FilterCondition } from "../../../src/models/model-schema.ts";
import type { NaiveFilter, WorldRow } from "../random-world.ts";
import { aggregateRows } from "./naive-aggregates.ts";
import { periodOf, periodsBetween, shiftPeriod } from "./naive-calendar.ts";
import { conditionHolds } from "./naive-filters.ts";
import { groupRows, keyIdentity, type NaiveKey, type NaiveQuery } from "./naive-groups.ts";
import type { NaiveLeaf } from "./naive-leaves.ts";
import { findField, keyOfPath, NaiveRefusal } from "./naive-paths.ts";
import type { NaiveValue } from "./naive-values.ts";

export interface NaiveAxis {
  readonly key: NaiveKey;
  readonly index: number;
  readonly cuts: readonly FilterCondition[];
  /** Filters on other fields. */
  readonly others: readonly NaiveFilter[];
}

/** One value for each group that a leaf has. */
export type LeafValues = ReadonlyMap<string, { readonly key: readonly NaiveValue[]; readonly value: NaiveValue }>;

export function findAxis(
  query: NaiveQuery,
  filters: readonly NaiveFilter[],
  overTime: readonly NaiveLeaf[],
): NaiveAxis | undefined {
  const index = query.keys.findIndex(({ grain }) => grain !== undefined);
  const key = query.keys[index];
  if (!key) return undefined;
  if (query.keys.filter(({ grain }) => grain !== undefined).length > 1) throw new NaiveRefusal("two periods");
  const [leaf] = overTime;
  if (!leaf) return { key, index, cuts: [], others: filters };
  const identity = (reference: string) => {
    const { path, model, name } = findField(query.world, leaf.model.name, reference);
    return `${keyOfPath(path)} ${model.dimensions.find((each) => each.name === name)?.expr ?? name}`;
  };
  const time = identity(key.fieldOf(leaf));
  const isCut = (filter: NaiveFilter) => "field" in filter && identity(filter.field) === time;
  const cuts = filters.flatMap((filter) => ("field" in filter && isCut(filter) ? [filter] : []));
  return { key, index, cuts, others: filters.filter((filter) => !isCut(filter)) };
}

/** Whether the filters on time keep the period. */
export function isShown({ cuts }: NaiveAxis, period: NaiveValue): boolean {
  return cuts.every((cut) => conditionHolds(cut, period));
}

export function periodsOfAxis(
  { key }: NaiveAxis,
  { weekStart }: NaiveQuery,
  found: readonly NaiveValue[],
  spine: { readonly from: string; readonly to: string } | undefined,
): readonly string[] {
  const grain = key.grain ?? "day";
  if (spine) return periodsOfSpine(spine, grain, weekStart);
  const days = found.filter((each) => typeof each === "string").toSorted();
  const [first, last] = [days[0], days.at(-1)];
  return first === undefined || last === undefined ? [] : periodsBetween(first, last, grain);
}

export function periodsOfSpine(
  { from, to }: { readonly from: string; readonly to: string },
  grain: TimeGrain,
  weekStart: number,
): readonly string[] {
  const hours = grain === "hour" ? [" 00:00:00", " 23:00:00"] : ["", ""];
  return periodsBetween(periodOf(from + hours[0], grain, weekStart), periodOf(to + hours[1], grain, weekStart), grain);
}

/** Computes the values of a leaf. Each group has a row for every period, starting with its first. */
export function valuesOverTime(
  query: NaiveQuery,
  leaf: NaiveLeaf,
  axis: NaiveAxis,
  periods: readonly string[],
): LeafValues {
  const values = new Map<string, { key: readonly NaiveValue[]; value: NaiveValue }>();
  const { grain = "day" } = axis.key;
  const finer = finerGrain(leaf, grain);
  const base = [...groupRows(withGrain(query, axis, finer), leaf, axis.others).values()];
  const scope = { world: query.world, root: leaf.model.name, model: undefined, zone: query.zone };
  const others = Map.groupBy(base, ({ key }) => keyIdentity(key.toSpliced(axis.index, 1)));
  for (const groups of others.values()) {
    const starts = groups.map(({ key }) => key[axis.index]).filter((each) => typeof each === "string");
    const first = starts.toSorted()[0];
    for (const period of periods) {
      if (first === undefined || period < periodOf(first, grain, query.weekStart) || !isShown(axis, period)) continue;
      const seen = groups.filter(({ key }) => isSeen(query, leaf, { grain, finer }, period, key[axis.index] ?? null));
      const rows = [...new Set(seen.flatMap((group): readonly WorldRow[] => group.rows))];
      const key = (groups[0]?.key ?? []).with(axis.index, period);
      values.set(keyIdentity(key), { key, value: seen.length === 0 ? null : aggregateRows(scope, leaf, rows) });
    }
  }
  return values;
}

const largerThan: Readonly<Record<TimeGrain, readonly TimeGrain[]>> = {
  hour: ["hour", "day", "week", "month", "quarter", "year"],
  day: ["day", "week", "month", "quarter", "year"],
  week: ["week"],
  month: ["month", "quarter", "year"],
  quarter: ["quarter", "year"],
  year: ["year"],
};

/** Returns the finer grain. A window that does not consist of whole periods ends with the last day, or hour, of each period. */
function finerGrain({ behaviour }: NaiveLeaf, grain: TimeGrain): "day" | "hour" | undefined {
  if (behaviour.kind !== "cumulative") return undefined;
  const looks = behaviour.window?.grain ?? behaviour.toDate;
  if (looks === undefined || largerThan[grain].includes(looks)) return undefined;
  return looks === "hour" ? "hour" : "day";
}

function withGrain(query: NaiveQuery, { key }: NaiveAxis, finer: TimeGrain | undefined): NaiveQuery {
  if (finer === undefined) return query;
  return { ...query, keys: query.keys.map((each) => (each === key ? { ...each, grain: finer } : each)) };
}

/** Whether the value of one period reads another period, which is a day or an hour if there is a finer grain. */
function isSeen(
  { weekStart }: NaiveQuery,
  { behaviour }: NaiveLeaf,
  { grain, finer }: { readonly grain: TimeGrain; readonly finer: TimeGrain | undefined },
  period: string,
  other: NaiveValue,
): boolean {
  if (typeof other !== "string") return false;
  if (behaviour.kind === "offset") return other === shiftPeriod(period, -behaviour.span.count, behaviour.span.grain);
  if (behaviour.kind !== "cumulative") return false;
  if (finer) return isInDays(behaviour, endOf(period, grain, finer), finer, other, weekStart);
  if (other > period) return false;
  const { window, toDate } = behaviour;
  if (window) return other > shiftPeriod(period, -window.count, window.grain);
  return toDate === undefined || other >= periodOf(period, toDate, weekStart);
}

/** Returns the first day, or hour, after the period. */
function endOf(period: string, grain: TimeGrain, finer: TimeGrain): string {
  const end = shiftPeriod(period, 1, grain);
  return finer === "hour" && end.length === 10 ? `${end} 00:00:00` : end;
}

function isInDays(
  { window, toDate }: Extract<NaiveLeaf["behaviour"], { kind: "cumulative" }>,
  end: string,
  finer: TimeGrain,
  other: string,
  weekStart: number,
): boolean {
  if (other >= end) return false;
  if (window) return other >= shiftPeriod(end, -window.count, window.grain);
  return toDate === undefined || other >= periodOf(shiftPeriod(end, -1, finer), toDate, weekStart);
}
