import type { EmbeddingModelV4, EmbeddingModelV4Result } from "@ai-sdk/provider";
import { readFailure } from "../errors/read-failure.ts";
import { type RequestFacts, toRequestError } from "../errors/request-error.ts";
import { delayBefore, type Pauses } from "../request/retry.ts";
import { answerWithoutVectors, vectorsOf } from "./vectors.ts";

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

/**
 * One batch, asked for again where it failed in passing. Rejects with a BridleError, or with the reason of the signal
 * when that is aborted.
 */
export async function askForBatch(
  request: BatchRequest,
  values: string[],
  signal: AbortSignal,
): Promise<EmbeddedBatch> {
  const { model, facts, maxAttempts, pauses } = request;
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await ask(request, values, signal);
      return { vectors: vectorsOf(result, facts.model, values.length), inputTokens: result.usage?.tokens ?? 0 };
    } catch (thrown) {
      signal.throwIfAborted();
      const error = answerWithoutVectors(thrown, model.modelId) ?? toRequestError(thrown, facts);
      const { headers } = readFailure(thrown);
      const delayMs = delayBefore(attempt + 1, { error, headers, random: pauses.random() });
      if (attempt >= maxAttempts || delayMs === undefined) throw error;
      await pauses.wait(delayMs, signal);
    }
  }
}

/** The dimensions are said twice: the model that the provider for Azure (4.0.85) brings reads OpenAI's options only. */
async function ask({ model, dimensions }: BatchRequest, values: string[], abortSignal: AbortSignal) {
  const asked = dimensions === undefined ? {} : { dimensions, providerOptions: { openai: { dimensions } } };
  const result: EmbeddingModelV4Result = await model.doEmbed({ values, abortSignal, ...asked });
  return result;
}
