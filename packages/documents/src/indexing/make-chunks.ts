import type { Embedder } from "@bridle/protocol";
import { type Chunk, type ChunkOptions, chunkDocument } from "../chunk/chunk-document.ts";
import type { DocumentFile } from "../parse/block.ts";
import { parseDocument } from "../parse/parse-document.ts";
import type { RecordOptions } from "../parse/record-options.ts";
import { embedAll } from "../search/embed.ts";
import { searchedText } from "../search/searched-text.ts";
import type { DocumentStore, StoredChunk, VectorSpace } from "../store/document-store.ts";
import { inParallel } from "./in-parallel.ts";

/** Says in a few words what a part of a document is about; "" where there is nothing to say. */
export type DescribeChunk = (chunk: Chunk, document: string, signal?: AbortSignal) => Promise<string>;

export interface ChunkServices {
  readonly store: DocumentStore;
  readonly embedder?: Embedder;
  readonly chunking: ChunkOptions;
  readonly records: RecordOptions;
  readonly describeChunk?: DescribeChunk;
  /** So many parts of a file are described at once. */
  readonly describeAtOnce: number;
}

export interface MadeChunks {
  readonly chunks: readonly StoredChunk[];
  /** What made the vectors; missing where there are none. */
  readonly space?: VectorSpace;
  /** How many vectors had to be made. */
  readonly embedded: number;
}

/** The chunks of a file. What was found out about parts that are the same as before is taken over. */
export async function makeChunks(
  file: DocumentFile,
  services: ChunkServices,
  signal?: AbortSignal,
): Promise<MadeChunks> {
  const { store, embedder, chunking, records, describeChunk } = services;
  const blocks = await parseDocument(file, records);
  const before = new Map((await store.chunksOf(file.name)).map((chunk) => [keyOf(chunk), chunk]));
  const plain = chunkDocument(blocks, chunking);
  if (!describeChunk && !embedder) return { chunks: plain, embedded: 0 };
  const document = blocks.map(({ text }) => text).join("\n\n");
  const chunks = plain.map((chunk): StoredChunk => ({ ...before.get(keyOf(chunk)), ...chunk }));
  const described = describeChunk
    ? await describeAll(chunks, (chunk) => describeChunk(chunk, document, signal), services.describeAtOnce)
    : chunks.map(({ context, vector, ...chunk }) => (context === undefined && vector ? { ...chunk, vector } : chunk));
  return addVectors(described, services, signal);
}

async function describeAll(
  chunks: readonly StoredChunk[],
  describe: (chunk: Chunk) => Promise<string>,
  atOnce: number,
): Promise<readonly StoredChunk[]> {
  const described = [...chunks];
  await inParallel(chunks.entries(), atOnce, async ([at, { vector: _ofOtherText, ...chunk }]) => {
    if (chunk.context === undefined) described[at] = { ...chunk, context: await describe(chunk) };
  });
  return described;
}

async function addVectors(
  chunks: readonly StoredChunk[],
  { embedder, store }: ChunkServices,
  signal: AbortSignal | undefined,
): Promise<MadeChunks> {
  if (!embedder) return { chunks: chunks.map(({ vector: _notKept, ...chunk }) => chunk), embedded: 0 };
  const missing = chunks.filter(({ vector }) => vector === undefined);
  const present = await store.vectorSpace();
  if (missing.length === 0) return { chunks, embedded: 0, ...(present && { space: present }) };
  const { vectors, space } = await embedAll(missing.map(searchedText), { embedder, store, ...(signal && { signal }) });
  const made = new Map(missing.map((chunk, at) => [chunk, vectors[at]]));
  const complete = chunks.map((chunk) => {
    const vector = made.get(chunk);
    return vector === undefined ? chunk : { ...chunk, vector };
  });
  return { chunks: complete, space, embedded: missing.length };
}

function keyOf({ headings, text }: Chunk): string {
  return JSON.stringify([headings, text]);
}
