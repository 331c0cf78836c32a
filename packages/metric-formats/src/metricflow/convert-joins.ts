/** Creates joins between models that share an entity. */
import type { ModelJoin } from "@bridle/semantic/model-parts";
import type { ImportReport } from "../import-report.ts";
import { columnOf } from "./convert-model.ts";
import type { SourceEntity } from "./metricflow-schema.ts";
import type { MetricFlowModel } from "./read-project.ts";

export interface EntityJoin {
  /** The entities in a query's name for the join: one, or two if the join leads through another model. */
  readonly entities: readonly string[];
  readonly join: ModelJoin;
  /** Whether the join's condition contains this model's time, so that other models cannot use the join. */
  readonly isOfTime: boolean;
}

/** Returns joins to models that share an entity, and joins that lead through another model to rows with a validity period. */
export function joinsOf(model: MetricFlowModel, all: readonly MetricFlowModel[], report: ImportReport): EntityJoin[] {
  const direct = directJoins(model, all, report);
  const further = direct.flatMap(({ entities: [first = ""], join }) => {
    const middle = all.find(({ source }) => source.name === join.to);
    return middle ? joinsToValidity(model, middle, { entity: first, name: join.name ?? join.to }, all, report) : [];
  });
  return [...direct, ...further];
}

/** Joins each entity to all other models that have the entity as primary, unique or natural. */
function directJoins(
  model: MetricFlowModel,
  all: readonly MetricFlowModel[],
  report: ImportReport,
): readonly EntityJoin[] {
  return model.entities.flatMap(({ value: entity, at }) => {
    const targets = all.flatMap((other) => {
      const remote = other.entities.find(({ value }) => value.name === entity.name)?.value;
      return remote && other !== model && remote.type !== "foreign" ? [{ other, remote }] : [];
    });
    return targets.flatMap(({ other, remote }) => {
      const condition = conditionOf(model, entity, other, remote);
      if (condition === undefined) return [];
      if (typeof condition === "string") {
        report.add("refused", `join to ${other.source.name} by entity ${entity.name}`, condition, at.position);
        return [];
      }
      const name = targets.length === 1 ? entity.name : `${entity.name}__${other.source.name}`;
      const isOne = (entity.type === "primary" || entity.type === "unique") && remote.type !== "natural";
      const relationship = isOne ? "one_to_one" : "many_to_one";
      const join = { name, to: other.source.name, on: condition.on, relationship } as const;
      return [{ entities: [entity.name], join, isOfTime: remote.type === "natural" }];
    });
  });
}

/** Returns joins that lead through another model to rows with a validity period. Such a period is compared with this model's time. */
function joinsToValidity(
  model: MetricFlowModel,
  middle: MetricFlowModel,
  over: { readonly entity: string; readonly name: string },
  all: readonly MetricFlowModel[],
  report: ImportReport,
): readonly EntityJoin[] {
  if (model.measures.length === 0) return [];
  return middle.entities.flatMap(({ value: entity, at }) =>
    all.flatMap((other): EntityJoin[] => {
      const remote = other.entities.find(({ value }) => value.name === entity.name)?.value;
      if (remote?.type !== "natural" || other === model || other === middle || entity.name === over.entity) return [];
      const [here, there] = [columnOf(entity), columnOf(remote)];
      const pairs = [[here ?? "", there ?? ""], ...partitions(middle, other)];
      const behind = pairs.map(([local, far]): [string, string] => [`${over.name}.${local}`, far ?? ""]);
      const condition = here && there ? validityCondition(model, other, behind) : expressionOf(entity);
      if (typeof condition === "string") {
        report.add("refused", `join to ${other.source.name} over ${over.name}`, condition, at.position);
        return [];
      }
      const name = `${over.name}__${entity.name}`;
      const join = { name, to: other.source.name, on: condition.on, relationship: "many_to_one" } as const;
      return [{ entities: [over.entity, entity.name], join, isOfTime: true }];
    }),
  );
}

function expressionOf({ name }: SourceEntity): string {
  return `The entity ${name} is an expression, and joins need columns. Add a column with its value.`;
}

/** Returns the condition, or the reason why there is none; undefined if MetricFlow does not have such a join either. */
function conditionOf(
  model: MetricFlowModel,
  entity: SourceEntity,
  other: MetricFlowModel,
  remote: SourceEntity,
): string | { readonly on: ModelJoin["on"] } | undefined {
  const [here, there] = [columnOf(entity), columnOf(remote)];
  if (here === undefined || there === undefined) return expressionOf(entity);
  const pairs: [string, string][] = [[here, there], ...partitions(model, other)];
  if (remote.type !== "natural") return { on: pairs };
  if (entity.type === "natural" || model.measures.length === 0) return undefined;
  return validityCondition(model, other, pairs);
}

/** Returns the partitions that both models have, which are also compared. */
function partitions(model: MetricFlowModel, other: MetricFlowModel): [string, string][] {
  const partitionsOf = ({ dimensions }: MetricFlowModel) =>
    dimensions.map(({ value }) => value).filter((each) => each.is_partition === true);
  return partitionsOf(model).flatMap((here): [string, string][] => {
    const there = partitionsOf(other).find(({ name }) => name === here.name);
    const [left, right] = [columnOf(here), there && columnOf(there)];
    return left !== undefined && right !== undefined ? [[left, right]] : [];
  });
}

/** Writes the condition that this model's time is at or after the start and before the end of the other model's row. */
function validityCondition(model: MetricFlowModel, other: MetricFlowModel, pairs: [string, string][]) {
  const limit = (key: "is_start" | "is_end") => {
    const found = other.dimensions.find(({ value }) => value.type_params?.validity_params?.[key])?.value;
    return found && columnOf(found);
  };
  const [start, end] = [limit("is_start"), limit("is_end")];
  const time = model.dimensions.find(({ value }) => value.name === model.source.defaults?.agg_time_dimension)?.value;
  const at = time && columnOf(time);
  if (start === undefined || end === undefined)
    return "The other model has no columns with validity_params of a start and an end. Add them.";
  if (at === undefined) return "This model has no column as agg_time_dimension, and the join needs its time. Add one.";
  const equal = pairs.map(([here, there]) => `{from}.${here} = {to}.${there}`);
  const valid = `{from}.${at} >= {to}.${start} and ({from}.${at} < {to}.${end} or {to}.${end} is null)`;
  return { on: [...equal, valid].join(" and ") };
}
