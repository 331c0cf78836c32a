/** Plans all groups of the models to which the dimensions belong, for `includeEmpty`. */
import { jsonText } from "../expressions/json-text.ts";
import { exactOrder } from "../ir/build-expression.ts";
import type { SelectedColumn, SelectRelation } from "../ir/sql-expression.ts";
import type { JoinEdge } from "../models/join-edge.ts";
import type { MetricFilter } from "../models/model-schema.ts";
import { bindKey, keyField, keyPath } from "../plan/bind-key.ts";
import type { FieldPath } from "../plan/field-path.ts";
import { isSamePath } from "../plan/field-path.ts";
import { fieldsOfFilter } from "../plan/fields.ts";
import { FilterPlanner } from "../plan/filter-planner.ts";
import { JoinTree } from "../plan/join-tree.ts";
import type { Leaf } from "../plan/leaf.ts";
import type { KeyRequest, PlanContext } from "../plan/plan-context.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";

export interface EmptyGroups {
  readonly select: SelectRelation;
  /** The columns in the order of the query's keys, without the period. */
  readonly columns: readonly SelectedColumn[];
  readonly model: string;
}

/** Plans the groups; undefined if all dimensions belong to the measure's model, because its rows contain all groups. */
export function planGroupsOfModel(
  context: PlanContext,
  leaf: Leaf,
  period: KeyRequest | undefined,
): EmptyGroups | undefined {
  const keys = context.keys.filter((key) => key !== period);
  const paths = keys.map((key) => ({ key, path: keyPath(context, leaf.model.name, keyField(key, leaf)) }));
  const [shortest] = paths.map(({ path }) => path).toSorted((a, b) => a.steps.length - b.steps.length);
  if (!shortest || shortest.steps.length === 0) {
    if (paths.every(({ path }) => path.steps.length === 0)) return undefined;
    return refuseSeveral(paths.map(({ path }) => path));
  }
  const anchor = shortest.steps;
  if (paths.some(({ path }) => !startsWith(path, anchor))) return refuseSeveral(paths.map(({ path }) => path));
  const tree = new JoinTree(context.models, shortest.model, context.aliases);
  const columns = paths.map(({ key, path }) => ({
    name: key.column,
    expression: exactOrder(bindKey(context, key, { ...path, steps: path.steps.slice(anchor.length) }, tree)),
  }));
  const where = (context.query.filters ?? []).flatMap((filter) => filterOf(context, leaf, filter, anchor, tree) ?? []);
  const select: SelectRelation = {
    kind: "select",
    isDistinct: true,
    columns,
    from: tree.from,
    joins: tree.joins,
    where,
  };
  return { select, columns, model: shortest.model };
}

function startsWith({ steps }: FieldPath, anchor: readonly JoinEdge[]): boolean {
  return isSamePath(steps.slice(0, anchor.length), anchor);
}

function refuseSeveral(paths: readonly FieldPath[]): never {
  const names = [...new Set(paths.map(({ model }) => model))].join(", ");
  const why = `includeEmpty asks for all groups of ${names}, which no single model has.`;
  return refuseMetric("ambiguous_question", `${why} Ask for dimensions of one model.`);
}

/** Plans a filter. Filters on the model of the groups apply to the groups; filters on facts do not. */
function filterOf(context: PlanContext, leaf: Leaf, filter: MetricFilter, anchor: readonly JoinEdge[], tree: JoinTree) {
  const fields = fieldsOfFilter(context, leaf.model.name, undefined);
  const outer = new JoinTree(context.models, leaf.model.name, context.aliases);
  const planner = new FilterPlanner(context.models, outer);
  const paths = planner.pathsIn(filter, fields);
  const inside = paths.filter((path) => startsWith(path, anchor));
  if (inside.length === 0) return undefined;
  const isPlain = paths.every(({ steps }) => steps.slice(anchor.length).every(({ isToMany }) => !isToMany));
  if (inside.length < paths.length || !isPlain) {
    const why = `With includeEmpty, the filter ${jsonText(filter)} names both groups and rows of facts.`;
    return refuseMetric("ambiguous_question", `${why} Write one filter for each.`);
  }
  return planner.bindOver(filter, fields, { column: (steps, name) => tree.column(steps.slice(anchor.length), name) });
}
