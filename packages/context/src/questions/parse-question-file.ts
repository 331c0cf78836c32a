import type { KeyPath } from "../files/positions.ts";
import { type ParsedYamlFile, parseYamlFile } from "../files/yaml/parse-yaml-file.ts";
import { type QuestionFile, questionFileSchema } from "./question-schema.ts";

/** Parses a file from its text. `file` is for messages. Never throws. */
export function parseQuestionFile(text: string, file: string): ParsedYamlFile<QuestionFile> {
  return parseYamlFile(text, file, questionFileSchema, knownKeys);
}

const question = Object.keys(questionFileSchema.shape.questions.element.shape);
const assumption = ["assumption", "says", "sql", "metrics", "rows"];

function knownKeys(path: KeyPath): readonly string[] {
  if (path.length === 0) return Object.keys(questionFileSchema.shape);
  if (path.includes("ambiguous")) return assumption;
  return path.length === 2 ? question : [];
}
