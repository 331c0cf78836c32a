import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";

/** A longer file is no configuration. In bytes. */
const maxBytes = 16_000_000;

/** A pipe without a writer does not block. */
const withoutWaiting = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a file of settings or instructions as text. Rejects with an Error whose `code` completes "cannot be read (…)": the
 * code of the system, or a few words for what would block or fill the memory, such as a pipe, a device or a huge file.
 */
export async function readTextFile(path: string): Promise<string> {
  await using file = await open(path, withoutWaiting);
  requireText(path, await file.stat());
  return await file.readFile("utf8");
}

/** As `readTextFile`, at once. */
export function readTextFileSync(path: string): string {
  const file = openSync(path, withoutWaiting);
  try {
    requireText(path, fstatSync(file));
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** Reading a folder is an error of the system. */
function requireText(path: string, info: Stats): void {
  if (!info.isFile() && !info.isDirectory()) throw unreadable(path, "not a regular file");
  if (info.size > maxBytes) throw unreadable(path, `more than ${maxBytes / 1_000_000} MB`);
}

function unreadable(path: string, code: string): Error {
  return Object.assign(new Error(`${path} cannot be read: ${code}.`), { code });
}
