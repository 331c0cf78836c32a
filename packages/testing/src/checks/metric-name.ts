import { describeValue, shortened } from "@bridle/metrics";
import type { MetricConfig } from "./case-config.ts";
import { metricOf, type StandardConfig } from "./standard-config.ts";

/** More of a setting is cut off in a name. */
const mostCharacters = 40;

/** A metric's name, with the settings that tell it from others of its kind: `contains "shipped"`, `rougeL (stemming)`. */
export function metricName(config: MetricConfig): string {
  if (config.type === "standard") return [metricOf(config), ...settingsOf(config)].join(" ");
  return config.type === "rag" ? config.metric_type : config.name;
}

function settingsOf(config: StandardConfig): string[] {
  const { metric, value, path = "", schema, tolerance, stemming } = config;
  if (stemming) return ["(stemming)"];
  switch (metric) {
    case "contains":
    case "equality":
      return value === undefined ? [] : [short(value)];
    case "regex":
      return [cut(`/${String(value)}/`)];
    case "numeric":
      return [...(value === undefined ? [] : [short(value)]), ...(tolerance ? [`± ${tolerance}`] : [])];
    case "response_path":
      return [path, ...(value === undefined ? [] : [`= ${short(value)}`])];
    case "json_schema":
      return typeof schema === "string" ? [`(${schema})`] : [];
    default:
      return [];
  }
}

const cut = (text: string) => shortened(text, mostCharacters);
const short = (value: unknown) => cut(describeValue(value));

/**
 * The names made different from each other: by their thresholds where these differ and are given, else by a number.
 *
 * @example
 * uniqueNames([{ name: "bleu", threshold: 0.3 }, { name: "bleu", threshold: 0.6 }]) // ["bleu (0.3)", "bleu (0.6)"]
 * uniqueNames([{ name: "bleu" }, { name: "bleu" }]) // ["bleu", "bleu #2"]
 */
export function uniqueNames(metrics: readonly { readonly name: string; readonly threshold?: number }[]): string[] {
  const names = metrics.map(({ name, threshold }) => {
    const same = metrics.filter((other) => other.name === name);
    const differ = new Set(same.map((other) => other.threshold)).size > 1;
    return differ && threshold !== undefined ? `${name} (${threshold})` : name;
  });
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let number = 2; taken.has(unique); number++) unique = `${name} #${number}`;
    taken.add(unique);
    return unique;
  });
}
