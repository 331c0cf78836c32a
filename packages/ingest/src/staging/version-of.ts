import { sha256 } from "@bridle/core";

/** Returns the version of an item. Items with equal titles and texts have the same version. Secrets must have been removed from both. */
export function versionOf(title: string, text: string): string {
  return sha256(JSON.stringify([title, text]));
}
