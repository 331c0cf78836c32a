import type { SemanticModel } from "../models/model-schema.ts";
import type { ExportedText } from "./export-report.ts";
import { exportMetricFlow } from "./metricflow/export-metricflow.ts";
import { exportOsi } from "./osi/export-osi.ts";

/** A format that models can be written in. */
export interface MetricExport {
  /** As a user names it. */
  readonly id: string;
  /** What the format cannot say is in the findings. Throws nothing for models that fit their schema. */
  write(models: readonly SemanticModel[]): ExportedText;
}

export const metricExports: readonly MetricExport[] = [
  { id: "osi", write: exportOsi },
  { id: "metricflow", write: exportMetricFlow },
];
