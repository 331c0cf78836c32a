import type { Documents, OnProgress, UpdateReport } from "@bridle/documents";
import { type AnyTool, defineTool } from "@bridle/protocol";
import { z } from "zod";
import type { OpenedTools, Surroundings } from "../opening/opened-tools.ts";
import { sourcesOf } from "./document-index.ts";
import type { DocumentsToolConfig } from "./documents-config.ts";
import { sayHits } from "./format-hits.ts";
import { type DocumentsServices, openAgentDocuments } from "./open-agent-documents.ts";

/** The first search of a run waits until the index is what the documents are, which may take long for many. */
const timeoutMs = 3_600_000;
const progressEveryMs = 1000;
const defaultTopK = 5;

/**
 * Documents as a tool that searches them. Nothing is read before the first search; each run's first one brings the index
 * up to date. Throws ConfigError.
 */
export async function openDocumentsTool(
  config: DocumentsToolConfig,
  surroundings: Surroundings,
  services: DocumentsServices = {},
): Promise<OpenedTools> {
  const { logger } = surroundings;
  const documents = await openAgentDocuments(config, surroundings, services);
  return {
    tools: [searchTool(config, documents, surroundings)],
    close: () =>
      documents
        .close()
        .catch((error: unknown) => logger.warn({ tool: config.name }, `The documents did not close: ${String(error)}`)),
  };
}

function searchTool(config: DocumentsToolConfig, documents: Documents, { logger }: Surroundings): AnyTool {
  const { name, top_k = defaultTopK } = config;
  const minScore = config.min_score ?? config.min_similarity_score;
  const told = new Set<string>();
  let updatedFor: string | undefined;

  /** What the model and its person have to know of the index, once for each file. */
  function notesOf({ failed }: UpdateReport): readonly string[] {
    const fresh = failed.map(({ problem }) => problem).filter((problem) => !told.has(problem));
    for (const problem of fresh) {
      told.add(problem);
      logger.warn({ tool: name }, problem);
    }
    return fresh;
  }

  return defineTool({
    name,
    description: config.description ?? `Searches documents: ${sourcesOf(config).join(", ")}.`,
    input: z.object({
      query: z.string().trim().min(1).describe("What to look for: a question, or words that stand in the text."),
      top_k: z.int().min(1).max(100).optional().describe(`How many parts to get, at most. Default: ${top_k}.`),
    }),
    annotations: { readOnly: true, idempotent: true },
    timeoutMs,
    async execute(input, { signal, runId, progress }) {
      let notes: readonly string[] = [];
      if (updatedFor !== runId) {
        notes = notesOf(await documents.update({ signal, onProgress: tellEvery(progress) }));
        updatedFor = runId;
      }
      const hits = await documents.search(input.query, {
        topK: input.top_k ?? top_k,
        ...(minScore !== undefined && { minScore }),
        signal,
      });
      return sayHits(hits, notes);
    },
  });
}

/** A line a second, not before one has passed. */
function tellEvery(progress: (message: string) => void): OnProgress {
  let last = performance.now();
  return ({ done, total }) => {
    const now = performance.now();
    if (now - last < progressEveryMs) return;
    last = now;
    progress(`reading documents: ${done} of ${total}`);
  };
}
