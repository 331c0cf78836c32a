import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import picomatch from "picomatch";
import { documentEndings } from "../parse/parse-document.ts";

/** What sources name. Files come in the order of their names. */
export interface FoundFiles {
  readonly files: readonly SourceFile[];
  /** Places that could not be looked into: what the index has of them is not gone for that. */
  readonly unreadable: readonly { readonly name: string; readonly problem: string }[];
}

export interface SourceFile {
  readonly path: string;
  /** From the base folder, with `/`. */
  readonly name: string;
}

/**
 * The documents that sources name: files, folders with all below them, and globs such as `docs/**\/*.md`. Names that
 * begin with a dot, `node_modules` and links to folders are left out, unless a source names them itself.
 */
export async function findFiles(sources: readonly string[], baseDir: string): Promise<FoundFiles> {
  const files = new Map<string, SourceFile>();
  const unreadable = new Map<string, string>();
  const nameOf = (path: string) => relative(baseDir, path).split(sep).join("/") || basename(path);
  const add = (path: string) => files.set(path, { path, name: nameOf(path) });
  const refuse = (path: string, error: unknown) => unreadable.set(nameOf(path), sayUnreadable(error));

  async function walk(folder: string, wanted: (path: string) => boolean): Promise<void> {
    const entries = await list(folder).catch((error: unknown) => void refuse(folder, error));
    for (const entry of entries ?? []) {
      const path = join(folder, entry.name);
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      if (entry.isDirectory()) await walk(path, wanted);
      else if ((entry.isFile() || entry.isSymbolicLink()) && wanted(path) && (await isFile(path))) add(path);
    }
  }

  /** Takes what can be read, as a folder does; of nothing that can, its writer has to know. */
  async function walkGlob(source: string, base: string, test: (path: string) => boolean): Promise<void> {
    let matches = 0;
    const refused = unreadable.size;
    await walk(base, (path) => {
      const isWanted = test(path) && isDocument(path);
      if (isWanted) matches += 1;
      return isWanted;
    });
    if (matches === 0 && unreadable.size === refused)
      unreadable.set(source, `matches no document. Correct the source, or leave it out.`);
  }

  for (const source of sources) {
    const path = resolve(baseDir, source);
    const { base, isGlob } = picomatch.scan(source);
    if (isGlob) await walkGlob(source, resolve(baseDir, base), globTest(path));
    else if (await isFile(path)) add(path);
    else await walk(path, isDocument);
  }
  const found = [...files.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { files: found, unreadable: Array.from(unreadable, ([name, problem]) => ({ name, problem })) };
}

function globTest(pattern: string): (path: string) => boolean {
  const test = picomatch(pattern.split(sep).join("/"));
  return (path) => test(path.split(sep).join("/"));
}

function isDocument(path: string): boolean {
  return documentEndings.includes(extname(path).toLowerCase());
}

function list(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true });
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false; // a link to nothing, or nothing at all: whoever walks there says so
  }
}

function sayUnreadable(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  if (code === "ENOENT") return "does not exist. Correct the source.";
  return `cannot be read (${code}). Allow reading it, or leave it out of the source.`;
}

/** Whether a file of the index lies in a place that could not be looked into. */
export function isBelow(name: string, place: string): boolean {
  for (let folder = name; folder !== "." && folder !== "/"; folder = dirname(folder)) if (folder === place) return true;
  return false;
}
