import { readFile, stat } from "node:fs/promises";
import { DocumentError } from "../parse/document-error.ts";
import type { SourceFile } from "./find-files.ts";

/** The bytes of a file. Rejects with a DocumentError for one that is too large or may not be read. */
export async function readSource({ path, name }: SourceFile, maxFileBytes: number): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size <= maxFileBytes) return await readFile(path);
    throw new DocumentError(
      name,
      `has ${megabytes(size)} MB, and files of over ${megabytes(maxFileBytes)} MB are not read. Split it, or allow more.`,
    );
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    throw new DocumentError(name, `cannot be read (${code}). Allow reading it, or leave it out of the source.`, {
      cause,
    });
  }
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000);
}
