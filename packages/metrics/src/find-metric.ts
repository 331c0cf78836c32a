import { ConfigError, type MetricDefinition, type MetricUnit, suggestion } from "@bridle/protocol";
import { z } from "zod";
import { metricGroups } from "./groups.ts";
import { metrics } from "./registry.ts";

/** A metric in an agent file, with any settings. */
export interface AnyMetricConfig {
  readonly type: string;
}

/** Finds the definition of a metric in an agent file. Throws ConfigError if the registry does not contain it. */
export function findMetric(config: AnyMetricConfig, registry: readonly MetricDefinition[] = metrics): MetricDefinition {
  const { key = "type" } = metricGroups[config.type] ?? {};
  const name = String(Reflect.get(config, key));
  const found = registry.find((each) => each.type === config.type && namesOf(each).includes(name));
  if (found !== undefined) return found;
  const names = registry.filter(({ type }) => key === "type" || type === config.type).flatMap(namesOf);
  throw new ConfigError(`There is no metric ${name}.${suggestion(name, names)}`, { field: key });
}

/** Returns the names that an agent file may use for a metric. */
export function namesOf({ name, aliases = [] }: MetricDefinition): readonly string[] {
  return [name, ...aliases];
}

/** Parses a metric's own settings from its mapping in an agent file. Throws if they do not match the metric's schema. */
export function settingsOf({ settings }: MetricDefinition, config: AnyMetricConfig): Record<string, unknown> {
  const given = Object.entries(config).filter(([key, value]) => Object.hasOwn(settings, key) && value !== undefined);
  return z.strictObject(settings).parse(Object.fromEntries(given));
}

/** Finds the unit that results store under this id. */
export function findUnit(id: string): MetricUnit | undefined {
  return metrics.find(({ unit }) => unit?.id === id)?.unit ?? undefined;
}
