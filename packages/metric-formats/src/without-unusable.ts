/** Removes constructs that a format allows but that cannot be compiled, such as functions that only one engine provides. */
import type { SourcePosition } from "@bridle/protocol";
import {
  compileMetricQuery,
  type MetricRefusalReason,
  ModelSet,
  type SemanticModel,
} from "@bridle/semantic/model-parts";
import type { ImportReport } from "./import-report.ts";

type PlaceOf = (model: string, kind: "dimension" | "measure", name: string) => SourcePosition;

const final: readonly MetricRefusalReason[] = ["unknown_name", "invalid_expression", "invalid_value", "invalid_query"];
const probe = "rows_of_import_probe";

export function withoutUnusable(models: readonly SemanticModel[], report: ImportReport, placeOf: PlaceOf) {
  const probed = models.map((model) => {
    const measures = [...(model.measures ?? []), { name: probe, agg: "count" as const }];
    return { ...model, measures };
  });
  const set = new ModelSet(probed);
  return models.map((model): SemanticModel => {
    const keep = (kind: "dimension" | "measure", name: string) => {
      const full = `${model.name}.${name}`;
      const query =
        kind === "measure" ? { measures: [full] } : { measures: [`${model.name}.${probe}`], dimensions: [full] };
      const compiled = compileMetricQuery(set, query, "duckdb");
      if (compiled.kind === "compiled" || !final.includes(compiled.refusal.reason)) return true;
      report.add("refused", `${kind} ${name}`, compiled.refusal.message, placeOf(model.name, kind, name));
      return false;
    };
    return {
      ...model,
      dimensions: (model.dimensions ?? []).filter(({ name }) => keep("dimension", name)),
      measures: (model.measures ?? []).filter(({ name }) => keep("measure", name)),
    };
  });
}
