import type { EmbeddingModelV4Result } from "@ai-sdk/provider";
import { BackendCrashError, type ConfigError } from "@bridle/protocol";
import { z } from "zod";
import { settingError, settingPath } from "../settings/check-settings.ts";
import { section } from "./options.ts";

/** Returns the vectors of one answer, in the order of the texts. Throws unless there is one valid vector for each text. */
export function readVectors(result: EmbeddingModelV4Result, model: string, texts: number): Float32Array[] {
  const { embeddings, response } = result;
  if (embeddings.length !== texts)
    throw wrongAnswerError(model, `with ${embeddings.length} vectors for ${texts} texts`);
  const vectors = embeddings.map((numbers) => toVector(numbers, model));
  return sortByText(vectors, response?.body, model);
}

/**
 * Throws unless all vectors have the same length: the requested length, or else the length of earlier vectors, or else the length of the
 * first vector.
 */
export function checkLengths(
  vectors: readonly Float32Array[],
  model: string,
  { requested, known }: { requested: number | undefined; known: number | undefined },
): void {
  const expected = requested ?? known ?? vectors[0]?.length;
  const other = vectors.find(({ length }) => length !== expected);
  if (!other) return;
  if (requested !== undefined) throw dimensionsError(model, requested, other.length);
  throw wrongAnswerError(model, `with vectors of ${other.length} and of ${expected} dimensions`);
}

function toVector(numbers: readonly number[], model: string): Float32Array {
  const vector = Float32Array.from(numbers);
  if (vector.length === 0) throw wrongAnswerError(model, "with an empty vector");
  if (!vector.every(Number.isFinite))
    throw wrongAnswerError(model, "with a vector that holds more than finite 32-bit numbers");
  return vector;
}

const indexedBody = z.object({ data: z.array(z.object({ index: z.int() })) });

/**
 * Sorts vectors by their numbers, because the protocol guarantees no order. If all numbers are equal or missing, the vectors stay in the
 * order of the answer, because some servers always send 0.
 */
function sortByText(vectors: readonly Float32Array[], body: unknown, model: string): Float32Array[] {
  const indexes = indexedBody.safeParse(body).data?.data.map(({ index }) => index) ?? [];
  if (new Set(indexes).size <= 1) return [...vectors];
  const ordered: (Float32Array | undefined)[] = vectors.map((_, text) => vectors[indexes.indexOf(text)]);
  if (!ordered.every((vector) => vector !== undefined))
    throw wrongAnswerError(model, `with vectors numbered ${indexes.join(", ")}`);
  return ordered;
}

/**
 * Returns the error for an answer that follows the protocol but has invalid vectors, such as `null` or `NaN` (which is not JSON). Returns
 * `undefined` for every other failure, which is classified like that of any request.
 */
export function malformedVectorsError(thrown: unknown, model: string): BackendCrashError | undefined {
  const { success, data } = malformedAnswer.safeParse(thrown);
  if (!success || !/"embedding"\s*:/.test(data.responseBody)) return undefined;
  return wrongAnswerError(model, "with a value that is not a list of numbers for a text");
}

const malformedAnswer = z.object({ statusCode: z.literal(200), responseBody: z.string() });

/** Returns a ConfigError, because every text fails in the same way until the settings change. */
function dimensionsError(model: string, expected: number, got: number): ConfigError {
  const message =
    `The model ${model} answers with vectors of ${got} dimensions, but ${expected} were requested. ` +
    `Set ${settingPath("dimensions", section)} to ${got}, or choose a model that supports ${expected}.`;
  return settingError("dimensions", message, section);
}

function wrongAnswerError(model: string, what: string): BackendCrashError {
  return new BackendCrashError(
    `The model ${model} answered ${what}. Check the embedding server. Bridle used no part of this answer.`,
  );
}
