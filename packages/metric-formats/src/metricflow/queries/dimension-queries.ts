/** Translates queries without metrics, which return the values of one model's dimensions, or the periods of the time spine. */

import { type MetricQuery, type SemanticModel, timeGrains } from "@bridle/semantic/model-parts";
import { refuseImport } from "../../import-report.ts";
import type { ElementName } from "../element-names.ts";
import type { ElementPaths } from "../element-paths.ts";
import { spineFor, type TimeSpine } from "../time-spines.ts";
import { translateFilter } from "../translate-filter.ts";
import { writeElement } from "../write-filter.ts";
import type { MetricFlowQuery } from "./metricflow-query.ts";
import { fieldOfPath, orderOf } from "./query-names.ts";
import { timeFilters } from "./time-constraint.ts";

type Dimension = Exclude<NonNullable<MetricQuery["dimensions"]>[number], string>;
type Translated = { readonly query: MetricQuery; readonly models: readonly SemanticModel[] };

interface Home {
  readonly model: string;
  /** The time that metric_time refers to. */
  readonly time: string | undefined;
}

export class DimensionQueries {
  readonly #models: readonly SemanticModel[];
  readonly #paths: ElementPaths;
  readonly #spines: readonly TimeSpine[];

  constructor(models: readonly SemanticModel[], paths: ElementPaths, spines: readonly TimeSpine[]) {
    this.#models = models;
    this.#paths = paths;
    this.#spines = spines;
  }

  translate({ groupBy = [], where = [], orderBy = [], limit, time, minMaxOnly }: MetricFlowQuery): Translated {
    if (groupBy.length === 0) refuseImport("The query has neither metrics nor groups. Name one.");
    const home = this.#home(groupBy);
    const dimensions = groupBy.map((name) => this.#dimension(name, home));
    const bounds = time ? timeFilters(time, dimensions.find(({ grain }) => grain)?.grain ?? "day") : [];
    if (bounds.length > 0 && home.time === undefined)
      refuseImport("A query without metrics has no metric_time that its time could bound. Write a filter.");
    const filters = [...where, ...bounds].map((each) => this.#filter(each, home));
    const more = {
      ...(filters.length > 0 && { filters }),
      ...(orderBy.length > 0 && { orderBy: orderBy.map(orderOf) }),
      ...(limit !== undefined && { limit }),
    };
    if (minMaxOnly) return this.#extremes(dimensions, home, more);
    return { query: { measures: [], dimensions, ...more }, models: this.#models };
  }

  #home(groupBy: readonly string[]): Home {
    const times = groupBy.filter((name) => name.startsWith("metric_time"));
    if (times.length > 0 && times.length < groupBy.length)
      refuseImport("metric_time without metrics has each period with each group. Ask for them one by one.");
    if (times.length > 0) {
      const spine = spineFor(this.#spines, finestGrain(times));
      if (!spine) return refuseImport("metric_time without metrics needs a time spine of this grain. Add one.");
      return { model: spine.model.name, time: spine.column };
    }
    const [owner, other] = this.#paths.ownersOf(groupBy.map((name) => ({ name })));
    if (owner === undefined || other !== undefined) {
      const which = other === undefined ? "no single model has" : `${owner} and ${other} both have`;
      return refuseImport(`Without metrics, ${which} ${groupBy.join(", ")}. Name a metric.`);
    }
    return { model: owner, time: undefined };
  }

  #dimension(name: string, home: Home): Dimension {
    const { grain, part, storedGrain, isTime, ...path } = this.#find({ name }, home);
    const unit = part ? { part } : isTime && (grain ?? storedGrain) ? { grain: grain ?? storedGrain ?? "day" } : {};
    return { field: fieldOfPath(path), as: name, ...unit };
  }

  #find(element: ElementName, { model, time }: Home) {
    const spine = this.#spines.find((each) => each.model.name === model);
    if (spine) return this.#paths.ofSpine(element, spine);
    return this.#paths.find(model, element, time);
  }

  /** Refuses filters on joined models, because the result would also have groups without a row there. */
  #filter(filter: string, home: Home): string {
    return translateFilter(filter, (element) => {
      const path = this.#find(element, home);
      if (path.steps.length > (path.isCustom ? 2 : 1))
        refuseImport(`Without metrics, a filter on ${element.name} joins another model. Name a metric.`);
      return writeElement(path, [home.model]);
    });
  }

  /** Translates a query for the minimum and maximum, as measures of the model. */
  #extremes(dimensions: readonly Dimension[], home: Home, more: Partial<MetricQuery>): Translated {
    const [dimension, other] = dimensions;
    if (!dimension || other || !("field" in dimension) || dimension.part)
      return refuseImport("min_max_only needs one dimension. Leave the others out.");
    const { field, as = field, grain } = dimension;
    const name = field.split(".").at(-1) ?? "";
    const model = this.#models.find((each) => each.name === home.model);
    const found = model?.dimensions?.find((each) => each.name === name);
    const stored = found?.expr ?? `"${name}"`;
    const expr = grain && grain !== found?.grain ? `date_trunc('${grain}', ${stored})` : stored;
    const measures = (["min", "max"] as const).map((agg) => ({ name: `${name}__${agg}`, agg, expr }));
    const models = this.#models.map((each) =>
      each === model ? { ...each, measures: [...(each.measures ?? []), ...measures] } : each,
    );
    const asked = measures.map((each) => ({ measure: `${home.model}.${each.name}`, as: `${as}__${each.agg}` }));
    return { query: { measures: asked, ...more }, models };
  }
}

function finestGrain(names: readonly string[]) {
  const grains = names.map((name) => {
    const last = name.toLowerCase().split("__").at(-1) ?? "";
    if (last === "metric_time" || last.startsWith("extract_")) return "day";
    return timeGrains.find((grain) => grain === last) ?? refuseImport(`The grain ${last} is not supported.`);
  });
  return grains.toSorted((a, b) => timeGrains.indexOf(a) - timeGrains.indexOf(b))[0] ?? "day";
}
