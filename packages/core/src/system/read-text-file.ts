/**
 * The only way to read a file that a user, a setting or a project names. A pipe or a device would block the program, and an endless file
 * would fill its memory, so only regular files of a limited size are read.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** The maximum size of a file with settings or instructions, in bytes. */
const maxTextBytes = 16_000_000;

/** Flags for opening a file, with which a pipe without a writer does not block. */
const withoutWaiting = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a file. Rejects with an Error whose `code` completes "cannot be read (…)": the system's error code, or a short description of a
 * file that would block or fill the memory, such as a pipe, a device or a file of more than `maxBytes`.
 *
 * @example await readRegularFile("/home/ada/desk/run.tgz", 256_000_000);
 */
export async function readRegularFile(path: string, maxBytes: number): Promise<Buffer> {
  await using file = await openRegularFile(path, maxBytes);
  return await file.readFile();
}

/** Opens a file for reading in parts, under the same conditions. The caller closes it. */
export async function openRegularFile(path: string, maxBytes: number): Promise<FileHandle> {
  const file = await open(path, withoutWaiting);
  try {
    requireRegular(path, await file.stat(), maxBytes);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Reads a file like `readRegularFile`, but synchronously. */
export function readRegularFileSync(path: string | Buffer, maxBytes: number): Buffer {
  const file = openRegularFileSync(path, maxBytes);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Opens a file for reading under the same conditions. The caller closes it. */
export function openRegularFileSync(path: string | Buffer, maxBytes: number): number {
  const file = openSync(path, withoutWaiting);
  try {
    requireRegular(path, fstatSync(file), maxBytes);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Reads a file of settings or instructions of up to 16 MB as text. Rejects as `readRegularFile` does. */
export async function readTextFile(path: string): Promise<string> {
  return (await readRegularFile(path, maxTextBytes)).toString("utf8");
}

/** Reads a file like `readTextFile`, but synchronously. */
export function readTextFileSync(path: string): string {
  return readRegularFileSync(path, maxTextBytes).toString("utf8");
}

/** Refuses everything except a regular file of a limited size. For a folder, the read itself fails with a system error. */
function requireRegular(path: string | Buffer, info: Stats, maxBytes: number): void {
  if (!info.isFile() && !info.isDirectory()) throw unreadable(path, "not a regular file");
  if (info.size > maxBytes) throw unreadable(path, `more than ${maxBytes / 1_000_000} MB`);
}

function unreadable(path: string | Buffer, code: string): Error {
  return Object.assign(new Error(`${path} cannot be read: ${code}.`), { code, syscall: "open" });
}
