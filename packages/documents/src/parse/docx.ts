import { importOptional } from "@bridle/core";
import type { Block, DocumentFile } from "./block.ts";
import { DocumentError } from "./document-error.ts";
import { blocksOfHtml } from "./html.ts";

/** Reads a Word document. Its blocks have no lines. Needs the optional package mammoth. */
export async function parseDocx({ name, bytes }: DocumentFile): Promise<readonly Block[]> {
  const { default: mammoth } = await importOptional(
    ["mammoth"],
    () => import("mammoth"),
    (problem, cause) => new DocumentError(name, problem, { cause }),
  );
  try {
    const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) });
    return blocksOfHtml(value).map(({ lines: _lines, ...block }) => block);
  } catch (cause) {
    throw new DocumentError(name, "cannot be read as a Word document. Save it again as .docx.", { cause });
  }
}
