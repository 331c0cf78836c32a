import { extname } from "node:path";
import type { Block, DocumentFile, ParseContext } from "./block.ts";
import { decodeText } from "./encoding/decode.ts";
import { parseDocument, toDocumentError } from "./parse-document.ts";
import { parseLimitsFor, TextBudget } from "./parse-limits.ts";
import type { RecordOptions } from "./record-options.ts";

/** Formats whose text is read unchanged. */
const plain = new Set([".md", ".markdown", ".mdx", ".txt", ".text"]);

/** Reads the text of a file: unchanged for Markdown and plain text, and with Markdown headings for other formats. Throws DocumentError. */
export async function readWholeDocument(
  file: DocumentFile,
  records: RecordOptions,
  warn: ParseContext["warn"],
): Promise<string> {
  const limits = parseLimitsFor(file.bytes.length);
  const budget = new TextBudget(file.name, limits);
  try {
    const text = plain.has(extname(file.name).toLowerCase())
      ? await decodeText(file, { limits, records, warn })
      : (await parseDocument(file, records, warn)).map(blockToMarkdown).join("\n\n");
    budget.add(text.length);
    return text;
  } catch (error) {
    throw toDocumentError(file.name, error);
  }
}

function blockToMarkdown({ kind, text, depth = 1 }: Block): string {
  return kind === "heading" ? `${"#".repeat(Math.min(depth, 6))} ${text.replaceAll(/\s+/g, " ")}` : text;
}
