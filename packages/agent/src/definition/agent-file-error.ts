import { type FileProblem, problemText } from "@bridle/project";
import { ConfigError } from "@bridle/protocol";

/** All problems of an agent file. The message has one line for each problem, with its position. */
export class AgentFileError extends ConfigError {
  /** The problems in the order of the file. */
  readonly problems: readonly FileProblem[];

  constructor(problems: readonly [FileProblem, ...FileProblem[]]) {
    const [{ position, field }] = problems;
    super(problemText(problems), { position, ...(field !== undefined && { field }) });
    this.problems = problems;
  }
}
