import type { SemanticModel } from "@bridle/semantic/model-parts";
import type { ExportedText } from "./export-report.ts";
import { exportMetricFlow } from "./metricflow/export-metricflow.ts";
import { exportOsi } from "./osi/export-osi.ts";

/** An output format for models. */
export interface MetricExport {
  /** The name that users choose the format by. */
  readonly id: string;
  /** Writes the models. The findings list everything that the format cannot express. Does not throw for models that fit their schema. */
  write(models: readonly SemanticModel[]): ExportedText;
}

export const metricExports: readonly MetricExport[] = [
  { id: "osi", write: exportOsi },
  { id: "metricflow", write: exportMetricFlow },
];
