import type { SemanticModel } from "@bridle/semantic/model-parts";
import { refuseExport } from "../export-report.ts";
import { metricFlowGrains } from "./metricflow-schema.ts";

/** Returns the name. Throws an ExportRefusalError if MetricFlow does not allow it. */
export function requireMetricFlowName(name: string): string {
  if (!/^(?!.*__)[a-z][a-z0-9_]*[a-z0-9]$/.test(name))
    refuseExport(`The name ${name} is not allowed there. Use lower case, at least two characters, and no "__".`);
  if (name === "metric_time" || metricFlowGrains.some((grain) => grain === name))
    refuseExport(`The name ${name} has another meaning there. Rename it.`);
  return name;
}

/** Names measures and metrics uniquely in a whole MetricFlow project. Names that several models use get the model's name as a prefix. */
export class ProjectNames {
  readonly #counts = new Map<string, number>();

  constructor(models: readonly SemanticModel[]) {
    for (const { measures = [], metrics = [] } of models)
      for (const { name } of [...measures, ...metrics]) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  of(model: SemanticModel, name: string): string {
    const own = (this.#counts.get(name) ?? 0) > 1 ? `${model.name}_${name}` : name;
    if (own !== name && this.#counts.has(own)) refuseExport(`The name ${own} is taken. Rename it.`);
    return requireMetricFlowName(own);
  }
}
