import { canonicalJson, isPlainObject } from "@bridle/protocol";
import { shortened } from "../text/excerpt.ts";
import { formatPath, type Path } from "./path.ts";

/** The first difference of two values of JSON, in words with its path; `path` is where the two stand. */
export function differenceOf(wanted: unknown, given: unknown, path: Path = []): string | undefined {
  if (Array.isArray(wanted) && Array.isArray(given) && wanted.length === given.length) {
    return firstOf(wanted, (each, index) => differenceOf(each, given[index], [...path, index]));
  }
  if (isPlainObject(wanted) && isPlainObject(given)) {
    return firstOf([...new Set([...Object.keys(wanted), ...Object.keys(given)])], (key) =>
      differenceOf(own(wanted, key), own(given, key), [...path, key]),
    );
  }
  if (wanted !== undefined && wanted === given) return undefined;
  return `${path.length === 0 ? "the answer" : formatPath(path)} is ${shown(given)} instead of ${shown(wanted)}`;
}

function firstOf<T>(items: readonly T[], find: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

const own = (holder: Record<string, unknown>, key: string) => (Object.hasOwn(holder, key) ? holder[key] : undefined);
const shown = (value: unknown) =>
  typeof value === "number" ? String(value) : value === undefined ? "nothing" : shortened(canonicalJson(value));
