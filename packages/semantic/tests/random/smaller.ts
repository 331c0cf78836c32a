/** Creates smaller queries and worlds, to find the smallest case that still differs. */
import type { World, WorldQuery } from "./random-world.ts";

export function smallerQueries(query: WorldQuery): readonly WorldQuery[] {
  const { measures, dimensions = [], filters } = query;
  const without = <Item>(items: readonly Item[]) => items.map((_, index) => items.toSpliced(index, 1));
  const optional = [
    "limit",
    "orderBy",
    "limitPer",
    "ties",
    "timezone",
    "weekStart",
    "includeEmpty",
    "fillMissing",
  ] as const;
  const options = [...optional, "spine" as const, "totals" as const].filter((name) => query[name] !== undefined);
  return [
    ...options.map((name) => Object.fromEntries(Object.entries(query).filter(([key]) => key !== name)) as WorldQuery),
    ...(query.having.length > 0 ? [{ ...query, having: [] }] : []),
    ...(measures.length > 1 ? without(measures).map((each) => ({ ...query, measures: each })) : []),
    ...without(filters).map((each) => ({ ...query, filters: each })),
    ...without(dimensions).map((each) => ({ ...query, dimensions: each })),
  ];
}

/** Returns steps that each remove one row from a model. */
export function smallerWorlds(world: World, name: string): readonly ((from: World) => World)[] {
  const rows = world.get(name)?.rows ?? [];
  return rows.map((row) => (from: World) => {
    const model = from.get(name);
    if (!model) return from;
    return new Map([...from, [name, { ...model, rows: model.rows.filter((each) => each !== row) }]]);
  });
}
