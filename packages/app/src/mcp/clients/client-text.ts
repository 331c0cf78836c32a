/** Reads and writes a client's file as text. The file belongs to the user, and other programs also write to it. */

import { randomUUID } from "node:crypto";
import { lstat, readlink, realpath, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { makeFolders, readRegularFile, readTextFile } from "@bridle/core";
import { ConfigError, systemErrorCode } from "@bridle/protocol";

const byteOrderMark = "\ufeff";
const max = 50_000_000;

/** A file before an edit. */
export interface ClientText {
  /** The real path of the file after following links. */
  readonly path: string;
  /** Undefined if the file does not exist. */
  readonly text: string | undefined;
  /** Whether the text begins with a byte order mark, which `text` does not contain. */
  readonly hasMark: boolean;
  readonly mode: number | undefined;
}

/** Reads a file. Links are followed, except out of `inside`. Throws ConfigError. */
export async function readClientText(path: string, inside: string | undefined): Promise<ClientText> {
  const real = await followLinks(path);
  if (inside !== undefined) await requireInside(path, real, inside);
  try {
    const found = await stat(real);
    if (!found.isFile()) throw new ConfigError(`${path} is not a file. Remove it, and try again.`);
    if (found.size > max) throw new ConfigError(`${path} has ${found.size} bytes, which is too large for a client.`);
    const text = decode(path, await readRegularFile(real, max));
    const hasMark = text.startsWith(byteOrderMark);
    return { path: real, text: hasMark ? text.slice(1) : text, hasMark, mode: found.mode & 0o777 };
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    if (systemErrorCode(cause) === "ENOENT") return { path: real, text: undefined, hasMark: false, mode: undefined };
    throw new ConfigError(`${path} cannot be read (${systemErrorCode(cause)}).`, { cause });
  }
}

/** Refuses a link to a file that does not exist, because writing would replace the link with a file. */
async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false;
    if (isLink) {
      throw new ConfigError(`${path} is a link to ${await readlink(path)}, which does not exist. Correct the link.`);
    }
    if (systemErrorCode(cause) === "ENOENT")
      return join(await followFolder(dirname(path)), relative(dirname(path), path));
    throw new ConfigError(`${path} cannot be found (${systemErrorCode(cause)}).`, { cause });
  }
}

async function followFolder(folder: string): Promise<string> {
  return realpath(folder).catch(() => resolve(folder));
}

/** Refuses links that lead out of a project, because a project can come from anyone. */
async function requireInside(path: string, real: string, folder: string): Promise<void> {
  const root = await followFolder(folder);
  if (real.startsWith(root + sep)) return;
  throw new ConfigError(`${path} is a link that leads out of the project, to ${real}. Edit that file yourself.`);
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new ConfigError(`${path} is not UTF-8, so it was not changed. Save it as UTF-8.`, { cause });
  }
}

/**
 * Replaces a file atomically, and keeps its mode. Returns the folders that were created. Throws ConfigError if the file has changed since
 * it was read.
 */
export async function writeClientText(before: ClientText, text: string, newMode: number): Promise<string[]> {
  const { path, hasMark, mode = newMode } = before;
  const temporary = join(dirname(path), `.${randomUUID()}.bridle`);
  const created = await createFolders(dirname(path));
  try {
    await writeFile(temporary, (hasMark ? byteOrderMark : "") + text, { flag: "wx", mode });
    await requireUnchanged(before);
    await rename(temporary, path);
    return created;
  } catch (cause) {
    await rm(temporary, { force: true });
    await removeFolders(created);
    if (cause instanceof ConfigError) throw cause;
    throw new ConfigError(`${path} cannot be written (${systemErrorCode(cause)}).`, { cause });
  }
}

/** Removes a file that Bridle created, and the folders that were created for it, if they are empty. */
export async function removeClientText(before: ClientText, folders: readonly string[]): Promise<void> {
  await requireUnchanged(before);
  await rm(before.path);
  await removeFolders(folders);
}

/**
 * Throws ConfigError if the file is read-only: the folder's permissions would allow replacing the file, but its owner does not want that.
 */
export function requireWritableText({ path, mode = 0o600 }: ClientText): void {
  if ((mode & 0o222) !== 0) return;
  throw new ConfigError(`${path} is read-only, so it was not changed. Make it writable, and try again.`);
}

async function createFolders(folder: string): Promise<string[]> {
  const first = makeFolders(folder);
  if (first === undefined) return [];
  const created = [folder];
  while (created.at(-1) !== first && dirname(created.at(-1) ?? "") !== created.at(-1))
    created.push(dirname(created.at(-1) ?? ""));
  return created;
}

async function removeFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders) await rmdir(folder).catch(() => {}); // the folder is in use
}

async function requireUnchanged({ path, text, hasMark }: ClientText): Promise<void> {
  const now = await readTextFile(path).catch(() => undefined);
  if (now === (text === undefined ? undefined : (hasMark ? byteOrderMark : "") + text)) return;
  throw new ConfigError(`${path} changed while you decided, so it was not changed by Bridle. Try again.`);
}
