import type { MetricDefinition } from "@bridle/protocol";
import type { z } from "zod";

/** Returns the definition unchanged. Its type keeps the name, the aliases and the settings. */
export function defineMetric<
  const Name extends string,
  const Type extends string,
  Shape extends z.ZodRawShape,
  const Alias extends string = never,
>(definition: MetricDefinition<Name, Type, Shape, Alias>): MetricDefinition<Name, Type, Shape, Alias> {
  return definition;
}
