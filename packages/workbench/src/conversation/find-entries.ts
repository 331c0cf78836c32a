import type { SessionEntry } from "../connection/session-entries.ts";
import { promptOf } from "./prompt-of.ts";

/** Returns the indexes of the entries that contain a text, case-insensitive. */
export function findEntries(entries: readonly SessionEntry[], query: string): readonly number[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === "") return [];
  return entries.flatMap((entry, index) => (searchedTextOf(entry).includes(wanted) ? [index] : []));
}

/** The texts of entries that were already searched. Unchanged entries are the same objects. */
const searchedTexts = new WeakMap<SessionEntry, string>();

function searchedTextOf(entry: SessionEntry): string {
  const known = searchedTexts.get(entry) ?? textOf(entry).toLowerCase();
  searchedTexts.set(entry, known);
  return known;
}

/** Returns all visible text of an entry. */
function textOf(entry: SessionEntry): string {
  switch (entry.kind) {
    case "user":
      return promptOf(entry.message);
    case "text":
    case "reasoning":
      return entry.text;
    case "tool":
      return `${entry.tool} ${JSON.stringify(entry.input)} ${entry.output ?? ""}`;
    default:
      return "";
  }
}
