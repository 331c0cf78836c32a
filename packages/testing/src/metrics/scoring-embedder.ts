import { type AgentDefinition, agentEmbeddings } from "@bridle/agent";
import type { Project } from "@bridle/project";
import type { Embedder, ScoringVectors } from "@bridle/protocol";
import { MetricError } from "../result/planned-metric.ts";

/** The embedder of metrics that compare vectors. */
export interface ScoringEmbedder {
  /** Rejects with a MetricError if none is configured, or with the error of the embedder. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<ScoringVectors>;
  close(): Promise<void>;
}

/** A hosted embedder that answers nothing for longer has failed. */
const timeoutMs = 120_000;

const noEmbedder =
  "there is no embedder, which makes the vectors that are compared. Write embeddings in bridle.yaml, or embedding_provider in the agent's file.";

/** Stands for an embedder if none is configured. */
export const missingEmbedder: Pick<ScoringEmbedder, "embed"> = {
  async embed() {
    throw new MetricError(noEmbedder);
  },
};

/** The embedder of the agent's file, else that of `bridle.yaml`. It is opened with the first texts. */
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
