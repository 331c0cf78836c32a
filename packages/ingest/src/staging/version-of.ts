import { sha256 } from "@bridle/core";

/** Returns the version of an item, which is equal for equal titles and texts in any item. Secrets must have been removed from both. */
export function versionOf(title: string, text: string): string {
  return sha256(JSON.stringify([title, text]));
}
