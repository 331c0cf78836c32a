import type { Block, DocumentFile } from "./block.ts";
import { decodeText } from "./decode.ts";
import { DocumentError } from "./document-error.ts";
import { fieldsOf, type RecordOptions, selects } from "./record-options.ts";

/** Reads JSON. Each item of an array is a record; any other value is one record. Blocks have no lines. */
export function parseJsonDocument(file: DocumentFile, options: RecordOptions = {}): readonly Block[] {
  const value = at(file, read(file, decodeText(file), undefined), options.path);
  const records = Array.isArray(value) ? value : [value];
  return records.map((record) => ({ kind: "record", text: formatRecord(record, options) }));
}

/** Reads JSON Lines: one JSON value on each line. */
export function parseJsonLines(file: DocumentFile, options: RecordOptions = {}): readonly Block[] {
  return decodeText(file)
    .split(/\r\n|\r|\n/)
    .flatMap((line, index) => (line.trim() === "" ? [] : [recordOf(file, line, index + 1, options)]));
}

function recordOf(file: DocumentFile, text: string, line: number, options: RecordOptions): Block {
  return { kind: "record", text: formatRecord(read(file, text, line), options), lines: { from: line, to: line } };
}

function read({ name }: DocumentFile, text: string, line: number | undefined): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const where = line === undefined ? "" : ` in line ${line}`;
    throw new DocumentError(
      name,
      `is not valid JSON${where}: ${cause instanceof Error ? cause.message : cause}. Correct it.`,
      {
        cause,
      },
    );
  }
}

function at({ name }: DocumentFile, value: unknown, path: string | undefined): unknown {
  let found = value;
  for (const key of path === undefined ? [] : path.split(".")) {
    found = isObject(found) && Object.hasOwn(found, key) ? Reflect.get(found, key) : undefined;
    if (found === undefined) throw new DocumentError(name, `has no value at ${path}. Correct record_path.`);
  }
  return found;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function formatRecord(record: unknown, options: RecordOptions): string {
  if (!isObject(record) || !selects(options)) return formatValue(record, "");
  return fieldsOf(Object.entries(record), options)
    .map(([name, value]) => formatValue(value, name))
    .join("\n");
}

/** `path: value` for each value, so that a search finds names and values together. */
function formatValue(value: unknown, path: string): string {
  if (!isObject(value)) return path === "" ? String(value) : `${path}: ${String(value)}`;
  const inner = Object.entries(value).map(([key, item]) => formatValue(item, path === "" ? key : `${path}.${key}`));
  return inner.length > 0 ? inner.join("\n") : path;
}
