/** Resolves the fields that a query names to join paths. */
import { type JoinEdge, pathKey } from "../models/join-edge.ts";
import type { ModelSet } from "../models/model-set.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { refuseUnknown } from "../refusals/unknown-name.ts";
import { findPaths } from "./find-paths.ts";

/** With this many paths or more, naming a join does not choose one. */
const manyPaths = 1000;

/** A dimension or column, and the joins that lead to it from the path's first model. */
export interface FieldPath {
  readonly steps: readonly JoinEdge[];
  readonly model: string;
  readonly name: string;
}

/** Resolves `model.dimension` by the only path from `root`, or `model.join.join.dimension` starting at that model. */
export function resolveField(models: ModelSet, root: string, field: string, via: readonly string[]): FieldPath {
  const [first = "", ...rest] = splitField(models, field);
  const model = models.model(first);
  const start = choosePath(models, root, model.name, field, via);
  const joins = takeJoins(models, model.name, rest.slice(0, -1));
  const end = joins.at(-1)?.to ?? model.name;
  return { steps: [...start, ...joins], model: end, name: rest.at(-1) ?? "" };
}

/** Splits a field into its parts. Completes a single name with the only model that has such a dimension. */
export function splitField(models: ModelSet, field: string): readonly string[] {
  const parts = field.split(".");
  if (parts.length > 1 && parts.every((part) => part !== "")) return parts;
  const owners = [...models.models.values()].filter((model) => model.dimensions?.some(({ name }) => name === field));
  const [owner, other] = owners;
  if (owner && !other) return [owner.name, field];
  if (other) {
    const names = owners.map(({ name }) => `${name}.${field}`);
    return refuseMetric(
      "ambiguous_name",
      `"${field}" is a dimension of several models. Write one of ${names.join(", ")}.`,
    );
  }
  const all = [...models.models.values()].flatMap(
    (model) => model.dimensions?.map(({ name }) => `${model.name}.${name}`) ?? [],
  );
  return refuseUnknown("dimension", field, all);
}

/** Follows the joins with these names in order. */
export function takeJoins(models: ModelSet, from: string, names: readonly string[]): readonly JoinEdge[] {
  const joins: JoinEdge[] = [];
  for (const name of names) joins.push(joinNamed(models, joins.at(-1)?.to ?? from, name));
  return joins;
}

/** Returns the join of a model by its name. */
function joinNamed(models: ModelSet, model: string, name: string): JoinEdge {
  const edges = models.edgesFrom(model);
  const [edge, other] = edges.filter((each) => each.name === name);
  if (!edge) return refuseUnknown(`join of ${model}`, name, new Set(edges.map((each) => each.name)));
  if (other)
    refuseMetric(
      "ambiguous_path",
      `Several joins lead from ${model} to ${name}. Declare the one you mean in ${model}, with a name.`,
    );
  return edge;
}

function choosePath(
  models: ModelSet,
  root: string,
  to: string,
  field: string,
  via: readonly string[],
): readonly JoinEdge[] {
  const paths = findPaths(models, root, to);
  const [only, other] = paths;
  if (!only) {
    const why = `"${field}" cannot be reached from ${root}: no joins lead there.`;
    return refuseMetric("unreachable", `${why} Leave it out, or declare the join.`);
  }
  if (!other) return only;
  const all = via.length > 0 ? findPaths(models, root, to, manyPaths) : paths;
  const [chosen, another] = all.length < manyPaths ? via.reduce(takeVia, all) : [];
  return chosen && !another ? chosen : refuseSeveral(root, paths, field);
}

/** Keeps the paths that contain the join. If none does, keeps all paths, because the join may be meant for another field. */
function takeVia(paths: readonly (readonly JoinEdge[])[], join: string): readonly (readonly JoinEdge[])[] {
  const matching = paths.filter((path) => path.some((edge) => isNamed(edge, join)));
  return matching.length > 0 ? matching : paths;
}

/** Whether `via` refers to this join, as `model.join` or `join`, in its declared direction or in the direction of the path. */
function isNamed({ from, name, declaredAs }: JoinEdge, join: string): boolean {
  const names = [name, `${from}.${name}`, declaredAs, declaredAs.slice(declaredAs.indexOf(".") + 1)];
  return names.includes(join);
}

/** Refuses a field with several paths. Joins that are followed backwards may share a name; `via` distinguishes them. */
function refuseSeveral(root: string, paths: readonly (readonly JoinEdge[])[], field: string): never {
  const names = paths.map((path) => [root, ...path.map(({ name }) => name), field.split(".").at(-1)].join("."));
  const isSame = new Set(names).size < names.length;
  const joins = [...new Set(paths.map((path) => path.map(({ declaredAs }) => declaredAs).join(" and ")))];
  const [ways, remedy] = isSame
    ? [joins, `Write one of these joins in "via".`]
    : [names, "Write the one that you mean."];
  const message = `"${field}" can be reached from ${root} in several ways: ${ways.join(", ")}. ${remedy}`;
  return refuseMetric("ambiguous_path", message, { paths: ways });
}

/** Whether two paths are the same. */
export function isSamePath(a: readonly JoinEdge[], b: readonly JoinEdge[]): boolean {
  return pathKey(a) === pathKey(b);
}
