import type { SqlColumn } from "../ir/sql-expression.ts";
import type { SemanticModel } from "../models/model-schema.ts";
import type { ModelSet } from "../models/model-set.ts";
import { refuseUnknown } from "../refusals/unknown-name.ts";

/** Returns a column of a model's table, with its type if the facts contain it. */
export function modelColumn(models: ModelSet, model: SemanticModel, alias: string, name: string): SqlColumn {
  const columns = models.facts.columns?.[model.name];
  const found = columns && Object.hasOwn(columns, name) ? columns[name] : undefined;
  if (columns && !found) refuseUnknown(`column of ${model.name}`, name, Object.keys(columns));
  const { type = "unknown" as const, scale, charset } = found ?? {};
  return { kind: "column", source: alias, name, type, scale, isStored: true, charset };
}
