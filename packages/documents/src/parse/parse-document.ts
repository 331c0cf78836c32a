import { extname } from "node:path";
import type { Block, DocumentFile, ParseContext, Parser } from "./block.ts";
import { DocumentError } from "./document-error.ts";
import { parseLimitsFor } from "./parse-limits.ts";
import type { RecordOptions } from "./record-options.ts";

const markdown: Load = async () => (await import("./markdown.ts")).parseMarkdown;
const text: Load = async () => (await import("./text.ts")).parseText;
const html: Load = async () => (await import("./html.ts")).parseHtml;
const pdf: Load = async () => (await import("./pdf.ts")).parsePdf;
const docx: Load = async () => (await import("./office/docx.ts")).parseDocx;
const xlsx: Load = async () => (await import("./office/xlsx.ts")).parseXlsx;
const pptx: Load = async () => (await import("./office/pptx.ts")).parsePptx;
const csv: Load = async () => (await import("./csv.ts")).parseCsv;
const json: Load = async () => (await import("./json.ts")).parseJsonDocument;
const jsonLines: Load = async () => (await import("./json.ts")).parseJsonLines;

/** Imports a parser. Called only when a document needs the parser. */
type Load = () => Promise<Parser>;

const parsers: Readonly<Record<string, Load>> = {
  ".md": markdown,
  ".markdown": markdown,
  ".mdx": markdown,
  ".txt": text,
  ".text": text,
  ".html": html,
  ".htm": html,
  ".pdf": pdf,
  ".docx": docx,
  ".xlsx": xlsx,
  ".pptx": pptx,
  ".csv": csv,
  ".tsv": csv,
  ".json": json,
  ".jsonl": jsonLines,
  ".ndjson": jsonLines,
};

/** The extensions of supported files. */
export const documentEndings: readonly string[] = Object.keys(parsers);

/**
 * Reads a file into blocks. `records` chooses the fields of tables and JSON. `warn` receives notes about skipped or doubtful content: each
 * completes a sentence that begins with the file name. This function does not limit the parser's time and memory; use `DocumentReader` for
 * that.
 *
 * @throws DocumentError if the format is not supported, the file is damaged, or an optional package is missing.
 */
export async function parseDocument(
  file: DocumentFile,
  records: RecordOptions = {},
  warn: ParseContext["warn"] = () => {},
): Promise<readonly Block[]> {
  const ending = extname(file.name).toLowerCase();
  const load = parsers[ending];
  if (load === undefined)
    throw new DocumentError(file.name, `has an unsupported format. Supported: ${documentEndings.join(", ")}.`);
  try {
    const parse = await load();
    return await parse(file, { limits: parseLimitsFor(file.bytes.length), records, warn });
  } catch (error) {
    throw toDocumentError(file.name, error);
  }
}

/** Converts any parser error to a DocumentError about one document. */
export function toDocumentError(name: string, cause: unknown): DocumentError {
  if (cause instanceof DocumentError) return cause;
  if (cause instanceof RangeError && cause.message.includes("call stack"))
    return new DocumentError(name, "is nested too deeply to be read. Flatten it, or leave it out of the source.", {
      cause,
    });
  const problem = `cannot be read (${cause instanceof Error ? cause.message : String(cause)}). Save it again, or leave it out of the source.`;
  return new DocumentError(name, problem, { cause });
}
