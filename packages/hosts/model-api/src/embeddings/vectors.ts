import type { EmbeddingModelV4Result } from "@ai-sdk/provider";
import { BackendCrashError, type ConfigError } from "@bridle/protocol";
import { z } from "zod";
import { fieldOf, wrong } from "../settings/check-settings.ts";
import { section } from "./options.ts";

/** The vectors of one answer, in the order of the texts. Throws when there is not one good vector for each text. */
export function vectorsOf(result: EmbeddingModelV4Result, model: string, texts: number): Float32Array[] {
  const { embeddings, response } = result;
  if (embeddings.length !== texts) throw nonsense(model, `with ${embeddings.length} vectors for ${texts} texts`);
  const vectors = embeddings.map((numbers) => checkedVector(numbers, model));
  return inOrderOfTexts(vectors, response?.body, model);
}

/**
 * Throws unless all vectors have the same length: the one that was asked for, or else the one known from before, or
 * else the first one's.
 */
export function checkLengths(
  vectors: readonly Float32Array[],
  model: string,
  { asked, known }: { asked: number | undefined; known: number | undefined },
): void {
  const expected = asked ?? known ?? vectors[0]?.length;
  const other = vectors.find(({ length }) => length !== expected);
  if (!other) return;
  if (asked !== undefined) throw wrongDimensions(model, asked, other.length);
  throw nonsense(model, `with vectors of ${other.length} dimensions beside vectors of ${expected}`);
}

function checkedVector(numbers: readonly number[], model: string): Float32Array {
  const vector = Float32Array.from(numbers);
  if (vector.length === 0) throw nonsense(model, "with an empty vector");
  if (!vector.every(Number.isFinite)) throw nonsense(model, "with a vector that holds more than finite 32-bit numbers");
  return vector;
}

const indexedBody = z.object({ data: z.array(z.object({ index: z.int() })) });

/**
 * The protocol numbers its vectors, and promises no order. A server that gives all of them the same number, or none,
 * is taken to answer in order: for lack of a number some always say 0.
 */
function inOrderOfTexts(vectors: readonly Float32Array[], body: unknown, model: string): Float32Array[] {
  const indexes = indexedBody.safeParse(body).data?.data.map(({ index }) => index) ?? [];
  if (new Set(indexes).size <= 1) return [...vectors];
  const ordered: (Float32Array | undefined)[] = vectors.map((_, text) => vectors[indexes.indexOf(text)]);
  if (!ordered.every((vector) => vector !== undefined))
    throw nonsense(model, `with vectors numbered ${indexes.join(", ")}`);
  return ordered;
}

/**
 * The error for an answer in the form of the protocol whose vectors are none, such as a null, or a NaN, which JSON does
 * not have. Undefined for whatever else was thrown: it is judged as any failed request.
 */
export function answerWithoutVectors(thrown: unknown, model: string): BackendCrashError | undefined {
  const { success, data } = malformedAnswer.safeParse(thrown);
  if (!success || !/"embedding"\s*:/.test(data.responseBody)) return undefined;
  return nonsense(model, "with something else than a list of numbers for a text");
}

const malformedAnswer = z.object({ statusCode: z.literal(200), responseBody: z.string() });

/** A fault of the settings and not of the request: every text fails the same way until they are changed. */
function wrongDimensions(model: string, expected: number, got: number): ConfigError {
  const message =
    `The model ${model} answers with vectors of ${got} dimensions, and ${expected} were asked for. ` +
    `Set ${fieldOf("dimensions", section)} to ${got}, or choose a model that can give ${expected}.`;
  return wrong("dimensions", message, section);
}

function nonsense(model: string, what: string): BackendCrashError {
  return new BackendCrashError(
    `The model ${model} answered ${what}. Look at the server that embeds: nothing of this answer was used.`,
  );
}
