import { importOptional } from "@bridle/core";
import type { Block, DocumentFile } from "./block.ts";
import { DocumentError } from "./document-error.ts";
import { blocksOfHtml } from "./html.ts";
import type { ParseLimits } from "./parse-limits.ts";
import { repackXml } from "./repack-xml.ts";

/** Reads a Word document. Its blocks have no lines. Pictures are not read. Needs the optional package mammoth. */
export async function parseDocx({ name, bytes }: DocumentFile, limits: ParseLimits): Promise<readonly Block[]> {
  const { default: mammoth } = await importOptional(
    ["mammoth"],
    () => import("mammoth"),
    (problem, cause) => new DocumentError(name, problem, { cause }),
  );
  try {
    const buffer = Buffer.from(repackXml(name, bytes, limits));
    const convertImage = mammoth.images.imgElement(async () => ({ src: "" }));
    const { value } = await mammoth.convertToHtml({ buffer }, { convertImage });
    return blocksOfHtml(value).map(({ lines: _lines, ...block }) => block);
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause;
    throw new DocumentError(name, "cannot be read as a Word document. Save it again as .docx.", { cause });
  }
}
