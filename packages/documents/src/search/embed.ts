import type { Embedder } from "@bridle/protocol";
import type { DocumentStore, VectorSpace } from "../store/document-store.ts";
import { OtherSpaceError, requireSameSpace } from "../store/store-errors.ts";

export interface EmbedServices {
  readonly embedder: Embedder;
  readonly store: DocumentStore;
  readonly signal?: AbortSignal | undefined;
}

export interface Embedded {
  /** Returns one unit vector for each text. */
  readonly vectors: readonly Float32Array[];
  readonly space: VectorSpace;
}

/**
 * Embeds texts for the index. Rejects with the embedder's BridleError, or with an OtherSpaceError if another model made the index's
 * vectors.
 */
export async function embedAll(texts: readonly string[], services: EmbedServices): Promise<Embedded> {
  const { embedder, store, signal } = services;
  const present = await store.vectorSpace();
  if (present) requireSameModel(present, embedder);
  const { vectors } = await embedder.embed(texts, { ...(signal && { signal }) });
  const space: VectorSpace = { model: embeddingModel(embedder), dimensions: vectors[0]?.length ?? 0 };
  requireSameSpace(present, space);
  return { vectors: vectors.map(toUnitLength), space };
}

export function embeddingModel({ id, model }: Embedder): string {
  return `${id} ${model}`;
}

/** Throws OtherSpaceError if another model made the vectors. Call this function before you send texts to the embedder. */
export function requireSameModel(present: VectorSpace, embedder: Embedder): void {
  if (present.model !== embeddingModel(embedder)) throw new OtherSpaceError(present, embeddingModel(embedder));
}

function toUnitLength(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return length === 0 ? vector : vector.map((value) => value / length);
}
