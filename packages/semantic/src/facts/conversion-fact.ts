import type { MetricFilter } from "../models/model-schema.ts";
import type { PlanContext } from "../plan/plan-context.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import type { MeasureFact } from "./fact.ts";
import type { FactPart } from "./fact-part.ts";

export function planConversionFact(
  _context: PlanContext,
  fact: MeasureFact,
  _name: string,
  _filters: readonly MetricFilter[],
): FactPart {
  return refuseMetric("unsupported", `Conversions of ${fact.model.name} are not computed yet.`);
}
