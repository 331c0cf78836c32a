/** Finds the groups of a dimension's model that no fact has. */
import type { WorldQuery } from "../random-world.ts";
import { filterHolds, pathsInFilter } from "./naive-filters.ts";
import { keysOfRow, type NaiveQuery } from "./naive-groups.ts";
import type { NaiveLeaf } from "./naive-leaves.ts";
import type { NaiveAxis } from "./naive-over-time.ts";
import { findField, keyOfPath, modelIn, NaiveRefusal } from "./naive-paths.ts";
import type { NaiveValue } from "./naive-values.ts";

/** Returns the empty groups. Filters on the groups' model apply to empty groups; filters on facts do not. */
export function emptyGroupsOf(
  query: NaiveQuery,
  { filters }: WorldQuery,
  leaf: NaiveLeaf,
  axis: NaiveAxis | undefined,
  periods: readonly string[],
): readonly (readonly NaiveValue[])[] {
  const keys = query.keys.filter((key) => key !== axis?.key);
  const fields = keys.map((key) => findField(query.world, leaf.model.name, key.fieldOf(leaf)));
  const anchor = fields.map(({ path }) => path).toSorted((a, b) => a.length - b.length)[0];
  const anchorKey = keyOfPath(anchor ?? []);
  const isInside = (path: (typeof fields)[number]["path"]) =>
    keyOfPath(path.slice(0, anchor?.length ?? 0)) === anchorKey;
  if (fields.some(({ path }) => !isInside(path))) throw new NaiveRefusal("groups of several models");
  const model = anchor?.at(-1)?.to;
  if (!anchor || model === undefined) return [];
  const relative = fields.map((field) => ({ ...field, path: field.path.slice(anchor.length) }));
  const scope = { world: query.world, root: leaf.model.name, model: undefined, zone: query.zone };
  const holding = filters.filter((filter) => {
    const inside = pathsInFilter(scope, filter).map(isInside);
    if (inside.includes(true) && inside.includes(false)) throw new NaiveRefusal("a filter on groups and facts");
    return inside.includes(true);
  });
  const ofGroups = { ...scope, skipped: anchor.length };
  const rows = modelIn(query.world, model).rows.filter((row) =>
    holding.every((filter) => filterHolds(ofGroups, row, filter)),
  );
  const found = rows.flatMap((row) => [...keysOfRow({ ...query, keys }, row, relative).values()]);
  if (!axis) return found;
  return found.flatMap((key) => periods.map((period) => key.toSpliced(axis.index, 0, period)));
}
