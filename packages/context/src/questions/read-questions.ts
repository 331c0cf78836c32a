import { join, relative } from "node:path";
import { readTextFileSync } from "@bridle/core";
import { suggestion } from "@bridle/protocol";
import { entriesOf, readOwnText } from "../files/folder-entries.ts";
import { parseQuestionFile } from "./parse-question-file.ts";
import { type QuestionProblem, unreadableFile } from "./question-problem.ts";
import type { ContextQuestion, QuestionFile } from "./question-schema.ts";

export interface ReadQuestions {
  readonly questions: readonly ContextQuestion[];
  readonly problems: readonly QuestionProblem[];
}

export interface ReadQuestionsOptions {
  /** The folder with `bridle.yaml`. File names in results are relative to it. */
  readonly projectDir: string;
  /** Absolute paths. Default: every file in `context/questions`, except links that lead out of the project. */
  readonly files?: readonly string[] | undefined;
  /** The connections of the project. */
  readonly connections: readonly string[];
}

/** Reads questions with known answers. Never throws: errors are reported as problems. */
export function readQuestions({ projectDir, files, connections }: ReadQuestionsOptions): ReadQuestions {
  const reader = new QuestionReader(connections);
  const read = files === undefined ? (path: string) => readOwnText(path, projectDir) : readTextFileSync;
  for (const path of files ?? questionFiles(projectDir)) {
    const inside = relative(projectDir, path).replaceAll("\\", "/");
    reader.read(path, inside.startsWith("..") ? path : inside, read);
  }
  return { questions: reader.questions, problems: reader.problems };
}

function questionFiles(projectDir: string): readonly string[] {
  const folder = join(projectDir, "context", "questions");
  return entriesOf(folder).flatMap(({ name }) => (/^[^.].*\.ya?ml$/.test(name) ? [join(folder, name)] : []));
}

class QuestionReader {
  readonly questions: ContextQuestion[] = [];
  readonly problems: QuestionProblem[] = [];
  readonly #connections: readonly string[];

  constructor(connections: readonly string[]) {
    this.#connections = connections;
  }

  read(path: string, file: string, readText: (path: string) => string): void {
    try {
      const { value, problems, at } = parseQuestionFile(readText(path), file);
      this.problems.push(...problems);
      if (value !== undefined) this.#add(value, (index, key) => at(["questions", index, ...(key ? [key] : [])]));
    } catch (error) {
      this.problems.push(unreadableFile(file, error));
    }
  }

  #add(file: QuestionFile, at: (index: number, key?: string) => QuestionProblem["position"]): void {
    const [only, ...others] = this.#connections;
    for (const [index, question] of file.questions.entries()) {
      const { name = nameOf(question.question), tolerance = file.tolerance } = question;
      const connection = question.connection ?? file.connection ?? (others.length === 0 ? only : undefined);
      const problem = this.#problemOf(name, connection);
      if (problem !== undefined) this.problems.push({ message: problem, position: at(index) });
      else if (connection !== undefined) {
        this.questions.push({ ...question, name, connection, ...(tolerance !== undefined && { tolerance }) });
      }
    }
  }

  #problemOf(name: string, connection: string | undefined): string | undefined {
    const known = this.#connections.join(", ");
    if (connection === undefined) return `The connection is missing. Write one of: ${known}.`;
    if (!this.#connections.includes(connection)) {
      return `There is no connection ${connection}.${suggestion(connection, this.#connections) || ` There are: ${known}.`}`;
    }
    if (this.questions.some((each) => each.name === name)) return `Two questions are named "${name}". Give one a name.`;
    return undefined;
  }
}

/** Returns a one-line name. */
function nameOf(question: string): string {
  const line = question.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length <= 200 ? line : `${line.slice(0, 199)}…`;
}
