import type { SourcePosition } from "@bridle/protocol";
import { type Document, LineCounter, parseDocument } from "yaml";
import type { ContextFileProblem } from "./file-problem.ts";
import { type IssueSentence, toSentences } from "./issue-sentences.ts";
import { type KeyPath, positionAt } from "./positions.ts";
import { type TableFile, tableFileSchema } from "./table-file-schema.ts";

export interface ParsedTableFile {
  /** The usable part of the file, without values that have problems. */
  readonly value: TableFile;
  /** The problems, in the order of the file. */
  readonly problems: readonly ContextFileProblem[];
  /** The first problem that may expose a table or value that the file was meant to protect. */
  readonly unprotected?: ContextFileProblem | undefined;
  at(path: KeyPath): SourcePosition;
}

/** Parses a file from its text. `file` is only for messages. Never throws. */
export function parseTableFile(text: string, file: string): ParsedTableFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (path: KeyPath) => positionAt(document, lines, file, path);
  const fault = faultOf(document);
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.offset);
    const problem = { message: fault.message, position: { file, line, column: col } };
    return { value: {}, problems: [problem], unprotected: problem, at };
  }
  const { value, sentences } = parseRest(document.toJS() ?? {});
  const toProblem = ({ path, message, nearest }: IssueSentence) => ({ message, nearest, position: at(path) });
  const [unprotected] = sentences
    .filter((each) => mayProtect(each, document))
    .map(toProblem)
    .toSorted(byPosition);
  return { value, problems: sentences.map(toProblem).toSorted(byPosition), unprotected, at };
}

const protecting = ["tables", "columns", "hidden", "sensitive"];

/** Whether the unusable part may be meant to hide something. An unknown key counts as the nearest known key. */
function mayProtect({ path, isUnknownKey, nearest }: IssueSentence, document: Document.Parsed): boolean {
  if (path.length > 0 && document.getIn(path) === false) return false;
  if (isUnknownKey) return nearest !== undefined && protecting.includes(nearest);
  return path[0] !== "joins" && !path.includes("description", 2);
}

/** Explains why the file cannot be used at all; undefined if it can. */
function faultOf(document: Document.Parsed): { readonly offset: number; readonly message: string } | undefined {
  const [error] = document.errors;
  if (error?.code === "MULTIPLE_DOCS") {
    return { offset: error.pos[0], message: "the file holds more than one document. Keep one." };
  }
  if (error) {
    const reason = error.message.replace(/\.$/, "");
    return { offset: error.pos[0], message: `this is not YAML: ${reason}. Correct the line.` };
  }
  try {
    JSON.stringify(document.toJS()); // throws if an alias contains itself or expands without end
    return undefined;
  } catch {
    return { offset: 0, message: "an alias in the file cannot be expanded. Write the value itself instead." };
  }
}

/** The maximum number of listed problems. A file with more problems is probably not a table file. */
const maxProblems = 50;

/** Leaves out each value with a problem until the rest matches the schema. */
function parseRest(raw: unknown): { value: TableFile; sentences: readonly IssueSentence[] } {
  const sentences: IssueSentence[] = [];
  let rest = raw;
  while (sentences.length < maxProblems) {
    const parsed = tableFileSchema.safeParse(rest, { reportInput: true });
    if (parsed.success) return { value: parsed.data, sentences };
    const found = parsed.error.issues.flatMap((issue) => toSentences(issue, knownKeys));
    sentences.push(...found);
    rest = found.map(toUnusable).sort(lastFirst).reduce(withoutPath, rest);
  }
  return { value: {}, sentences };
}

const [fileKeys, tableKeys, columnKeys, joinKeys, descriptionKeys] = [
  ["tables", "joins"],
  ["description", "hidden", "columns"],
  ["description", "hidden", "sensitive"],
  ["from", "to", "status", "relationship", "condition", "reason", "source"],
  ["text", "source", "from"],
];

function knownKeys(path: KeyPath): readonly string[] {
  if (path.at(-1) === "description" && path.length > 2) return descriptionKeys;
  if (path.length === 0) return fileKeys;
  if (path[0] === "joins") return joinKeys;
  return path.length === 2 ? tableKeys : columnKeys;
}

/**
 * Returns the path to leave out because of a problem: for an unknown key, only that key, and for any other problem the whole join or
 * description.
 */
function toUnusable({ path, isUnknownKey }: IssueSentence): KeyPath {
  if (isUnknownKey) return path;
  return path[0] === "joins" ? path.slice(0, 2) : path.slice(0, path.indexOf("description", 2) + 1 || undefined);
}

/** Sorts later entries of a list first, so that removing one does not change the indexes of the others. */
function lastFirst([, a]: KeyPath, [, b]: KeyPath): number {
  return typeof a === "number" && typeof b === "number" ? b - a : 0;
}

function withoutPath(value: unknown, [key, ...rest]: KeyPath): unknown {
  if (key === undefined) return {};
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    if (name !== String(key)) return [[name, inner]];
    return rest.length === 0 ? [] : [[name, withoutPath(inner, rest)]];
  });
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

function byPosition({ position: a }: ContextFileProblem, { position: b }: ContextFileProblem): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}
