import type { MetricDefinition } from "@bridle/protocol";
import type { z } from "zod";
import type { metrics } from "./registry.ts";

/** The keys that every metric has. */
interface CommonConfig {
  enabled?: boolean;
  threshold?: number;
  fail_on_error?: true;
}

type ConfigOf<Definition, Model> =
  Definition extends MetricDefinition<infer Name, infer Type, infer Shape, infer Alias>
    ? CommonConfig & Discriminators<Name | Alias, Type> & Settings<Shape> & JudgeSettings<Type, Model>
    : never;

/** Zod gives objects without keys an index signature, with which no other key would be compatible. */
type Settings<Shape extends z.ZodRawShape> = keyof Shape extends never ? unknown : z.output<z.ZodObject<Shape>>;

type JudgeSettings<Type, Model> = Type extends "standard" | "code" ? unknown : { model?: Model };

type Discriminators<Name, Type> = { type: Type } & (Type extends "standard"
  ? { metric: Name }
  : Type extends "rag"
    ? { metric_type: Name }
    : unknown);

/** A metric as an agent file contains it, for all metrics of the registry. `Model` is the type of a judge's model. */
export type DefinedMetricConfig<Model> = ConfigOf<(typeof metrics)[number], Model>;
