import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { systemErrorCode } from "@bridle/protocol";
import picomatch from "picomatch";
import { documentEndings } from "../parse/parse-document.ts";

/** The files of all sources, sorted by name. */
export interface FoundFiles {
  readonly files: readonly SourceFile[];
  /** Files and folders that could not be read. Their index entries are kept. */
  readonly unreadable: readonly UnreadableSource[];
  /** Links that lead out of their source. Such links are not followed, and their index entries are removed. */
  readonly refused: readonly UnreadableSource[];
  /** Files in folders, and files matched by a glob, that are not documents. */
  readonly skipped: readonly UnreadableSource[];
}

export interface SourceFile {
  /** The absolute path with all links resolved. */
  readonly path: string;
  /** The path relative to the base folder, with `/`. */
  readonly name: string;
}

interface UnreadableSource {
  readonly name: string;
  /** The problem, which completes a sentence that begins with the file name. */
  readonly problem: string;
}

/**
 * Finds the documents of sources: files, folders with everything below them, and globs such as `docs/**\/*.md`. Names that begin with a
 * dot, `node_modules` and links to folders are left out, unless a source names them. Links that lead out of their source are not followed,
 * and for a source inside the base folder, neither are links out of that folder: a repository from elsewhere may contain links to any of
 * the user's files.
 */
export async function findFiles(sources: readonly string[], baseDir: string): Promise<FoundFiles> {
  const search = new FileSearch(baseDir);
  for (const source of sources) await search.add(source);
  return search.result();
}

interface Walk {
  /** The folder where the walk began. */
  readonly root: string;
  /** Whether the source includes a path. Excluded files are not reported. */
  readonly isNamed: (path: string) => boolean;
}

class FileSearch {
  readonly #baseDir: string;
  readonly #files = new Map<string, SourceFile>();
  readonly #unreadable = new Map<string, string>();
  readonly #refused = new Map<string, string>();
  readonly #skipped = new Map<string, string>();

  constructor(baseDir: string) {
    this.#baseDir = baseDir;
  }

  async add(source: string): Promise<void> {
    const path = resolve(this.#baseDir, source);
    const { base, isGlob } = picomatch.scan(source);
    const folder = isGlob ? resolve(this.#baseDir, base) : path;
    if (isWithin(folder, this.#baseDir) && !(await this.#staysWithin(folder, this.#baseDir))) return;
    if (isGlob) await this.#addGlob(source, folder, globTest(path));
    else if (await isFile(path)) await this.#addFile(path);
    else await this.#walk(path, () => true);
  }

  result(): FoundFiles {
    const files = [...this.#files.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    const toList = (problems: ReadonlyMap<string, string>) =>
      Array.from(problems, ([name, problem]) => ({ name, problem }));
    for (const { name } of files) this.#skipped.delete(name);
    return {
      files,
      unreadable: toList(this.#unreadable),
      refused: toList(this.#refused),
      skipped: toList(this.#skipped),
    };
  }

  /** Adds all readable matches. Reports a problem if nothing matches. */
  async #addGlob(source: string, base: string, isMatch: (path: string) => boolean): Promise<void> {
    let matches = 0;
    const unreadableBefore = this.#unreadable.size;
    await this.#walk(base, (path) => {
      const isNamed = isMatch(path);
      if (isNamed && isDocument(path)) matches += 1;
      return isNamed;
    });
    if (matches === 0 && this.#unreadable.size === unreadableBefore)
      this.#unreadable.set(source, "matches no document. Correct the source, or remove it.");
  }

  async #walk(folder: string, isNamed: Walk["isNamed"]): Promise<void> {
    await this.#walkBelow(folder, await resolveLinks(folder), { root: folder, isNamed });
  }

  /**
   * Walks a folder. `real` is the folder with all links resolved. Only subfolders that are not links are entered, so they need no further
   * check.
   */
  async #walkBelow(folder: string, real: string, walk: Walk): Promise<void> {
    const entries = await listFolder(folder).catch((error: unknown) => this.#addUnreadable(folder, error));
    for (const entry of entries) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await this.#walkBelow(path, join(real, entry.name), walk);
      else if (walk.isNamed(path)) await this.#addEntry(entry, path, join(real, entry.name), walk);
    }
  }

  async #addEntry(entry: Dirent, path: string, real: string, { root }: Walk): Promise<void> {
    const problem = await reasonToSkip(entry, path);
    if (problem !== undefined) this.#skipped.set(this.#nameOf(path), problem);
    else if (entry.isFile()) this.#add(path, real);
    else if (await this.#staysWithin(path, root)) await this.#addFile(path);
  }

  async #addFile(path: string): Promise<void> {
    this.#add(path, await resolveLinks(path));
  }

  #add(path: string, real: string): void {
    this.#files.set(path, { path: real, name: this.#nameOf(path) });
  }

  /** Whether a path is in a folder after its links are resolved. Reports a path outside the folder. A missing path counts as inside. */
  async #staysWithin(path: string, folder: string): Promise<boolean> {
    const [real, realFolder] = await Promise.all([realpath(path).catch(() => undefined), realpath(folder)]);
    if (real === undefined || isWithin(real, realFolder)) return true;
    this.#refused.set(this.#nameOf(path), "is a link that leads out of its folder. Name its target as a source.");
    return false;
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

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Returns the path without links. If the file no longer exists, returns the path itself; reading the file then reports the error. */
function resolveLinks(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

function isDocument(path: string): boolean {
  return documentEndings.includes(extname(path).toLowerCase());
}

/** Returns why an entry is skipped; undefined for a document, and for a link to one. */
async function reasonToSkip(entry: Dirent, path: string): Promise<string | undefined> {
  if (entry.isSymbolicLink() && !(await isFile(path)))
    return "is a link, but not to a file. Name its target as a source.";
  if (!entry.isSymbolicLink() && !entry.isFile()) return "is not a regular file.";
  if (isDocument(path)) return undefined;
  const ending = extname(path).toLowerCase();
  if (/^\.(doc|xls|ppt)$/.test(ending)) return `has a format of Office before 2007. Save it as ${ending}x.`;
  return ending === ""
    ? "has no ending, which would name its format."
    : `has the ending ${ending}, which is not supported.`;
}

function listFolder(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true });
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false; // the link is broken, or nothing exists there; the walk reports it
  }
}

function describeFailure(error: unknown): string {
  const code = systemErrorCode(error);
  if (code === "ENOENT") return "does not exist. Correct the source.";
  return `cannot be read (${code}). Make it readable, or leave it out of the source.`;
}

/** Whether an indexed file is in a folder that could not be read. */
export function isBelow(name: string, folder: string): boolean {
  for (let parent = name; parent !== "." && parent !== "/"; parent = dirname(parent))
    if (parent === folder) return true;
  return false;
}
