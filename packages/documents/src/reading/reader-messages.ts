/** The messages between the process that indexes and the process that reads documents. */
import { z } from "zod";
import type { DocumentRequest, PreparedDocument } from "./prepare-document.ts";

/** The process ends itself if it has more resident memory while it reads this file. */
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

/** Parsers handle documents of others, so what their process sends is checked. */
export const readerReply = z.union([
  z.strictObject({ prepared, residentBytes: z.number() }),
  /** The rest of a sentence that begins with the name of the file. */
  z.strictObject({ problem: z.string(), residentBytes: z.number() }),
]);

export type ReaderReply =
  | { readonly prepared: PreparedDocument; readonly residentBytes: number }
  | { readonly problem: string; readonly residentBytes: number };
