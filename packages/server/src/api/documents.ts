/** The documents that agents search: their indexes and passages. */
import {
  describeDocuments,
  documentChunkSchema,
  documentsStatusSchema,
  foundDocumentsSchema,
  indexDocuments,
  indexedDocumentsSchema,
  readDocumentChunks,
  searchDocuments,
  searchModes,
} from "@bridle/app/documents";
import type { Workspace } from "@bridle/app/serving";
import { z } from "zod";
import { RequestProblem } from "../http/problem.ts";
import { defineRoute, type RequestSender, type Route } from "../http/route.ts";
import { requireFile } from "./agents.ts";
import { findAgent } from "./find-resources.ts";
import { numberInQuery, reply, replyRedacted } from "./replies.ts";
import { readKey } from "./request-key.ts";

const ofAgent = { agent: z.string().describe("The id of the agent with these documents.") };
const ofTool = { ...ofAgent, tool: z.string().optional().describe("One of its tools. Default: all with documents.") };

const silent = { onProgress() {}, onUpdated() {} };

/** Returns the agent file, and the context in which its relative path is resolved. */
function select({ context, agents }: Workspace, agent: string) {
  const file = requireFile(findAgent({ agents }, agent));
  return { file, inProject: { ...context, cwd: context.project.projectDir } };
}

/** Rejects modes that embed the query if the token may only read, because embedding sends a request to a model. */
function refuseEmbedding({ role, name }: RequestSender, mode: string | undefined): void {
  if (role === "operator" || mode === "keyword") return;
  const detail = `The token ${name} may only read, and this mode of search asks a model. Add mode=keyword.`;
  throw new RequestProblem(403, "operator-only", detail);
}

const list = defineRoute({
  method: "GET",
  path: "/documents",
  summary:
    "Describes the indexes of an agent's documents, and how far they are behind the files. The list is empty for an agent without documents. Reads no document.",
  role: "viewer",
  query: z.strictObject(ofTool),
  replies: { 200: documentsStatusSchema },
  async handle({ workspace, query: { agent, tool } }) {
    const { file, inProject } = select(workspace, agent);
    return reply(await describeDocuments({ file, tool, mayBeNone: true }, inProject));
  },
});

const search = defineRoute({
  method: "GET",
  path: "/documents/search",
  summary:
    "Searches the last index of an agent's documents as its model would. A read-only token can use only the mode keyword.",
  role: "viewer",
  query: z.strictObject({
    ...ofTool,
    query: z.string().min(1).max(2000),
    topK: numberInQuery.pipe(z.int().min(1).max(50)).optional().describe("The most passages. Default: 5."),
    mode: z.enum(searchModes).optional().describe("Default: the mode in the agent file."),
  }),
  replies: { 200: foundDocumentsSchema },
  async handle({ workspace, query: { agent, ...options }, caller, signal }) {
    const { file, inProject } = select(workspace, agent);
    refuseEmbedding(caller, options.mode);
    const found = await searchDocuments({ file, ...options, asIndexed: true }, inProject, { ...silent, signal });
    return replyRedacted(workspace, found);
  },
});

export const documentChunksSchema = z.strictObject({ file: z.string(), chunks: z.array(documentChunkSchema) });

const chunks = defineRoute({
  method: "GET",
  path: "/documents/{tool}/chunks",
  summary: "The passages of one file in the index of a tool, in their order.",
  role: "viewer",
  query: z.strictObject({ ...ofAgent, file: z.string().min(1).max(1000).describe("As a search names it.") }),
  replies: { 200: documentChunksSchema },
  async handle({ workspace, names: { tool = "" }, query }) {
    const { file, inProject } = select(workspace, query.agent);
    const found = await readDocumentChunks({ file, tool, documentFile: query.file }, inProject);
    if (found !== undefined && found.length > 0) return replyRedacted(workspace, { file: query.file, chunks: found });
    const detail =
      found === undefined ? `The documents ${tool} have no index yet.` : `The index has no file "${query.file}".`;
    throw new RequestProblem(404, "no-such-document", `${detail} "bridle documents index" updates it.`);
  },
});

const index = defineRoute({
  method: "POST",
  path: "/documents/index",
  summary: "Updates the index of an agent's documents. Only changed files are read and embedded.",
  role: "operator",
  body: z.strictObject({ ...ofTool, rebuild: z.boolean().optional().describe("Creates the index anew.") }),
  replies: { 200: indexedDocumentsSchema },
  async handle({ workspace, body: { agent, tool, rebuild = false }, headers, caller, signal }) {
    const { file, inProject } = select(workspace, agent);
    const key = readKey(headers, caller, { agent, tool, rebuild });
    const begin = () => indexDocuments({ file, tool, rebuild }, inProject, { ...silent, signal });
    return reply(await workspace.once(key, { kind: "index", resultSchema: indexedDocumentsSchema, begin }));
  },
});

export const documentRoutes: readonly Route[] = [list, search, chunks, index];
