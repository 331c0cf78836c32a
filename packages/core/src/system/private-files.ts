/**
 * The folder `.bridle` of a project. It may have come with the project, from an unknown author: no link in it is followed, its files are
 * private to the user, and version control ignores them.
 *
 * The checks are for existing files. They do not stop a process that replaces a folder by a link between a check and the use; such a
 * process already has the user's permissions.
 */
import { appendFileSync, chmodSync, lstatSync, mkdirSync, type Stats, statSync } from "node:fs";
import { dirname, join, parse, resolve, sep } from "node:path";
import { StoreError, systemErrorCode } from "@bridle/protocol";
import { readTextFileSync } from "./read-text-file.ts";

const stateFolderName = ".bridle";

/**
 * Creates a folder and the folders above it, readable only by this user. If it is in a `.bridle`, links are refused, and
 * version control ignores the whole `.bridle`.
 *
 * @throws StoreError for a link.
 * @throws Error of the system if the folder cannot be created or is another user's.
 */
export function createPrivateFolder(folder: string): void {
  refuseLinks(folder);
  makeFolders(folder);
  const [root] = stateParts(folder);
  if (root === undefined) return;
  for (const part of stateParts(folder)) makePrivate(part);
  ignoreContents(root);
}

export interface FolderOptions {
  /** Whether others may read them as far as the umask allows, such as files of a project. Default: only this user may. */
  readonly isShared?: boolean | undefined;
}

/**
 * Creates a folder and the folders above it, and returns the topmost one that was missing; undefined if none was. Use it instead of
 * Node's own `recursive`, which never returns in a folder such as /proc that answers ENOENT to a new one (observed with Node 24.21).
 *
 * @throws Error of the system if one cannot be created, such as EEXIST if a file has the name.
 */
export function makeFolders(folder: string, { isShared = false }: FolderOptions = {}): string | undefined {
  const mode = isShared ? 0o777 : 0o700;
  const missing: string[] = [];
  for (let at = resolve(folder); !isFolder(at) && dirname(at) !== at; at = dirname(at)) missing.push(at);
  let first: string | undefined;
  for (const each of missing.reverse()) {
    try {
      mkdirSync(each, { mode });
      first ??= each;
    } catch (error) {
      if (systemErrorCode(error) !== "EEXIST" || !isFolder(each)) throw error; // another process was faster
    }
  }
  return first;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/**
 * Refuses a path that leads through a link in `.bridle`, or is one. Paths outside of a `.bridle` are not checked.
 *
 * @throws StoreError
 */
export function refuseLinks(path: string): void {
  for (const part of stateParts(path)) {
    const stats = statsOf(part);
    if (stats === undefined) return;
    if (stats.isSymbolicLink()) {
      const message = `${part} is a link, and links in the folder ${stateFolderName} are not followed: they may lead to files of somebody else. Remove the link.`;
      throw new StoreError(message, part);
    }
  }
}

/** Takes a file or folder away from other users, if it is this user's. A file that came with a clone is readable by all. */
export function makePrivate(path: string): void {
  const stats = statsOf(path);
  if (stats === undefined || stats.isSymbolicLink() || (stats.mode & 0o077) === 0) return;
  if (process.getuid !== undefined && stats.uid !== process.getuid()) return;
  try {
    chmodSync(path, stats.mode & 0o700);
  } catch (error) {
    if (!["EPERM", "EROFS"].includes(systemErrorCode(error))) throw error; // a file system without modes, or a read-only one
  }
}

/** The paths from the innermost `.bridle` on; empty if the path is outside of one. */
function stateParts(path: string): string[] {
  const whole = resolve(path);
  const { root } = parse(whole);
  const names = whole.slice(root.length).split(sep);
  const start = names.lastIndexOf(stateFolderName);
  if (start < 0) return [];
  return names.slice(start).map((_, index) => join(root, ...names.slice(0, start + index + 1)));
}

function statsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function readPatterns(path: string): string {
  try {
    return readTextFileSync(path);
  } catch (cause) {
    if (["EACCES", "EPERM"].includes(systemErrorCode(cause))) throw cause; // the folder is another user's
    throw new StoreError(`${path} cannot be read (${systemErrorCode(cause)}). Remove it.`, path, { cause });
  }
}

/** The last pattern that matches a file counts, so `*` after all others ignores everything. */
function ignoreContents(folder: string): void {
  const path = join(folder, ".gitignore");
  refuseLinks(path);
  const text = statsOf(path) === undefined ? "" : readPatterns(path);
  if (text.split(/\r?\n/).includes("*")) return;
  appendFileSync(path, text === "" || text.endsWith("\n") ? "*\n" : "\n*\n", { mode: 0o600 });
}
