import type { Question } from "./question-keys.ts";

/** What a tool may do, in a few words, as the terminal says it. A tool that declares nothing may do anything. */
export function describePromises(annotations: Question["annotations"]): string {
  const { readOnly = false, destructive = true, openWorld = true } = annotations ?? {};
  const outside = openWorld ? ", outside of this machine too" : "";
  if (readOnly) return `only reads${outside}`;
  return `${destructive ? "may destroy data" : "changes data"}${outside}`;
}
