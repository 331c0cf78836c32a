/** Follows joins row by row. */
import type { World, WorldJoin, WorldModel, WorldRow } from "../random-world.ts";
import { compareValues } from "./naive-values.ts";

export interface NaiveStep {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly isMany: boolean;
  /** Whether many rows share the row behind this step. */
  readonly isShared: boolean;
  readonly isDeclared: boolean;
  readonly pairs: readonly (readonly [string, string])[];
  readonly range: WorldJoin["range"];
}
export type NaivePath = readonly NaiveStep[];
export interface NaiveField {
  readonly path: NaivePath;
  readonly model: WorldModel;
  readonly name: string;
}

/** Thrown if the query has no answer according to the laws. */
export class NaiveRefusal extends Error {}

export function modelIn(world: World, name: string): WorldModel {
  const model = world.get(name);
  if (!model) throw new NaiveRefusal(`no model ${name}`);
  return model;
}

export function stepsFrom(world: World, model: string): readonly NaiveStep[] {
  return [...world.values()].flatMap(({ name, joins }) =>
    joins.flatMap((join): NaiveStep[] => {
      const forward = {
        name: join.name ?? join.to,
        from: name,
        to: join.to,
        pairs: join.on,
        isDeclared: true,
        range: join.range,
      };
      const backward = { name, from: join.to, to: name, isDeclared: false, range: join.range };
      const swapped = join.on.map(([local, remote]) => [remote, local] as const);
      return [
        ...(name === model ? [{ ...forward, ...manyOf(join.relationship, "one_to_many", "many_to_one") }] : []),
        ...(join.to === model && join.to !== name
          ? [{ ...backward, pairs: swapped, ...manyOf(join.relationship, "many_to_one", "one_to_many") }]
          : []),
      ];
    }),
  );
}

function manyOf(relationship: string, many: string, shared: string): Pick<NaiveStep, "isMany" | "isShared"> {
  return { isMany: relationship === many, isShared: relationship === shared };
}

/**
 * Whether a path can follow a step. Rows of one fact are unrelated to rows of another fact that only shares a dimension. A bridge is not a
 * fact.
 */
function canFollow(world: World, path: NaivePath, next: NaiveStep, usesBridges: boolean): boolean {
  if (!next.isMany || next.isDeclared || !path.some(({ isShared }) => isShared)) return true;
  return usesBridges && isBridge(world, next);
}

/** Whether a step leads to a bridge: a model whose key identifies the rows that it links, and whose only measures are row counts. */
function isBridge(world: World, { to, pairs }: NaiveStep): boolean {
  const { key, measures, metrics } = modelIn(world, to);
  const isPart = pairs.length > 0 && pairs.length < key.length && pairs.every(([, remote]) => key.includes(remote));
  return isPart && metrics.length === 0 && measures.every(({ agg, expr }) => agg === "count" && expr === undefined);
}

function simplePaths(world: World, from: string, to: string, usesBridges: boolean): readonly NaivePath[] {
  const found: NaivePath[] = [];
  const walk = (at: string, path: NaivePath, seen: readonly string[]) => {
    if (at === to) {
      found.push(path);
      return;
    }
    for (const step of stepsFrom(world, at)) {
      if (seen.includes(step.to) || !canFollow(world, path, step, usesBridges)) continue;
      walk(step.to, [...path, step], [...seen, step.to]);
    }
  };
  walk(from, [], [from]);
  return found;
}

/**
 * Finds the field `model.join.join.name`: takes the only path to the model, and then these joins. Uses bridges only if there is no other
 * path.
 */
export function findField(world: World, root: string, reference: string): NaiveField {
  const [first = "", ...rest] = reference.split(".");
  const plain = simplePaths(world, root, first, false);
  const paths = plain.length > 0 ? plain : simplePaths(world, root, first, true);
  if (paths.length !== 1) throw new NaiveRefusal(`${paths.length} paths from ${root} to ${reference}`);
  let path = paths[0] ?? [];
  for (const name of rest.slice(0, -1)) {
    const steps = stepsFrom(world, path.at(-1)?.to ?? first).filter((step) => step.name === name);
    if (steps.length !== 1 || !steps[0]) throw new NaiveRefusal(`${steps.length} joins ${name} in ${reference}`);
    path = [...path, steps[0]];
  }
  return { path, model: modelIn(world, path.at(-1)?.to ?? root), name: rest.at(-1) ?? "" };
}

export function keyOfPath(path: NaivePath): string {
  return path.map(({ from, name, isDeclared }) => `${from}.${name}${isDeclared ? "" : "^"}`).join(" ");
}

/** The row at the end of each path and of its beginnings, or null if there is none. */
export type Reached = ReadonlyMap<string, WorldRow | null>;

/** Returns all combinations of rows that the paths reach. Paths share the rows of a common beginning. */
export function reachRows(world: World, row: WorldRow, paths: readonly NaivePath[]): readonly Reached[] {
  const beginnings = new Map(
    paths.flatMap((path) => path.map((_, index) => path.slice(0, index + 1))).map((path) => [keyOfPath(path), path]),
  );
  let reached: Reached[] = [new Map([["", row]])];
  for (const [key, path] of [...beginnings].toSorted(([, a], [, b]) => a.length - b.length)) {
    const step = path.at(-1);
    if (!step) continue;
    reached = reached.flatMap((before) => {
      const from = before.get(keyOfPath(path.slice(0, -1))) ?? null;
      return followStep(world, from, step).map((to) => new Map([...before, [key, to]]));
    });
  }
  return reached;
}

export function followStep(world: World, from: WorldRow | null, step: NaiveStep): readonly (WorldRow | null)[] {
  if (from === null) return [null];
  const matching = modelIn(world, step.to).rows.filter(
    (row) =>
      step.pairs.every(([local, remote]) => {
        const [a, b] = [from[local] ?? null, row[remote] ?? null];
        return a !== null && b !== null && compareValues(a, b) === 0;
      }) && isInRange(step, from, row),
  );
  return matching.length > 0 ? matching : [null];
}

function isInRange({ range, isDeclared }: NaiveStep, near: WorldRow, far: WorldRow): boolean {
  if (!range) return true;
  const [own, other] = isDeclared ? [near, far] : [far, near];
  const [value, from, below] = [own[range.column] ?? null, other[range.from] ?? null, other[range.below] ?? null];
  if (value === null || from === null || below === null) return false;
  return compareValues(from, value) <= 0 && compareValues(value, below) < 0;
}
