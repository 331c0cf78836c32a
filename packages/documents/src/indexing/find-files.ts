import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { systemErrorCode } from "@bridle/protocol";
import picomatch from "picomatch";
import { documentEndings } from "../parse/parse-document.ts";

/** The files of all sources, sorted by name. */
export interface FoundFiles {
  readonly files: readonly SourceFile[];
  /** Files and folders that could not be read. Their entries in the index are kept. */
  readonly unreadable: readonly UnreadableSource[];
}

export interface SourceFile {
  readonly path: string;
  /** Relative to the base folder, with `/`. */
  readonly name: string;
}

interface UnreadableSource {
  readonly name: string;
  /** The rest of a sentence that begins with the name. */
  readonly problem: string;
}

/**
 * Finds the documents of sources: files, folders with everything below them, and globs such as `docs/**\/*.md`. Names that
 * begin with a dot, `node_modules` and links to folders are left out, unless a source names them itself.
 */
export async function findFiles(sources: readonly string[], baseDir: string): Promise<FoundFiles> {
  const search = new FileSearch(baseDir);
  for (const source of sources) await search.add(source);
  return search.result();
}

class FileSearch {
  readonly #baseDir: string;
  readonly #files = new Map<string, SourceFile>();
  readonly #unreadable = new Map<string, string>();

  constructor(baseDir: string) {
    this.#baseDir = baseDir;
  }

  async add(source: string): Promise<void> {
    const path = resolve(this.#baseDir, source);
    const { base, isGlob } = picomatch.scan(source);
    if (isGlob) await this.#addGlob(source, resolve(this.#baseDir, base), globTest(path));
    else if (await isFile(path)) this.#addFile(path);
    else await this.#walk(path, isDocument);
  }

  result(): FoundFiles {
    const files = [...this.#files.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return { files, unreadable: Array.from(this.#unreadable, ([name, problem]) => ({ name, problem })) };
  }

  /** Adds every match that can be read. No match at all is a problem. */
  async #addGlob(source: string, base: string, isMatch: (path: string) => boolean): Promise<void> {
    let matches = 0;
    const unreadableBefore = this.#unreadable.size;
    await this.#walk(base, (path) => {
      const isWanted = isMatch(path) && isDocument(path);
      if (isWanted) matches += 1;
      return isWanted;
    });
    if (matches === 0 && this.#unreadable.size === unreadableBefore)
      this.#unreadable.set(source, "matches no document. Correct the source, or remove it.");
  }

  async #walk(folder: string, isWanted: (path: string) => boolean): Promise<void> {
    const entries = await listFolder(folder).catch((error: unknown) => this.#addUnreadable(folder, error));
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      if (entry.isDirectory()) await this.#walk(path, isWanted);
      else if ((entry.isFile() || entry.isSymbolicLink()) && isWanted(path) && (await isFile(path)))
        this.#addFile(path);
    }
  }

  #addFile(path: string): void {
    this.#files.set(path, { path, name: this.#nameOf(path) });
  }

  #addUnreadable(path: string, error: unknown): [] {
    this.#unreadable.set(this.#nameOf(path), describeFailure(error));
    return [];
  }

  #nameOf(path: string): string {
    return relative(this.#baseDir, path).split(sep).join("/") || basename(path);
  }
}

function globTest(pattern: string): (path: string) => boolean {
  const test = picomatch(pattern.split(sep).join("/"));
  return (path) => test(path.split(sep).join("/"));
}

function isDocument(path: string): boolean {
  return documentEndings.includes(extname(path).toLowerCase());
}

function listFolder(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true });
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false; // a broken link, or nothing; the walk reports it
  }
}

function describeFailure(error: unknown): string {
  const code = systemErrorCode(error);
  if (code === "ENOENT") return "does not exist. Correct the source.";
  return `cannot be read (${code}). Make it readable, or leave it out of the source.`;
}

/** Whether a file of the index is in a folder that could not be read. */
export function isBelow(name: string, folder: string): boolean {
  for (let parent = name; parent !== "." && parent !== "/"; parent = dirname(parent))
    if (parent === folder) return true;
  return false;
}
