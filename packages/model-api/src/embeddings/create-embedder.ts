import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import { type Embedder, type Embeddings, InvalidRequestError, StoppedError } from "@bridle/core";
import { askForBatch } from "./batch-request.ts";
import { batchesOf } from "./batches.ts";
import { untilItsEnd } from "./call-end.ts";
import { checkOptions } from "./check-options.ts";
import { inParallel } from "./in-parallel.ts";
import { openModel } from "./models.ts";
import { createNoEmbedder } from "./no-embedder.ts";
import type { EmbedderOptions, HostedEmbedderOptions } from "./options.ts";
import { checkLengths } from "./vectors.ts";

const defaultBatchSize = 128;
/** OpenAI takes 300,000 tokens in one request, and no more. */
const batchBytes = 300_000;
/** Of one call. The account's own bound stands above it. */
const parallelRequests = 4;

/**
 * Makes an embedder. Nothing is loaded and nothing is sent before the first text.
 *
 * @throws ConfigError for a setting that cannot work.
 * @example
 * const embedder = createEmbedder({ backend: "openai", model: "text-embedding-3-small", apiKey });
 * const { vectors } = await embedder.embed(["a text", "another"]);
 */
export function createEmbedder(options: EmbedderOptions): Embedder {
  checkOptions(options);
  return options.backend === "none" ? createNoEmbedder() : createHostedEmbedder(options);
}

function createHostedEmbedder(options: HostedEmbedderOptions): Embedder {
  const { backend: id, model: name, dimensions, batchSize = defaultBatchSize } = options;
  const closing = new AbortController();
  let opened: Promise<EmbeddingModelV4> | undefined;
  let known: number | undefined;
  const calls = new Set<Promise<unknown>>();

  async function embedTexts(texts: readonly string[], signal: AbortSignal): Promise<Embeddings> {
    opened ??= openModel(options);
    const model = await opened;
    const most = (await model.maxEmbeddingsPerCall) ?? Number.POSITIVE_INFINITY;
    const batches = batchesOf(texts, { texts: Math.min(batchSize, most), bytes: batchBytes });
    const answers = await inParallel(batches, parallelRequests, signal, (values, abortSignal) =>
      askForBatch(model, { values, dimensions, abortSignal }),
    );
    const vectors = answers.flatMap((answer) => answer.vectors);
    checkLengths(vectors, name, { asked: dimensions, known });
    known = vectors[0]?.length;
    return { vectors, usage: { inputTokens: answers.reduce((sum, { inputTokens }) => sum + inputTokens, 0) } };
  }

  return {
    id,
    model: name,
    account: "",
    async embed(texts, callOptions = {}) {
      if (closing.signal.aborted) throw new InvalidRequestError("The embedder is closed. Make a new one.");
      checkTexts(texts);
      if (texts.length === 0) return { vectors: [], usage: { inputTokens: 0 } };
      const call = untilItsEnd(callOptions, closing.signal, (signal) => embedTexts(texts, signal));
      calls.add(call);
      return call.finally(() => calls.delete(call));
    },
    async close() {
      closing.abort(new StoppedError("The call for embeddings was stopped: the embedder was closed."));
      await Promise.allSettled(calls);
    },
  };
}

function checkTexts(texts: readonly string[]): void {
  const empty = texts.indexOf("");
  if (empty === -1) return;
  throw new InvalidRequestError(`The text at index ${empty} is empty, and has no meaning to embed. Leave it out.`);
}
