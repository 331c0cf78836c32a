import { sha256 } from "@bridle/core";

/** The version of an item. Equal for equal titles and texts in any item. Both must be without secrets. */
export function versionOf(title: string, text: string): string {
  return sha256(JSON.stringify([title, text]));
}
