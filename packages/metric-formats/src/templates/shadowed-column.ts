import { type ModelDimension, namesInExpression, type ParsedExpression } from "@bridle/semantic/model-parts";
import type { TemplateFields } from "./template-fields.ts";

/** The dimensions of each model. */
export type DimensionsOfModels = ReadonlyMap<string, readonly ModelDimension[]>;

/**
 * Finds a column that a filter would read as a dimension, because a different dimension has its name. Names in measures and dimensions
 * refer to columns, but names in filters refer to dimensions first.
 */
export function shadowedColumn(
  parsed: ParsedExpression,
  model: string,
  fields: TemplateFields,
  dimensions: DimensionsOfModels,
): string | undefined {
  const found = namesInExpression(parsed).find((path) => {
    const owner = fields.modelAt(model, path.slice(0, -1));
    const named = dimensions.get(owner)?.find(({ name }) => name === path.at(-1));
    return named?.expr !== undefined;
  });
  return found?.join(".");
}
