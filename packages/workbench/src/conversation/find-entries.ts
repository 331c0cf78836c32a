import type { SessionEntry } from "../connection/session-entries.ts";
import { promptOf } from "./prompt-of.ts";

/** The indexes of the entries that have a text, whatever its case. */
export function findEntries(entries: readonly SessionEntry[], query: string): readonly number[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === "") return [];
  return entries.flatMap((entry, index) => (searchedTextOf(entry).includes(wanted) ? [index] : []));
}

/** Of the entries that were searched before. Those that do not change are the same objects. */
const searchedTexts = new WeakMap<SessionEntry, string>();

function searchedTextOf(entry: SessionEntry): string {
  const known = searchedTexts.get(entry) ?? textOf(entry).toLowerCase();
  searchedTexts.set(entry, known);
  return known;
}

/** All that a person can read in an entry. */
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
