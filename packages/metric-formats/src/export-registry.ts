import type { SemanticModel } from "@bridle/semantic/model-parts";
import type { ExportedText } from "./export-report.ts";
import { exportMetricFlow } from "./metricflow/export-metricflow.ts";
import { exportOsi } from "./osi/export-osi.ts";

/** An output format for models. */
export interface MetricExport {
  /** The name by which users choose the format. */
  readonly id: string;
  /**
   * Writes the models, and lists everything that the format cannot express in the findings. Does not throw for models that match the
   * schema.
   */
  write(models: readonly SemanticModel[]): ExportedText;
}

export const metricExports: readonly MetricExport[] = [
  { id: "osi", write: exportOsi },
  { id: "metricflow", write: exportMetricFlow },
];
