import { canonicalJson, isPlainObject } from "@bridle/protocol";
import { shorten } from "../scoring/excerpt.ts";
import { formatPath, type Path } from "../values/path.ts";

/** Finds the first difference between two JSON values, with its path. `path` is the path of the two values themselves. */
export function findDifference(wanted: unknown, given: unknown, path: Path = []): string | undefined {
  if (Array.isArray(wanted) && Array.isArray(given) && wanted.length === given.length) {
    return firstFound(wanted, (each, index) => findDifference(each, given[index], [...path, index]));
  }
  if (isPlainObject(wanted) && isPlainObject(given)) {
    return firstFound([...new Set([...Object.keys(wanted), ...Object.keys(given)])], (key) =>
      findDifference(own(wanted, key), own(given, key), [...path, key]),
    );
  }
  if (wanted !== undefined && wanted === given) return undefined;
  return `${path.length === 0 ? "the answer" : formatPath(path)} is ${format(given)} instead of ${format(wanted)}`;
}

function firstFound<T>(items: readonly T[], find: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

const own = (holder: Record<string, unknown>, key: string) => (Object.hasOwn(holder, key) ? holder[key] : undefined);
const format = (value: unknown) =>
  typeof value === "number" ? String(value) : value === undefined ? "nothing" : shorten(canonicalJson(value));
