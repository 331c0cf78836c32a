export { type CompiledJoinCheck, compileJoinCheck, compileKeyCheck } from "./compile/compile-join-check.ts";
export {
  type CompiledQuery,
  type CompiledStatement,
  compileMetricQuery,
  type RefusedQuery,
} from "./compile/compile-metric-query.ts";
export { type MetricDialectId, metricDialectIds } from "./dialects/metric-dialect.ts";
export { formatModelFile } from "./files/format-model-file.ts";
export type { ModelProblem } from "./files/model-problem.ts";
export { type ModelFile, parseModelFiles, type ReadModels, readModelFiles } from "./files/read-model-files.ts";
export { type LeftOutEntry, readUsableModels, type UsableModelFiles } from "./files/read-usable-models.ts";
export type { SqlType, TypedExpression } from "./ir/sql-expression.ts";
export type { KeyViolation, ModelColumn, SemanticFacts } from "./models/model-facts.ts";
export {
  type MetricFilter,
  type ModelMeasure,
  type SemanticModel,
  semanticModelSchema,
} from "./models/model-schema.ts";
export { ModelSet } from "./models/model-set.ts";
export { type MetricQuery, metricQuerySchema } from "./query/query-schema.ts";
export {
  type MetricRefusal,
  MetricRefusalError,
  type MetricRefusalReason,
  metricRefusalReasons,
} from "./refusals/metric-refusal.ts";
export type { MetricColumn } from "./result/result-columns.ts";
