import type { Question } from "./question-keys.ts";

/** Describes the possible effects of a tool in a few words, as in the terminal. A tool without annotations may do anything. */
export function describePromises(annotations: Question["annotations"]): string {
  const { readOnly = false, destructive = true, openWorld = true } = annotations ?? {};
  const outside = openWorld ? ", outside of this machine too" : "";
  if (readOnly) return `only reads${outside}`;
  return `${destructive ? "may destroy data" : "changes data"}${outside}`;
}
