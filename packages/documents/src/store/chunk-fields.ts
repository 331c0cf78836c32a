import { z } from "zod";
import type { FoundChunk, StoredChunk } from "./document-store.ts";

/** What is kept of a chunk as JSON: all but its vector. */
const fieldsSchema = z.strictObject({
  text: z.string(),
  headings: z.array(z.string()),
  lines: z.strictObject({ from: z.number(), to: z.number() }).exactOptional(),
  page: z.number().exactOptional(),
  context: z.string().exactOptional(),
});

export function writeFields({ vector: _isKeptBeside, ...fields }: StoredChunk): string {
  return JSON.stringify(fields);
}

export function readFields(json: unknown): Omit<FoundChunk, "id" | "file"> {
  return fieldsSchema.parse(JSON.parse(String(json)));
}
