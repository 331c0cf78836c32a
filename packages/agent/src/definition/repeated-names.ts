/** Finds repeated names that have to be unique, even if other parts of the file are invalid. */
import { isPlainObject } from "@bridle/protocol";

export interface RepeatedName {
  readonly name: string;
  readonly path: readonly PropertyKey[];
  /** The path of the first entry with the name. */
  readonly first: readonly PropertyKey[];
}

/** Finds entries of a list that have the same name as an earlier entry. */
export function repeatedNames(raw: unknown, list: "tools" | "test_cases"): RepeatedName[] {
  const entries: unknown = isPlainObject(raw) ? raw[list] : undefined;
  const seen = new Map<string, number>();
  return (Array.isArray(entries) ? entries : []).flatMap((entry: unknown, index) => {
    const given = isPlainObject(entry) ? entry.name : undefined;
    if (typeof given !== "string") return [];
    const name = given.trim(); // as the schema reads names
    const first = seen.get(name);
    if (first === undefined) seen.set(name, index);
    return first === undefined ? [] : [{ name, path: [list, index, "name"], first: [list, first, "name"] }];
  });
}
