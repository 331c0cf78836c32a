import type { Documents, OnProgress, UpdateReport } from "@bridle/documents";
import {
  type AnyTool,
  defineTool,
  type Logger,
  type OpenedTools,
  type ToolContext,
  type ToolKindContext,
  type ToolOutput,
} from "@bridle/protocol";
import { z } from "zod";
import { type DocumentsToolConfig, sourcesOf } from "./documents-config.ts";
import { formatHits } from "./format-hits.ts";
import { openAgentDocuments } from "./open-agent-documents.ts";

/** The time limit of a call. The first search of a run waits until the index is updated, which can take long with many documents. */
const timeoutMs = 3_600_000;
const progressEveryMs = 1000;
const defaultTopK = 5;

/**
 * Opens documents as a tool that searches them. Reads no document before the first search. The first search of each run updates the index.
 * Throws ConfigError.
 */
export async function openDocumentsTool(config: DocumentsToolConfig, context: ToolKindContext): Promise<OpenedTools> {
  const { logger } = context;
  const documents = await openAgentDocuments(config, context);
  return {
    tools: [searchTool(config, new DocumentSearch(config, documents, logger))],
    close: () =>
      documents
        .close()
        .catch((error: unknown) => logger.warn({ tool: config.name }, `The documents did not close: ${String(error)}`)),
  };
}

function searchTool(config: DocumentsToolConfig, search: DocumentSearch): AnyTool {
  const {
    name,
    top_k = defaultTopK,
    description = `Search these documents: ${sourcesOf(config).join(", ")}.`,
  } = config;
  return defineTool({
    name,
    description,
    input: z.object({
      query: z.string().trim().min(1).describe("A question, or words that the text contains."),
      top_k: z
        .int()
        .min(1)
        .max(100)
        .optional()
        .describe(`The maximum number of passages to return. Default: ${top_k}.`),
    }),
    annotations: { readOnly: true, idempotent: true },
    timeoutMs,
    execute: (input, context) => search.run(input.query, input.top_k ?? top_k, context),
  });
}

/** Searches the documents of one entry, and updates the index before the first search of each run. */
class DocumentSearch {
  readonly #documents: Documents;
  readonly #logger: Logger;
  readonly #tool: string;
  readonly #minScore: number | undefined;
  readonly #reported = new Set<string>();
  #updatedFor: string | undefined;

  constructor(config: DocumentsToolConfig, documents: Documents, logger: Logger) {
    this.#documents = documents;
    this.#logger = logger;
    this.#tool = config.name;
    this.#minScore = config.min_score ?? config.min_similarity_score;
  }

  async run(query: string, topK: number, context: ToolContext): Promise<ToolOutput> {
    const notes = await this.#update(context);
    const hits = await this.#documents.search(query, { topK, minScore: this.#minScore, signal: context.signal });
    return formatHits(hits, notes);
  }

  async #update({ runId, signal, progress }: ToolContext): Promise<readonly string[]> {
    if (this.#updatedFor === runId) return [];
    const report = await this.#documents.update({ signal, onProgress: throttled(progress) });
    this.#updatedFor = runId;
    return this.#newProblems(report);
  }

  /** Problems that neither the model nor the log has received yet. The model only gets those of files that were not read. */
  #newProblems({ failed, warnings }: UpdateReport): readonly string[] {
    this.#logNew(warnings);
    return this.#logNew(failed);
  }

  /** Logs each problem once, and returns those that are new. */
  #logNew(files: UpdateReport["failed"]): readonly string[] {
    const fresh = files.map(({ problem }) => problem).filter((problem) => !this.#reported.has(problem));
    for (const problem of fresh) {
      this.#reported.add(problem);
      this.#logger.warn({ tool: this.#tool }, problem);
    }
    return fresh;
  }
}

/** Limits how often a message is sent: at most once a second, and never in the first second. */
function throttled(progress: (message: string) => void): OnProgress {
  let last = performance.now();
  return ({ done, total }) => {
    const now = performance.now();
    if (now - last < progressEveryMs) return;
    last = now;
    progress(`reading documents: ${done} of ${total}`);
  };
}
