import { z } from "zod";
import type { FoundChunk, LeftOutFile, StoredChunk } from "./document-store.ts";

/** A chunk as JSON, without its vector. */
const fieldsSchema = z.strictObject({
  text: z.string(),
  headings: z.array(z.string()),
  lines: z.strictObject({ from: z.number(), to: z.number() }).exactOptional(),
  page: z.number().exactOptional(),
  lastPage: z.number().exactOptional(),
  context: z.string().exactOptional(),
});

export function writeFields({ vector: _inItsOwnTable, ...fields }: StoredChunk): string {
  return JSON.stringify(fields);
}

export function readFields(json: unknown): Omit<FoundChunk, "id" | "file"> {
  return fieldsSchema.parse(JSON.parse(String(json)));
}

/** Converts a row of the table of skipped and failed files. */
export function toLeftOutFile({ name, kind, problem }: Readonly<Record<string, unknown>>): LeftOutFile {
  return { name: String(name), kind: kind === "skipped" ? "skipped" : "failed", problem: String(problem) };
}
