import { type AgentDefinition, agentEmbeddings } from "@bridle/agent";
import type { Project } from "@bridle/project";
import type { Embedder, ScoringVectors } from "@bridle/protocol";
import { MetricError } from "../result/planned-metric.ts";

/** The embedding model for metrics that compare vectors. */
export interface ScoringEmbedder {
  /** Rejects with a MetricError if no embedding model is configured, or with its error. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<ScoringVectors>;
  close(): Promise<void>;
}

/** How long a hosted embedding model may take to answer before it is treated as failed. */
const timeoutMs = 120_000;

const noEmbedder =
  "there is no embedder, which makes the vectors that are compared. Write embeddings in bridle.yaml, or embedding_provider in the agent file.";

/** Takes the place of an embedding model if none is configured. */
export const missingEmbedder: Pick<ScoringEmbedder, "embed"> = {
  async embed() {
    throw new MetricError(noEmbedder);
  },
};

/** Returns the embedding model in the agent file, or else in `bridle.yaml`. It is opened for the first texts. */
export function createScoringEmbedder(
  definition: AgentDefinition,
  project: Pick<Project, "findEmbedder">,
  { isRehearsed }: { readonly isRehearsed: boolean },
): ScoringEmbedder {
  let opening: Promise<Embedder | undefined> | undefined;
  return {
    async embed(texts, signal) {
      opening ??= project.findEmbedder({ embeddings: agentEmbeddings(definition), isRehearsed });
      const embedder = await opening;
      if (embedder === undefined) return missingEmbedder.embed(texts, signal);
      const { vectors } = await embedder.embed(texts, { signal, timeoutMs });
      return { model: embedder.model, vectors };
    },
    async close() {
      const embedder = await opening?.catch(() => undefined); // the caller of embed got the error
      await embedder?.close();
    },
  };
}
