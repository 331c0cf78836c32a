import { sha256 } from "@bridle/core";

/** The version of an item: equal for equal titles and texts, wherever they are. Both are without secrets. */
export function versionOf(title: string, text: string): string {
  return sha256(JSON.stringify([title, text]));
}
