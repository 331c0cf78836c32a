/** Removes joins and metrics that cannot be compiled, as `withoutUnusable` does for dimensions and measures. */
import type { SourcePosition } from "@bridle/protocol";
import {
  compileMetricQuery,
  type ModelJoin,
  ModelSet,
  namesInExpression,
  parseExpression,
  type SemanticModel,
} from "@bridle/semantic/model-parts";
import type { ImportReport } from "../import-report.ts";

/** Removes metrics. `whole` has all dimensions and measures, so that a metric over an invalid one is invalid, too. */
export function withoutUnusableMetrics(
  whole: readonly SemanticModel[],
  usable: readonly SemanticModel[],
  report: ImportReport,
  placeOf: (model: string, name: string) => SourcePosition,
): readonly SemanticModel[] {
  const set = new ModelSet(whole);
  return usable.map((model): SemanticModel => {
    const metrics = (model.metrics ?? []).filter(({ name }) => {
      const compiled = compileMetricQuery(set, { measures: [`${model.name}.${name}`] }, "duckdb");
      const isUsable =
        compiled.kind === "compiled" || !["unknown_name", "invalid_expression"].includes(compiled.refusal.reason);
      if (!isUsable) report.add("refused", `measure ${name}`, compiled.refusal.message, placeOf(model.name, name));
      return isUsable;
    });
    const { metrics: _, ...rest } = model;
    return metrics.length > 0 ? { ...rest, metrics } : rest;
  });
}

const probe = "import_probe";

/** Removes joins whose conditions use functions that models do not have. */
export function withoutUnusableJoins(
  models: readonly SemanticModel[],
  report: ImportReport,
  placeOf: (model: string, join: string) => SourcePosition,
): readonly SemanticModel[] {
  return models.map((model): SemanticModel => {
    const joins = (model.joins ?? []).filter((join) => {
      const reason = refusalOf(model, join, models);
      const name = join.name ?? join.to;
      if (reason !== undefined)
        report.add("refused", `join ${name} of ${model.name}`, reason, placeOf(model.name, name));
      return reason === undefined;
    });
    const { joins: _, ...rest } = model;
    return joins.length > 0 ? { ...rest, joins } : rest;
  });
}

function refusalOf(model: SemanticModel, join: ModelJoin, models: readonly SemanticModel[]): string | undefined {
  if (typeof join.on !== "string") return undefined;
  const column = namesInExpression(parseExpression(join.on)).find(([side]) => side === "{to}")?.[1];
  if (column === undefined) return "Its condition names no column of the other table. Add one.";
  const others = models.flatMap(({ joins: _, ...other }) => (other.name === model.name ? [] : [other]));
  const bare = [{ ...model, joins: [join], measures: [{ name: probe, agg: "count" as const }] }, ...others].map(
    (each) =>
      each.name === join.to
        ? { ...each, dimensions: [{ name: probe, expr: `"${column.replaceAll('"', '""')}"` }] }
        : each,
  );
  const path = [model.name, join.name ?? join.to, probe].join(".");
  const compiled = compileMetricQuery(
    new ModelSet(bare),
    { measures: [`${model.name}.${probe}`], dimensions: [path] },
    "duckdb",
  );
  if (
    compiled.kind === "compiled" ||
    !["unknown_name", "invalid_expression", "unsupported"].includes(compiled.refusal.reason)
  )
    return undefined;
  return compiled.refusal.message;
}
