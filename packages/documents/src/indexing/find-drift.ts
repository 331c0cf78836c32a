import { setImmediate } from "node:timers/promises";
import type { DocumentStore } from "../store/document-store.ts";
import { findFiles, isBelow, type SourceFile } from "./find-files.ts";
import { readStamp } from "./read-source.ts";
import type { IndexedSources } from "./update-index.ts";

/** How many files the next update would read or remove. */
export interface IndexDrift {
  /** The number of new files, except those that the last update left out. */
  readonly added: number;
  readonly changed: number;
  /** The number of files in the index that the sources no longer have. */
  readonly removed: number;
}

type DriftOptions = Pick<IndexedSources, "sources" | "baseDir" | "maxFileBytes">;

/** The number of files that are checked before other work of the process gets its turn. */
const filesAtOnce = 200;

/**
 * Compares an index with the names, sizes and times of the source files, without reading any file. A file without a stamp in the index
 * counts as unchanged.
 */
export async function findDrift(
  store: DocumentStore,
  { sources, baseDir, maxFileBytes }: DriftOptions,
): Promise<IndexDrift> {
  const { files, unreadable } = await findFiles(sources, baseDir);
  const [indexed, stamps, leftOut] = await Promise.all([store.files(), store.stamps(), store.leftOut()]);
  const known = new Set(indexed.map(({ name }) => name));
  const skipped = new Set(leftOut.map(({ name }) => name));
  const marked = new Map(stamps.map(({ name, stamp }) => [name, stamp.slice(stamp.indexOf(" ") + 1)]));
  const drift = { added: 0, changed: 0, removed: 0 };
  for (const [at, file] of files.entries()) {
    if (skipped.has(file.name))
      known.delete(file.name); // the index status contains the reason
    else if (!known.has(file.name)) drift.added += 1;
    else if (looksChanged(file, marked.get(file.name), maxFileBytes)) drift.changed += 1;
    known.delete(file.name);
    if (at % filesAtOnce === filesAtOnce - 1) await setImmediate();
  }
  const gone = [...known].filter((name) => !unreadable.some((folder) => isBelow(name, folder.name)));
  return { ...drift, removed: gone.length };
}

function looksChanged(file: SourceFile, before: string | undefined, maxFileBytes: number): boolean {
  if (before === undefined) return false;
  const now = readStamp(file, maxFileBytes);
  return now !== undefined && now !== before;
}
