/** Texts and contents of effects. They are made from a file with its references, so they contain no value of a variable. */
import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { isLoopback, readRegularFileSync, sha256 } from "@bridle/core";
import { type FolderEffect, isPlainObject } from "@bridle/protocol";

/** The texts of a file that refer to variables, by path. */
export type WrittenTexts = Readonly<Record<string, string>>;

/** A value of a file with its references, such as `${NAME}`, instead of the variables' values. */
export function asWritten(value: unknown, written: WrittenTexts, path = ""): unknown {
  if (Object.hasOwn(written, path)) return written[path];
  const below = (key: PropertyKey) => (path === "" ? String(key) : `${path}.${String(key)}`);
  if (Array.isArray(value)) return value.map((inner, index) => asWritten(inner, written, below(index)));
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, asWritten(inner, written, below(key))]);
  return Object.fromEntries(entries);
}

/** One effect for each setting that takes variables of the environment. */
export function variableEffects(written: WrittenTexts): FolderEffect[] {
  return Object.entries(written).flatMap(([field, text]) => {
    const names = variablesIn(text);
    if (names.length === 0) return [];
    const subject = `the ${names.length === 1 ? "variable" : "variables"} ${names.join(", ")}`;
    return [{ kind: "reads" as const, subject, field, content: text }];
  });
}

function variablesIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\$\{([A-Za-z_]\w*)/g)].map(([, name = ""]) => name))];
}

/**
 * Whether a path in a file leads out of the file's folder, directly or through a link. A path with a reference counts as outside, because
 * the variable decides where it leads. In a glob, the part before its first pattern counts.
 */
export function isOutside(folder: string, name: string): boolean {
  if (name.includes("${")) return true;
  const [plain = ""] = name.split(/[*?[{!(]/);
  const start = plain === name ? name : /^(.*[/\\])?/.exec(plain)?.[0] || ".";
  return (
    leadsOut(folder, start) ||
    leadsOut(folder, name) || // a name with brackets may be a plain path
    /(?:^|[/\\])\.\.(?:$|[/\\])/.test(name.slice(plain.length))
  );
}

function leadsOut(folder: string, path: string): boolean {
  const way = relative(realPath(folder), realPath(resolve(folder, path)));
  return way === ".." || /^\.\.[/\\]/.test(way) || isAbsolute(way);
}

/** The path without links. Parts that do not exist are kept. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}

/** A module that is longer cannot be loaded. */
const maxBytes = 500_000_000;

/** Changes with every change of the file. */
export function fileContent(path: string | Buffer): string {
  try {
    return sha256(readRegularFileSync(path, maxBytes));
  } catch {
    return "cannot be read";
  }
}

/**
 * The end of a subject: the variables or headers that it gets. A literal variable can be code, so each is shown with its text. `more` are
 * further pairs in their displayed form.
 */
export function shownPairs(
  what: "variables" | "headers",
  texts: Readonly<Record<string, string>> = {},
  more: readonly string[] = [],
): string {
  const pairs = [...Object.entries(texts).map(([name, text]) => shownPair(name, text)), ...more];
  return pairs.length === 0 ? "" : `, with the ${what} ${pairs.join(", ")}`;
}

/** A variable or a header with its text. */
export function shownPair(name: string, text: string): string {
  return `${name}=${shownWord(text)}`;
}

/** A text in quotes if it would not be one word without them. */
export function shownWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : JSON.stringify(text);
}

/** An address without its password, with a note if it is not encrypted. */
export function shownAddress(address: string): string {
  const shown = address.replace(/^(\W*[a-z][a-z0-9+.\-\s]*:[/\\\s]*)[^/?#\\]*@/i, "$1[credentials]@");
  return isUnencrypted(address) ? `${shown}, without encryption` : shown;
}

/** Whether requests to the address leave this machine without encryption. */
export function isUnencrypted(address: string): boolean {
  return unencryptedHost(address) !== undefined;
}

/**
 * The host and port of an address, if requests to it leave this machine without encryption. The address is read as requests
 * read it: ` http:x` and `http:\\x` are addresses, too. A reference to a variable may be a part of it.
 */
export function unencryptedHost(address: string): string | undefined {
  const url = URL.parse(address.replaceAll(/\$\{[^}]*\}/g, "1").trim());
  if (url?.protocol !== "http:" || isLoopback(url.href) || url.hostname.endsWith(".localhost")) return undefined;
  return url.host;
}
