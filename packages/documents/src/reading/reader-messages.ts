/** The messages between the indexing process and the process that reads documents. */
import { z } from "zod";
import type { DocumentRequest, PreparedDocument } from "./prepare-document.ts";

/** A request. The process ends itself if its resident memory exceeds the request's limit while it reads the file. */
export interface ReaderRequest extends DocumentRequest {
  readonly memoryBytes: number;
}

const range = z.strictObject({ from: z.number(), to: z.number() });
const chunk = z.strictObject({
  text: z.string(),
  headings: z.array(z.string()),
  lines: range.exactOptional(),
  page: z.number().exactOptional(),
  lastPage: z.number().exactOptional(),
});
const prepared = z.strictObject({
  chunks: z.array(chunk),
  warnings: z.array(z.string()),
  terms: z.array(z.string()).optional(),
  text: z.string().optional(),
});

/** A reply. Parsers process untrusted documents, so messages from their process are validated. */
export const readerReply = z.union([
  z.strictObject({ prepared, residentBytes: z.number() }),
  /** The problem completes a sentence that begins with the file name. */
  z.strictObject({ problem: z.string(), residentBytes: z.number() }),
]);

export type ReaderReply =
  | { readonly prepared: PreparedDocument; readonly residentBytes: number }
  | { readonly problem: string; readonly residentBytes: number };
