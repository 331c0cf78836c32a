/**
 * Every value that a tool may read at a path of an input, and every text that it may read from a value. A rule must not
 * depend on the one spelling of an input that its author had in mind: a model chooses the spelling.
 */

import { normalizeText } from "@bridle/protocol";

export interface FoundValue {
  readonly value: unknown;
  /** The names of fields are spelled like the path. */
  readonly isExact: boolean;
}

/**
 * The values at a path such as `order.id`: nested fields, fields with the dot in their name, and both in every item of lists. Names in
 * other case count too, because some languages ignore the case of names when they read JSON.
 */
export function valuesAt(input: unknown, path: string): FoundValue[] {
  const segments = path.split(".");
  const names = segments.map((_, start) =>
    segments.slice(start).map((_, length) => {
      const name = segments.slice(start, start + length + 1).join(".");
      return { name, folded: foldName(name), next: start + length + 1 };
    }),
  );
  const found: FoundValue[] = [];
  const visit = (holder: unknown, start: number, isExact: boolean) => {
    const ahead = names[start];
    if (ahead === undefined) {
      if (holder !== undefined) found.push({ value: holder, isExact });
      return;
    }
    if (Array.isArray(holder)) for (const item of holder) visit(item, start, isExact);
    if (typeof holder !== "object" || holder === null) return;
    for (const [key, value] of Object.entries(holder)) {
      const folded = foldName(key);
      for (const each of ahead) {
        if (each.folded === folded) visit(value, each.next, isExact && each.name === key);
      }
    }
  };
  visit(input, 0, true);
  return found;
}

/** The texts that a tool may read from a value: those inside lists and objects too, without blanks around them. */
export function readings(value: unknown): string[] {
  if (typeof value === "string") return [value.trim(), foldText(value)];
  if (typeof value === "object" && value !== null) {
    return Object.values(value).flatMap((each) => [...(typeof each === "string" ? [each] : []), ...readings(each)]);
  }
  return value === undefined ? [] : [String(value)];
}

function foldName(name: string): string {
  return normalizeText(name, "NFKC").toLowerCase();
}

/** Compatible characters such as full-width letters are one; invisible ones are none; a run of blanks is one blank. */
function foldText(text: string): string {
  return normalizeText(text, "NFKC")
    .replace(/[^\P{C}\s]/gu, "")
    .replace(/\s+/g, " ")
    .trim();
}
