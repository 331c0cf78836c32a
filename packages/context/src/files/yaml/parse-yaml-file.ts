import type { SourcePosition } from "@bridle/protocol";
import { LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import type { ContextFileProblem } from "../file-problem.ts";
import { toSentences } from "../issue-sentences.ts";
import { type KeyPath, positionAt } from "../positions.ts";

export interface ParsedYamlFile<T> {
  /** The value; undefined if there is a problem. */
  readonly value: T | undefined;
  /** The problems, in the order of the file. */
  readonly problems: readonly ContextFileProblem[];
  at(path: KeyPath): SourcePosition;
}

const maxProblems = 50;

/**
 * Parses a YAML text that must match a schema as a whole. An empty text is an empty mapping. Never throws.
 *
 * `knownKeys` returns the valid keys at a path, for suggestions.
 */
export function parseYamlFile<T>(
  text: string,
  file: string,
  schema: z.ZodType<T>,
  knownKeys: (path: KeyPath) => readonly string[],
): ParsedYamlFile<T> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (path: KeyPath) => positionAt(document, lines, file, path);
  const fail = (message: string, position: SourcePosition) => ({
    value: undefined,
    problems: [{ message, position }],
    at,
  });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    return fail(`This is not YAML: ${error.message.replace(/\.$/, "")}. Correct the line.`, {
      file,
      line,
      column: col,
    });
  }
  let raw: unknown;
  try {
    raw = document.toJS() ?? {};
    JSON.stringify(raw); // throws if an alias contains itself
  } catch {
    return fail("An alias in the file cannot be expanded. Write the value itself instead.", at([]));
  }
  const parsed = schema.safeParse(raw, { reportInput: true });
  if (parsed.success) return { value: parsed.data, problems: [], at };
  const sentences = parsed.error.issues.flatMap((issue) => toSentences(issue, knownKeys)).slice(0, maxProblems);
  const problems = sentences.map(({ path, message, nearest }) => ({ message, nearest, position: at(path) }));
  return { value: undefined, problems, at };
}
