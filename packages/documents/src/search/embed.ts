import type { Embedder } from "@bridle/core";
import { DocumentsError } from "../documents-error.ts";
import type { DocumentStore, VectorSpace } from "../store/document-store.ts";

export interface EmbedServices {
  readonly embedder: Embedder;
  readonly store: DocumentStore;
  readonly signal?: AbortSignal;
}

/**
 * Vectors of length 1, one for each text, in the space of the index; the first ones make it. Rejects with a BridleError
 * of the embedder, and with a DocumentsError where the index is of another space.
 */
export async function embedAll(texts: readonly string[], services: EmbedServices): Promise<readonly Float32Array[]> {
  const { embedder, store, signal } = services;
  const space = await store.vectorSpace();
  if (space && space.model !== modelOf(embedder)) throw otherSpace(space, modelOf(embedder));
  const { vectors } = await embedder.embed(texts, { ...(signal && { signal }) });
  const dimensions = vectors[0]?.length ?? 0;
  const made: VectorSpace = { model: modelOf(embedder), dimensions };
  if (space && space.dimensions !== dimensions) throw otherSpace(space, `${made.model} with ${dimensions} dimensions`);
  if (!space) await store.setVectorSpace(made);
  return vectors.map(toUnitLength);
}

export function modelOf({ id, model }: Embedder): string {
  return `${id} ${model}`;
}

export function otherSpace(space: VectorSpace, other: string): DocumentsError {
  return new DocumentsError(
    `The index was made with ${space.model} (${space.dimensions} dimensions), and vectors of ${other} do not compare with its. ` +
      "Use that model again, or make the index anew: bridle documents index --rebuild.",
  );
}

function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
