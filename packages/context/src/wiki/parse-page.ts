import { isPlainObject, type SourcePosition } from "@bridle/protocol";
import { type Document, LineCounter, parseDocument } from "yaml";
import type { ContextFileProblem } from "../files/file-problem.ts";
import { type IssueSentence, toSentences } from "../files/issue-sentences.ts";
import { type KeyPath, positionAt } from "../files/positions.ts";
import { maxPageChars, type PageFront, pageFrontSchema, pageKeys, pageSourceKeys } from "./page-schema.ts";
import { splitPage } from "./split-page.ts";

export interface ParsedPage {
  /** The usable part of the front matter, without values that have problems, but with unknown keys. */
  readonly front: PageFront;
  /** The whole front matter, as written. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** The text after the front matter, with line feeds only. */
  readonly body: string;
  /** Whether the front matter cannot be read at all. Such a page cannot be edited. */
  readonly isBroken: boolean;
  /** The problems, in the order of the file. */
  readonly problems: readonly ContextFileProblem[];
  /** Returns the position of a key or value of the front matter. */
  at(path: KeyPath): SourcePosition;
  /** Returns the position of a character of the body. */
  bodyAt(offset: number): SourcePosition;
}

/** Parses a page from its text. `file` is for messages. Never throws. */
export function parsePage(text: string, file: string): ParsedPage {
  const { front = "", body, bodyLine, isOpen } = splitPage(text);
  const lines = new LineCounter();
  const document = parseDocument(front, { lineCounter: lines, prettyErrors: false });
  const at = (path: KeyPath) => inFile(positionAt(document, lines, file, path));
  const bodyAt = (offset: number) => positionInBody(body, bodyLine, file, offset);
  const own: ContextFileProblem[] = [];
  if (isOpen) own.push({ message: "the front matter does not end. Add a line with --- after it.", position: at([]) });
  if (body.trim().length > maxPageChars) own.push(tooLong(body, bodyAt(maxPageChars)));
  const fault = faultOf(document);
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.offset);
    const position = inFile({ file, line, column: col });
    const problems = [{ message: fault.message, position }, ...own];
    return { front: {}, raw: {}, body, isBroken: true, problems, at, bodyAt };
  }
  const raw: unknown = document.toJS() ?? {};
  const { front: value, sentences } = parseFront(raw);
  const problems = sentences.map(({ path, message, nearest }) => ({ message, nearest, position: at(path) }));
  const all = [...problems.toSorted(byPosition), ...own];
  const isMapping = isPlainObject(raw);
  return { front: value, raw: isMapping ? raw : {}, body, isBroken: isOpen || !isMapping, problems: all, at, bodyAt };
}

/** Converts a position in the YAML, which begins on the second line of the file. */
function inFile({ line = 1, ...position }: SourcePosition): SourcePosition {
  return { ...position, line: line + 1 };
}

function positionInBody(body: string, bodyLine: number, file: string, offset: number): SourcePosition {
  const before = body.slice(0, offset).split("\n");
  return { file, line: bodyLine + before.length - 1, column: (before.at(-1)?.length ?? 0) + 1 };
}

function tooLong(body: string, position: SourcePosition): ContextFileProblem {
  const count = body.trim().length.toLocaleString("en-US");
  const max = maxPageChars.toLocaleString("en-US");
  return {
    message: `the text has ${count} characters, and at most ${max} are read at once. Split the page.`,
    position,
  };
}

/** Explains why the front matter cannot be used at all; undefined if it can. */
function faultOf(document: Document.Parsed): { readonly offset: number; readonly message: string } | undefined {
  const [error] = document.errors;
  if (error) {
    const reason = error.message.replace(/\.$/, "");
    return { offset: error.pos[0], message: `the front matter is not YAML: ${reason}. Correct the line.` };
  }
  try {
    JSON.stringify(document.toJS()); // throws if an alias contains itself or expands without end
    return undefined;
  } catch {
    return { offset: 0, message: "an alias in the front matter cannot be expanded. Write the value itself instead." };
  }
}

/** The maximum number of listed problems. A file with more problems is probably not a page. */
const maxProblems = 50;

/** Leaves out each value with a problem until the rest matches the schema. */
function parseFront(raw: unknown): { front: PageFront; sentences: readonly IssueSentence[] } {
  const sentences: IssueSentence[] = [...misspelt(raw)];
  let rest = raw;
  while (sentences.length < maxProblems) {
    const parsed = pageFrontSchema.safeParse(rest, { reportInput: true });
    if (parsed.success) return { front: parsed.data, sentences };
    const found = parsed.error.issues.flatMap((issue) => toSentences(issue, knownKeys));
    sentences.push(...found);
    rest = without(rest, new Set(found.map(({ path }) => path[0])));
  }
  return { front: {}, sentences };
}

function knownKeys(path: KeyPath): readonly string[] {
  return path[0] === "sources" ? pageSourceKeys : pageKeys;
}

/** Finds misspelt keys. Custom keys are allowed, but a key that is almost a known key is a mistake. */
function misspelt(raw: unknown): readonly IssueSentence[] {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return [];
  const unknown = Object.keys(raw).filter((key) => !pageKeys.includes(key));
  const keys = unknown.length === 0 ? [] : toSentences(unknownKeys(unknown), knownKeys);
  return keys.filter(({ nearest, path }) => nearest !== undefined && !(nearest in raw) && String(path[0]).length > 2);
}

function unknownKeys(keys: string[]): Parameters<typeof toSentences>[0] {
  return { code: "unrecognized_keys", keys, path: [], message: "" };
}

function without(value: unknown, keys: ReadonlySet<unknown>): unknown {
  if (keys.has(undefined) || typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.has(key)));
}

function byPosition({ position: a }: ContextFileProblem, { position: b }: ContextFileProblem): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}
