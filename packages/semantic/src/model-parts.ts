/** The parts of metric models that readers and writers of other formats need: their schema, expressions and files. */
export { compileMetricQuery } from "./compile/compile-metric-query.ts";
export { isCalendarDate, isClockTime } from "./expressions/calendar.ts";
export type { BinaryOperator, ParsedExpression } from "./expressions/expression.ts";
export { mapExpression } from "./expressions/map-expression.ts";
export { namesInExpression } from "./expressions/names-in-expression.ts";
export { parseExpression } from "./expressions/parse-expression.ts";
export { printExpression } from "./expressions/print-expression.ts";
export { type StoredGrain, type TimeGrain, timeGrains } from "./expressions/time-grains.ts";
export { checkSemanticModels } from "./files/check-models.ts";
export type { EntryProblem } from "./files/entry-problem.ts";
export { ModelDocument } from "./files/model-document.ts";
export type { ModelPath } from "./files/model-problem.ts";
export type { ModelFile } from "./files/read-model-files.ts";
export { withoutFaultyEntries } from "./files/without-faulty-entries.ts";
export { isComposed } from "./metric-kinds/registry.ts";
export { isAggregated, toDerivedMetric } from "./models/measure-forms.ts";
export type { SemanticFacts } from "./models/model-facts.ts";
export {
  type FilterCondition,
  type FilterValue,
  type MeasureAggregation,
  type MeasureEntry,
  type MetricFilter,
  type ModelDimension,
  type ModelJoin,
  type ModelMeasure,
  type ModelMetric,
  type PartOfTime,
  type SemanticModel,
  semanticModelSchema,
  type TimeSpan,
} from "./models/model-schema.ts";
export { ModelSet } from "./models/model-set.ts";
export type { MetricQuery } from "./query/query-schema.ts";
export { MetricRefusalError, type MetricRefusalReason } from "./refusals/metric-refusal.ts";
