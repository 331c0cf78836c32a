import { ConfigError, isPlainObject } from "@bridle/protocol";

/** A path: keys of objects and indexes of lists. */
export type Path = readonly (string | number)[];

const quotes = String.raw`"(?:[^"\\]|\\.)*"|'[^']*'`;
const part = new RegExp(String.raw`(?:^|\.)([^.[\]"']+)|\[(\d+)\]|(?:^|\.)(${quotes})|\[(${quotes})\]`, "y");

/**
 * Parses a path such as `order.items[0].id`. A key with a dot, a bracket or a quotation mark needs quotation marks, with or
 * without brackets: `rates["eu.west"]`, `"eu.west".price`. Throws ConfigError for any other text.
 */
export function parsePath(path: string): Path {
  const keys: (string | number)[] = [];
  part.lastIndex = 0;
  while (part.lastIndex < path.length) {
    const at = part.lastIndex;
    const found = part.exec(path);
    if (found === null) throw invalidPath(path, at);
    const [, key, index, quoted = found[4] ?? ""] = found;
    keys.push(index !== undefined ? Number(index) : (key ?? unquoted(quoted)));
  }
  if (keys.length === 0) throw invalidPath(path, 0);
  return keys;
}

/** Formats a path, such as `order.items[0].id`. */
export function formatPath(path: Path): string {
  return path.reduce<string>((before, key) => {
    if (typeof key === "number") return `${before}[${key}]`;
    if (/[.[\]"'\s]|^$/.test(key)) return `${before}[${JSON.stringify(key)}]`;
    return before === "" ? key : `${before}.${key}`;
  }, "");
}

/** Finds the value at a path, or returns a sentence that names the missing part and describes what is there instead. */
export function findValue(root: unknown, path: Path): { value: unknown } | { missing: string } {
  let value = root;
  for (const [at, key] of path.entries()) {
    const entry = entryOf(value, key);
    if (entry === undefined) return { missing: describeMissing(value, path, at) };
    value = entry.value;
  }
  return { value };
}

function entryOf(holder: unknown, key: string | number): { value: unknown } | undefined {
  if (Array.isArray(holder)) {
    const index = typeof key === "number" ? key : /^\d+$/.test(key) ? Number(key) : -1;
    return index >= 0 && index < holder.length ? { value: holder[index] } : undefined;
  }
  return isPlainObject(holder) && Object.hasOwn(holder, key) ? { value: holder[key] } : undefined;
}

function describeMissing(holder: unknown, path: Path, at: number): string {
  const parent = at === 0 ? "the answer" : formatPath(path.slice(0, at));
  return `${formatPath(path.slice(0, at + 1))} is missing: ${parent} ${describeContent(holder)}`;
}

function describeContent(holder: unknown): string {
  if (Array.isArray(holder)) return `is a list of ${holder.length}`;
  if (!isPlainObject(holder)) return holder === null ? "is null" : `is a ${typeof holder}`;
  const keys = Object.keys(holder);
  const named = keys.slice(0, 12).map((key) => formatPath([key]));
  return keys.length === 0 ? "is empty" : `has ${named.join(", ")}${keys.length > named.length ? ", …" : ""}`;
}

function unquoted(text: string): string {
  return text.startsWith("'") ? text.slice(1, -1) : text.slice(1, -1).replaceAll(/\\(.)/g, "$1");
}

function invalidPath(path: string, at: number): ConfigError {
  const problem =
    path === "" ? "It is empty" : `${JSON.stringify(path.slice(at))} begins with neither a key nor an [index]`;
  return new ConfigError(`path is not valid. ${problem}. Write it like order.items[0].id.`, { field: "path" });
}
