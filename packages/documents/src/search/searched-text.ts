/** Returns the searchable text of a chunk: its headings, its description and its text. Pure. */
import type { StoredChunk } from "../store/document-store.ts";
import { termsOf } from "./terms.ts";

export function searchedText({ headings, context, text }: StoredChunk): string {
  return [headings.join(" > "), context, text].filter((part) => part !== undefined && part !== "").join("\n\n");
}

export function searchedTerms(chunk: StoredChunk): readonly string[] {
  return termsOf(searchedText(chunk));
}
