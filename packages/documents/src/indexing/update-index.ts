import { createHash } from "node:crypto";
import { extname } from "node:path";
import { setImmediate } from "node:timers/promises";
import { forEachInParallel } from "@bridle/core";
import { chunkDefaults } from "../chunk/chunk-document.ts";
import { DocumentError } from "../parse/document-error.ts";
import { DocumentReader } from "../reading/document-reader.ts";
import type { ReaderLimits } from "../reading/reader-limits.ts";
import { embeddingModel, requireSameModel } from "../search/embed.ts";
import type { DocumentStore, FileStamp } from "../store/document-store.ts";
import { findFiles, isBelow, type SourceFile } from "./find-files.ts";
import { type ChunkServices, makeChunks } from "./make-chunks.ts";
import { readSource, readStamp } from "./read-source.ts";
import { type ReportedFile, rememberLeftOut, reportEmpty, reportFile } from "./reported-file.ts";

export interface IndexedSources extends ChunkServices {
  readonly sources: readonly string[];
  /** Relative sources are resolved against this folder. */
  readonly baseDir: string;
  /** The maximum size of a file, in bytes. Larger files are not read. */
  readonly maxFileBytes: number;
  readonly limits?: Partial<ReaderLimits> | undefined;
}

/** The maximum time in milliseconds that the search for changed files may block other work of the process. */
const maxBlockedMs = 5;

/** Called with the progress. Contract: does not throw. */
export type OnProgress = (progress: { readonly done: number; readonly total: number; readonly file: string }) => void;

/** The changes of an update, by file name. */
export interface UpdateReport {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  readonly removed: readonly string[];
  readonly unchanged: number;
  /** Files that could not be read. Their index entries are kept. */
  readonly failed: readonly ReportedFile[];
  /** Files in the sources that are not documents, and documents without text. */
  readonly skipped: readonly ReportedFile[];
  /** Indexed documents with skipped or doubtful content, such as an uncertain encoding. */
  readonly warnings: readonly ReportedFile[];
  /** The number of written chunks. */
  readonly chunks: number;
  /** The number of chunks that needed a new vector. */
  readonly embedded: number;
}

/** Increase this number when chunks are made in another way, so that every file is indexed again. */
const format = 2;

/** Replaces the settings in the stamp of a file that must be read again because it may have changed without a new stamp. */
const unsettled = "unsettled";

/** The number of files that are processed at the same time, so that some are read while others wait for their vectors. */
const filesAtOnce = 4;

/**
 * Updates an index to the current content of its sources. Each file is stored in one transaction, so that an interrupted update can be
 * continued. Rejects with the embedder's BridleError, a DocumentStoreError, or the signal's reason.
 */
export async function updateIndex(
  index: IndexedSources,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<UpdateReport> {
  const { store, embedder } = index;
  const space = embedder && (await store.vectorSpace());
  if (space) requireSameModel(space, embedder);
  const update = await IndexUpdate.start(index, signal);
  await update.run(onProgress).finally(() => update.close());
  return update.finish();
}

type Mutable = {
  -readonly [K in keyof UpdateReport]: UpdateReport[K] extends readonly (infer T)[] ? T[] : UpdateReport[K];
};

class IndexUpdate {
  readonly #index: IndexedSources;
  readonly #signal: AbortSignal;
  readonly #files: readonly SourceFile[];
  /** The hashes in the index, by file name. */
  readonly #known: ReadonlyMap<string, string>;
  /** The stamps in the index, by file name. */
  readonly #marked: ReadonlyMap<string, string>;
  /** The stamps of the files that were read. */
  readonly #read: FileStamp[] = [];
  /** Documents in the index without text. */
  readonly #empty: Set<string>;
  /** Files in the index that the sources no longer have. */
  readonly #gone: Set<string>;
  /** The files of `#gone`, by hash and ending. */
  readonly #goneBy: ReadonlyMap<string, string[]>;
  readonly #settings: string;
  readonly #settingsHash: string;
  readonly #reader: DocumentReader;
  readonly #report: Mutable;

  private constructor(
    index: IndexedSources,
    signal: AbortSignal,
    found: Awaited<ReturnType<typeof findFiles>>,
    { known, marked, empty }: Awaited<ReturnType<typeof indexedFiles>>,
  ) {
    const { files, unreadable, refused } = found;
    this.#index = index;
    this.#signal = signal;
    this.#files = files;
    this.#known = known;
    this.#marked = marked;
    this.#empty = empty;
    this.#gone = goneFiles([...known.keys()], files, unreadable);
    this.#goneBy = Map.groupBy(this.#gone, (name) => `${known.get(name)}${extname(name)}`);
    this.#settings = chunkSettings(index);
    this.#settingsHash = createHash("sha256").update(this.#settings).digest("hex").slice(0, 16);
    this.#reader = new DocumentReader(index);
    const lists = { added: [], changed: [], renamed: [], removed: [], warnings: [] };
    const failed = [...unreadable, ...refused].map(reportFile);
    const skipped = found.skipped.map(reportFile);
    this.#report = { ...lists, failed, skipped, unchanged: 0, chunks: 0, embedded: 0 };
  }

  static async start(index: IndexedSources, signal: AbortSignal): Promise<IndexUpdate> {
    const found = await findFiles(index.sources, index.baseDir);
    return new IndexUpdate(index, signal, found, await indexedFiles(index.store));
  }

  async run(onProgress: OnProgress): Promise<void> {
    const files = await this.#withoutUnchanged();
    let done = this.#report.unchanged;
    await forEachInParallel(files, { parallel: filesAtOnce, signal: this.#signal }, async (file) => {
      onProgress({ done: done++, total: this.#files.length, file: file.name });
      await this.#updateFile(file).catch((error: unknown) => this.#onFailure(file, error));
    });
  }

  close(): Promise<void> {
    return this.#reader.close();
  }

  async finish(): Promise<UpdateReport> {
    this.#report.removed.push(...this.#gone);
    const { store } = this.#index;
    await store.remove([...this.#gone]);
    if (this.#read.length > 0) await store.mark(this.#read);
    await rememberLeftOut(this.#report, store);
    this.#report.skipped.push(...this.#emptyFiles().map(reportEmpty));
    this.#report.warnings.push(...(await store.warnings()).map(reportFile));
    return sorted(this.#report);
  }

  /** Returns the documents without text that the sources still have. */
  #emptyFiles(): string[] {
    return [...this.#empty].filter((name) => !this.#gone.has(name));
  }

  #onFailure({ name }: SourceFile, error: unknown): void {
    if (!(error instanceof DocumentError)) throw error;
    this.#report.failed.push({ file: name, problem: error.message.replaceAll("\0", "") });
  }

  /** Returns the files that may have changed. Other files are not read. */
  async #withoutUnchanged(): Promise<SourceFile[]> {
    const changed: SourceFile[] = [];
    let startedAt = performance.now();
    for (const file of this.#files) {
      if (this.#looksUnchanged(file)) this.#report.unchanged++;
      else changed.push(file);
      if (performance.now() - startedAt < maxBlockedMs) continue;
      await setImmediate();
      this.#signal.throwIfAborted();
      startedAt = performance.now();
    }
    return changed;
  }

  async #updateFile(file: SourceFile): Promise<void> {
    const { bytes, stamp, isSettled } = await readSource(file, this.#index.maxFileBytes);
    const hash = createHash("sha256").update(this.#settings).update(bytes).digest("hex");
    const before = this.#known.get(file.name);
    if (before === hash) this.#report.unchanged++;
    else if (before !== undefined || !(await this.#renameTo(file.name, hash)))
      await this.#store(file.name, bytes, hash);
    const marked = isSettled ? this.#withSettings(stamp) : `${unsettled} ${stamp}`;
    this.#read.push({ name: file.name, hash, stamp: marked });
  }

  /** Whether a file seems unchanged, without reading it. */
  #looksUnchanged(file: SourceFile): boolean {
    const marked = this.#marked.get(file.name);
    if (marked === undefined) return false;
    const stamp = readStamp(file, this.#index.maxFileBytes);
    return stamp !== undefined && this.#withSettings(stamp) === marked;
  }

  #withSettings(stamp: string): string {
    return `${this.#settingsHash} ${stamp}`;
  }

  /** Renames an indexed file that has the same content and that the sources no longer contain. Returns false if no such file exists. */
  async #renameTo(name: string, hash: string): Promise<boolean> {
    const from = this.#goneBy.get(hash + extname(name))?.shift();
    if (from === undefined) return false;
    this.#gone.delete(from);
    if (!(await this.#index.store.rename(from, name))) return false;
    this.#report.renamed.push({ from, to: name });
    if (this.#empty.delete(from)) this.#empty.add(name);
    return true;
  }

  async #store(name: string, bytes: Uint8Array, hash: string): Promise<void> {
    const made = await makeChunks({ name, bytes }, this.#index, this.#reader, this.#signal);
    const { chunks, warnings, space, embedded, termsOf } = made;
    this.#signal.throwIfAborted();
    await this.#index.store.replace({ name, hash, chunks, warnings, space, termsOf });
    if (chunks.length === 0) this.#empty.add(name);
    else this.#empty.delete(name);
    this.#report.chunks += chunks.length;
    this.#report.embedded += embedded;
    (this.#known.has(name) ? this.#report.changed : this.#report.added).push(name);
  }
}

async function indexedFiles(store: DocumentStore) {
  const [files, stamps] = [await store.files(), await store.stamps()];
  return {
    known: new Map(files.map(({ name, hash }) => [name, hash])),
    marked: new Map(stamps.map(({ name, stamp }) => [name, stamp])),
    empty: new Set(files.flatMap(({ name, chunks }) => (chunks === 0 ? [name] : []))),
  };
}

/** Returns the indexed files that the sources no longer have, except those in unreadable folders. */
function goneFiles(
  known: readonly string[],
  files: readonly SourceFile[],
  unreadable: readonly { readonly name: string }[],
): Set<string> {
  const present = new Set(files.map(({ name }) => name));
  const isHidden = (name: string) => unreadable.some((folder) => isBelow(name, folder.name));
  return new Set(known.filter((name) => !present.has(name) && !isHidden(name)));
}

function sorted(report: Mutable): UpdateReport {
  for (const names of [report.added, report.changed, report.removed]) names.sort();
  for (const files of [report.failed, report.skipped]) files.sort((a, b) => (a.file < b.file ? -1 : 1));
  return report;
}

/** Returns a string with all settings that affect how a file is indexed. */
function chunkSettings({ chunking, records, describeChunk, embedder }: IndexedSources): string {
  const { maxTokens = chunkDefaults.maxTokens, overlapTokens = chunkDefaults.overlapTokens } = chunking;
  const model = embedder && embeddingModel(embedder);
  return JSON.stringify([format, maxTokens, overlapTokens, records, describeChunk !== undefined, model]);
}
