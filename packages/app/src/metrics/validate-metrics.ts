import { formatPosition } from "@bridle/protocol";
import { z } from "zod";
import type { ProjectContext } from "../context/project-context.ts";
import { openDataContext } from "../warehouses/open-data-context.ts";

export const validatedMetricsSchema = z.object({
  /** Whether the models have no problems of any kind. */
  ok: z.boolean(),
  /** Problems in the files, each as one sentence with its position. If there are any, no statement is executed. */
  problems: z.array(z.string()).readonly(),
  /** Declared keys that the data contradict, with the number of contradictions. */
  violations: z.array(z.string()).readonly(),
  /** The value of each measure and metric over all rows; for metrics over time, the value of the last period. */
  measures: z
    .array(
      z.object({
        name: z.string(),
        connection: z.string(),
        value: z.json().optional(),
        problem: z.string().optional(),
      }),
    )
    .readonly(),
});
export type ValidatedMetrics = z.output<typeof validatedMetricsSchema>;

/** Checks the models: their files, their columns, their keys in the data, and each measure. Throws ConfigError if there are no models. */
export async function validateMetrics(
  { signal }: { readonly signal: AbortSignal },
  context: ProjectContext,
): Promise<ValidatedMetrics> {
  const opened = await openDataContext(context, { embedder: "none" });
  try {
    const problems = opened.metrics.problems.map(({ message, position }) => `${formatPosition(position)}: ${message}`);
    if (problems.length > 0) return { ok: false, problems, violations: [], measures: [] };
    const { measures, violations } = await opened.metrics.check({ signal });
    const ok = violations.length === 0 && measures.every(({ problem }) => problem === undefined);
    return validatedMetricsSchema.parse({ ok, problems, violations, measures });
  } finally {
    await opened.close();
  }
}
