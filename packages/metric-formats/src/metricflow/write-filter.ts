import type { ElementPath } from "./element-names.ts";
import type { ElementPaths } from "./element-paths.ts";
import { translateFilter } from "./translate-filter.ts";

/** Writes a filter as an expression over the fields of one model. With a prefix, fields begin with the model's name. */
export function writeFilter(
  paths: ElementPaths,
  filter: string,
  model: string,
  time: string | undefined,
  prefix: readonly string[] = [],
): string {
  return translateFilter(filter, (element) => {
    if (element.metric === undefined) return writeElement(paths.find(model, element, time), prefix);
    const entity = element.name.split("__").at(-1) ?? "";
    const key = writeElement(paths.find(model, { name: entity }, time), prefix);
    const { metric, field } = paths.groupOf(element.metric, element.name);
    return `group_metric('${metric}', ${key}, '${field}')`;
  });
}

export function writeElement({ steps, grain, part, storedGrain }: ElementPath, prefix: readonly string[]): string {
  const field = [...prefix, ...steps].map((step) => `"${step}"`).join(".");
  if (part) return `${part}(${field})`;
  return grain && grain !== storedGrain ? `date_trunc('${grain}', ${field})` : field;
}
