import type { EmbeddingModelV4, EmbeddingModelV4Result } from "@ai-sdk/provider";
import { readFailure } from "../errors/read-failure.ts";
import { type RequestFacts, toRequestError } from "../errors/request-error.ts";
import { delayBefore, type Pauses } from "../request/retry.ts";
import { malformedVectorsError, readVectors } from "./vectors.ts";

export interface BatchRequest {
  readonly model: EmbeddingModelV4;
  readonly dimensions: number | undefined;
  readonly facts: RequestFacts;
  readonly maxAttempts: number;
  readonly pauses: Pauses;
}

export interface EmbeddedBatch {
  readonly vectors: Float32Array[];
  readonly inputTokens: number;
}

/** Embeds one batch, and retries temporary failures. Rejects with a BridleError, or with the signal's reason if the signal is aborted. */
export async function embedBatch(request: BatchRequest, values: string[], signal: AbortSignal): Promise<EmbeddedBatch> {
  const { model, facts, maxAttempts, pauses } = request;
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await sendBatch(request, values, signal);
      return { vectors: readVectors(result, facts.model, values.length), inputTokens: result.usage?.tokens ?? 0 };
    } catch (thrown) {
      signal.throwIfAborted();
      const error = malformedVectorsError(thrown, model.modelId) ?? toRequestError(thrown, facts);
      const { headers } = readFailure(thrown);
      const delayMs = delayBefore(attempt + 1, { error, headers, random: pauses.random() });
      if (attempt >= maxAttempts || delayMs === undefined) throw error;
      await pauses.wait(delayMs, signal);
    }
  }
}

/** Sends a batch. Passes the dimensions twice, because the Azure provider's model (4.0.85) reads only OpenAI's options. */
async function sendBatch({ model, dimensions }: BatchRequest, values: string[], abortSignal: AbortSignal) {
  const sized = dimensions === undefined ? {} : { dimensions, providerOptions: { openai: { dimensions } } };
  const result: EmbeddingModelV4Result = await model.doEmbed({ values, abortSignal, ...sized });
  return result;
}
