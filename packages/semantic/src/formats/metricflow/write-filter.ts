import type { ElementPaths } from "./element-paths.ts";
import { type FilterElement, translateFilter } from "./translate-filter.ts";

/** A filter as an expression over the fields of one model. With a prefix, fields begin with the name of the model. */
export function writeFilter(
  paths: ElementPaths,
  filter: string,
  model: string,
  time: string | undefined,
  prefix: readonly string[] = [],
): string {
  return translateFilter(filter, (element) => writeElement(paths, element, model, time, prefix));
}

function writeElement(
  paths: ElementPaths,
  element: FilterElement,
  model: string,
  time: string | undefined,
  prefix: readonly string[],
): string {
  const { steps, grain, part, storedGrain } = paths.find(model, element, time);
  const field = [...prefix, ...steps].map((step) => `"${step}"`).join(".");
  if (part) return `${part}(${field})`;
  return grain && grain !== storedGrain ? `date_trunc('${grain}', ${field})` : field;
}
