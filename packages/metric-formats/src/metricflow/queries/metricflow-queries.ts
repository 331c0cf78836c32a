/** Translates queries that use MetricFlow's names, for models that were imported from MetricFlow. */
import type { MetricQuery, SemanticModel } from "@bridle/semantic/model-parts";
import { ImportRefusalError, refuseImport } from "../../import-report.ts";
import type { MetricConverter } from "../convert-metrics.ts";
import type { ElementPath } from "../element-names.ts";
import type { ElementPaths } from "../element-paths.ts";
import { handleText } from "../metric-handle.ts";
import type { OwnedMeasure } from "../owned-measures.ts";
import type { TimeSpine } from "../time-spines.ts";
import { writeFilter } from "../write-filter.ts";
import { DimensionQueries } from "./dimension-queries.ts";
import type { MetricFlowQuery } from "./metricflow-query.ts";
import { fieldOfPath, orderOf } from "./query-names.ts";
import { type QueryHome, type QueryShape, QueryTimes } from "./query-times.ts";
import { timeFilters } from "./time-constraint.ts";

export type TranslatedQuery =
  | { readonly kind: "translated"; readonly query: MetricQuery; readonly models: readonly SemanticModel[] }
  | { readonly kind: "refused"; readonly reason: string };

export class MetricFlowQueries {
  readonly #models: readonly SemanticModel[];
  readonly #converter: MetricConverter;
  readonly #paths: ElementPaths;
  readonly #times: QueryTimes;
  readonly #spines: readonly TimeSpine[];

  constructor(
    models: readonly SemanticModel[],
    converter: MetricConverter,
    paths: ElementPaths,
    spines: readonly TimeSpine[],
  ) {
    this.#models = models;
    this.#converter = converter;
    this.#paths = paths;
    this.#times = new QueryTimes(converter, paths, spines);
    this.#spines = spines;
  }

  /** The models, including metrics that translated queries' filters need. */
  get models(): readonly SemanticModel[] {
    return this.#models.map((model) => {
      const metrics = this.#converter.added.get(model.name);
      return metrics ? { ...model, metrics: [...metrics] } : model;
    });
  }

  /** Translates a query, or returns the reason why its answer would differ from MetricFlow's. */
  translate(query: MetricFlowQuery): TranslatedQuery {
    try {
      this.#paths.customs.startQuery();
      if (query.dedupe === false) refuseImport("Rows without deduplication have no grain. Leave dedupe out.");
      if (query.metrics.length === 0) {
        const values = new DimensionQueries(this.models, this.#paths, this.#spines);
        const found = values.translate(query);
        return { kind: "translated", query: found.query, models: this.#paths.customs.joined(found.models) };
      }
      const translated = this.#translate(query);
      return { kind: "translated", query: translated, models: this.#paths.customs.joined(this.models) };
    } catch (error) {
      if (!(error instanceof ImportRefusalError)) throw error;
      return { kind: "refused", reason: error.message };
    }
  }

  #translate(query: MetricFlowQuery): MetricQuery {
    const { metrics, groupBy = [], orderBy = [], limit, time } = query;
    if (query.minMaxOnly) refuseImport("min_max_only is for queries without metrics. Leave it out.");
    const homes = uniqueHomes(metrics.flatMap((name) => this.#converter.inputs.leavesOf(name)));
    const [home] = homes;
    if (!home) return refuseImport(`There is no metric "${metrics[0]}".`);
    const shape: QueryShape = { metrics, groupBy, homes, spine: query.spine };
    this.#times.check(shape);
    const bounds = time ? timeFilters(time, this.#times.boundGrain(shape)) : [];
    const where = [...(query.where ?? []), ...bounds];
    const isPushed = homes.length > 1 && where.length > 0;
    if (isPushed) this.#requirePlain(metrics);
    const handles = metrics.map((name) => this.#converter.convert(name, isPushed ? where : []));
    const keys = groupBy.map((name) => this.#key(name, shape));
    const filters = isPushed ? [] : where.map((each) => this.#queryFilter(each, home));
    if (homes.length > 1 && this.#paths.customs.isUsed)
      refuseImport("A custom grain needs metrics of one model and time. Ask for them one by one.");
    return {
      measures: handles.map((handle, index) => ({ measure: handleText(handle), as: metrics[index] ?? handle.name })),
      dimensions: keys.map(({ dimension }) => dimension),
      ...(filters.length > 0 && { filters }),
      ...(orderBy.length > 0 && { orderBy: orderBy.map(orderOf) }),
      ...(limit !== undefined && { limit }),
      ...(homes.length > 1 && { via: [...new Set(keys.flatMap(({ via }) => via))] }),
      ...this.#times.periodsOf(shape),
    };
  }

  /** Writes a query's filter, in which fields begin with their model. */
  #queryFilter(filter: string, { model, time }: QueryHome): string {
    return writeFilter(this.#paths, filter, model, time, [model]);
  }

  #key(name: string, shape: QueryShape) {
    const { homes } = shape;
    const found = homes.map(({ model, time }) => this.#paths.find(model, { name }, time));
    const [first] = found;
    if (!first) return refuseImport(`"${name}" cannot be resolved.`);
    const grain = this.#times.grainOf(name, shape);
    const { part } = first;
    const unit = part ? { part } : grain && first.isTime ? { grain } : {};
    if (first.isTime && grain === undefined && !part)
      refuseImport(`"${name}" has no grain. Write one, such as ${name}__day.`);
    if (name.startsWith("metric_time") && homes.length > 1) {
      const time = Object.fromEntries(
        found.flatMap((path, index) => (homes[index]?.leaves ?? []).map((leaf) => [leaf, fieldOfPath(path)])),
      );
      const dimension = { time, as: name, grain: grain ?? "day", ...unit } as const;
      return { dimension, via: [] };
    }
    if (homes.length === 1) return { dimension: { field: fieldOfPath(first), as: name, ...unit }, via: [] };
    const target = first.models.at(-1);
    if (found.some(({ models }) => models.at(-1) !== target))
      refuseImport(`"${name}" is in different models for the metrics of the query. Ask for them one by one.`);
    const field = `${target}.${first.steps.at(-1)}`;
    return { dimension: { field, as: name, ...unit }, via: found.flatMap(joinsIn) };
  }

  #requirePlain(metrics: readonly string[]): void {
    for (const { type, name, type_params: params } of metrics.flatMap((each) =>
      this.#converter.inputs.metricsIn(each),
    )) {
      const looksBack =
        type === "cumulative" ||
        type === "conversion" ||
        params.metrics?.some((each) => each.offset_window || each.offset_to_grain);
      if (looksBack)
        refuseImport(`A filter over several models with ${name}, which looks at other rows, is not supported.`);
    }
  }
}

function uniqueHomes(measures: readonly OwnedMeasure[]): readonly QueryHome[] {
  const groups = Map.groupBy(measures, ({ model, time }) => `${model} ${time}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ model: first.model, time: first.time, leaves: [...new Set(group.map(handleText))] }] : [];
  });
}

function joinsIn({ models, steps }: ElementPath): readonly string[] {
  return models.slice(0, -1).map((model, index) => `${model}.${steps[index]}`);
}
