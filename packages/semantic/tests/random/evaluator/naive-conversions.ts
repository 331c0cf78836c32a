/** Finds rows that lead to others: each of the other rows counts for the last earlier row of the same entity. */
import type { TimeSpan } from "../../../src/models/model-schema.ts";
import type { NaiveFilter, WorldModel, WorldRow } from "../random-world.ts";
import { aggregateRows } from "./naive-aggregates.ts";
import { millisecondsOf, shiftPeriod } from "./naive-calendar.ts";
import { dimensionOf } from "./naive-expressions.ts";
import { type FilterScope, filterHolds } from "./naive-filters.ts";
import { groupRows, type NaiveQuery } from "./naive-groups.ts";
import type { NaiveConversion, NaiveLeaf } from "./naive-leaves.ts";
import type { LeafValues } from "./naive-over-time.ts";
import { findField, modelIn, NaiveRefusal } from "./naive-paths.ts";
import { compareValues, type NaiveValue } from "./naive-values.ts";

interface Moment {
  readonly row: WorldRow;
  readonly entity: NaiveValue;
  readonly time: string;
}

export function conversionValues(query: NaiveQuery, leaf: NaiveLeaf, filters: readonly NaiveFilter[]): LeafValues {
  const { behaviour, model, measure } = leaf;
  if (behaviour.kind !== "conversion") throw new Error("A leaf is no conversion.");
  const to = modelIn(query.world, behaviour.to);
  const isWithin = windowBetween(model, to, behaviour.window);
  const paths = query.keys.map((key) => findField(query.world, model.name, key.fieldOf(leaf)).path);
  if (paths.flat().some(({ isMany }) => isMany)) throw new NaiveRefusal("a row in several groups");
  const scope = { world: query.world, root: model.name, model: model.name, zone: query.zone };
  const groups = [...groupRows(query, leaf, filters)].map(([id, { key, rows }]) => {
    const present = rows.filter((row) => (measure.filters ?? []).every((each) => filterHolds(scope, row, each)));
    return { id, key, rows: momentsOf(scope, model, present, behaviour.entity[0]), next: [] as WorldRow[] };
  });
  const leading = groups.flatMap(({ rows }) => rows);
  for (const { row, entity, time } of following(query, behaviour)) {
    const before = leading.filter(
      (each) => compareValues(each.entity, entity) === 0 && each.time <= time && isWithin(each.time, time),
    );
    const [last] = before.toSorted((a, b) => compareValues(b.time, a.time) || compareKeys(model, b.row, a.row));
    groups.find(({ rows }) => last && rows.includes(last))?.next.push(row);
  }
  const counted = { ...leaf, model: to, measure: { ...behaviour.measure, filters: [] } };
  const own = { ...scope, root: to.name };
  const found = groups.filter(({ next }) => next.length > 0);
  return new Map(found.map(({ id, key, next }) => [id, { key, value: aggregateRows(own, counted, next) }]));
}

function following({ world, zone }: NaiveQuery, { to, measure, filters, entity }: NaiveConversion): readonly Moment[] {
  const model = modelIn(world, to);
  const scope = { world, root: to, model: to, zone };
  const rows = model.rows.filter(
    (row) =>
      (measure.filters ?? []).every((each) => filterHolds(scope, row, each)) &&
      filters.every((each) => filterHolds({ ...scope, model: each.model }, row, each.filter)),
  );
  return momentsOf(scope, model, rows, entity[1]);
}

/** Returns the moments of rows. Rows without a time or an entity lead to nothing. */
function momentsOf(
  { world, zone }: FilterScope,
  model: WorldModel,
  rows: readonly WorldRow[],
  column: string,
): readonly Moment[] {
  return rows.flatMap((row) => {
    const [entity = null, time] = [row[column], dimensionOf(world, model, row, model.time ?? "", zone)];
    return entity === null || typeof time !== "string" ? [] : [{ row, entity, time }];
  });
}

/** Whether the second of two times follows the first within the window. Both are days, or both are moments. */
function windowBetween(
  from: WorldModel,
  to: WorldModel,
  window: TimeSpan | undefined,
): (start: string, end: string) => boolean {
  if (from.time !== to.time) throw new NaiveRefusal("a day and a moment");
  if (!window) return () => true;
  const { count, grain } = window;
  const hours = { hour: 1, day: 24, week: 168 }[String(grain)];
  if (from.time === "due") {
    if (grain === "hour") throw new NaiveRefusal("hours between days");
    return (start, end) => start > shiftPeriod(end, -count, grain);
  }
  if (hours === undefined) throw new NaiveRefusal("months between moments");
  return (start, end) => millisecondsOf(start) > millisecondsOf(end) - count * hours * 3_600_000;
}

function compareKeys({ key }: WorldModel, a: WorldRow, b: WorldRow): number {
  for (const column of key) {
    const order = compareValues(a[column] ?? null, b[column] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}
