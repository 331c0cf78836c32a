import type { DocumentFile, ParseContext } from "../block.ts";
import { decodeAs, decodeMarked } from "./decode-as.ts";

/**
 * Decodes a file: as UTF-8, as UTF-16 with a byte order mark, in the encoding that the file declares, or in an encoding that the bytes
 * suggest. Warns in the last case. Throws DocumentError if no encoding matches the bytes, because the index would contain wrong letters.
 */
export async function decodeText(file: DocumentFile, context: ParseContext, declared?: string): Promise<string> {
  const text = decodePlain(file.bytes) ?? (declared === undefined ? undefined : decodeAs(declared, file.bytes));
  if (text !== undefined) return text;
  const { guessText } = await import("./guess-text.ts");
  return guessText(file, context);
}

function decodePlain(bytes: Uint8Array): string | undefined {
  try {
    const text = decodeMarked(bytes);
    return isOtherEncoding(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

const examined = 4096;

/**
 * Whether a text is in another encoding. UTF-16 and ISO-2022-JP can be valid UTF-8, but with many control characters or Japanese escape
 * sequences.
 */
function isOtherEncoding(text: string): boolean {
  const start = text.slice(0, examined);
  const controls = start.match(/[^\P{Cc}\t\n\f\r]/gu)?.length ?? 0;
  return controls > start.length / 4 || start.includes("\x1b$");
}
