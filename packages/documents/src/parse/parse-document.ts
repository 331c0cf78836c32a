import { extname } from "node:path";
import { DocumentError } from "../document-error.ts";
import type { Block, DocumentFile, Parser } from "./block.ts";
import { parseCsv } from "./csv.ts";
import { parseDocx } from "./docx.ts";
import { parseHtml } from "./html.ts";
import { parseJson, parseJsonLines } from "./json.ts";
import { parseMarkdown } from "./markdown.ts";
import { parsePdf } from "./pdf.ts";
import type { RecordOptions } from "./record-options.ts";
import { parseText } from "./text.ts";

const parsers: Readonly<Record<string, Parser>> = {
  ".md": parseMarkdown,
  ".markdown": parseMarkdown,
  ".mdx": parseMarkdown,
  ".txt": parseText,
  ".text": parseText,
  ".html": parseHtml,
  ".htm": parseHtml,
  ".pdf": parsePdf,
  ".docx": parseDocx,
  ".csv": parseCsv,
  ".tsv": parseCsv,
  ".json": parseJson,
  ".jsonl": parseJsonLines,
  ".ndjson": parseJsonLines,
};

/** Endings of the files that can be read. */
export const documentEndings: readonly string[] = Object.keys(parsers);

/** Reads a file into blocks; `records` says what of tables and JSON is read. Throws DocumentError for one that is damaged or of a kind that is not read. */
export async function parseDocument(file: DocumentFile, records?: RecordOptions): Promise<readonly Block[]> {
  const ending = extname(file.name).toLowerCase();
  const parse = parsers[ending];
  if (parse) return parse(file, records);
  throw new DocumentError(file.name, `is of a kind that is not read. Known: ${documentEndings.join(", ")}.`);
}
