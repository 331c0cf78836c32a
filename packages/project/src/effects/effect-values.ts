/** The texts and contents of effects. They contain a file's references to variables, and never the values of the variables. */
import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { isLoopback, readRegularFileSync, sha256 } from "@bridle/core";
import { type FolderEffect, isPlainObject } from "@bridle/protocol";

/** The texts of a file that refer to variables, by path. */
export type WrittenTexts = Readonly<Record<string, string>>;

/** Returns a value of a file with references, such as `${NAME}`, instead of the variables' values. */
export function asWritten(value: unknown, written: WrittenTexts, path = ""): unknown {
  if (Object.hasOwn(written, path)) return written[path];
  const below = (key: PropertyKey) => (path === "" ? String(key) : `${path}.${String(key)}`);
  if (Array.isArray(value)) return value.map((inner, index) => asWritten(inner, written, below(index)));
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, asWritten(inner, written, below(key))]);
  return Object.fromEntries(entries);
}

/** Lists one effect for each setting that uses environment variables. */
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
 * the variable determines where the path leads. In a glob, the part before its first pattern counts.
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

/** Resolves the links in a path. Parts that do not exist are kept. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}

/** The maximum size of a module that can be loaded. */
const maxBytes = 500_000_000;

/** Returns a string that changes with every change of the file. */
export function fileContent(path: string | Buffer): string {
  try {
    return sha256(readRegularFileSync(path, maxBytes));
  } catch {
    return "cannot be read";
  }
}

/**
 * Formats the end of an effect's subject: the variables or headers that are passed. A literal variable can be code, so each is shown with
 * its text. `more` are further pairs, already formatted.
 */
export function shownPairs(
  what: "variables" | "headers",
  texts: Readonly<Record<string, string>> = {},
  more: readonly string[] = [],
): string {
  const pairs = [...Object.entries(texts).map(([name, text]) => shownPair(name, text)), ...more];
  return pairs.length === 0 ? "" : `, with the ${what} ${pairs.join(", ")}`;
}

/** Formats a variable or a header with its text. */
export function shownPair(name: string, text: string): string {
  return `${name}=${shownWord(text)}`;
}

/** Quotes a string if it would not be one word without quotes. */
export function shownWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : JSON.stringify(text);
}

/** Formats an address without its password, with a note if requests to it are not encrypted. */
export function shownAddress(address: string): string {
  const shown = address.replace(/^(\W*[a-z][a-z0-9+.\-\s]*:[/\\\s]*)[^/?#\\]*@/i, "$1[credentials]@");
  return isUnencrypted(address) ? `${shown}, without encryption` : shown;
}

/** Whether requests to the address leave this machine without encryption. */
export function isUnencrypted(address: string): boolean {
  return unencryptedHost(address) !== undefined;
}

/**
 * Returns the host and port of an address, if requests to it leave this machine without encryption. Parses the address like a request does:
 * ` http:x` and `http:\\x` are addresses, too. The address may contain a reference to a variable.
 */
export function unencryptedHost(address: string): string | undefined {
  const url = URL.parse(address.replaceAll(/\$\{[^}]*\}/g, "1").trim());
  if (url?.protocol !== "http:" || isLoopback(url.href) || url.hostname.endsWith(".localhost")) return undefined;
  return url.host;
}
