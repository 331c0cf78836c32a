import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { systemErrorCode } from "@bridle/protocol";
import { DocumentError } from "../parse/document-error.ts";
import type { SourceFile } from "./find-files.ts";

/** The bytes of a file. Rejects with a DocumentError if it is too large or cannot be read. */
export async function readSource({ path, name }: SourceFile, maxFileBytes: number): Promise<Uint8Array> {
  try {
    await using file = await open(path, readWithoutWaiting);
    const info = await file.stat();
    if (!info.isFile()) throw new DocumentError(name, "is not a regular file. Leave it out of the source.");
    if (info.size > maxFileBytes) throw tooLarge(name, info.size, maxFileBytes);
    return await file.readFile();
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause;
    const code = systemErrorCode(cause);
    throw new DocumentError(name, `cannot be read (${code}). Make it readable, or leave it out of the source.`, {
      cause,
    });
  }
}

/** The path has no links; one that takes its place meanwhile is not followed. A pipe that takes it does not block. */
const readWithoutWaiting = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function tooLarge(name: string, size: number, limit: number): DocumentError {
  const [found, most] = [size, limit].map(megabytes);
  return new DocumentError(name, `has ${found} MB, more than the limit of ${most} MB. Split it, or raise max_file_mb.`);
}

/** With two significant digits. */
function megabytes(bytes: number): number {
  return Number((bytes / 1_000_000).toPrecision(2));
}
