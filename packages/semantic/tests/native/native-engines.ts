import { compileMetricQuery } from "../../src/compile/compile-metric-query.ts";
import type { ModelColumn } from "../../src/models/model-facts.ts";
import { semanticModelSchema } from "../../src/models/model-schema.ts";
import { ModelSet } from "../../src/models/model-set.ts";
import type { MetricQuery } from "../../src/query/query-schema.ts";
import type { TestEngine } from "../engines.ts";

/** Creates a model over one table with columns of the engine's types. */
export function modelOver(model: object, columns: Readonly<Record<string, ModelColumn>>): ModelSet {
  const parsed = semanticModelSchema.parse(model);
  return new ModelSet([parsed], { columns: { [parsed.name]: columns } });
}

/** Returns the rows as strings, or the reason for a refusal. */
export async function ask(engine: TestEngine, models: ModelSet, query: MetricQuery): Promise<string> {
  const compiled = compileMetricQuery(models, query, engine.id);
  if (compiled.kind === "refused") return compiled.refusal.reason;
  const rows = await engine.run(compiled.sql);
  return rows.map((row) => row.map((value) => (value === null ? "NULL" : String(value))).join(" ")).join(", ");
}
