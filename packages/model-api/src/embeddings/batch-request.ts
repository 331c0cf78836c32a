import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import { vectorsOf } from "./vectors.ts";

export interface Batch {
  readonly values: string[];
  readonly dimensions: number | undefined;
  readonly abortSignal: AbortSignal;
}

export interface EmbeddedBatch {
  readonly vectors: Float32Array[];
  readonly inputTokens: number;
}

/** One request for one batch. */
export async function askForBatch(model: EmbeddingModelV4, batch: Batch): Promise<EmbeddedBatch> {
  const { values, dimensions, abortSignal } = batch;
  const result = await model.doEmbed({ values, abortSignal, ...dimensionsFor(dimensions) });
  return { vectors: vectorsOf(result, model.modelId, values.length), inputTokens: result.usage?.tokens ?? 0 };
}

/** Said twice: the model that the provider for Azure (4.0.85) brings along reads it in the options of OpenAI only. */
function dimensionsFor(dimensions: number | undefined) {
  return dimensions === undefined ? {} : { dimensions, providerOptions: { openai: { dimensions } } };
}
