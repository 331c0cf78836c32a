import { refuseImport } from "../import-report.ts";
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

const parts = ["year", "quarter", "month", "day"];

function writeElement(
  paths: ElementPaths,
  element: FilterElement,
  model: string,
  time: string | undefined,
  prefix: readonly string[],
): string {
  const { steps, grain, storedGrain } = paths.find(model, element, time);
  const field = [...prefix, ...steps].map((step) => `"${step}"`).join(".");
  if (element.part === undefined) return grain && grain !== storedGrain ? `date_trunc('${grain}', ${field})` : field;
  const part = element.part.toLowerCase();
  if (!parts.includes(part)) refuseImport(`The part ${part} of a date is not supported. Use ${parts.join(", ")}.`);
  return `${part}(${field})`;
}
