import { parse } from "smol-toml";
import type { EntryEdit } from "../../files/text-edit.ts";

/** Parses the text. Throws TomlError. */
export function parseToml(text: string): Readonly<Record<string, unknown>> {
  return parse(text, { integersAsBigInt: "asNeeded" });
}

/** Adds a table at the end of the file. No other line changes. JSON strings are valid TOML strings. */
export function insertTable(
  text: string,
  keys: readonly string[],
  name: string,
  value: Readonly<Record<string, unknown>>,
): EntryEdit {
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const header = `[${[...keys, name].map(formatKey).join(".")}]`;
  const rows = Object.entries(value).map(([key, content]) => `${formatKey(key)} = ${formatTomlValue(content)}`);
  const gap = text === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
  return {
    insertions: [{ offset: text.length, text: gap + [header, ...rows].join(eol) + eol }],
    createsParent: false,
  };
}

/** Returns the text without the table, from its header to the next one. Undefined if the entry is not a separate table. */
export function removeTable(text: string, keys: readonly string[], name: string): string | undefined {
  const lines = text.split(/(?<=\n)/);
  const isHeader = (line: string) => /^\s*\[/.test(line);
  const start = lines.findIndex((line) => isHeader(line) && isTable(line, [...keys, name]));
  if (start < 0) return undefined;
  const next = lines.findIndex((line, index) => index > start && isHeader(line));
  const end = next < 0 ? lines.length : next;
  const before = lines[start - 1]?.trim() === "" ? start - 1 : start; // the blank line that Bridle added
  return [...lines.slice(0, before), ...lines.slice(end)].join("");
}

function isTable(line: string, path: readonly string[]): boolean {
  try {
    let table: unknown = parse(line);
    for (const key of path) table = Reflect.get(Object(table), key);
    return table !== undefined;
  } catch {
    return false;
  }
}

function formatKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

/** Escapes the control character 127, which TOML does not allow. All JSON escapes are TOML escapes. */
function formatTomlValue(value: unknown): string {
  const json = Array.isArray(value) ? `[${value.map(formatTomlValue).join(", ")}]` : JSON.stringify(value);
  return json.replaceAll("\u007f", "\\u007f");
}
