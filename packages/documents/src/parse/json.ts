import type { Block, DocumentFile } from "./block.ts";
import { decodeText } from "./decode.ts";
import { DocumentError } from "./document-error.ts";
import { fieldsOf, type RecordOptions, selects } from "./record-options.ts";

/** JSON: each item of an array is a record, anything else is one. Without lines, since JSON may have only one. */
export function parseJson(file: DocumentFile, options: RecordOptions = {}): readonly Block[] {
  const value = at(file, read(file, decodeText(file), undefined), options.path);
  const records = Array.isArray(value) ? value : [value];
  return records.map((record) => ({ kind: "record", text: sayRecord(record, options) }));
}

/** One JSON value a line. */
export function parseJsonLines(file: DocumentFile, options: RecordOptions = {}): readonly Block[] {
  return decodeText(file)
    .split(/\r\n|\r|\n/)
    .flatMap((line, index) => (line.trim() === "" ? [] : [recordOf(file, line, index + 1, options)]));
}

function recordOf(file: DocumentFile, text: string, line: number, options: RecordOptions): Block {
  return { kind: "record", text: sayRecord(read(file, text, line), options), lines: { from: line, to: line } };
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

function at({ name }: DocumentFile, value: unknown, path: string | undefined): unknown {
  let found = value;
  for (const key of path === undefined ? [] : path.split(".")) {
    found = isHolder(found) && Object.hasOwn(found, key) ? Reflect.get(found, key) : undefined;
    if (found === undefined)
      throw new DocumentError(name, `has nothing at ${path}, where its records should be. Correct record_path.`);
  }
  return found;
}

function isHolder(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function sayRecord(record: unknown, options: RecordOptions): string {
  if (!isHolder(record) || !selects(options)) return say(record, "");
  return fieldsOf(Object.entries(record), options)
    .map(([name, value]) => say(value, name))
    .join("\n");
}

/** `path: value` for each value, so that names and values are found together. */
function say(value: unknown, path: string): string {
  if (!isHolder(value)) return path === "" ? String(value) : `${path}: ${String(value)}`;
  const inner = Object.entries(value).map(([key, item]) => say(item, path === "" ? key : `${path}.${key}`));
  return inner.length > 0 ? inner.join("\n") : path;
}
