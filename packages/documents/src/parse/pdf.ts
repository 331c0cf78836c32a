import type { Block, DocumentFile } from "./block.ts";
import { DocumentError } from "./document-error.ts";
import { paragraphsOf } from "./text.ts";

/** PDF, page by page. One whose pages are pictures has no text, which is an error: it would look empty. */
export async function parsePdf({ name, bytes }: DocumentFile): Promise<readonly Block[]> {
  const pages = await readPages(name, bytes);
  const blocks = pages.flatMap((text, index) => paragraphsOf(text, index + 1));
  if (blocks.length > 0) return blocks;
  throw new DocumentError(name, "holds no text, only pictures of it perhaps. Have its text recognised first.");
}

async function readPages(name: string, bytes: Uint8Array): Promise<readonly string[]> {
  const { extractText, getDocumentProxy } = await import("unpdf");
  try {
    const copy = new Uint8Array(bytes); // which it takes away
    const document = await getDocumentProxy(copy, { verbosity: 0 });
    const { text } = await extractText(document, { mergePages: false });
    return text;
  } catch (cause) {
    throw new DocumentError(name, `cannot be read as a PDF (${reasonOf(cause)}). Save it anew, without a password.`, {
      cause,
    });
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message.replace(/\.$/, "") : String(cause);
}
