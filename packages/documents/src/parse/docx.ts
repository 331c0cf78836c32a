import type { Block, DocumentFile } from "./block.ts";
import { DocumentError } from "./document-error.ts";
import { blocksOfHtml } from "./html.ts";

/** Word documents. Without lines: a document has none. */
export async function parseDocx({ name, bytes }: DocumentFile): Promise<readonly Block[]> {
  const { default: mammoth } = await import("mammoth");
  try {
    const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) });
    return blocksOfHtml(value).map(({ lines: _lines, ...block }) => block);
  } catch (cause) {
    throw new DocumentError(name, "cannot be read as a Word document. Save it anew as .docx.", { cause });
  }
}
