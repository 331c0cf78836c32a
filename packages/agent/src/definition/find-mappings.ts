import { isPlainObject } from "@bridle/protocol";

interface Found {
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Finds the mappings, at any depth, that satisfy a condition. */
export function findMappings(
  value: unknown,
  fits: (value: Found["value"], path: string) => boolean,
  path = "",
): Found[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, each]) =>
    findMappings(each, fits, path === "" ? key : `${path}.${key}`),
  );
  return isPlainObject(value) && fits(value, path) ? [{ path, value }, ...inner] : inner;
}
