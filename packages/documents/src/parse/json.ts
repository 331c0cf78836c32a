import { describeJsonFault } from "@bridle/core";
import type { Block, DocumentFile, ParseContext } from "./block.ts";
import { DocumentError } from "./document-error.ts";
import { decodeText } from "./encoding/decode.ts";
import { TextBudget } from "./parse-limits.ts";
import { fieldsOf, type RecordOptions, selects } from "./record-options.ts";

/** Reads JSON. Each item of an array becomes a record; any other value becomes one record. Blocks have no lines. */
export async function parseJsonDocument(file: DocumentFile, context: ParseContext): Promise<readonly Block[]> {
  const { limits, records: options } = context;
  const budget = new TextBudget(file.name, limits);
  const value = at(file, read(file, await decodeText(file, context), undefined), options.path);
  const records = Array.isArray(value) ? value : [value];
  return records.map((record) => ({ kind: "record", text: formatRecord(record, options, budget) }));
}

/** Reads JSON Lines: one JSON value on each line. */
export async function parseJsonLines(file: DocumentFile, context: ParseContext): Promise<readonly Block[]> {
  const { limits, records } = context;
  const budget = new TextBudget(file.name, limits);
  return (await decodeText(file, context))
    .split(/\r\n|\r|\n/)
    .flatMap((line, index) => (line.trim() === "" ? [] : [recordOf(line, index + 1)]));

  function recordOf(text: string, line: number): Block {
    const record = formatRecord(read(file, text, line), records, budget);
    return { kind: "record", text: record, lines: { from: line, to: line } };
  }
}

function read({ name }: DocumentFile, text: string, line: number | undefined): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const fault = line === undefined ? describeJsonFault(cause, text) : `is not valid JSON in line ${line}`;
    throw new DocumentError(name, `${fault}. Correct it.`);
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

function formatRecord(record: unknown, options: RecordOptions, budget: TextBudget): string {
  if (!isObject(record) || !selects(options)) return formatValue(record, "", budget);
  return fieldsOf(Object.entries(record), options)
    .map(([name, value]) => formatValue(value, name, budget))
    .join(options.separator ?? "\n");
}

/** Writes `path: value` for each value, so that a search finds names and values together. */
function formatValue(value: unknown, path: string, budget: TextBudget): string {
  const pathOf = (key: string) => (path === "" ? key : `${path}.${key}`);
  const entries = isObject(value) ? Object.entries(value) : [];
  if (entries.length > 0) return entries.map(([key, item]) => formatValue(item, pathOf(key), budget)).join("\n");
  const line = isObject(value) ? path : `${path === "" ? "" : `${path}: `}${String(value)}`;
  budget.add(line.length);
  return line;
}
