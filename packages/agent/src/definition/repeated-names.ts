/** Names that have to be different, found in the file's value whatever else is wrong with it. */
import { isPlainObject } from "@bridle/protocol";

export interface SameName {
  readonly name: string;
  readonly path: readonly PropertyKey[];
  /** Where the name stands before. */
  readonly first: readonly PropertyKey[];
}

/** Entries of a list that have the name of one before. */
export function sameNames(raw: unknown, list: "tools" | "test_cases"): SameName[] {
  const entries: unknown = isPlainObject(raw) ? raw[list] : undefined;
  const seen = new Map<string, number>();
  return (Array.isArray(entries) ? entries : []).flatMap((entry: unknown, index) => {
    const given = isPlainObject(entry) ? entry.name : undefined;
    if (typeof given !== "string") return [];
    const name = given.trim(); // as it is read
    const first = seen.get(name);
    if (first === undefined) seen.set(name, index);
    return first === undefined ? [] : [{ name, path: [list, index, "name"], first: [list, first, "name"] }];
  });
}
