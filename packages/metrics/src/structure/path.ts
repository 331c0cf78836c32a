import { ConfigError, isPlainObject } from "@bridle/protocol";

/** Keys of objects, and places in lists. */
export type Path = readonly (string | number)[];

const quotes = String.raw`"(?:[^"\\]|\\.)*"|'[^']*'`;
const part = new RegExp(String.raw`(?:^|\.)([^.[\]"']+)|\[(\d+)\]|(?:^|\.)(${quotes})|\[(${quotes})\]`, "y");

/**
 * Reads a path such as `order.items[0].id`. A key with a dot, a bracket or a quotation mark stands in quotation marks, with
 * or without brackets: `rates["eu.west"]`, `"eu.west".price`. Throws ConfigError for what is no path.
 */
export function parsePath(path: string): Path {
  const keys: (string | number)[] = [];
  part.lastIndex = 0;
  while (part.lastIndex < path.length) {
    const at = part.lastIndex;
    const found = part.exec(path);
    if (found === null) throw noPath(path, at);
    const [, key, place, quoted = found[4] ?? ""] = found;
    keys.push(place !== undefined ? Number(place) : (key ?? unquoted(quoted)));
  }
  if (keys.length === 0) throw noPath(path, 0);
  return keys;
}

/** A path as it is written, such as `order.items[0].id`. */
export function formatPath(path: Path): string {
  return path.reduce<string>((before, key) => {
    if (typeof key === "number") return `${before}[${key}]`;
    if (/[.[\]"'\s]|^$/.test(key)) return `${before}[${JSON.stringify(key)}]`;
    return before === "" ? key : `${before}.${key}`;
  }, "");
}

/** What stands at a path, or in words what is missing, and what is there instead. */
export function valueAt(root: unknown, path: Path): { value: unknown } | { missing: string } {
  let value = root;
  for (const [at, key] of path.entries()) {
    const held = heldBy(value, key);
    if (held === undefined) return { missing: sayMissing(value, path, at) };
    value = held.value;
  }
  return { value };
}

function heldBy(holder: unknown, key: string | number): { value: unknown } | undefined {
  if (Array.isArray(holder)) {
    const place = typeof key === "number" ? key : /^\d+$/.test(key) ? Number(key) : -1;
    return place >= 0 && place < holder.length ? { value: holder[place] } : undefined;
  }
  return isPlainObject(holder) && Object.hasOwn(holder, key) ? { value: holder[key] } : undefined;
}

function sayMissing(holder: unknown, path: Path, at: number): string {
  const where = at === 0 ? "the answer" : formatPath(path.slice(0, at));
  return `${formatPath(path.slice(0, at + 1))} is missing: ${where} ${sayHeld(holder)}`;
}

function sayHeld(holder: unknown): string {
  if (Array.isArray(holder)) return `is a list of ${holder.length}`;
  if (!isPlainObject(holder)) return holder === null ? "is null" : `is a ${typeof holder}`;
  const keys = Object.keys(holder);
  const named = keys.slice(0, 12).map((key) => formatPath([key]));
  return keys.length === 0 ? "is empty" : `has ${named.join(", ")}${keys.length > named.length ? ", …" : ""}`;
}

function unquoted(text: string): string {
  return text.startsWith("'") ? text.slice(1, -1) : text.slice(1, -1).replaceAll(/\\(.)/g, "$1");
}

function noPath(path: string, at: number): ConfigError {
  const where =
    path === "" ? "It is empty" : `What begins at ${JSON.stringify(path.slice(at))} is neither a key nor [a number]`;
  return new ConfigError(`path is no path. ${where}. Write it like order.items[0].id.`, { field: "path" });
}
