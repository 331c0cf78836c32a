/** The imported measures, by their names in MetricFlow. */
import type { SemanticModel } from "@bridle/semantic/model-parts";
import type { LinkedModel } from "./element-names.ts";
import type { SourceMeasure } from "./metricflow-schema.ts";

export interface OwnedMeasure {
  readonly model: string;
  /** The name in the model. */
  readonly name: string;
  readonly measure: SourceMeasure;
  readonly time: string | undefined;
}

/** Returns the new name of a measure whose name a metric with more parts has. */
export function renamedMeasure(name: string): string {
  return `${name}__measure`;
}

export function measuresOf(models: readonly SemanticModel[], linked: ReadonlyMap<string, LinkedModel>) {
  const owned = models.flatMap(({ name: model, measures = [] }) => {
    const source = linked.get(model)?.model;
    return measures.flatMap(({ name }): [string, OwnedMeasure][] => {
      const measure = source?.measures.find(({ value }) =>
        [value.name, renamedMeasure(value.name)].includes(name),
      )?.value;
      const time = measure?.agg_time_dimension ?? source?.source.defaults?.agg_time_dimension ?? undefined;
      return measure ? [[measure.name, { model, name, measure, time }]] : [];
    });
  });
  return new Map(owned);
}
