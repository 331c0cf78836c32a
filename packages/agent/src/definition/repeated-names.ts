/** Names that have to be unique. They are found even if other parts of the file are invalid. */
import { isPlainObject } from "@bridle/protocol";

export interface RepeatedName {
  readonly name: string;
  readonly path: readonly PropertyKey[];
  /** The path of the first entry with the name. */
  readonly first: readonly PropertyKey[];
}

/** Entries of a list that have the name of an earlier entry. */
export function repeatedNames(raw: unknown, list: "tools" | "test_cases"): RepeatedName[] {
  const entries: unknown = isPlainObject(raw) ? raw[list] : undefined;
  const seen = new Map<string, number>();
  return (Array.isArray(entries) ? entries : []).flatMap((entry: unknown, index) => {
    const given = isPlainObject(entry) ? entry.name : undefined;
    if (typeof given !== "string") return [];
    const name = given.trim(); // as the schema reads it
    const first = seen.get(name);
    if (first === undefined) seen.set(name, index);
    return first === undefined ? [] : [{ name, path: [list, index, "name"], first: [list, first, "name"] }];
  });
}
