/** Caches what one check reads from the file system. */
import { closeSync, type Dirent, readdirSync, readSync, realpathSync, type Stats, statSync } from "node:fs";
import { openRegularFileSync, readRegularFileSync } from "@bridle/core";
import { fileContent } from "@bridle/project";
import { tryTo } from "./try-to.ts";

const maxFileBytes = 20_000_000;
const maxHeadBytes = 256;

/**
 * Reads each file and each folder at most once. Many settings can reach the same code, so one check shares one view. A later check needs a
 * new view.
 */
export class FolderView {
  readonly #known = new Map<string, unknown>();

  exists(path: string): boolean {
    return this.#statsOf(path) !== undefined;
  }

  isFile(path: string): boolean {
    return this.#statsOf(path)?.isFile() ?? false;
  }

  isFolder(path: string): boolean {
    return this.#statsOf(path)?.isDirectory() ?? false;
  }

  /** Whether the file can be started as a program. Always false on Windows, where the ending decides that. */
  isExecutable(path: string): boolean {
    return process.platform !== "win32" && ((this.#statsOf(path)?.mode ?? 0) & 0o111) !== 0;
  }

  /** Returns the entries of a folder. Empty if the folder cannot be read. */
  entriesOf(folder: string): readonly Dirent[] {
    return this.remember("entries", folder, () => tryTo(() => readdirSync(folder, { withFileTypes: true })) ?? []);
  }

  realPathOf(path: string): string {
    return this.remember("real path", path, () => tryTo(() => realpathSync(path)) ?? path);
  }

  /** Returns a hash that changes with every change of the file. */
  hashOf(path: string): string {
    return this.remember("hash", path, () => fileContent(path));
  }

  /** Returns the text of a file; undefined if the file cannot be read. Texts are not cached, because there can be many. */
  textOf(path: string): string | undefined {
    return tryTo(() => readRegularFileSync(path, maxFileBytes).toString("utf8"));
  }

  /** Returns the first bytes of a file. Empty if it cannot be read. */
  headOf(path: string): Buffer {
    return this.remember("head", path, () => tryTo(() => readHead(path)) ?? Buffer.alloc(0));
  }

  /** Does work on a path once, and returns its result each time. The kind of work determines the type of the result. */
  remember<T>(kind: string, path: string, work: () => T): T {
    const key = `${kind}\0${path}`;
    if (!this.#known.has(key)) this.#known.set(key, work());
    return this.#known.get(key) as T;
  }

  #statsOf(path: string): Stats | undefined {
    return this.remember("stats", path, () => tryTo(() => statSync(path, { throwIfNoEntry: false })));
  }
}

let latest: FolderView | undefined;

/** Returns the current state of the files. All reads in one turn of the event loop share a view. */
export function currentView(): FolderView {
  if (latest === undefined) queueMicrotask(() => (latest = undefined));
  latest ??= new FolderView();
  return latest;
}

function readHead(path: string): Buffer {
  const file = openRegularFileSync(path, Number.POSITIVE_INFINITY);
  try {
    const head = Buffer.alloc(maxHeadBytes);
    return head.subarray(0, readSync(file, head));
  } finally {
    closeSync(file);
  }
}
