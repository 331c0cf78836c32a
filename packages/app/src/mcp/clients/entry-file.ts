/** One file format: finds, adds and removes the entry of a server. */
import { isDeepStrictEqual } from "node:util";
import { getNodeValue } from "jsonc-parser";
import type { EntryEdit } from "../../files/text-edit.ts";
import { findJsonValue, insertObject, insertProperty, parseJsonFile, removeProperty } from "./json-entry.ts";
import type { ClientFile } from "./mcp-clients.ts";
import { insertTable, parseToml, removeTable } from "./toml-entry.ts";

export interface EntryFile {
  /** The text of a new file without servers. */
  readonly empty: string;
  /** Parses the whole content. Throws SyntaxError or TomlError with a reason that begins with a verb. */
  read(text: string): unknown;
  insert(text: string, name: string, entry: Readonly<Record<string, unknown>>): EntryEdit;
  /** Returns the text without the entry. Undefined if the entry cannot be cut out of the text. */
  remove(text: string, name: string, withParent: boolean): string | undefined;
}

export function entryFileOf({ format, keys }: Pick<ClientFile, "format" | "keys">): EntryFile {
  return format === "json" ? new JsonEntryFile(keys) : new TomlEntryFile(keys);
}

/** Reads the value at the keys in some data; undefined if there is none. */
export function readEntry(data: unknown, keys: readonly string[]): unknown {
  let value = data;
  for (const key of keys) {
    value =
      typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
  }
  return value;
}

/** Whether the data differ only in this entry. An empty object of servers is treated as missing. */
export function differsOnlyIn(path: readonly string[], before: unknown, after: unknown): boolean {
  return isDeepStrictEqual(without(before, path), without(after, path));
}

function without(data: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined || typeof data !== "object" || data === null || !Object.hasOwn(data, key)) return data;
  const entries = Object.entries(data).flatMap(([name, value]) => {
    if (name !== key) return [[name, value] as const];
    const kept = rest.length === 0 ? undefined : without(value, rest);
    const isEmpty = kept === undefined || (typeof kept === "object" && kept !== null && Object.keys(kept).length === 0);
    return isEmpty ? [] : [[name, kept] as const];
  });
  return Object.fromEntries(entries);
}

class JsonEntryFile implements EntryFile {
  readonly empty = "{}\n";
  readonly #keys: readonly string[];

  constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  read(text: string): unknown {
    if (text.trim() === "") return {};
    return structuredClone(getNodeValue(this.#parse(text).root)); // its objects have no prototype
  }

  insert(text: string, name: string, entry: Readonly<Record<string, unknown>>): EntryEdit {
    if (text.trim() === "") return insertObject([...this.#keys, name], entry);
    return insertProperty(this.#parse(text), this.#keys, name, entry);
  }

  remove(text: string, name: string, withParent: boolean): string {
    const rest = removeProperty(this.#parse(text), [...this.#keys, name]);
    const parsed = this.#parse(rest);
    const isEmpty = findJsonValue(parsed.root, this.#keys)?.children?.length === 0;
    return withParent && isEmpty ? removeProperty(parsed, this.#keys) : rest;
  }

  #parse(text: string) {
    const parsed = parseJsonFile(text);
    if (!parsed) throw new SyntaxError("is not an object of JSON");
    for (let depth = 1; depth <= this.#keys.length; depth++) findJsonValue(parsed.root, this.#keys.slice(0, depth));
    return parsed;
  }
}

class TomlEntryFile implements EntryFile {
  readonly empty = "";
  readonly #keys: readonly string[];

  constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  read(text: string): unknown {
    try {
      return structuredClone(parseToml(text));
    } catch {
      throw new SyntaxError("is not valid TOML"); // the cause quotes the file
    }
  }

  insert(text: string, name: string, entry: Readonly<Record<string, unknown>>): EntryEdit {
    return insertTable(text, this.#keys, name, entry);
  }

  remove(text: string, name: string): string | undefined {
    return removeTable(text, this.#keys, name);
  }
}
