import { formatPosition, type SourcePosition } from "@bridle/protocol";

/** A problem in a context file, as one sentence with a remedy. */
export interface ContextFileProblem {
  readonly message: string;
  readonly position: SourcePosition;
  /** The nearest existing name, if a name is unknown. */
  readonly nearest?: string | undefined;
}

/** Formats a problem: `context/tables/w/main.yaml:3:5: …` */
export function formatContextProblem({ message, position }: ContextFileProblem): string {
  return `${formatPosition(position)}: ${message}`;
}
