import { stringify } from "yaml";
import { type SemanticModel, semanticModelSchema } from "../models/model-schema.ts";

/** Writes a model as the text of its file. `readModelFiles` reads the same model from this text. */
export function formatModelFile(model: SemanticModel): string {
  const entries = Object.entries(semanticModelSchema.parse(model));
  const filled = entries.filter(([, value]) => !Array.isArray(value) || value.length > 0);
  return stringify(Object.fromEntries(filled), { lineWidth: 0, aliasDuplicateObjects: false });
}
