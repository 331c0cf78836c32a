/** Resolves the fields that a query names to paths of joins. */
import { type JoinEdge, pathKey } from "../models/join-edge.ts";
import type { ModelSet } from "../models/model-set.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { refuseUnknown } from "../refusals/unknown-name.ts";
import { findPaths } from "./find-paths.ts";

/** A dimension or column, and the joins that lead to it from the model where the path begins. */
export interface FieldPath {
  readonly steps: readonly JoinEdge[];
  readonly model: string;
  readonly name: string;
}

/** `model.dimension` by the only path from `root`, or `model.join.join.dimension` from that model on. */
export function resolveField(models: ModelSet, root: string, field: string, via: readonly string[]): FieldPath {
  const [first = "", ...rest] = splitField(models, field);
  const model = models.model(first);
  const start = choosePath(models, root, model.name, field, via);
  const joins = takeJoins(models, model.name, rest.slice(0, -1));
  const end = joins.at(-1)?.to ?? model.name;
  return { steps: [...start, ...joins], model: end, name: rest.at(-1) ?? "" };
}

/** The parts of a field. A name alone is completed with the only model that has such a dimension. */
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

/** The joins with these names, one after the other. */
export function takeJoins(models: ModelSet, from: string, names: readonly string[]): readonly JoinEdge[] {
  const joins: JoinEdge[] = [];
  for (const name of names) joins.push(joinNamed(models, joins.at(-1)?.to ?? from, name));
  return joins;
}

/** The join of a model by its name. */
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
  const chosen = paths.filter((path) => path.some((edge) => via.includes(`${edge.from}.${edge.name}`)));
  if (chosen.length === 1 && chosen[0]) return chosen[0];
  const names = paths.map((path) => [root, ...path.map(({ name }) => name), field.split(".").at(-1)].join("."));
  const message = `"${field}" can be reached from ${root} in several ways: ${names.join(", ")}. Write the one that you mean.`;
  return refuseMetric("ambiguous_path", message, { paths: names });
}

/** Whether two paths are the same. */
export function isSamePath(a: readonly JoinEdge[], b: readonly JoinEdge[]): boolean {
  return pathKey(a) === pathKey(b);
}
