import type { ModelMetric, SemanticModel } from "../models/model-schema.ts";
import type { ScopedFilter } from "../plan/fields.ts";
import type { MetricFormula } from "../plan/formula.ts";
import type { TimeBehaviour } from "../plan/leaf.ts";

/** A kind of metric: how it is computed from measures and other metrics. To add a kind, add an entry to the schema and to the registry. */
export interface SemanticMetricKind<Metric extends ModelMetric = ModelMetric> {
  expand(metric: Metric, scope: MetricScope): MetricFormula;
  /** Explains how the metric is computed, as part of a sentence. */
  explain(metric: Metric): string;
}

/** The context in which a metric is used. */
export interface MetricScope {
  /** The model that declares the metric, whose names take precedence. */
  readonly model: SemanticModel;
  readonly behaviour: TimeBehaviour;
  readonly filters: readonly ScopedFilter[];
  /** Expands another measure or metric, optionally with another behaviour. */
  expand(name: string, behaviour?: TimeBehaviour): MetricFormula;
  /** Expands all names in an expression, such as `orders.revenue - refunds.amount`. */
  expandExpression(source: string): MetricFormula;
}
