/** The file system as one check finds it. */
import { closeSync, type Dirent, readdirSync, readSync, realpathSync, type Stats, statSync } from "node:fs";
import { openRegularFileSync, readRegularFileSync } from "@bridle/core";
import { fileContent } from "@bridle/project";
import { tryTo } from "./try-to.ts";

const maxFileBytes = 20_000_000;
const maxHeadBytes = 256;

/**
 * Looks at each file and each folder at most once. Many settings can reach the same code, so one check shares one view. A later check needs
 * another one.
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

  /** Whether the file can be started as a program. Windows decides that by the ending. */
  isExecutable(path: string): boolean {
    return process.platform !== "win32" && ((this.#statsOf(path)?.mode ?? 0) & 0o111) !== 0;
  }

  /** Empty if the folder cannot be read. */
  entriesOf(folder: string): readonly Dirent[] {
    return this.remember("entries", folder, () => tryTo(() => readdirSync(folder, { withFileTypes: true })) ?? []);
  }

  realPathOf(path: string): string {
    return this.remember("real path", path, () => tryTo(() => realpathSync(path)) ?? path);
  }

  /** Changes with every change of the file. */
  hashOf(path: string): string {
    return this.remember("hash", path, () => fileContent(path));
  }

  /** Undefined if the file cannot be read. Texts are not kept, because there can be many. */
  textOf(path: string): string | undefined {
    return tryTo(() => readRegularFileSync(path, maxFileBytes).toString("utf8"));
  }

  /** The first bytes of a file. Empty if it cannot be read. */
  headOf(path: string): Buffer {
    return this.remember("head", path, () => tryTo(() => readHead(path)) ?? Buffer.alloc(0));
  }

  /** The result of work about a path, which is done once. The kind of the work decides the type of the result. */
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

/** The files as they are now. All reads of one turn of the event loop share a view. */
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
