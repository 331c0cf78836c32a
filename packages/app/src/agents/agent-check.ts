import { type FileProblem } from "@bridle/project";

/** A problem as `--json` tells it. */
export interface TellableProblem {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly field: string | null;
  readonly message: string;
  readonly nearest: string | null;
}

export function toTellable({ message, position, field, nearest }: FileProblem): TellableProblem {
  const { file, line, column } = position;
  return { file, line: line ?? null, column: column ?? null, field: field ?? null, message, nearest: nearest ?? null };
}

/** `file:line:column: message`, as editors and terminals link it. */
export function formatProblem({ file, line, column, message }: TellableProblem): string {
  return `${[file, line, column].filter((part) => part !== null).join(":")}: ${message}`;
}
