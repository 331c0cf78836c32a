import { importOptional } from "@bridle/core";
import type { Block, DocumentFile } from "./block.ts";
import { DocumentError } from "./document-error.ts";
import { paragraphsOf } from "./text.ts";

/** Reads a PDF page by page. A PDF without text, such as a scan, is an error. Needs the optional package unpdf. */
export async function parsePdf({ name, bytes }: DocumentFile): Promise<readonly Block[]> {
  const pages = await readPages(name, bytes);
  const blocks = pages.flatMap((text, index) => paragraphsOf(text, index + 1));
  if (blocks.length > 0) return blocks;
  throw new DocumentError(name, "has no text; its pages may be images. Run text recognition (OCR) on it first.");
}

async function readPages(name: string, bytes: Uint8Array): Promise<readonly string[]> {
  const { extractText, getDocumentProxy } = await importOptional(
    ["unpdf"],
    () => import("unpdf"),
    (problem, cause) => new DocumentError(name, problem, { cause }),
  );
  try {
    const copy = new Uint8Array(bytes); // the parser detaches the buffer
    const document = await getDocumentProxy(copy, { verbosity: 0 });
    const { text } = await extractText(document, { mergePages: false });
    return text;
  } catch (cause) {
    throw new DocumentError(name, `cannot be read as a PDF (${reasonOf(cause)}). Save it again, without a password.`, {
      cause,
    });
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message.replace(/\.$/, "") : String(cause);
}
