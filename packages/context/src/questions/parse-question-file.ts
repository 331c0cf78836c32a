import { LineCounter, parseDocument } from "yaml";
import { toSentences } from "../files/issue-sentences.ts";
import { type KeyPath, positionAt } from "../files/positions.ts";
import type { QuestionProblem } from "./question-problem.ts";
import { type QuestionFile, questionFileSchema } from "./question-schema.ts";

export interface ParsedQuestionFile {
  readonly value?: QuestionFile | undefined;
  readonly problems: readonly QuestionProblem[];
  at(path: KeyPath): QuestionProblem["position"];
}

/** Parses a file from its text. `file` is for messages. Throws nothing. */
export function parseQuestionFile(text: string, file: string): ParsedQuestionFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (path: KeyPath) => positionAt(document, lines, file, path);
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    const message = `This is not YAML: ${error.message.replace(/\.$/, "")}. Correct the line.`;
    return { problems: [{ message, position: { file, line, column: col } }], at };
  }
  const parsed = questionFileSchema.safeParse(toPlain(document) ?? {}, { reportInput: true });
  if (parsed.success) return { value: parsed.data, problems: [], at };
  const sentences = parsed.error.issues.flatMap((issue) => toSentences(issue, knownKeys)).slice(0, mostProblems);
  return { problems: sentences.map(({ path, message }) => ({ message, position: at(path) })), at };
}

const mostProblems = 50;

/** Undefined if an alias contains itself or expands without end. */
function toPlain(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS();
  } catch {
    return undefined;
  }
}

const question = Object.keys(questionFileSchema.shape.questions.element.shape);
const assumption = ["assumption", "says", "sql", "metrics", "rows"];

function knownKeys(path: KeyPath): readonly string[] {
  if (path.length === 0) return Object.keys(questionFileSchema.shape);
  if (path.includes("ambiguous")) return assumption;
  return path.length === 2 ? question : [];
}
