import { type BigIntStats, constants, lstatSync } from "node:fs";
import { open } from "node:fs/promises";
import { systemErrorCode } from "@bridle/protocol";
import { DocumentError } from "../parse/document-error.ts";
import type { SourceFile } from "./find-files.ts";

export interface ReadSource {
  readonly bytes: Uint8Array;
  readonly stamp: string;
  /** False if the file changed so recently that its content could change again without a new stamp. */
  readonly isSettled: boolean;
}

/** Reads a file. Rejects with a DocumentError if it is too large or cannot be read. */
export async function readSource({ path, name }: SourceFile, maxFileBytes: number): Promise<ReadSource> {
  try {
    await using file = await open(path, readWithoutWaiting);
    const info = await file.stat({ bigint: true });
    if (!info.isFile()) throw new DocumentError(name, "is not a regular file. Leave it out of the source.");
    if (info.size > maxFileBytes) throw tooLarge(name, Number(info.size), maxFileBytes);
    const isSettled = Number(info.ctimeMs) + coarsestTimeMs < Date.now();
    return { bytes: await file.readFile(), stamp: stampOf(info), isSettled };
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause;
    const code = systemErrorCode(cause);
    throw new DocumentError(name, `cannot be read (${code}). Make it readable, or leave it out of the source.`, {
      cause,
    });
  }
}

/**
 * Returns the current stamp of a file without reading the file; undefined for a file that `readSource` rejects. Equal stamps mean equal
 * content.
 */
export function readStamp({ path }: SourceFile, maxFileBytes: number): string | undefined {
  try {
    const info = lstatSync(path, { bigint: true }); // a promise for each of 20,000 files would take ten times the CPU time
    return info.isFile() && info.size <= maxFileBytes ? stampOf(info) : undefined;
  } catch {
    return undefined; // the error appears when the file is read
  }
}

/**
 * Returns a stamp that includes the time of the last status change (ctime), which no program can set. A rename or new permissions also
 * change that time.
 */
function stampOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return `${size} ${mtimeNs} ${ctimeNs} ${ino}`;
}

/** The coarsest step in which file systems store times. A file can change twice within one step. */
const coarsestTimeMs = 2000;

/** Flags for opening a file. If a link has replaced the file since, the link is not followed; if a pipe has, opening it does not block. */
const readWithoutWaiting = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function tooLarge(name: string, size: number, limit: number): DocumentError {
  const [found, max] = [size, limit].map(megabytes);
  return new DocumentError(name, `has ${found} MB, more than the limit of ${max} MB. Split it, or raise max_file_mb.`);
}

/** Returns megabytes with two significant digits. */
function megabytes(bytes: number): number {
  return Number((bytes / 1_000_000).toPrecision(2));
}
