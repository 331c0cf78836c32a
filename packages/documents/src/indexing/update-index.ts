import { createHash } from "node:crypto";
import { extname } from "node:path";
import { chunkDefaults } from "../chunk/chunk-document.ts";
import { DocumentError } from "../parse/document-error.ts";
import { modelOf, requireSameModel } from "../search/embed.ts";
import { searchedTerms } from "../search/searched-text.ts";
import { findFiles, isBelow, type SourceFile } from "./find-files.ts";
import { inParallel } from "./in-parallel.ts";
import { type ChunkServices, makeChunks } from "./make-chunks.ts";
import { readSource } from "./read-source.ts";

export interface IndexedSources extends ChunkServices {
  readonly sources: readonly string[];
  /** What sources are relative to. */
  readonly baseDir: string;
  /** Larger files are not read. In bytes. */
  readonly maxFileBytes: number;
}

/** Contract: does not throw. */
export type OnProgress = (progress: { readonly done: number; readonly total: number; readonly file: string }) => void;

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
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<UpdateReport> {
  const { store, embedder } = index;
  const space = embedder && (await store.vectorSpace());
  if (space) requireSameModel(space, embedder);
  const { files, unreadable } = await findFiles(index.sources, index.baseDir);
  const known = new Map((await store.files()).map((file) => [file.name, file.hash]));
  const gone = goneFiles([...known.keys()], files, unreadable);
  const report = emptyReport(unreadable.map(({ name, problem }) => ({ file: name, problem: `${name} ${problem}` })));
  const settings = settingsOf(index);
  let done = 0;
  await inParallel(files, filesAtOnce, async (file) => {
    signal.throwIfAborted();
    onProgress({ done: done++, total: files.length, file: file.name });
    try {
      await updateFile(file);
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      report.failed.push({ file: file.name, problem: error.message });
    }
  });
  report.removed.push(...gone);
  await store.remove([...gone]);
  return inOrder(report);

  async function updateFile(file: SourceFile): Promise<void> {
    const bytes = await readSource(file, index.maxFileBytes);
    const hash = createHash("sha256").update(settings).update(bytes).digest("hex");
    const before = known.get(file.name);
    if (before === hash) report.unchanged++;
    else if (before !== undefined || !(await takeOver(file.name, hash))) await put(file.name, bytes, hash);
  }

  /** A file that is gone, and has come back under another name. */
  async function takeOver(name: string, hash: string): Promise<boolean> {
    const twin = [...gone].find((each) => known.get(each) === hash && extname(each) === extname(name));
    if (twin === undefined) return false;
    gone.delete(twin);
    if (!(await store.rename(twin, name))) return false;
    report.renamed.push({ from: twin, to: name });
    return true;
  }

  async function put(name: string, bytes: Uint8Array, hash: string): Promise<void> {
    const { chunks, space: made, embedded } = await makeChunks({ name, bytes }, index, signal);
    signal.throwIfAborted();
    await store.replace({ name, hash, chunks, ...(made && { space: made }), termsOf: searchedTerms });
    report.chunks += chunks.length;
    report.embedded += embedded;
    (known.has(name) ? report.changed : report.added).push(name);
  }
}

/** What the index has and the sources have not; not what lies in a place that cannot be looked into. */
function goneFiles(
  known: readonly string[],
  files: readonly SourceFile[],
  unreadable: readonly { readonly name: string }[],
): Set<string> {
  const present = new Set(files.map(({ name }) => name));
  return new Set(known.filter((name) => !present.has(name) && !unreadable.some((place) => isBelow(name, place.name))));
}

function emptyReport(failed: { file: string; problem: string }[]) {
  const names = () => [] as string[];
  const renamed: { from: string; to: string }[] = [];
  return { added: names(), changed: names(), renamed, removed: names(), unchanged: 0, failed, chunks: 0, embedded: 0 };
}

function inOrder(report: ReturnType<typeof emptyReport>): UpdateReport {
  for (const names of [report.added, report.changed, report.removed]) names.sort();
  report.failed.sort((a, b) => (a.file < b.file ? -1 : 1));
  return report;
}

/** All that decides, beside its content, what is kept of a file. */
function settingsOf({ chunking, records, describeChunk, embedder }: IndexedSources): string {
  const { maxTokens, overlapTokens } = { ...chunkDefaults, ...chunking };
  const model = embedder && modelOf(embedder);
  return JSON.stringify([format, maxTokens, overlapTokens, records, describeChunk !== undefined, model]);
}
