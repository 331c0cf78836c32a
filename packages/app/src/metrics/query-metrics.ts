import type { MetricOutcome, OpenedContext } from "@bridle/context";
import { InvalidRequestError, type Logger } from "@bridle/protocol";
import { z } from "zod";
import type { ProjectContext } from "../context/project-context.ts";
import { openDataContext } from "../warehouses/open-data-context.ts";
import { withKnowledge } from "../warehouses/open-knowledge.ts";

export interface MetricRequest {
  readonly query: Parameters<OpenedContext["metrics"]["query"]>[0];
  readonly maxRows?: number | undefined;
  /** Whether to recompute the result even if the data have not changed. Default: false. */
  readonly noCache?: boolean | undefined;
  readonly signal: AbortSignal;
  /** Receives warnings about the connection. */
  readonly logger?: Logger | undefined;
}

const texts = z.array(z.string()).readonly();

const plan = {
  connection: z.string(),
  /** The statement that is sent to the connection. */
  sql: z.string(),
  totalsSql: z.string().optional(),
  explanation: texts,
  assumptions: texts,
};

export const plannedAnswerSchema = z.object({
  ...plan,
  /** When the cached result was stored, in ISO 8601. It is reused if the data have not changed since. */
  storedAt: z.string().optional(),
});
export type PlannedAnswer = z.output<typeof plannedAnswerSchema>;

export const metricAnswerSchema = z.object({
  columns: z
    .array(
      z.object({
        name: z.string(),
        kind: z.enum(["dimension", "measure"]),
        type: z.string(),
        /** The display format of its numbers, such as `#,##0.00`. The rows contain unformatted values. */
        format: z.string().optional(),
      }),
    )
    .readonly(),
  rows: z.array(z.array(z.json()).readonly()).readonly(),
  /** The total of each measure over all rows; null if the query requests no totals. */
  totals: z.array(z.json()).readonly().nullable(),
  /** The limit that cut off the result; null if the result is complete. */
  truncated: z.enum(["rows", "bytes"]).nullable(),
  ...plan,
  tables: texts,
  filtered: texts,
  /** Whether the rows come from an earlier run on the same data. */
  cached: z.boolean(),
  /** The duration of the run that read the rows. */
  durationMs: z.number(),
});
export type MetricAnswer = z.output<typeof metricAnswerSchema>;

/**
 * Answers a query over the project's models, in the same way as for an agent.
 *
 * @throws InvalidRequestError if the query has no correct answer; ConfigError if a model is invalid; a BridleError of the warehouse.
 */
export async function queryMetrics(
  { query, signal, logger, ...options }: MetricRequest,
  context: ProjectContext,
): Promise<MetricAnswer> {
  const opened = await openDataContext(context, { embedder: "none", logger });
  try {
    const outcome = await opened.metrics.query(query, { ...options, signal });
    refuse(outcome);
    const { totals = null, truncated = null, isCached: cached } = outcome.kind === "answered" ? outcome : {};
    return metricAnswerSchema.parse({ ...outcome, totals, truncated, cached });
  } finally {
    await opened.close();
  }
}

/** Returns the statement and the plan. Opens no connection, and does not count the keys of joins. Throws like `queryMetrics`. */
export function planMetrics({ query }: Pick<MetricRequest, "query">, context: ProjectContext): Promise<PlannedAnswer> {
  return withKnowledge(context, async (opened) => {
    const outcome = await opened.metrics.query(query, { planOnly: true });
    refuse(outcome);
    return plannedAnswerSchema.parse(outcome);
  });
}

function refuse(outcome: MetricOutcome): void {
  if (outcome.kind !== "refused") return;
  const { reason, message, paths = [] } = outcome.refusal;
  const ways = paths.length > 0 && !message.includes(paths[0] ?? "") ? ` Paths: ${paths.join("; ")}.` : "";
  throw new InvalidRequestError(`Refused (${reason}): ${message}${ways}`);
}
