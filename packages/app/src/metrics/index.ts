/** The metrics of a project: definitions, validation and queries. */
export { type ExportedMetrics, exportedMetricsSchema, exportMetrics, metricExportFormats } from "./export-metrics.ts";
export {
  type ImportedMetrics,
  type ImportMetricsOptions,
  importedMetricsSchema,
  importMetrics,
  metricImportFormats,
} from "./import-metrics.ts";
export {
  type ListedMetrics,
  listedMetricsSchema,
  listMetrics,
  type ShownModel,
  showModel,
  shownModelSchema,
} from "./list-metrics.ts";
export {
  type ProposedMetrics,
  type ProposeMetricsEffects,
  type ProposeMetricsSelection,
  proposedMetricsSchema,
  proposeMetrics,
} from "./propose-metrics.ts";
export {
  type MetricAnswer,
  type MetricRequest,
  metricAnswerSchema,
  type PlannedAnswer,
  planMetrics,
  plannedAnswerSchema,
  queryMetrics,
} from "./query-metrics.ts";
export { type ValidatedMetrics, validatedMetricsSchema, validateMetrics } from "./validate-metrics.ts";
