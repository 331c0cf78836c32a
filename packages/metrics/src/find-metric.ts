import { ConfigError, type MetricDefinition, type MetricUnit, suggestion } from "@bridle/protocol";
import { z } from "zod";
import { metricGroups } from "./groups.ts";
import { metrics } from "./registry.ts";

/** A metric in an agent's file, with any settings. */
export interface AnyMetricConfig {
  readonly type: string;
}

/** The definition that a metric of an agent's file names. Throws ConfigError if the registry does not have it. */
export function findMetric(config: AnyMetricConfig, registry: readonly MetricDefinition[] = metrics): MetricDefinition {
  const { key = "type" } = metricGroups[config.type] ?? {};
  const name = String(Reflect.get(config, key));
  const found = registry.find((each) => each.type === config.type && namesOf(each).includes(name));
  if (found !== undefined) return found;
  const names = registry.filter(({ type }) => key === "type" || type === config.type).flatMap(namesOf);
  throw new ConfigError(`There is no metric ${name}.${suggestion(name, names)}`, { field: key });
}

/** The names that an agent's file may use for a metric. */
export function namesOf({ name, aliases = [] }: MetricDefinition): readonly string[] {
  return [name, ...aliases];
}

/** The metric's own settings in a mapping of an agent's file. Throws if they do not fit its schema. */
export function settingsOf({ settings }: MetricDefinition, config: AnyMetricConfig): Record<string, unknown> {
  const given = Object.entries(config).filter(([key, value]) => Object.hasOwn(settings, key) && value !== undefined);
  return z.strictObject(settings).parse(Object.fromEntries(given));
}

/** The unit that results store under this id. */
export function findUnit(id: string): MetricUnit | undefined {
  return metrics.find(({ unit }) => unit?.id === id)?.unit ?? undefined;
}
