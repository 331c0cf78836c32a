/** Translates MetricFlow's filters: SQL with templates such as `{{ Dimension('listing__country') }} = 'DE'`. */
import { refuseImport } from "../import-report.ts";
import { checkExpression } from "./convert-model.ts";
import type { ElementName } from "./element-names.ts";
import { withPeriodBounds } from "./period-bounds.ts";

type FilterElement = ElementName;

/** Writes a field of a filter as an expression, such as `date_trunc('month', listing.created)`. */
export type WriteElement = (element: FilterElement) => string;

/** Translates a filter to an expression in the models' language. */
export function translateFilter(text: string, write: WriteElement): string {
  if (/\{%|\{#/.test(text)) refuseImport("The filter has statements of a template. Write its text.");
  const translated = text.replace(/\{\{(.*?)\}\}/gs, (_, inner: string) => write(readElement(inner.trim())));
  if (translated.includes("{{")) refuseImport("A template in the filter does not end. Close it with }}.");
  const named = withMoments(withBareNames(translated, write));
  checkExpression(named);
  return withPeriodBounds(named);
}

/** Resolves MetricFlow's column names, which have no template, such as `metric_time__day`. */
function withBareNames(text: string, write: WriteElement): string {
  return text.replace(/'[^']*'|"[^"]*"|[A-Za-z_]\w*/g, (word) =>
    /^\w+__\w+$|^metric_time$/.test(word) ? write({ name: word }) : word,
  );
}

const castField = /cast\s*\(\s*((?:"[^"]+"\.)*"[^"]+")\s+as\s+timestamp\s*\)(?=\s*[<>=])/gi;
const castMoment = /cast\s*\(\s*'(\d{4}-\d{2}-\d{2})([ T]\d{2}:\d{2}:\d{2})?'\s+as\s+timestamp\s*\)/gi;

/** Writes strings that are cast to timestamps as moments, and removes the casts of times that are compared with these. */
function withMoments(text: string): string {
  return text
    .replace(castField, "$1")
    .replace(castMoment, (_, day: string, clock = " 00:00:00") => `timestamp '${day}${clock.replace("T", " ")}'`);
}

const call = /^(Dimension|TimeDimension|Entity|Metric)\s*\((.*?)\)\s*((?:\.\s*\w+\s*\([^()]*\)\s*)*)$/s;
const argument = /^(?:(\w+)\s*=\s*)?(?:['"]([^'"]*)['"]|[[(]([^\])]*)[\])])$/;

function readElement(inner: string): FilterElement {
  const [, kind = "", list = "", methods = ""] = call.exec(inner) ?? [];
  if (kind === "")
    refuseImport(`"{{ ${inner} }}" is not a Dimension, TimeDimension, Entity or Metric with plain texts.`);
  if (kind === "Metric") return readMetric(list, methods);
  const { name = "", grain, path } = readArguments(list, kind === "TimeDimension");
  const called = readMethods(methods);
  return { name, entityPath: path, grain: called.grain ?? grain, part: called.part };
}

function readArguments(list: string, hasGrain: boolean) {
  const found: { name?: string; grain?: string; path?: string[] } = {};
  const order = hasGrain ? ["name", "grain", "path"] : ["name", "path"];
  for (const [index, part] of splitArguments(list).entries()) {
    const [matched, key, text, items] = argument.exec(part) ?? [];
    if (matched === undefined) refuseImport(`"${part}" in a template is not a text. Quote it.`);
    const target = key === undefined ? order[index] : parameters[key];
    if (target === "path") found.path = [...(items ?? "").matchAll(/['"]([^'"]+)['"]/g)].map((each) => each[1] ?? "");
    else if (target === "name" && text !== undefined) found.name = text;
    else if (target === "grain" && text !== undefined) found.grain = text;
    else refuseImport(`The argument "${part}" of a template is not supported. Leave it out.`);
  }
  return found;
}

const parameters: Readonly<Record<string, "name" | "grain" | "path">> = {
  name: "name",
  dimension_name: "name",
  time_dimension_name: "name",
  entity_name: "name",
  time_granularity_name: "grain",
  entity_path: "path",
};

function splitArguments(list: string): readonly string[] {
  return (list.match(/(?:\[[^\]]*\]|\([^)]*\)|'[^']*'|"[^"]*"|[^,])+/g) ?? [])
    .map((part) => part.trim())
    .filter(Boolean);
}

/** Reads `Metric('orders', group_by=['customer'])`. */
function readMetric(list: string, methods: string): FilterElement {
  const [first = "", second = "", ...more] = splitArguments(list);
  const name = /^(?:metric_name\s*=\s*)?['"](\w+)['"]$/.exec(first)?.[1];
  const groups = /^(?:group_by\s*=\s*)?[[(]\s*['"]([\w]+)['"]\s*,?\s*[\])]$/.exec(second)?.[1];
  if (name === undefined || groups === undefined || more.length > 0 || methods.trim() !== "")
    return refuseImport(`A metric in a filter needs its name and one entity, as in Metric('orders', ['customer']).`);
  return { name: groups, metric: name };
}

function readMethods(text: string): { readonly grain?: string; readonly part?: string } {
  const found: { grain?: string; part?: string } = {};
  for (const [, method, value] of text.matchAll(/\.\s*(\w+)\s*\(\s*['"]?([^'")]*)['"]?\s*\)/g)) {
    if (method === "grain" && value) found.grain = value;
    else if (method === "date_part" && value) found.part = value;
    else refuseImport(`.${method}(…) in a template is not supported. Leave it out.`);
  }
  return found;
}
