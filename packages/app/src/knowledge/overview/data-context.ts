import { formatContextProblem, type OpenedContext } from "@bridle/context";
import { formatPosition, isBridleError } from "@bridle/protocol";
import { z } from "zod";
import type { ProjectContext } from "../../context/project-context.ts";
import { type ListedMetrics, listedMetricsSchema } from "../../metrics/list-metrics.ts";
import { describeConnections } from "../../warehouses/context-status.ts";
import { configuredSources, describeIngest } from "../../warehouses/describe-ingest.ts";
import { contextStatusSchema } from "../../warehouses/knowledge-schemas.ts";
import { withKnowledge } from "../../warehouses/open-knowledge.ts";
import { hasIngested } from "../provenance/open-ingest-state.ts";
import type { ListedContradictions } from "../provenance/provenance-results.ts";
import { listContradictions } from "../provenance/review-contradictions.ts";

const count = z.int().nonnegative();

export const contextOverviewSchema = z.object({
  connections: contextStatusSchema.shape.connections,
  sources: contextStatusSchema.shape.sources,
  ingest: contextStatusSchema.shape.ingest,
  counts: z.object({
    tables: count,
    joins: count,
    joinsToReview: count,
    models: count,
    measures: count.describe("Measures and metrics of the models."),
    pages: count,
    contradictions: count.nullable().describe("null if it cannot be read: `ingestProblem` has the reason."),
  }),
  ingestProblem: z
    .string()
    .nullable()
    .describe("Why the stored results of ingest, or the file of decisions, cannot be read, and the remedy."),
  problems: z
    .array(z.string())
    .readonly()
    .describe("What is wrong in the files of context/, each as one sentence with its place."),
});
export type ContextOverview = z.output<typeof contextOverviewSchema>;

/** Counts the known facts about the project's data, and lists problems in its files. Opens no connection. */
export async function describeDataContext(context: ProjectContext): Promise<ContextOverview> {
  const { fileProblems, connections } = await describeConnections(context);
  const { contradictions, ...ingest } = await readIngest(context);
  return withKnowledge(context, (opened) => {
    const models = usableModels(opened);
    const scans = connections.flatMap(({ scan }) => scan ?? []);
    const sum = (key: "tables" | "joins" | "joinsToReview") => scans.reduce((total, scan) => total + scan[key], 0);
    return contextOverviewSchema.parse({
      connections,
      ...ingest,
      counts: {
        tables: sum("tables"),
        joins: sum("joins"),
        joinsToReview: sum("joinsToReview"),
        models: models.length,
        measures: models.reduce((total, { measures }) => total + measures.length, 0),
        pages: opened.wiki.all().length,
        contradictions,
      },
      problems: [
        ...fileProblems,
        ...opened.wiki.problems.map(formatContextProblem),
        ...opened.metrics.problems.map(({ message, position }) => `${formatPosition(position)}: ${message}`),
      ],
    });
  });
}

/** Reads the data that ingest has stored. Parts that cannot be read are left out. */
async function readIngest(context: ProjectContext) {
  const ingest = await orConfigProblem(describeIngest(context.project));
  const listed = await orConfigProblem(listOpenContradictions(context));
  return {
    ...(ingest.value ?? { sources: configuredSources(context.project), ingest: null }),
    contradictions: listed.value?.contradictions.length ?? null,
    ingestProblem: ingest.problem ?? listed.problem ?? null,
  };
}

/** Returns the result, or the message of the ConfigError that was thrown. */
async function orConfigProblem<T>(
  reading: Promise<T>,
): Promise<{ readonly value?: T | undefined; readonly problem?: string | undefined }> {
  try {
    return { value: await reading };
  } catch (error) {
    if (isBridleError(error) && error.code === "config") return { problem: error.message };
    throw error;
  }
}

/** Lists the models without their invalid parts. Empty if there are none. */
export function listUsableMetrics(context: ProjectContext): Promise<ListedMetrics> {
  return withKnowledge(context, (opened) => listedMetricsSchema.parse({ models: usableModels(opened) }));
}

/** Lists unresolved contradictions. Empty if nothing was ingested. */
export async function listOpenContradictions(context: ProjectContext): Promise<ListedContradictions> {
  await context.project.requireOwnState();
  return (await hasIngested(context)) ? listContradictions(context) : { contradictions: [] };
}

function usableModels(opened: OpenedContext): ReturnType<OpenedContext["metrics"]["list"]> {
  try {
    return opened.metrics.list();
  } catch (error) {
    if (isBridleError(error) && error.code === "config") return []; // no models, or none without a fault
    throw error;
  }
}
