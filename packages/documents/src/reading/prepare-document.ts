import { type Chunk, type ChunkOptions, chunkDocument } from "../chunk/chunk-document.ts";
import type { DocumentFile } from "../parse/block.ts";
import { parseDocument, toDocumentError } from "../parse/parse-document.ts";
import { parseLimitsFor, TextBudget } from "../parse/parse-limits.ts";
import type { RecordOptions } from "../parse/record-options.ts";
import { readWholeDocument } from "../parse/whole-document.ts";
import { searchedTerms } from "../search/searched-text.ts";

/** A file to read, and the results to produce from it. */
export interface DocumentRequest {
  readonly file: DocumentFile;
  readonly chunking: ChunkOptions;
  readonly records: RecordOptions;
  /** Whether a model will describe the passages. If not, their terms are computed immediately. */
  readonly willDescribe: boolean;
  /** Whether only the text of the whole document is needed, with its headings as in Markdown. Default: false. */
  readonly isWhole?: boolean | undefined;
}

export interface PreparedDocument {
  readonly chunks: readonly Chunk[];
  /** Content that was skipped or could not be read reliably. Each string completes a sentence that begins with the file name. */
  readonly warnings: readonly string[];
  /** The terms of each chunk, separated by spaces. Present only if the chunks will not be described. */
  readonly terms?: readonly string[] | undefined;
  /** The text of the whole document. Present only for descriptions, or if only the whole document is needed. */
  readonly text?: string | undefined;
}

/**
 * Reads a file and splits its text. This function does all work that grows with the size of a document, so that this work can run in a
 * process with limits. Throws DocumentError.
 */
export async function prepareDocument(request: DocumentRequest): Promise<PreparedDocument> {
  const { file, chunking, records, willDescribe } = request;
  const warnings: string[] = [];
  if (request.isWhole) {
    const text = await readWholeDocument(file, records, (problem) => warnings.push(problem));
    return { chunks: [], warnings, text };
  }
  const blocks = await parseDocument(file, records, (problem) => warnings.push(problem));
  try {
    const budget = new TextBudget(file.name, parseLimitsFor(file.bytes.length));
    const chunks = chunkDocument(blocks, chunking);
    for (const { text, headings } of chunks) budget.add(headings.reduce((sum, each) => sum + each.length, text.length));
    if (willDescribe) return { chunks, warnings, text: blocks.map(({ text }) => text).join("\n\n") };
    return { chunks, warnings, terms: chunks.map((chunk) => searchedTerms(chunk).join(" ")) };
  } catch (error) {
    throw toDocumentError(file.name, error);
  }
}
