/** Queries in MetricFlow's names, for models that were imported from it. */
import { type SemanticModel, type TimeGrain, timeGrains } from "../../models/model-schema.ts";
import type { MetricQuery } from "../../query/query-schema.ts";
import { ImportRefusalError, refuseImport } from "../import-report.ts";
import type { MetricConverter } from "./convert-metrics.ts";
import type { ElementPath, ElementPaths } from "./element-paths.ts";
import { handleText } from "./metric-handle.ts";
import type { OwnedMeasure } from "./owned-measures.ts";
import { type TimeConstraint, timeFilters } from "./time-constraint.ts";
import { writeFilter } from "./write-filter.ts";

/** A query as `mf query` takes it. */
export interface MetricFlowQuery {
  readonly metrics: readonly string[];
  /** Such as `metric_time__month` or `listing__country`. */
  readonly groupBy?: readonly string[] | undefined;
  readonly where?: readonly string[] | undefined;
  /** Names of metrics or of groupBy, with `-` before those that descend. */
  readonly orderBy?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  /** The first and last moment of metric_time. */
  readonly time?: TimeConstraint | undefined;
  /** The first and last day of the time spine, for metrics with join_to_timespine. */
  readonly spine?: { readonly from: string; readonly to: string } | undefined;
}

export type TranslatedQuery =
  | { readonly kind: "translated"; readonly query: MetricQuery; readonly models: readonly SemanticModel[] }
  | { readonly kind: "refused"; readonly reason: string };

/** The models that metrics of a query are computed from, with what metric_time means there. */
interface Home {
  readonly model: string;
  readonly time: string | undefined;
  /** The measures, as `model.measure`. */
  readonly leaves: readonly string[];
}

export class MetricFlowQueries {
  readonly #models: readonly SemanticModel[];
  readonly #converter: MetricConverter;
  readonly #paths: ElementPaths;

  constructor(models: readonly SemanticModel[], converter: MetricConverter, paths: ElementPaths) {
    this.#models = models;
    this.#converter = converter;
    this.#paths = paths;
  }

  /** With the metrics that filters of translated queries need. */
  get models(): readonly SemanticModel[] {
    return this.#models.map((model) => {
      const metrics = this.#converter.added.get(model.name);
      return metrics ? { ...model, metrics: [...metrics] } : model;
    });
  }

  /** Translates a query, or says why its answer would not be that of MetricFlow. */
  translate(query: MetricFlowQuery): TranslatedQuery {
    try {
      const translated = this.#translate(query);
      return { kind: "translated", query: translated, models: this.models };
    } catch (error) {
      if (!(error instanceof ImportRefusalError)) throw error;
      return { kind: "refused", reason: error.message };
    }
  }

  #translate(query: MetricFlowQuery): MetricQuery {
    const { metrics, groupBy = [], orderBy = [], limit, time } = query;
    if (metrics.length === 0) refuseImport("A query without metrics is not supported. Name a metric.");
    const homes = uniqueHomes(metrics.flatMap((name) => this.#converter.inputs.leavesOf(name)));
    const [home] = homes;
    if (!home) return refuseImport(`There is no metric "${metrics[0]}".`);
    this.#checkTimes(metrics, groupBy, homes);
    const bounds = time ? timeFilters(time, this.#constrainedGrain(metrics, groupBy, homes)) : [];
    const where = [...(query.where ?? []), ...bounds];
    const isPushed = homes.length > 1 && where.length > 0;
    if (isPushed) this.#requirePlain(metrics);
    const handles = metrics.map((name) => this.#converter.convert(name, isPushed ? where : []));
    const keys = groupBy.map((name) => this.#key(name, homes, metrics));
    const filters = isPushed ? [] : where.map((each) => this.#queryFilter(each, home));
    return {
      measures: handles.map((handle, index) => ({ measure: handleText(handle), as: metrics[index] ?? handle.name })),
      dimensions: keys.map(({ dimension }) => dimension),
      ...(filters.length > 0 && { filters }),
      ...(orderBy.length > 0 && { orderBy: orderBy.map(orderOf) }),
      ...(limit !== undefined && { limit }),
      ...(homes.length > 1 && { via: [...new Set(keys.flatMap(({ via }) => via))] }),
      ...this.#filled(query),
    };
  }

  /** Fields of a query's filter begin with their model. */
  #queryFilter(filter: string, { model, time }: Home): string {
    return writeFilter(this.#paths, filter, model, time, [model]);
  }

  /** The grain in which bounds of time are whole periods: the finest that the query groups by. */
  #constrainedGrain(metrics: readonly string[], groupBy: readonly string[], homes: readonly Home[]): TimeGrain {
    const asked = groupBy
      .filter((name) => name.startsWith("metric_time"))
      .flatMap((name) => this.#grainOf(name, homes, metrics) ?? []);
    const [finest] = asked.toSorted(byGrain);
    return finest ?? this.#grainOf("metric_time", homes, metrics) ?? "day";
  }

  /** The grain of a name: its own, that which a metric declares for metric_time, or the coarsest in which it is stored, at least a day. */
  #grainOf(name: string, homes: readonly Home[], metrics: readonly string[]): TimeGrain | undefined {
    const found = homes.map(({ model, time }) => this.#paths.find(model, { name }, time));
    const [first] = found;
    if (!first?.isTime || first.grain) return first?.grain;
    const declared = name === "metric_time" ? metrics.map((metric) => this.#converter.inputs.grainOf(metric)) : [];
    if (declared.length > 0 && declared.every((grain) => grain !== undefined)) return declared.toSorted(byGrain).at(-1);
    const stored = found.flatMap(({ storedGrain }) => storedGrain ?? []);
    const least = name === "metric_time" && stored.length > 0 ? (["day"] as const) : [];
    return [...declared.flatMap((grain) => grain ?? []), ...stored, ...least].toSorted(byGrain).at(-1);
  }

  #key(name: string, homes: readonly Home[], metrics: readonly string[]) {
    const found = homes.map(({ model, time }) => this.#paths.find(model, { name }, time));
    const [first] = found;
    if (!first) return refuseImport(`"${name}" cannot be resolved.`);
    const grain = this.#grainOf(name, homes, metrics);
    if (first.isTime && grain === undefined) refuseImport(`"${name}" has no grain. Write one, such as ${name}__day.`);
    if (name.startsWith("metric_time") && homes.length > 1) {
      const time = Object.fromEntries(
        found.flatMap((path, index) => (homes[index]?.leaves ?? []).map((leaf) => [leaf, fieldOf(path)])),
      );
      const dimension = { time, as: name, grain: grain ?? "day" } as const;
      return { dimension, via: [] };
    }
    if (homes.length === 1)
      return { dimension: { field: fieldOf(first), as: name, ...(grain && first.isTime && { grain }) }, via: [] };
    const target = first.models.at(-1);
    if (found.some(({ models }) => models.at(-1) !== target))
      refuseImport(`"${name}" is in different models for the metrics of the query. Ask for them one by one.`);
    const field = `${target}.${first.steps.at(-1)}`;
    return { dimension: { field, as: name, ...(grain && first.isTime && { grain }) }, via: found.flatMap(joinsIn) };
  }

  /** What another grain or no grain would change. */
  #checkTimes(metrics: readonly string[], groupBy: readonly string[], homes: readonly Home[]): void {
    const types = metrics.flatMap((name) => this.#converter.inputs.metricsIn(name));
    if (!types.some(({ type }) => type === "cumulative")) return;
    for (const name of groupBy) {
      for (const { model, time } of homes) {
        const { grain, storedGrain } = this.#paths.find(model, { name }, time);
        if (grain && grain !== storedGrain)
          refuseImport(
            `A cumulative metric by ${name} takes the first value of each period (period_agg), which is not supported.`,
          );
      }
    }
  }

  #requirePlain(metrics: readonly string[]): void {
    for (const { type, name, type_params: params } of metrics.flatMap((each) =>
      this.#converter.inputs.metricsIn(each),
    )) {
      const looksBack =
        type === "cumulative" || type === "conversion" || params.metrics?.some((each) => each.offset_window);
      if (looksBack)
        refuseImport(`A filter over several models with ${name}, which looks at other rows, is not supported.`);
    }
  }

  #filled({ metrics, groupBy = [], spine }: MetricFlowQuery): Pick<MetricQuery, "fillMissing" | "spine"> {
    const waiting = metrics.filter((name) =>
      this.#converter.inputs.metricsIn(name).some((each) => this.#converter.onSpine.has(each.name)),
    );
    if (waiting.length === 0 || !groupBy.some((name) => name.startsWith("metric_time"))) return {};
    if (groupBy.length > 1 || waiting.length < metrics.length || !spine)
      refuseImport(
        `${waiting.join(", ")} joins the time spine, which needs its first and last day, and no other group.`,
      );
    return { fillMissing: true, ...(spine && { spine }) };
  }
}

function uniqueHomes(measures: readonly OwnedMeasure[]): readonly Home[] {
  const groups = Map.groupBy(measures, ({ model, time }) => `${model} ${time}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ model: first.model, time: first.time, leaves: [...new Set(group.map(handleText))] }] : [];
  });
}

function joinsIn({ models, steps }: ElementPath): readonly string[] {
  return models.slice(0, -1).map((model, index) => `${model}.${steps[index]}`);
}

function fieldOf({ models, steps }: ElementPath): string {
  return [models[0], ...steps].join(".");
}

function orderOf(name: string) {
  return name.startsWith("-") ? { field: name.slice(1), descending: true } : name;
}

function byGrain(a: TimeGrain, b: TimeGrain): number {
  return timeGrains.indexOf(a) - timeGrains.indexOf(b);
}
