export { type CubeImport, type CubeOptions, importCube } from "./cube/import-cube.ts";
export { type MetricExport, metricExports } from "./export-registry.ts";
export type { ExportedText, ExportFinding } from "./export-report.ts";
export {
  hasEnding,
  type ImportOptions,
  importMetricModels,
  type PlaceModel,
  recogniseFormats,
} from "./import-metric-models.ts";
export type { ImportFinding } from "./import-report.ts";
export { importLookml, type LookmlImport, type LookmlOptions } from "./lookml/import-lookml.ts";
export type { EntryList, FormatOptions, ImportedModels, MetricFormat, PlaceOfEntry } from "./metric-format.ts";
export type { MetricFlowOptions } from "./metricflow/convert-model.ts";
export { importMetricFlow, type MetricFlowImport } from "./metricflow/import-metricflow.ts";
export type { MetricFlowQueries, TranslatedQuery } from "./metricflow/queries/metricflow-queries.ts";
export type { MetricFlowQuery } from "./metricflow/queries/metricflow-query.ts";
export { exportOsi } from "./osi/export-osi.ts";
export { importOsi, type OsiImport } from "./osi/import-osi.ts";
export { metricFormats } from "./registry.ts";
