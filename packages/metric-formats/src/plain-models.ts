import {
  isAggregated,
  type MeasureEntry,
  type ModelMeasure,
  type ModelMetric,
  type SemanticModel,
  toDerivedMetric,
} from "@bridle/semantic/model-parts";

/** A model in the forms that other formats know: measures aggregate rows, and all other computations are metrics. */
export interface PlainModel extends SemanticModel {
  measures?: ModelMeasure[];
}

export function toPlainModel(model: SemanticModel): PlainModel {
  const { measures = [], metrics = [], ...rest } = model;
  const taken = new Set([...measures, ...metrics].map(({ name }) => name));
  const own = measures.flatMap((measure): (ModelMeasure | ModelMetric)[] => plainMeasure(measure, taken));
  const plain = {
    measures: own.flatMap((each) => ("type" in each ? [] : [each])),
    metrics: [...own.flatMap((each) => ("type" in each ? [each] : [])), ...metrics.map(plainMetric)],
  };
  return {
    ...rest,
    ...(plain.measures.length > 0 && { measures: plain.measures }),
    ...(plain.metrics.length > 0 && { metrics: plain.metrics }),
  };
}

/** Converts a measure with a window to a measure without one and a cumulative metric over it. */
function plainMeasure(measure: MeasureEntry, taken: Set<string>): (ModelMeasure | ModelMetric)[] {
  if (!isAggregated(measure)) return [plainMetric(toDerivedMetric(measure))];
  const { window, ...plain } = measure;
  if (window === undefined) return [measure];
  let name = `${measure.name}_of_period`;
  while (taken.has(name)) name += "_";
  taken.add(name);
  const { label, description, synonyms, format } = measure;
  const words = {
    ...(label !== undefined && { label }),
    ...(description !== undefined && { description }),
    ...(synonyms !== undefined && { synonyms }),
    ...(format !== undefined && { format }),
  };
  const metric = { ...words, name: measure.name, type: "cumulative" as const, measure: name, window };
  return [{ ...plain, name }, metric];
}

function plainMetric(metric: ModelMetric): ModelMetric {
  if (metric.type !== "simple" || metric.window === undefined) return metric;
  return { ...metric, type: "cumulative", window: metric.window };
}
