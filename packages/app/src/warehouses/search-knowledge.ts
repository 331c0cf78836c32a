import { describeFound, metricKinds, type OpenedContext } from "@bridle/context";
import { z } from "zod";
import type { ProjectContext } from "../context/project-context.ts";
import { foundPageSchema } from "../knowledge/pages/page-results.ts";
import { findPages } from "../knowledge/pages/wiki-pages.ts";
import { nothingScanned } from "./find-table.ts";
import { listedJoinSchema } from "./knowledge-schemas.ts";
import { openDataContext } from "./open-data-context.ts";

export const foundKnowledgeSchema = z.object({
  query: z.string(),
  tables: z
    .array(
      z.object({
        id: z.string(),
        kind: z.enum(["table", "view"]),
        rows: z.number().optional(),
        description: z.string().optional(),
        columns: z.array(z.string()).readonly(),
        score: z.number(),
      }),
    )
    .readonly(),
  /** The metrics, measures, dimensions and models that were found. */
  metrics: z
    .array(
      z.object({
        kind: z.enum(["metric", "dimension", "model"]),
        name: z.string(),
        /** The formula of a metric. */
        formula: z.string().optional(),
        description: z.string().optional(),
        score: z.number(),
      }),
    )
    .readonly(),
  /** Joins between the tables that were found. */
  joins: z.array(listedJoinSchema).readonly(),
  /** The pages, each with its best matching section. */
  pages: z.array(foundPageSchema).readonly(),
});
export type FoundKnowledge = z.output<typeof foundKnowledgeSchema>;

interface SearchRequest {
  readonly query: string;
  readonly limit: number;
  /**
   * Whether to search only by words. By default, the search also compares meanings if the project has an embedding model, which then
   * receives the query.
   */
  readonly onlyWords?: boolean | undefined;
  /** Whether a script replaces the models. No remote embedding model is used then. Default: false. */
  readonly isRehearsed?: boolean | undefined;
  readonly signal: AbortSignal;
}

/**
 * Searches the knowledge about the warehouses, as an agent would. `limit` is the maximum number of tables, of metrics and of pages.
 *
 * @throws InvalidRequestError if nothing has been scanned.
 */
export async function searchKnowledge(
  { query, limit, onlyWords = false, isRehearsed = false, signal }: SearchRequest,
  context: ProjectContext,
): Promise<FoundKnowledge> {
  const opened = await openDataContext(context, { isRehearsed, ...(onlyWords && { embedder: "none" as const }) });
  try {
    const known = opened.knowledge.connections();
    const isScanned = known.some(({ scannedAt, tables }) => scannedAt !== undefined || tables > 0);
    if (!isScanned && opened.wiki.all().length === 0) throw nothingScanned();
    const hits = await opened.search(query, { limit, kinds: ["table"], signal });
    const tables = hits.flatMap(({ id, score }) => {
      const table = opened.describe(id)?.table;
      if (table === undefined) return [];
      const columns = table.columns.map(({ name }) => name);
      return [{ ...table, description: table.description?.text, columns, score }];
    });
    const found = new Set(tables.map(({ id }) => id));
    const joins = opened.knowledge.joins().filter(({ from, to }) => found.has(from.table) && found.has(to.table));
    const metrics = await findMetrics(opened, { query, limit, signal });
    const pages = await findPages(opened, { query, limit, signal });
    return foundKnowledgeSchema.parse({ query, tables, metrics, joins, pages });
  } finally {
    await opened.close();
  }
}

async function findMetrics(opened: OpenedContext, { query, limit, signal }: SearchRequest) {
  const hits = await opened.search(query, { limit, kinds: metricKinds, signal });
  if (hits.length === 0) return [];
  const models = opened.metrics.list();
  return hits.flatMap((hit) => {
    const found = describeFound(hit, models);
    return found ? [{ ...found, score: hit.score }] : [];
  });
}
