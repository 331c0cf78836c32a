/**
 * Lists every value that a tool may read at a path of an input, and every string that a tool may read from a value. The model chooses how
 * to spell an input, so a rule must not depend on the spelling that its author expected.
 */

import { normalizeText } from "@bridle/protocol";

export interface FoundValue {
  readonly value: unknown;
  /** Whether the names of the fields are spelled exactly like the path. */
  readonly isExact: boolean;
}

/**
 * Lists the values at a path such as `order.id`: in nested fields, in fields with a dot in their name, and in both within every list item.
 * The case of names does not matter, because some languages ignore it when they read JSON.
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

/** Lists the strings that a tool may read from a value, including those inside lists and objects, without surrounding blanks. */
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

/** Replaces compatible characters, such as full-width letters, with their usual form, removes invisible characters, and joins blanks. */
function foldText(text: string): string {
  return normalizeText(text, "NFKC")
    .replace(/[^\P{C}\s]/gu, "")
    .replace(/\s+/g, " ")
    .trim();
}
