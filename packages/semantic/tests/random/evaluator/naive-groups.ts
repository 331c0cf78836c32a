/** Finds the rows of a leaf in each group of the query. */
import type { NaiveFilter, World, WorldQuery, WorldRow } from "../random-world.ts";
import { periodOf } from "./naive-calendar.ts";
import { dimensionOf } from "./naive-expressions.ts";
import { filterHolds, shownMoment } from "./naive-filters.ts";
import type { NaiveLeaf } from "./naive-leaves.ts";
import { findField, keyOfPath, type NaiveField, NaiveRefusal, reachRows } from "./naive-paths.ts";
import { compareValues, identityOf, type NaiveValue } from "./naive-values.ts";

export interface NaiveKey {
  readonly alias: string;
  readonly field: string | undefined;
  readonly grain: "hour" | "day" | "week" | "month" | "quarter" | "year" | undefined;
  fieldOf(leaf: NaiveLeaf): string;
}

export interface NaiveQuery {
  readonly world: World;
  readonly keys: readonly NaiveKey[];
  readonly zone: string | undefined;
  readonly weekStart: number;
  /** The periods to which rows are limited. Rows in other periods are left out. */
  readonly within: { readonly key: NaiveKey; readonly periods: readonly string[] } | undefined;
}

interface NaiveGroup {
  readonly key: readonly NaiveValue[];
  readonly rows: readonly WorldRow[];
}
/** The groups by the identity of their key. */
export type NaiveGroups = ReadonlyMap<string, NaiveGroup>;

export function readNaiveKeys({ dimensions = [] }: WorldQuery): readonly NaiveKey[] {
  return dimensions.map((entry): NaiveKey => {
    if (typeof entry === "string") return naiveKey(entry, undefined, undefined);
    if ("field" in entry) return naiveKey(entry.field, entry.as, entry.grain);
    const fieldOf = ({ model }: NaiveLeaf) => {
      const field = entry.time[model.name];
      if (field === undefined) throw new NaiveRefusal(`no time for ${model.name}`);
      return field;
    };
    return { alias: entry.as ?? entry.grain, field: undefined, grain: entry.grain, fieldOf };
  });
}

function naiveKey(field: string, as: string | undefined, grain: NaiveKey["grain"]): NaiveKey {
  return { alias: as ?? field, field, grain, fieldOf: () => field };
}

export function keyIdentity(key: readonly NaiveValue[]): string {
  return JSON.stringify(key.map(identityOf));
}

/** Groups rows. Each row occurs once in each group to which it belongs. */
export function groupRows(query: NaiveQuery, leaf: NaiveLeaf, filters: readonly NaiveFilter[]): NaiveGroups {
  const { world, keys, zone } = query;
  const fields = keys.map((key) => findField(world, leaf.model.name, key.fieldOf(leaf)));
  const scope = { world, root: leaf.model.name, model: undefined, zone };
  const rows = leaf.model.rows.filter(
    (row) =>
      isWithin(query, leaf, row) &&
      filters.every((filter) => filterHolds(scope, row, filter)) &&
      leaf.filters.every(({ filter, model }) => filterHolds({ ...scope, model }, row, filter)),
  );
  const groups = new Map<string, { key: readonly NaiveValue[]; rows: WorldRow[] }>();
  if (keys.length === 0) groups.set(keyIdentity([]), { key: [], rows: [] });
  const read = (row: WorldRow) => keysOfRow(query, row, fields);
  for (const row of leaf.measure.semi_additive ? rowsAtTheirTime(query, leaf, rows, fields) : rows) {
    for (const [identity, key] of read(row)) {
      const group = groups.get(identity) ?? { key, rows: [] };
      group.rows.push(row);
      groups.set(identity, group);
    }
  }
  return groups;
}

function isWithin(query: NaiveQuery, leaf: NaiveLeaf, row: WorldRow): boolean {
  const { world, within } = query;
  if (!within) return true;
  const field = findField(world, leaf.model.name, within.key.fieldOf(leaf));
  const keys = [...keysOfRow({ ...query, keys: [within.key] }, row, [field]).values()];
  return keys.some(([period]) => within.periods.includes(String(period)));
}

export function keysOfRow(
  { world, keys, zone, weekStart }: NaiveQuery,
  row: WorldRow,
  fields: readonly NaiveField[],
): ReadonlyMap<string, readonly NaiveValue[]> {
  const reached = reachRows(
    world,
    row,
    fields.map(({ path }) => path),
  );
  const found = reached.map((at) =>
    fields.map((field, index) => {
      const value = dimensionOf(world, field.model, at.get(keyOfPath(field.path)) ?? null, field.name, zone);
      const grain = keys[index]?.grain;
      const local = shownMoment(value, zone);
      return grain === undefined || local === null ? local : periodOf(String(local), grain, weekStart);
    }),
  );
  return new Map(found.map((key) => [keyIdentity(key), key]));
}

/**
 * Returns the rows that a semi-additive measure uses: those at the first or last time of each period, separately for everything in `per`.
 * Leaves out rows without a time, and rows that the measure's filters leave out.
 */
function rowsAtTheirTime(
  query: NaiveQuery,
  { model, measure }: NaiveLeaf,
  rows: readonly WorldRow[],
  fields: readonly NaiveField[],
): readonly WorldRow[] {
  const { semi_additive: spec, filters = [] } = measure;
  if (!spec) return rows;
  const { world, zone } = query;
  const scope = { world, root: model.name, model: model.name, zone };
  const present = rows.filter(
    (row) =>
      dimensionOf(world, model, row, spec.time, zone) !== null &&
      filters.every((each) => filterHolds(scope, row, each)),
  );
  const ofPeriod = fields.flatMap((field, index) =>
    field.path.length === 0 && [spec.time, `month_of_${spec.time}`].includes(field.name) ? [{ field, index }] : [],
  );
  const partition = (row: WorldRow) => {
    const periods = ofPeriod.map(({ field, index }) => [
      ...keysOfRow({ ...query, keys: query.keys.slice(index, index + 1) }, row, [field]).keys(),
    ]);
    return JSON.stringify([(spec.per ?? []).map((column) => identityOf(row[column] ?? null)), periods]);
  };
  return [...Map.groupBy(present, partition).values()].flatMap((group) => {
    const times = group.map((row) => dimensionOf(world, model, row, spec.time, zone)).toSorted(compareValues);
    const wanted = (spec.pick === "first" ? times[0] : times.at(-1)) ?? null;
    return group.filter((row) => identityOf(dimensionOf(world, model, row, spec.time, zone)) === identityOf(wanted));
  });
}
