import { isNullOfNothing } from "../expressions/null-of-nothing.ts";
import { type StoredGrain, type TimeGrain, timeGrains } from "../expressions/time-grains.ts";
import { onlyIf } from "../ir/build-expression.ts";
import type { SqlColumn, SqlExpression } from "../ir/sql-expression.ts";
import { inZone } from "../ir/wall-clock.ts";
import type { JoinEdge } from "../models/join-edge.ts";
import type { ModelDimension, SemanticModel } from "../models/model-schema.ts";
import type { ModelSet } from "../models/model-set.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { refuseUnknown } from "../refusals/unknown-name.ts";
import { bindExpression, type ResolveName } from "./bind-expression.ts";
import { withDeclaredType } from "./declared-type.ts";
import { type FieldPath, takeJoins } from "./field-path.ts";

/** Provides the columns of joined models. */
export interface ColumnSource {
  column(steps: readonly JoinEdge[], name: string): SqlColumn;
}

export function dimensionNamed(model: SemanticModel, name: string): ModelDimension {
  const dimensions = model.dimensions ?? [];
  const found = dimensions.find((dimension) => dimension.name === name);
  return (
    found ??
    refuseUnknown(
      `dimension of ${model.name}`,
      name,
      dimensions.map((dimension) => dimension.name),
    )
  );
}

/** Binds a dimension. Moments are in the zone's local time, or in UTC without a zone. */
export function bindDimension(
  models: ModelSet,
  source: ColumnSource,
  path: FieldPath,
  zone: string | undefined,
): SqlExpression {
  return inZone(zone, bindMoment(models, source, path, zone));
}

/** Works like `bindDimension`, but a stored moment stays in UTC. Days and hours that the dimension computes use the zone. */
export function bindMoment(
  models: ModelSet,
  source: ColumnSource,
  path: FieldPath,
  zone: string | undefined,
): SqlExpression {
  const dimension = dimensionNamed(models.model(path.model), path.name);
  if (dimension.expr === undefined) return withDeclaredType(source.column(path.steps, dimension.name), dimension);
  const parsed = models.parse(dimension.expr);
  const columns = resolveInModel(models, source, path.steps, path.model);
  const bound = withDeclaredType(bindExpression(parsed, columns, zone), dimension);
  const edge = path.steps.at(-1);
  return edge === undefined || isNullOfNothing(parsed) ? bound : ofFoundRow(models, source, path, edge, bound);
}

/** Puts a row into the NULL group if its join finds nothing, even if the expression is not NULL without a joined row. */
function ofFoundRow(
  models: ModelSet,
  source: ColumnSource,
  { steps, model, name }: FieldPath,
  edge: JoinEdge,
  bound: SqlExpression,
): SqlExpression {
  const key = columnOfRow(models, edge) ?? refuseWithoutKey(`The dimension ${model}.${name}`, model);
  const found = { kind: "is_null", operand: source.column(steps, key), isNegated: true, type: "boolean" } as const;
  return onlyIf(found, bound);
}

/** Returns a column that is NULL only if the join finds no row. */
export function columnOfRow(models: ModelSet, { condition, to }: JoinEdge): string | undefined {
  return condition.kind === "pairs" ? condition.pairs[0]?.[1] : models.model(to).primary_key?.[0];
}

export function refuseWithoutKey(what: string, model: string): never {
  const why = `${what} has a value where the join finds no row, and ${model} declares no primary_key.`;
  return refuseMetric("missing_key", `${why} Declare it.`);
}

/** Resolves the names in a model's expression: the model's columns, and columns behind its to-one joins. */
export function resolveInModel(
  models: ModelSet,
  source: ColumnSource,
  steps: readonly JoinEdge[],
  model: string,
): ResolveName {
  return (path) => {
    const found = pathInModel(models, model, path);
    return source.column([...steps, ...found.steps], found.name);
  };
}

/** Works like `resolveInModel`, but a name refers to a dimension first. */
export function resolveFieldOrColumn(
  models: ModelSet,
  source: ColumnSource,
  model: string,
  zone: string | undefined,
): ResolveName {
  return (path) => {
    const found = pathInModel(models, model, path);
    const isDimension = models.model(found.model).dimensions?.some(({ name }) => name === found.name);
    return isDimension ? bindMoment(models, source, found, zone) : source.column(found.steps, found.name);
  };
}

function pathInModel(models: ModelSet, model: string, path: readonly string[]): FieldPath {
  const parts = path.length > 1 && path[0] === model ? path.slice(1) : path;
  const steps = takeJoins(models, model, parts.slice(0, -1));
  const many = steps.find(({ isToMany }) => isToMany);
  if (many) {
    const why = `An expression of ${model} names rows behind the to-many join ${many.name}.`;
    refuseMetric("invalid_expression", `${why} Use a measure there.`);
  }
  return { steps, model: steps.at(-1)?.to ?? model, name: parts.at(-1) ?? "" };
}

/** Refuses a grain that is finer than the stored grain, or that does not consist of whole stored periods. */
export function checkGrain(field: string, { grain: stored }: ModelDimension, grain: TimeGrain): void {
  const grains: readonly StoredGrain[] = timeGrains;
  const isFiner = stored !== undefined && grains.indexOf(grain) < grains.indexOf(stored);
  const crosses = stored === "week" && grain !== "week";
  if (!isFiner && !crosses) return;
  refuseMetric(
    "invalid_query",
    `"${field}" is stored by ${stored}, and cannot be grouped by ${grain}. Ask for ${stored}.`,
  );
}
