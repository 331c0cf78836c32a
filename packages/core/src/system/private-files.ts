/**
 * Protects a project's `.bridle` folder. The folder may have come with the project from an unknown author, so no link in it is followed,
 * its files are private to the user, and version control ignores them.
 *
 * The checks are for existing files. They do not stop a process that replaces a folder with a link between a check and the use; such a
 * process already has the user's permissions.
 */
import { appendFileSync, chmodSync, lstatSync, mkdirSync, type Stats, statSync } from "node:fs";
import { dirname, join, parse, resolve, sep } from "node:path";
import { StoreError, systemErrorCode } from "@bridle/protocol";
import { readTextFileSync } from "./read-text-file.ts";

const stateFolderName = ".bridle";

/**
 * Creates a folder and its parent folders, readable only by this user. In a `.bridle` folder, refuses links, and makes version control
 * ignore the whole `.bridle`.
 *
 * @throws StoreError for a link.
 * @throws a system error if the folder cannot be created or belongs to another user.
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
  /** Whether other users may read the folders as far as the umask allows, as in a project's source files. Default: only this user may. */
  readonly isShared?: boolean | undefined;
}

/**
 * Creates a folder and its parent folders. Returns the topmost folder that was missing, or undefined if all existed. Use it instead of
 * Node's `recursive`, which never returns in a folder such as /proc that answers ENOENT when a folder is created in it (observed with Node
 * 24.21).
 *
 * @throws a system error if a folder cannot be created, such as EEXIST if a file has the folder's name.
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
 * Refuses a path that is a link in `.bridle` or leads through one. Paths outside a `.bridle` are not checked.
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

/** Makes a file or folder of this user unreadable for other users. A file that came with a clone is readable by all. */
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

/** Lists the paths from the innermost `.bridle` to the given path. Empty if the path is not in a `.bridle`. */
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
    if (["EACCES", "EPERM"].includes(systemErrorCode(cause))) throw cause; // the folder belongs to another user
    throw new StoreError(`${path} cannot be read (${systemErrorCode(cause)}). Remove it.`, path, { cause });
  }
}

/** Makes git ignore a folder's contents. The last pattern that matches a file counts, so `*` at the end ignores everything. */
function ignoreContents(folder: string): void {
  const path = join(folder, ".gitignore");
  refuseLinks(path);
  const text = statsOf(path) === undefined ? "" : readPatterns(path);
  if (text.split(/\r?\n/).includes("*")) return;
  appendFileSync(path, text === "" || text.endsWith("\n") ? "*\n" : "\n*\n", { mode: 0o600 });
}
