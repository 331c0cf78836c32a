import { DocumentError } from "../document-error.ts";
import type { Block, DocumentFile } from "./block.ts";
import { decodeText } from "./decode.ts";

/** JSON: each item of an array is a record, anything else is one. Without lines, since JSON may have only one. */
export function parseJson(file: DocumentFile): readonly Block[] {
  const value = read(file, decodeText(file), undefined);
  const records = Array.isArray(value) ? value : [value];
  return records.map((record) => ({ kind: "record", text: say(record, "") }));
}

/** One JSON value a line. */
export function parseJsonLines(file: DocumentFile): readonly Block[] {
  return decodeText(file)
    .split(/\r\n|\r|\n/)
    .flatMap((line, index) => (line.trim() === "" ? [] : [recordOf(file, line, index + 1)]));
}

function recordOf(file: DocumentFile, text: string, line: number): Block {
  return { kind: "record", text: say(read(file, text, line), ""), lines: { from: line, to: line } };
}

function read({ name }: DocumentFile, text: string, line: number | undefined): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const where = line === undefined ? "" : ` in line ${line}`;
    throw new DocumentError(name, `is not JSON${where}: ${cause instanceof Error ? cause.message : cause}. Mend it.`, {
      cause,
    });
  }
}

/** `path: value` for each value, so that names and values are found together. */
function say(value: unknown, path: string): string {
  if (typeof value !== "object" || value === null) return path === "" ? String(value) : `${path}: ${String(value)}`;
  const inner = Object.entries(value).map(([key, item]) => say(item, path === "" ? key : `${path}.${key}`));
  return inner.length > 0 ? inner.join("\n") : path;
}
