/** Binds the names in filters and keys, in queries and within models. */
import type { SqlExpression } from "../ir/sql-expression.ts";
import type { MetricFilter } from "../models/model-schema.ts";
import { refuseUnknown } from "../refusals/unknown-name.ts";
import { bindMoment, type ColumnSource } from "./bind-dimension.ts";
import { type FieldPath, resolveField, takeJoins } from "./field-path.ts";
import type { FilterFields } from "./filter-tree.ts";
import type { PlanContext } from "./plan-context.ts";

/** A filter with the model in which its names are looked up first. Without a model, it is the query's filter. */
export interface ScopedFilter {
  readonly filter: MetricFilter;
  readonly model?: string | undefined;
}

export function fieldsOfFilter(context: PlanContext, root: string, model: string | undefined): FilterFields {
  return {
    toPath: (parts) =>
      model === undefined
        ? resolveField(context.models, root, parts.join("."), context.via)
        : localPath(context, root, model, parts),
    model,
    bind: (source, path) => bindField(context, source, path, model !== undefined),
    zone: context.zone,
    groups: context.groups,
    segment: (name) => findSegment(context, root, model, name),
  };
}

function localPath(context: PlanContext, root: string, model: string, parts: readonly string[]): FieldPath {
  const { models, via } = context;
  const own = parts.length > 1 && parts[0] === model ? parts.slice(1) : parts;
  const [first = "", ...rest] = own;
  if (rest.length > 0 && !models.edgesFrom(model).some(({ name }) => name === first)) {
    return resolveField(models, root, own.join("."), via);
  }
  const start = resolveField(models, root, `${model}.${first}`, via).steps;
  const joins = takeJoins(models, model, own.slice(0, -1));
  return { steps: [...start, ...joins], model: joins.at(-1)?.to ?? model, name: own.at(-1) ?? "" };
}

/** Binds a field. Within a model, a name that is not a dimension is a column. */
function bindField(context: PlanContext, source: ColumnSource, path: FieldPath, allowsColumns: boolean): SqlExpression {
  const { dimensions = [] } = context.models.model(path.model);
  const isDimension = dimensions.some(({ name }) => name === path.name);
  if (!isDimension && allowsColumns) return source.column(path.steps, path.name);
  return bindMoment(context.models, source, path, context.zone);
}

function findSegment(context: PlanContext, root: string, model: string | undefined, name: string) {
  const [first = "", second] = name.split(".");
  const owner = second === undefined ? model : first;
  const candidates = [...context.models.models.values()].flatMap((each) =>
    (each.segments ?? []).map((segment) => ({ segment, model: each.name })),
  );
  const matching = candidates.filter(
    (each) => each.segment.name === (second ?? first) && (owner ?? each.model) === each.model,
  );
  const [found, other] = matching;
  if (!found || other)
    return refuseUnknown(
      "segment",
      name,
      candidates.map((each) => `${each.model}.${each.segment.name}`),
    );
  return { filter: found.segment.filter, fields: fieldsOfFilter(context, root, found.model) };
}
