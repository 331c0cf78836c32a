/** The known facts about the project's data: tables, joins, metrics, pages, and contradictions between documents. Read-only. */
import {
  contextOverviewSchema,
  describeDataContext,
  explainedKeySchema,
  explainKnowledge,
  listedContradictionsSchema,
  listedPagesSchema,
  listOpenContradictions,
  listUsableMetrics,
  listWikiPages,
  readWikiPage,
  shownPageSchema,
} from "@bridle/app/knowledge";
import { listedMetricsSchema, planMetrics, plannedAnswerSchema } from "@bridle/app/metrics";
import {
  foundKnowledgeSchema,
  listedJoinsSchema,
  listedTableSchema,
  listJoins,
  listTables,
  searchKnowledge,
  shownTableSchema,
  showTable,
} from "@bridle/app/warehouses";
import { isBridleError } from "@bridle/protocol";
import { z } from "zod";
import { RequestProblem } from "../http/problem.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { numberInQuery, pageLimit, parseCursor, replyRedacted, toCursor } from "./replies.ts";

const name = z.string().min(1).max(1000);
const next = z.string().nullable().describe("The cursor of the next page.");

/** Converts the error for an unknown name to a 404, because the request itself is valid. */
async function findNamed<T>(code: string, found: Promise<T>): Promise<T> {
  try {
    return await found;
  } catch (error) {
    if (isBridleError(error) && error.code === "not_found") throw new RequestProblem(404, code, error.message);
    throw error;
  }
}

const overview = defineRoute({
  method: "GET",
  path: "/context",
  summary: "Counts the known facts about the project's data, and lists the problems in its files. Opens no connection.",
  role: "viewer",
  replies: { 200: contextOverviewSchema },
  handle: async ({ workspace }) => replyRedacted(workspace, await describeDataContext(workspace.context)),
});

export const tablePageSchema = z.object({ tables: z.array(listedTableSchema).readonly(), next });
const afterTable = z.strictObject({ after: z.string() });

const tables = defineRoute({
  method: "GET",
  path: "/context/tables",
  summary:
    "Lists the tables that scans found, in the order of their identifiers, with the names and types of their columns.",
  role: "viewer",
  query: z.strictObject({ cursor: z.string().optional(), limit: pageLimit(500, 200) }),
  replies: { 200: tablePageSchema },
  async handle({ workspace, query: { cursor, limit } }) {
    const after = parseCursor(cursor, afterTable)?.after;
    const page = await listTables({ after, limit }, workspace.context);
    const place = page.last === undefined ? null : toCursor({ after: page.last });
    return replyRedacted(workspace, { tables: page.tables, next: place });
  },
});

const table = defineRoute({
  method: "GET",
  path: "/context/table",
  summary: "All known facts about one table: its columns with their values, its key and its joins.",
  role: "viewer",
  query: z.strictObject({ table: name.describe("Its identifier, or its name if only one table has it.") }),
  replies: { 200: shownTableSchema },
  async handle({ workspace, query }) {
    const found = await findNamed("no-such-table", showTable(query.table, workspace.context));
    return replyRedacted(workspace, found);
  },
});

const joins = defineRoute({
  method: "GET",
  path: "/context/joins",
  summary: "Lists joins with their evidence, most certain first.",
  role: "viewer",
  query: z.strictObject({
    table: name.optional().describe("Only joins of this table."),
    review: z.enum(["true", "false"]).optional().describe("Only joins that a person should look at."),
  }),
  replies: { 200: listedJoinsSchema },
  async handle({ workspace, query }) {
    const selection = { table: query.table, review: query.review === "true" };
    const found = await findNamed("no-such-table", listJoins(selection, workspace.context));
    return replyRedacted(workspace, found);
  },
});

const metrics = defineRoute({
  method: "GET",
  path: "/context/metrics",
  summary: "Lists the models of metrics with their measures, dimensions and joins.",
  role: "viewer",
  replies: { 200: listedMetricsSchema },
  handle: async ({ workspace }) => replyRedacted(workspace, await listUsableMetrics(workspace.context)),
});

const plan = defineRoute({
  method: "GET",
  path: "/context/metrics/plan",
  summary: "Compiles measures by dimensions to a statement, or explains why no correct statement exists. Runs nothing.",
  role: "viewer",
  query: z.strictObject({
    measures: name.describe("Measures as model.name, with commas between them."),
    dimensions: name.optional().describe("Dimensions as model.name, with commas between them."),
  }),
  replies: { 200: plannedAnswerSchema },
  async handle({ workspace, query: { measures, dimensions } }) {
    const asked = { measures: measures.split(","), ...(dimensions && { dimensions: dimensions.split(",") }) };
    return replyRedacted(workspace, await planMetrics({ query: asked }, workspace.context));
  },
});

const pages = defineRoute({
  method: "GET",
  path: "/context/pages",
  summary: "Lists the pages about the data with their sources, including pages hidden from agents.",
  role: "viewer",
  replies: { 200: listedPagesSchema },
  handle: async ({ workspace }) => replyRedacted(workspace, await listWikiPages(workspace.context)),
});

const page = defineRoute({
  method: "GET",
  path: "/context/page",
  summary: "A page with its text.",
  role: "viewer",
  query: z.strictObject({ page: name.describe("Its name, file or title.") }),
  replies: { 200: shownPageSchema },
  async handle({ workspace, query }) {
    return replyRedacted(workspace, await findNamed("no-such-page", readWikiPage(query.page, workspace.context)));
  },
});

const contradictions = defineRoute({
  method: "GET",
  path: "/context/contradictions",
  summary: "Lists statements that contradict each other and wait for a decision.",
  role: "viewer",
  replies: { 200: listedContradictionsSchema },
  handle: async ({ workspace }) => replyRedacted(workspace, await listOpenContradictions(workspace.context)),
});

const why = defineRoute({
  method: "GET",
  path: "/context/why",
  summary: "The evidence for a fact: the statements about it, and the document quotes that support them.",
  role: "viewer",
  query: z.strictObject({ key: name.describe("A page, a table, a column, a join, a model, or an entry of one.") }),
  replies: { 200: explainedKeySchema },
  async handle({ workspace, query }) {
    return replyRedacted(
      workspace,
      await findNamed("nothing-ingested", explainKnowledge(query.key, workspace.context)),
    );
  },
});

const search = defineRoute({
  method: "GET",
  path: "/context/search",
  summary: "Searches tables, metrics and pages as an agent would. A read-only token can use only the mode keyword.",
  role: "viewer",
  query: z.strictObject({
    query: z.string().min(1).max(2000),
    limit: numberInQuery.pipe(z.int().min(1).max(50)).optional().describe("The most of each kind. Default: 8."),
    mode: z
      .enum(["keyword"])
      .optional()
      .describe("Words alone. Default: also meanings, if the project has an embedder."),
  }),
  replies: { 200: foundKnowledgeSchema },
  async handle({ workspace, query: { query, limit = 8, mode }, caller, signal }) {
    const onlyWords = mode === "keyword" || caller.role === "viewer"; // an embedder is a model, and each request costs
    const isRehearsed = workspace.rehearse !== undefined;
    const asked = { query, limit, onlyWords, isRehearsed, signal };
    const found = await findNamed("nothing-scanned", searchKnowledge(asked, workspace.context));
    return replyRedacted(workspace, found);
  },
});

export const dataContextRoutes: readonly Route[] = [
  overview,
  tables,
  table,
  joins,
  metrics,
  plan,
  pages,
  page,
  contradictions,
  why,
  search,
];
