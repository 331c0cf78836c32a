import { NotFoundError, nearest } from "@bridle/protocol";
import { z } from "zod";
import type { ProjectContext } from "../context/project-context.ts";
import { withKnowledge } from "../warehouses/open-knowledge.ts";

const described = { name: z.string(), description: z.string().optional() };

export const shownModelSchema = z.object({
  ...described,
  connection: z.string(),
  /** `schema.table`; absent if the rows come from a statement. */
  table: z.string().optional(),
  /** The statement that computes the rows of the model. */
  sql: z.string().optional(),
  /** Measures and metrics, each with its formula in words. */
  measures: z.array(z.object({ name: z.string(), formula: z.string(), description: z.string().optional() })).readonly(),
  dimensions: z
    .array(z.object({ name: z.string(), type: z.string().optional(), description: z.string().optional() }))
    .readonly(),
  segments: z.array(z.object(described)).readonly(),
  joins: z.array(z.object({ name: z.string(), to: z.string(), relationship: z.string() })).readonly(),
  /** The time dimension of metrics over time. */
  defaultTime: z.string().optional(),
});
export type ShownModel = z.output<typeof shownModelSchema>;

export const listedMetricsSchema = z.object({ models: z.array(shownModelSchema).readonly() });
export type ListedMetrics = z.output<typeof listedMetricsSchema>;

/** Lists the models in `context/models`. Throws ConfigError if a model is invalid or there is none. */
export function listMetrics(context: ProjectContext): Promise<ListedMetrics> {
  return withKnowledge(context, (opened) => listedMetricsSchema.parse({ models: opened.metrics.list() }));
}

/** Selects a model, or only one of its measures, metrics or dimensions. Throws InvalidRequestError if none has the name. */
export async function showModel(name: string, context: ProjectContext): Promise<ShownModel> {
  const { models } = await listMetrics(context);
  const whole = models.find((model) => model.name === name);
  if (whole) return whole;
  for (const model of models) {
    const measures = model.measures.filter((each) => each.name === name);
    const dimensions = model.dimensions.filter((each) => each.name === name);
    if (measures.length + dimensions.length > 0) return { ...model, measures, dimensions, segments: [], joins: [] };
  }
  const known = models.flatMap((model) => [
    model.name,
    ...[...model.measures, ...model.dimensions].map((each) => each.name),
  ]);
  const close = nearest(name, known, 3);
  const remedy = close.length > 0 ? `Did you mean ${close.join(" or ")}?` : "List them with bridle metrics list.";
  throw new NotFoundError(`There is no model, measure or dimension ${name}. ${remedy}`);
}
