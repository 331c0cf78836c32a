import { inParallel } from "@bridle/core";
import type { Embedder } from "@bridle/protocol";
import type { Chunk, ChunkOptions } from "../chunk/chunk-document.ts";
import type { DocumentFile } from "../parse/block.ts";
import type { RecordOptions } from "../parse/record-options.ts";
import type { DocumentReader } from "../reading/document-reader.ts";
import type { PreparedDocument } from "../reading/prepare-document.ts";
import { embedAll } from "../search/embed.ts";
import { searchedTerms, searchedText } from "../search/searched-text.ts";
import type { DocumentStore, StoredChunk, VectorSpace } from "../store/document-store.ts";

/** Describes the content of a chunk in a few words. Returns "" if a description would add nothing. */
export type DescribeChunk = (chunk: Chunk, document: string, signal?: AbortSignal) => Promise<string>;

export interface ChunkServices {
  readonly store: DocumentStore;
  readonly embedder?: Embedder | undefined;
  readonly chunking: ChunkOptions;
  readonly records: RecordOptions;
  readonly describeChunk?: DescribeChunk | undefined;
  /** The number of a file's chunks that are described at the same time. */
  readonly describeAtOnce: number;
}

export interface MadeChunks {
  readonly chunks: readonly StoredChunk[];
  /** Content that was skipped or could not be read reliably. Each string completes a sentence that begins with the file name. */
  readonly warnings: readonly string[];
  /** The model that made the vectors; undefined if the chunks have no vectors. */
  readonly space?: VectorSpace | undefined;
  /** The number of new vectors. */
  readonly embedded: number;
  /** Returns the terms of one of these chunks. */
  termsOf(chunk: StoredChunk): readonly string[];
}

/** Makes the chunks of a file. Reuses the descriptions and vectors of unchanged chunks. */
export async function makeChunks(
  file: DocumentFile,
  services: ChunkServices,
  reader: DocumentReader,
  signal?: AbortSignal,
): Promise<MadeChunks> {
  const { chunking, records, describeChunk } = services;
  const prepared = await reader.read({ file, chunking, records, willDescribe: describeChunk !== undefined }, signal);
  const made = await completeChunks(file.name, prepared, services, signal);
  const known = new Map(made.chunks.map((chunk, index) => [chunk, prepared.terms?.[index]]));
  const termsOf = (chunk: StoredChunk) => {
    const terms = known.get(chunk);
    return terms === undefined ? searchedTerms(chunk) : terms.split(" ").filter((term) => term !== "");
  };
  return { ...made, warnings: prepared.warnings, termsOf };
}

type CompleteChunks = Omit<MadeChunks, "termsOf" | "warnings">;

/** Adds descriptions and vectors, in the order of the chunks. */
async function completeChunks(
  name: string,
  { chunks: plain, text: document = "" }: PreparedDocument,
  services: ChunkServices,
  signal: AbortSignal | undefined,
): Promise<CompleteChunks> {
  const { store, embedder, describeChunk } = services;
  if (!describeChunk && !embedder) return { chunks: plain, embedded: 0 };
  const before = new Map((await store.chunksOf(name)).map((chunk) => [keyOf(chunk), chunk]));
  const chunks = plain.map((chunk): StoredChunk => ({ ...before.get(keyOf(chunk)), ...chunk }));
  const described = describeChunk
    ? await inParallel(chunks, { parallel: services.describeAtOnce, signal }, async (chunk, ended) => {
        if (chunk.context !== undefined) return chunk;
        const { vector: _ofOtherText, ...plain } = chunk;
        return { ...plain, context: await describeChunk(plain, document, ended) };
      })
    : chunks.map(withoutDescription);
  return addVectors(described, services, signal);
}

/** Removes the description and the vector. The vector was made from both the chunk and its description, so it cannot be reused. */
function withoutDescription({ context, vector, ...chunk }: StoredChunk): StoredChunk {
  return context === undefined && vector ? { ...chunk, vector } : chunk;
}

async function addVectors(
  chunks: readonly StoredChunk[],
  { embedder, store }: ChunkServices,
  signal: AbortSignal | undefined,
): Promise<CompleteChunks> {
  if (!embedder) return { chunks: chunks.map(({ vector: _notStored, ...chunk }) => chunk), embedded: 0 };
  const missing = chunks.filter(({ vector }) => vector === undefined);
  if (missing.length === 0) return { chunks, embedded: 0, space: await store.vectorSpace() };
  const { vectors, space } = await embedAll(missing.map(searchedText), { embedder, store, signal });
  const made = new Map(missing.map((chunk, at) => [chunk, vectors[at]]));
  const embedded = chunks.map((chunk) => {
    const vector = made.get(chunk);
    return vector === undefined ? chunk : { ...chunk, vector };
  });
  return { chunks: embedded, space, embedded: missing.length };
}

function keyOf({ headings, text }: Chunk): string {
  return JSON.stringify([headings, text]);
}
