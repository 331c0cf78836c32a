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
export { type CubeImport, type CubeOptions, importCube } from "./formats/cube/import-cube.ts";
export { type MetricExport, metricExports } from "./formats/export-registry.ts";
export type { ExportedText, ExportFinding } from "./formats/export-report.ts";
export {
  hasEnding,
  type ImportOptions,
  importMetricModels,
  type PlaceModel,
  recogniseFormats,
} from "./formats/import-metric-models.ts";
export type { ImportFinding } from "./formats/import-report.ts";
export { importLookml, type LookmlImport, type LookmlOptions } from "./formats/lookml/import-lookml.ts";
export type { EntryList, FormatOptions, ImportedModels, MetricFormat, PlaceOfEntry } from "./formats/metric-format.ts";
export type { MetricFlowOptions } from "./formats/metricflow/convert-model.ts";
export { importMetricFlow, type MetricFlowImport } from "./formats/metricflow/import-metricflow.ts";
export type { MetricFlowQueries, TranslatedQuery } from "./formats/metricflow/queries/metricflow-queries.ts";
export type { MetricFlowQuery } from "./formats/metricflow/queries/metricflow-query.ts";
export { exportOsi } from "./formats/osi/export-osi.ts";
export { importOsi, type OsiImport } from "./formats/osi/import-osi.ts";
export { metricFormats } from "./formats/registry.ts";
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
