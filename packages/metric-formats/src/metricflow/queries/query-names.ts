/** Writes the names in a translated query. */
import type { ElementPath } from "../element-names.ts";

/** Writes a field as its path from the first model on. */
export function fieldOfPath({ models, steps }: Pick<ElementPath, "models" | "steps">): string {
  return [models[0], ...steps].join(".");
}

/** Parses an order. `-revenue` is descending. */
export function orderOf(name: string) {
  return name.startsWith("-") ? { field: name.slice(1), descending: true } : name;
}
