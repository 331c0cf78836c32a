import { formatPosition, getErrorMessage, type SourcePosition } from "@bridle/protocol";

/** A problem in a question file, as one sentence with a remedy. */
export interface QuestionProblem {
  readonly message: string;
  readonly position: SourcePosition;
}

/** Formats a problem: `context/questions/shop.yaml:3:5: …` */
export function formatQuestionProblem({ message, position }: QuestionProblem): string {
  return `${formatPosition(position)}: ${message}`;
}

export function unreadableFile(file: string, error: unknown): QuestionProblem {
  return { message: `The file cannot be read: ${getErrorMessage(error)}`, position: { file } };
}
