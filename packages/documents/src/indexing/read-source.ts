import { readFile, stat } from "node:fs/promises";
import { systemErrorCode } from "@bridle/protocol";
import { DocumentError } from "../parse/document-error.ts";
import type { SourceFile } from "./find-files.ts";

/** The bytes of a file. Rejects with a DocumentError if it is too large or cannot be read. */
export async function readSource({ path, name }: SourceFile, maxFileBytes: number): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size <= maxFileBytes) return await readFile(path);
    throw new DocumentError(
      name,
      `has ${megabytes(size)} MB, more than the limit of ${megabytes(maxFileBytes)} MB. Split it, or raise max_file_mb.`,
    );
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause;
    const code = systemErrorCode(cause);
    throw new DocumentError(name, `cannot be read (${code}). Make it readable, or leave it out of the source.`, {
      cause,
    });
  }
}

/** With two significant digits. */
function megabytes(bytes: number): number {
  return Number((bytes / 1_000_000).toPrecision(2));
}
