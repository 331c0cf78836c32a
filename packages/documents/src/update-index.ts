import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import type { Embedder } from "@bridle/core";
import { type Chunk, type ChunkOptions, chunkDefaults, chunkDocument } from "./chunk/chunk-document.ts";
import { DocumentError } from "./document-error.ts";
import { parseDocument } from "./parse/parse-document.ts";
import { embedAll, modelOf, otherSpace } from "./search/embed.ts";
import { searchedTerms, searchedText } from "./search/searched-text.ts";
import { findFiles, isBelow, type SourceFile } from "./sources/find-files.ts";
import type { DocumentStore, StoredChunk } from "./store/document-store.ts";

export interface IndexedSources {
  readonly sources: readonly string[];
  /** What sources are relative to. */
  readonly baseDir: string;
  readonly store: DocumentStore;
  readonly embedder?: Embedder;
  readonly chunking: ChunkOptions;
  /** Larger files are not read. In bytes. */
  readonly maxFileBytes: number;
  /** Says in a few words what a part of a document is about. */
  describeChunk?(chunk: Chunk, document: string, signal?: AbortSignal): Promise<string>;
}

export interface UpdateOptions {
  readonly signal?: AbortSignal;
  onProgress?(progress: { readonly done: number; readonly total: number; readonly file: string }): void;
}

/** What an update did, by names of files. */
export interface UpdateReport {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  readonly removed: readonly string[];
  readonly unchanged: number;
  /** Could not be read; what the index had of them stays. */
  readonly failed: readonly { readonly file: string; readonly problem: string }[];
  /** Chunks that were written, and those of them whose vector had to be made. */
  readonly chunks: number;
  readonly embedded: number;
}

/** A change of how chunks are made makes every file another. */
const format = 1;

/** While one waits for its vectors, others are read. */
const filesAtOnce = 4;

/**
 * Brings an index to what its sources are now. A file is put in whole or not at all, so that an update which was
 * interrupted goes on where it was. Rejects with a BridleError of the embedder, a DocumentStoreError, or the signal's
 * reason.
 */
export async function updateIndex(
  index: IndexedSources,
  { signal, onProgress }: UpdateOptions = {},
): Promise<UpdateReport> {
  const { sources, baseDir, store, embedder } = index;
  await refuseOtherSpace(index);
  const { files, unreadable } = await findFiles(sources, baseDir);
  const known = new Map((await store.files()).map((file) => [file.name, file.hash]));
  const gone = new Set([...known.keys()].filter((name) => !files.some((file) => file.name === name)));
  for (const name of gone) if (unreadable.some((place) => isBelow(name, place.name))) gone.delete(name);
  const report = emptyReport(unreadable.map(({ name, problem }) => ({ file: name, problem: `${name} ${problem}` })));
  let done = 0;
  await forEach(files, filesAtOnce, async (file) => {
    signal?.throwIfAborted();
    onProgress?.({ done: done++, total: files.length, file: file.name });
    try {
      await updateFile(file);
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      report.failed.push({ file: file.name, problem: error.message });
    }
  });
  report.removed.push(...gone);
  await store.remove([...gone]);
  if (!embedder) await store.setVectorSpace(undefined);
  return inOrder(report);

  async function updateFile(file: SourceFile): Promise<void> {
    const bytes = await read(file, index.maxFileBytes);
    const hash = hashOf(bytes, index);
    const before = known.get(file.name);
    if (before === hash) {
      report.unchanged++;
      return;
    }
    const twin = before === undefined ? [...gone].find((name) => isTwin(name, file, hash)) : undefined;
    if (twin !== undefined) {
      await store.rename(twin, file.name);
      gone.delete(twin);
      report.renamed.push({ from: twin, to: file.name });
      return;
    }
    const chunks = await makeChunks(file, bytes);
    await store.replace({ name: file.name, hash }, chunks, searchedTerms);
    report.chunks += chunks.length;
    (before === undefined ? report.added : report.changed).push(file.name);
  }

  function isTwin(name: string, file: SourceFile, hash: string): boolean {
    return known.get(name) === hash && extname(name) === extname(file.name);
  }

  /** What was found out about parts that are the same as before is taken over. */
  async function makeChunks(file: SourceFile, bytes: Uint8Array): Promise<readonly StoredChunk[]> {
    const blocks = await parseDocument({ name: file.name, bytes });
    const document = blocks.map(({ text }) => text).join("\n\n");
    const before = new Map((await store.chunksOf(file.name)).map((chunk) => [keyOf(chunk), chunk]));
    const chunks: StoredChunk[] = [];
    for (const chunk of chunkDocument(blocks, index.chunking)) {
      const { context, vector } = before.get(keyOf(chunk)) ?? {};
      const said = index.describeChunk && (context ?? (await index.describeChunk(chunk, document, signal)));
      const isSame = said === context && vector !== undefined;
      chunks.push({ ...chunk, ...(said !== undefined && said !== "" && { context: said }), ...(isSame && { vector }) });
    }
    return withVectors(chunks);
  }

  async function withVectors(chunks: readonly StoredChunk[]): Promise<readonly StoredChunk[]> {
    const missing = embedder === undefined ? [] : chunks.filter(({ vector }) => vector === undefined);
    if (embedder === undefined || missing.length === 0) return chunks;
    const vectors = await embedAll(missing.map(searchedText), { embedder, store, ...(signal && { signal }) });
    const made = new Map(missing.map((chunk, at) => [chunk, vectors[at]]));
    report.embedded += missing.length;
    return chunks.map((chunk) => {
      const vector = made.get(chunk);
      return vector === undefined ? chunk : { ...chunk, vector };
    });
  }
}

function emptyReport(failed: { file: string; problem: string }[]) {
  const names = () => [] as string[];
  const renamed: { from: string; to: string }[] = [];
  return { added: names(), changed: names(), renamed, removed: names(), unchanged: 0, failed, chunks: 0, embedded: 0 };
}

/** Vectors of another model would be taken over, or mixed with. */
async function refuseOtherSpace({ store, embedder }: IndexedSources): Promise<void> {
  const space = embedder && (await store.vectorSpace());
  if (space && space.model !== modelOf(embedder)) throw otherSpace(space, modelOf(embedder));
}

/** The first failure ends it, when what is under way has ended. */
async function forEach<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const failures: unknown[] = [];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined && failures.length === 0; item = left.shift()) {
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failures.length > 0) throw failures[0];
}

function inOrder(report: ReturnType<typeof emptyReport>): UpdateReport {
  for (const names of [report.added, report.changed, report.removed]) names.sort();
  report.failed.sort((a, b) => (a.file < b.file ? -1 : 1));
  return report;
}

async function read({ path, name }: SourceFile, maxFileBytes: number): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size <= maxFileBytes) return await readFile(path);
    const megabytes = (bytes: number) => Math.ceil(bytes / 1_000_000);
    throw new DocumentError(
      name,
      `has ${megabytes(size)} MB, and files of over ${megabytes(maxFileBytes)} MB are not read. Split it, or allow more.`,
    );
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    throw new DocumentError(name, `cannot be read (${code}). Allow reading it, or leave it out of the source.`, {
      cause,
    });
  }
}

function hashOf(bytes: Uint8Array, { chunking, describeChunk, embedder }: IndexedSources): string {
  const { maxTokens, overlapTokens } = { ...chunkDefaults, ...chunking };
  const settings = JSON.stringify([
    format,
    maxTokens,
    overlapTokens,
    describeChunk !== undefined,
    embedder && modelOf(embedder),
  ]);
  return createHash("sha256").update(settings).update(bytes).digest("hex");
}

function keyOf({ headings, text }: Chunk): string {
  return JSON.stringify([headings, text]);
}
