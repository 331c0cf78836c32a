/**
 * `context/written.yaml`: hashes of everything that ingest wrote, by file. Content with other hashes belongs to users. The record is in
 * git, like the files that it describes, so that every clone has it.
 */
import { sha256 } from "@bridle/core";

/** The path of the record, relative to the project. */
export const writtenFile = "context/written.yaml";

/** The written entries of one file: hashes or other marks, by keys such as a claim's id or `measures.revenue`. */
export type WrittenEntries = ReadonlyMap<string, string>;

export interface WrittenRecord {
  readonly files: ReadonlyMap<string, WrittenEntries>;
  /** Whether the record contains merge conflict markers. If so, a missing entry does not prove that a user removed it. */
  readonly isMerged: boolean;
}

/** Marks content that a user removed but that the decisions cannot name, such as a heading. */
export const removedByPerson = "-";

export function hashOfWritten(value: unknown): string {
  return sha256(typeof value === "string" ? value : (JSON.stringify(value) ?? "")).slice(0, 10);
}

const heading =
  "# The entries that ingest wrote. It uses them to tell its own entries from yours. Keep this file in git, and do not edit it.\n";

/** Parses the text of the file. Invalid lines are ignored. */
export function parseWritten(text: string): WrittenRecord {
  const files = new Map<string, Map<string, string>>();
  let current: Map<string, string> | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, file] = /^("(?:[^"\\]|\\.)*"|[^\s"#<>=][^:]*):\s*$/.exec(line) ?? [];
    const [, key, value] = /^ {2}("(?:[^"\\]|\\.)*"|[^\s":]+(?: [^\s":]+)*): (.+)$/.exec(line) ?? [];
    if (file !== undefined) {
      current = files.get(unquote(file)) ?? new Map();
      files.set(unquote(file), current);
    } else if (key !== undefined && value !== undefined) current?.set(unquote(key), unquote(value.trim()));
  }
  return { files, isMerged: /^(?:<{7} |={7}$|>{7} )/m.test(text) };
}

/** Returns the text of the file; empty if nothing was written. */
export function formatWritten(files: ReadonlyMap<string, WrittenEntries>): string {
  const filled = [...files].filter(([, entries]) => entries.size > 0).sort(byName);
  if (filled.length === 0) return "";
  const lines = filled.flatMap(([file, entries]) => [
    `${quote(file)}:`,
    ...[...entries].sort(byName).map(([key, value]) => `  ${quote(key)}: ${quote(value)}`),
  ]);
  return `${heading}${lines.join("\n")}\n`;
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns a YAML scalar. Without quotes, a hash of digits only would be a number. */
function quote(text: string): string {
  return /^[\p{L}_][\p{L}\p{N}_./-]*$/u.test(text) && !/^(?:true|false|null|yes|no|on|off|\.nan|\.inf)$/i.test(text)
    ? text
    : JSON.stringify(text);
}

function unquote(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}
